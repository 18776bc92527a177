//! Ranks of the placements of a pattern's tiles, without gaps: the rank of the set of cells, and
//! the rank of the order of the tiles on them.

use super::cell_sets::{CellSet, CombinationIndex};
use crate::taquin::grid::MOST_CELLS;

/// Largest number of tiles of a pattern.
pub const MOST_TILES: usize = 8;
/// Bits of a slot in an order.
const BITS: u32 = 3;
/// Slots of an order that are looked up together.
const HALF: usize = 4;
const HALF_BITS: u32 = BITS * HALF as u32;

/// Slots of a pattern's tiles in the order of their cells, three bits each.
pub type TileOrder = u32;

/// Placement of a pattern's tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// Cells that the tiles occupy.
    pub set: CellSet,
    /// Slots of the tiles on these cells, in the order of the cells.
    pub order: TileOrder,
}

impl Placement {
    /// Creates the placement of tiles on these cells, given by slot.
    pub fn new(cells: &[usize]) -> Placement {
        let mut slots: Vec<usize> = (0..cells.len()).collect();
        slots.sort_by_key(|&slot| cells[slot]);
        let set = cells.iter().fold(0, |set, cell| set | 1 << cell);
        Placement { set, order: order_of(&slots) }
    }

    /// Returns the placement after the tile on cell `from` slid to cell `to`.
    #[inline(always)]
    pub fn after(self, from: usize, to: usize) -> Placement {
        let left = self.set & !(1 << from);
        // Between cells with adjacent numbers, a slide along a row, the tile passes no other.
        let order = match from.abs_diff(to) {
            1 => self.order,
            _ => moved(self.order, count_below(left, from), count_below(left, to)),
        };
        Placement { set: left | 1 << to, order }
    }
}

/// Returns the number of cells of a set before `cell`.
#[inline]
pub fn count_below(set: CellSet, cell: usize) -> u32 {
    (set & ((1 << cell) - 1)).count_ones()
}

fn order_of(slots: &[usize]) -> TileOrder {
    slots.iter().rev().fold(0, |order, &slot| order << BITS | slot as TileOrder)
}

/// Returns the slot at a place of an order.
#[inline]
pub fn slot_at(order: TileOrder, place: usize) -> usize {
    (order >> (BITS * place as u32) & ((1 << BITS) - 1)) as usize
}

/// Returns the order with `slot` inserted at `place`.
#[inline(always)]
pub fn put_in(order: TileOrder, slot: usize, place: u32) -> TileOrder {
    let below = (1 << (BITS * place)) - 1;
    order & below | (slot as TileOrder) << (BITS * place) | (order & !below) << BITS
}

/// Returns the order after the slot at place `near` moved past the next `others` slots, or after
/// the last of them moved to `near`.
#[inline(always)]
pub fn past(order: TileOrder, near: u32, others: u32, is_forward: bool) -> TileOrder {
    let (near, others) = (BITS * near, BITS * others);
    // Bits of the slots that change; they rotate by one slot.
    let bits = (1 << (near + others + BITS)) - (1 << near);
    let slots = order & bits;
    let forward = slots >> BITS | slots << others;
    let backward = slots << BITS | slots >> others;
    order ^ slots | (if is_forward { forward } else { backward }) & bits
}

/// Returns the order after the slot at place `from` moved to place `to`.
#[inline(always)]
pub fn moved(order: TileOrder, from: u32, to: u32) -> TileOrder {
    past(order, from.min(to), from.abs_diff(to), to > from)
}

/// Ranks of the orders of some tiles: the rank of the first four slots, plus that of the others
/// among the remaining slots.
pub struct PermutationIndex {
    first: [u16; 1 << HALF_BITS],
    others: [u8; 1 << HALF_BITS],
    tiles: usize,
}

impl PermutationIndex {
    /// Creates the ranks of the orders of `tiles` tiles.
    pub fn new(tiles: usize) -> PermutationIndex {
        let mut first = [0; 1 << HALF_BITS];
        let mut others = [0; 1 << HALF_BITS];
        let shorter = |slots: &[usize]| order_of(slots) as usize;
        let mut before = [usize::MAX; HALF];
        let (mut rank, mut others_rank) = (0, 0);
        let head = tiles.min(HALF);
        for_each_order(tiles, &mut |slots| {
            if slots[..head] != before[..head] {
                (rank, others_rank) = (rank + others_rank, 0);
                before[..head].copy_from_slice(&slots[..head]);
                first[shorter(&slots[..head])] = rank;
            }
            others[shorter(&slots[head..])] = others_rank as u8;
            others_rank += 1;
        });
        PermutationIndex { first, others, tiles }
    }

    /// Returns the rank of an order.
    #[inline(always)]
    pub fn rank(&self, order: TileOrder) -> usize {
        let (first, others) = (order & ((1 << HALF_BITS) - 1), order >> HALF_BITS);
        let others = self.others[others as usize % (1 << HALF_BITS)];
        usize::from(self.first[first as usize]) + usize::from(others)
    }

    /// Returns the number of orders.
    pub fn count(&self) -> usize {
        (1..=self.tiles).product()
    }

    /// Returns all orders by rank.
    pub fn all(&self) -> Vec<TileOrder> {
        let mut all = Vec::new();
        for_each_order(self.tiles, &mut |slots| all.push(order_of(slots)));
        all
    }
}

/// Calls `found` with all orders of `tiles` slots, in lexicographic order.
fn for_each_order(tiles: usize, found: &mut impl FnMut(&[usize])) {
    let mut slots: Vec<usize> = (0..tiles).collect();
    loop {
        found(&slots);
        // A descending suffix is the last of its orders, so the slot before it becomes the next
        // larger one.
        let Some(start) = (1..tiles).rev().find(|&at| slots[at - 1] < slots[at]) else { return };
        let larger = (start..tiles).rev().find(|&at| slots[at] > slots[start - 1]);
        slots.swap(start - 1, larger.expect("the first slot of the suffix is larger"));
        slots[start..].reverse();
    }
}

/// Ranks of the placements of a pattern's tiles.
pub struct PlacementIndex {
    /// Ranks of the sets of cells.
    pub sets: CombinationIndex,
    /// Ranks of the orders of the tiles.
    pub orders: PermutationIndex,
    /// Entries reserved for a block: the number of orders, rounded up to whole words of 64 bits.
    pub stride: usize,
}

impl PlacementIndex {
    /// Creates the ranks of `tiles` tiles on `cells` cells.
    ///
    /// # Panics
    /// Panics if there are more than [`MOST_TILES`] tiles or 25 cells, or fewer than two other
    /// cells.
    pub fn new(cells: usize, tiles: usize) -> PlacementIndex {
        assert!(cells <= MOST_CELLS && (1..=MOST_TILES).contains(&tiles));
        assert!(tiles + 2 <= cells, "a pattern leaves a tile and the blank out");
        let orders = PermutationIndex::new(tiles);
        let stride = orders.count().next_multiple_of(64);
        PlacementIndex { sets: CombinationIndex::new(cells, tiles), orders, stride }
    }
}
