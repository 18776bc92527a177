//! Pattern databases as a guide, in tables without ranks: the cells of a group's tiles are the digits of its entry's
//! number, so that a slide adds to it what is known beforehand. Such tables are larger, and looks into them wait for memory;
//! but that takes less than ranks do.

use super::geometry::{away, beside, WAYS};
use super::{Guide, Stand};
use crate::taquin::automaton::{Automaton, DEAD};
use crate::taquin::heuristic::{Heuristic, Manhattan};
use crate::taquin::pattern::{pair, Entry, Patterns, View, CAP, MOST_GROUPS};
use arbitre_games::games::taquin::Board;

/// The board, and its reflection at the diagonal.
const SIDES: usize = 2;
/// The groups as seen from either.
const LENSES: usize = SIDES * MOST_GROUPS;
/// In a tally a byte is what a side has to spare; where it has less than nothing this bit of it is set.
const LESS_THAN_NOTHING: u64 = 0x8080;
/// Then comes how many moves are left.
const LEFT: u32 = 24;
/// The most tiles of a group: tables of more would be too large.
pub const MOST_TILES: usize = 6;

/// The guide, for boards of so many rows and columns. An entry has a bit for each two cells side by side, which are in
/// one zone where the blank can be on either: by how much the group's slides exceed the Manhattan distance, halved, the
/// lowest bit. A slide changes both by one, so that this bit tells which way.
pub struct ByCells<E, const SIDE: usize> {
    /// By state of the automaton.
    after: Vec<[State; WAYS]>,
    entries: Vec<E>,
    /// By tile.
    lenses: [[u8; SIDES]; CAP],
    /// By direction of the blank and tile: what its slide adds to the number of the entry, twice.
    steps: [[[u32; SIDES]; CAP]; WAYS],
    /// By the blank's cell after a slide and tile: the bit of the entry.
    bits: [[[u8; SIDES]; CAP]; CAP],
}

/// A state of the automaton: its number, and a bit for each direction in which moves are worth trying.
type State = u32;
/// Where these bits are.
const WORTH: u32 = State::BITS - WAYS as u32;

/// How many of them there are: not every processor counts bits in one instruction.
const ONES: [u8; 1 << WAYS] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

impl<E: Entry, const SIDE: usize> ByCells<E, SIDE> {
    /// The tables of these patterns, made by so many threads; nothing if they leave the zone of the blank out, a group
    /// has too many tiles, or the boards have another size.
    pub fn new(patterns: &Patterns, automaton: &Automaton, threads: usize) -> Option<Self> {
        let is_small = patterns.groups().all(|tiles| tiles.len() <= MOST_TILES);
        if patterns.size() != (SIDE, SIDE) || !patterns.is_zoned() || !is_small {
            return None;
        }
        let mut by_cells = ByCells {
            after: after(automaton),
            entries: patterns.by_cells(threads),
            lenses: Default::default(),
            steps: Default::default(),
            bits: Default::default(),
        };
        for Seen { side, lens, tile, view, power, .. } in seen(patterns) {
            by_cells.lenses[tile][side] = lens as u8;
            for cell in 0..SIDE * SIDE {
                by_cells.bits[cell][tile][side] = pair(SIDE, view.cell(cell)) as u8;
            }
            // All slides in a direction go as far.
            let slides = [(0, SIDE), (0, 1), (1, 0), (SIDE, 0)];
            for ((to, from), steps) in slides.into_iter().zip(&mut by_cells.steps) {
                let step = view.cell(to) as i32 - view.cell(from) as i32;
                steps[tile][side] = (2 * step * power as i32) as u32;
            }
        }
        Some(by_cells)
    }
}

/// What follows each state of an automaton.
fn after(automaton: &Automaton) -> Vec<[State; WAYS]> {
    let word = |state: u32| match state {
        DEAD => 0,
        state => worded(automaton, state),
    };
    (0..automaton.states() as u32).map(|state| automaton.after(state).map(word)).collect()
}

fn worded(automaton: &Automaton, state: u32) -> State {
    assert!(state < 1 << WORTH);
    let bit = |(way, &next): (usize, &u32)| u32::from(next != DEAD) << (WORTH as usize + way);
    state + automaton.after(state).iter().enumerate().map(bit).sum::<u32>()
}

/// A tile as it is seen from a side.
struct Seen<'p> {
    side: usize,
    lens: usize,
    tile: usize,
    view: &'p View,
    /// Where the entries of its group begin.
    first: usize,
    /// What a cell counts in their numbers.
    power: usize,
}

/// All tiles from both sides.
fn seen(patterns: &Patterns) -> impl Iterator<Item = Seen<'_>> {
    let cells = patterns.size().0 * patterns.size().1;
    let groups = patterns.groups().count();
    let lenses = (0..SIDES).flat_map(move |side| (0..groups).map(move |group| (side, group)));
    lenses.flat_map(move |(side, group)| {
        let (view, first) = patterns.view_by_cells(side, group);
        let lens = side * MOST_GROUPS + group;
        view.tiles.iter().enumerate().map(move |(slot, &tile)| {
            let power = cells.pow(slot as u32);
            Seen { side, lens, tile: tile.into(), view, first, power }
        })
    })
}

/// The guide with the patterns that it is made of, which estimate the first board.
pub struct Guided<'g, E, const SIDE: usize> {
    /// They.
    pub patterns: &'g Patterns,
    /// The automaton.
    pub automaton: &'g Automaton,
    /// The guide.
    pub by_cells: &'g ByCells<E, SIDE>,
}

/// A board.
#[derive(Clone)]
pub struct Desk {
    /// By cell; anything on that of the blank.
    tiles: [u8; CAP],
    /// By lens: the number of the entry, twice, and the lowest bit of the excess.
    numbers: [u32; LENSES],
}

/// A slide.
#[derive(Clone, Copy)]
pub struct Slid {
    tile: u8,
    state: State,
    /// By side.
    numbers: [u32; SIDES],
    tally: u64,
}

impl<E: Entry, const SIDE: usize> Guide for Guided<'_, E, SIDE> {
    const SIDE: usize = SIDE;
    const WAITS: bool = true;
    const IS_ORDERED: bool = false;
    type Desk = Desk;
    type Mark = State;
    type Slid = Slid;
    type Old = [u32; SIDES];

    fn root(&self, board: &Board) -> (u32, Stand<Self>) {
        let (tiles, manhattan) = (board.cells(), Manhattan::new(SIDE, SIDE));
        let known = self.patterns.mark(tiles, board.blank());
        let bound = self.patterns.estimate(&known);
        let mut desk = Desk { tiles: [0; CAP], numbers: [0; LENSES] };
        desk.tiles[..tiles.len()].copy_from_slice(tiles);
        let (mut firsts, mut distances) = ([0; LENSES], [0; LENSES]);
        for Seen { lens, tile, view, first, power, .. } in seen(self.patterns) {
            let cell = tiles.iter().position(|&other| usize::from(other) == tile);
            let cell = cell.expect("every tile is on the board");
            firsts[lens] = first as u32;
            desk.numbers[lens] += (power * view.cell(cell)) as u32;
            distances[lens] += manhattan.of_tile(tile, cell);
        }
        let mut tally = u64::from(bound) << LEFT;
        for (lens, number) in desk.numbers.iter_mut().enumerate() {
            let (side, group) = (lens / MOST_GROUPS, lens % MOST_GROUPS);
            // Slides and distance are odd together.
            let excess = (known.sums[side].value_of(group) ^ distances[lens]) >> 1 & 1;
            *number = 2 * (firsts[lens] + *number) + excess;
        }
        for (side, sum) in known.sums.iter().enumerate() {
            tally += (u64::from(bound - sum.value()) / 2) << (8 * side);
        }
        let state = worded(self.automaton, self.automaton.start(board.blank()));
        (bound, Stand { desk, mark: state, tally })
    }

    fn raised(&self, tally: u64) -> u64 {
        tally + (2 << LEFT) + 0x0101
    }

    #[inline(always)]
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(&self, state: State) -> u64 {
        ONES[(state >> WORTH >> WAY) as usize % ONES.len()].into()
    }

    #[inline(always)]
    fn slide<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &Desk,
        state: State,
        tally: u64,
    ) -> Option<Slid> {
        if state >> (WORTH as usize + WAY) & 1 == 0 {
            return None;
        }
        let ByCells { after, entries, lenses, steps, bits } = self.by_cells;
        let to = const { beside(SIDE, BLANK, WAY) };
        let tile = desk.tiles[to];
        let seen = usize::from(tile) % CAP;
        let is_away = const { away(SIDE, BLANK, WAY) } >> seen;
        let (mut numbers, mut tally) = ([0; SIDES], tally - (1 << LEFT));
        for side in 0..SIDES {
            let lens = usize::from(lenses[seen][side]) % LENSES;
            let number = desk.numbers[lens].wrapping_add(steps[WAY][seen][side]);
            let entry: u64 = entries[(number / 2) as usize].into();
            let changed = (entry >> (bits[to][seen][side] & 15)) as u32 ^ number;
            numbers[side] = number ^ changed & 1;
            // The slides became more where they did not follow the distance.
            tally = tally.wrapping_sub(u64::from((changed ^ is_away) & 1) << (8 * side));
            if tally & LESS_THAN_NOTHING != 0 {
                return None;
            }
        }
        let state = after[(state & ((1 << WORTH) - 1)) as usize][WAY];
        Some(Slid { tile, state, numbers, tally })
    }

    #[inline(always)]
    fn make<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &mut Desk,
        slid: Slid,
    ) -> [u32; SIDES] {
        desk.tiles[BLANK] = slid.tile;
        let [first, second] = self.by_cells.lenses[usize::from(slid.tile) % CAP];
        [(first, slid.numbers[0]), (second, slid.numbers[1])].map(|(lens, number)| {
            std::mem::replace(&mut desk.numbers[usize::from(lens) % LENSES], number)
        })
    }

    #[inline(always)]
    fn unmake<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &mut Desk,
        slid: Slid,
        old: [u32; SIDES],
    ) {
        desk.tiles[const { beside(SIDE, BLANK, WAY) }] = slid.tile;
        let [first, second] = self.by_cells.lenses[usize::from(slid.tile) % CAP];
        desk.numbers[usize::from(first) % LENSES] = old[0];
        desk.numbers[usize::from(second) % LENSES] = old[1];
    }

    #[inline(always)]
    fn after(&self, slid: Slid) -> (State, u64) {
        (slid.state, slid.tally)
    }

    #[inline(always)]
    fn is_goal(&self, _: State, tally: u64, least: &mut u64) -> bool {
        let left = tally >> LEFT;
        let is_less = left < *least;
        if is_less {
            *least = left;
        }
        is_less && left == 0
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.by_cells.entries[..]) + self.patterns.bytes()
    }
}
