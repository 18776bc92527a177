//! Placements of a pattern's tiles as numbers without gaps: the set of cells, and in which order
//! the tiles are on them.

use super::cell_sets::{CellSet, CombinationIndex};
use crate::taquin::grid::MOST_CELLS;

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 8;
/// The bits of a slot in an order.
const BITS: u32 = 3;
/// The places of an order whose slots are looked up together.
const HALF: usize = 4;
const HALF_BITS: u32 = BITS * HALF as u32;

/// The slots of a pattern's tiles, three bits each, in the order of the cells that they are on.
pub type TileOrder = u32;

/// Where a pattern's tiles are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// The cells that they are on.
    pub set: CellSet,
    /// Which of them is on the first of these, the second and so on.
    pub order: TileOrder,
}

impl Placement {
    /// That of tiles on these cells, by slot.
    pub fn new(cells: &[usize]) -> Placement {
        let mut slots: Vec<usize> = (0..cells.len()).collect();
        slots.sort_by_key(|&slot| cells[slot]);
        let set = cells.iter().fold(0, |set, cell| set | 1 << cell);
        Placement { set, order: order_of(&slots) }
    }

    /// After the tile on one cell slid to another.
    #[inline(always)]
    pub fn after(self, from: usize, to: usize) -> Placement {
        let left = self.set & !(1 << from);
        let order = match from.abs_diff(to) {
            1 => self.order,
            _ => moved(self.order, count_below(left, from), count_below(left, to)),
        };
        Placement { set: left | 1 << to, order }
    }
}

/// How many cells of a set come before this one.
#[inline]
pub fn count_below(set: CellSet, cell: usize) -> u32 {
    (set & ((1 << cell) - 1)).count_ones()
}

fn order_of(slots: &[usize]) -> TileOrder {
    slots.iter().rev().fold(0, |order, &slot| order << BITS | slot as TileOrder)
}

/// The slot at a place of an order.
#[inline]
pub fn slot_at(order: TileOrder, place: usize) -> usize {
    (order >> (BITS * place as u32) & ((1 << BITS) - 1)) as usize
}

/// The order after a slot was put in at a place.
#[inline(always)]
pub fn put_in(order: TileOrder, slot: usize, place: u32) -> TileOrder {
    let below = (1 << (BITS * place)) - 1;
    order & below | (slot as TileOrder) << (BITS * place) | (order & !below) << BITS
}

/// Returns the order after the slot at place `near` went past the `others` next ones, or from there
/// back to `near`.
#[inline(always)]
pub fn past(order: TileOrder, near: u32, others: u32, is_forward: bool) -> TileOrder {
    let (near, others) = (BITS * near, BITS * others);
    // The slots that change: their bits go round by one slot.
    let bits = (1 << (near + others + BITS)) - (1 << near);
    let slots = order & bits;
    let forward = slots >> BITS | slots << others;
    let backward = slots << BITS | slots >> others;
    order ^ slots | (if is_forward { forward } else { backward }) & bits
}

/// Returns the order after the slot at place `from` went to place `to`.
#[inline(always)]
pub fn moved(order: TileOrder, from: u32, to: u32) -> TileOrder {
    past(order, from.min(to), from.abs_diff(to), to > from)
}

/// Numbers for the orders of so many tiles: that of the first four slots, and that of the others
/// among those that are left.
pub struct PermutationIndex {
    first: [u16; 1 << HALF_BITS],
    others: [u8; 1 << HALF_BITS],
    tiles: usize,
}

impl PermutationIndex {
    /// The orders of so many tiles.
    pub fn new(tiles: usize) -> PermutationIndex {
        let mut first = [0; 1 << HALF_BITS];
        let mut others = [0; 1 << HALF_BITS];
        let shorter = |slots: &[usize]| order_of(slots) as usize;
        let mut before = [usize::MAX; HALF];
        let (mut number, mut left) = (0, 0);
        let head = tiles.min(HALF);
        for_each_order(tiles, &mut |slots| {
            if slots[..head] != before[..head] {
                (number, left) = (number + left, 0);
                before[..head].copy_from_slice(&slots[..head]);
                first[shorter(&slots[..head])] = number;
            }
            others[shorter(&slots[head..])] = left as u8;
            left += 1;
        });
        PermutationIndex { first, others, tiles }
    }

    /// The number of an order.
    #[inline(always)]
    pub fn number(&self, order: TileOrder) -> usize {
        let (first, others) = (order & ((1 << HALF_BITS) - 1), order >> HALF_BITS);
        let others = self.others[others as usize % (1 << HALF_BITS)];
        usize::from(self.first[first as usize]) + usize::from(others)
    }

    /// All orders, by their numbers.
    pub fn all(&self) -> Vec<TileOrder> {
        let mut all = Vec::new();
        for_each_order(self.tiles, &mut |slots| all.push(order_of(slots)));
        all
    }
}

/// Calls with all orders of so many slots, in lexicographic order.
fn for_each_order(tiles: usize, found: &mut impl FnMut(&[usize])) {
    let mut slots: Vec<usize> = (0..tiles).collect();
    loop {
        found(&slots);
        // What comes last and descends is its own last order: the slot before becomes the next
        // larger one.
        let Some(start) = (1..tiles).rev().find(|&at| slots[at - 1] < slots[at]) else { return };
        let larger = (start..tiles).rev().find(|&at| slots[at] > slots[start - 1]);
        slots.swap(start - 1, larger.expect("the first of them is larger"));
        slots[start..].reverse();
    }
}

/// Numbers for the placements of a pattern's tiles.
pub struct PlacementIndex {
    /// The sets.
    pub sets: CombinationIndex,
    /// The orders.
    pub orders: PermutationIndex,
    /// The numbers of a set's placements: as many as orders, and even, so that they begin with a
    /// byte.
    pub stride: usize,
}

impl PlacementIndex {
    /// The index of so many tiles on so many cells.
    ///
    /// # Panics
    /// If there are more than [`MOST_TILES`] tiles or 25 cells, or no two cells for others.
    pub fn new(cells: usize, tiles: usize) -> PlacementIndex {
        assert!(cells <= MOST_CELLS && (1..=MOST_TILES).contains(&tiles));
        assert!(tiles + 2 <= cells, "a pattern leaves a tile and the blank out");
        let orders = (1..=tiles).product::<usize>();
        let stride = orders.next_multiple_of(2);
        PlacementIndex {
            sets: CombinationIndex::new(cells, tiles),
            orders: PermutationIndex::new(tiles),
            stride,
        }
    }

    /// The number of a placement.
    #[inline(always)]
    pub fn number(&self, placement: Placement) -> usize {
        self.sets.number(placement.set) * self.stride + self.orders.number(placement.order)
    }
}
