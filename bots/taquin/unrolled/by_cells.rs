//! Pattern databases as a guide, in tables without ranks: the cells of a group's tiles are the number of its entry, four
//! bits each, so that a slide changes it in one place. Such tables are larger, and looks into them wait for memory;
//! but that takes less than ranks do.

use super::geometry::{reflected, target, AWAY, CELLS, NOWHERE, SIDE, WAYS};
use super::Guide;
use crate::bots::taquin::automaton::{Automaton, DEAD};
use crate::bots::taquin::heuristic::{Heuristic, Manhattan};
use crate::bots::taquin::pattern::Patterns;
use crate::games::taquin::Board;

/// The board, and its reflection at the diagonal.
const SIDES: usize = 2;
/// In a tally a byte is what a side has to spare; where it has less than nothing this bit of it is set.
const LESS_THAN_NOTHING: u64 = 0x8080;
/// Then come the lowest bits of the groups' excesses, those of a side together.
const FIRST_BIT: u8 = 16;
const GROUPS: u8 = 8;
/// Then the state of the automaton; this where it is dead.
const STATE: u32 = 32;
const END: u16 = u16::MAX;
/// The most tiles of a group: tables of more would be too large.
pub const MOST_TILES: usize = 6;

/// The guide. An entry has a bit for each two cells side by side, which are in one zone where the blank can be on either:
/// by how much the group's slides exceed the Manhattan distance, halved, the lowest bit. A slide changes both by one, so
/// that this bit tells which way.
pub struct ByCells {
    /// The automaton's, in half of its bytes.
    after: Vec<[u16; WAYS]>,
    entries: Vec<u8>,
    /// By tile and side.
    views: [[View; SIDES]; CELLS],
}

/// Where a tile is seen from a side.
#[derive(Clone, Copy, Default)]
struct View {
    /// The bits of its cell begin here in the word of all cells, and those of its group here.
    tile: u8,
    group: u8,
    /// The bit of the group in a tally.
    bit: u8,
    /// The group's entries begin here, and are numbered by so many bits.
    first: u32,
    mask: u32,
}

impl ByCells {
    /// The tables of these patterns, made by so many threads; nothing if they leave the zone of the blank out, a group
    /// has too many tiles, the boards are not of 4x4, or the automaton has too many states.
    pub fn new(patterns: &Patterns, automaton: &Automaton, threads: usize) -> Option<ByCells> {
        let groups: Vec<&[u8]> = patterns.groups().collect();
        let is_small = groups.iter().all(|tiles| tiles.len() <= MOST_TILES);
        if patterns.size() != (SIDE, SIDE) || !patterns.is_zoned() || !is_small {
            return None;
        }
        let after = halved(automaton)?;
        Some(ByCells { after, entries: patterns.by_cells(threads), views: views(&groups) })
    }
}

/// What follows each state of an automaton, unless its states are too many.
fn halved(automaton: &Automaton) -> Option<Vec<[u16; WAYS]>> {
    let short = |state: u32| match state {
        DEAD => Some(END),
        state => u16::try_from(state).ok().filter(|&state| state != END),
    };
    let after = (0..automaton.states() as u32).map(|state| {
        let [down, right, left, up] = automaton.after(state).map(short);
        Some([down?, right?, left?, up?])
    });
    after.collect()
}

/// How each tile is seen from both sides, if these are the groups.
fn views(groups: &[&[u8]]) -> [[View; SIDES]; CELLS] {
    let mut views = [[View::default(); SIDES]; CELLS];
    let (mut first, mut shift) = (0, 0);
    for (group, tiles) in groups.iter().enumerate() {
        let bits = 4 * tiles.len();
        for (slot, &tile) in tiles.iter().enumerate() {
            let tile = usize::from(tile);
            for (side, tile) in [tile, reflected(tile)].into_iter().enumerate() {
                views[tile][side] = View {
                    tile: shift + 4 * slot as u8,
                    group: shift,
                    bit: FIRST_BIT + GROUPS * side as u8 + group as u8,
                    first,
                    mask: (1 << bits) - 1,
                };
            }
        }
        first += 1 << bits;
        shift += bits as u8;
    }
    views
}

/// The guide with the patterns that it is made of, which estimate the first board.
pub struct Guided<'g> {
    /// They.
    pub patterns: &'g Patterns,
    /// The guide.
    pub by_cells: &'g ByCells,
}

impl Guide for Guided<'_> {
    const WAITS: bool = true;
    /// By side: the cells of all tiles.
    type Mark = [u64; SIDES];

    fn root(&self, board: &Board) -> (u32, [u64; SIDES], u64) {
        let (tiles, manhattan) = (board.cells(), Manhattan::new(SIDE, SIDE));
        let known = self.patterns.mark(tiles, board.blank());
        let bound = self.patterns.estimate(&known);
        let mut tally = (board.blank() as u64) << STATE;
        let mut cells = [0; SIDES];
        for (side, sum) in known.sums.iter().enumerate() {
            tally += (u64::from(bound - sum.value()) / 2) << (8 * side);
            for group in 0..self.patterns.groups().count() {
                let first = usize::from(FIRST_BIT + GROUPS * side as u8) + group;
                tally |= u64::from(sum.value_of(group) >> 1 & 1) << first;
            }
            let mut distances = [0; (FIRST_BIT + 2 * GROUPS) as usize];
            for (cell, &tile) in tiles.iter().enumerate().filter(|&(cell, _)| cell != board.blank())
            {
                let view = &self.by_cells.views[usize::from(tile)][side];
                cells[side] |= ([cell, reflected(cell)][side] as u64) << view.tile;
                distances[usize::from(view.bit)] += manhattan.of_tile(tile.into(), cell);
            }
            // Slides and distance are odd together.
            let halves =
                distances.iter().enumerate().map(|(bit, of)| u64::from(of >> 1 & 1) << bit);
            tally ^= halves.sum::<u64>();
        }
        (bound, cells, tally)
    }

    fn raised(&self, tally: u64) -> u64 {
        tally + 0x0101
    }

    #[inline(always)]
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(&self, tally: u64) -> u64 {
        let states = self.by_cells.after[(tally >> STATE) as usize];
        states[WAY..].iter().map(|&state| u64::from(state != END)).sum()
    }

    #[inline(always)]
    fn after<const BLANK: usize, const WAY: usize>(
        &self,
        mut cells: [u64; SIDES],
        tally: u64,
        tile: usize,
    ) -> Option<([u64; SIDES], u64)> {
        let to = const { target(BLANK, NOWHERE, WAY) }?;
        let state = self.by_cells.after[(tally >> STATE) as usize][WAY];
        let is_away = u64::from(const { AWAY[BLANK][WAY] } >> tile);
        let (mut flips, mut costs) = (0, 0);
        for (side, view) in self.by_cells.views[tile].iter().enumerate() {
            let [from, blank] = [[to, BLANK], [reflected(to), reflected(BLANK)]][side];
            cells[side] ^= ((from ^ blank) as u64) << (view.tile & 63);
            let number = (cells[side] >> (view.group & 63)) as u32 & view.mask;
            let entry = u64::from(self.by_cells.entries[(view.first + number) as usize]);
            let changed = (entry >> (from / 2) ^ tally >> (view.bit & 31)) & 1;
            flips |= changed << (view.bit & 31);
            // The slides became more where they did not follow the distance.
            costs |= ((changed ^ is_away) & 1) << (8 * side);
        }
        let rest = (tally ^ flips) as u32;
        let next = u64::from(rest.wrapping_sub(costs as u32)) | u64::from(state) << STATE;
        (state != END && next & LESS_THAN_NOTHING == 0).then_some((cells, next))
    }

    fn bytes(&self) -> usize {
        self.by_cells.entries.len() + self.patterns.bytes()
    }
}
