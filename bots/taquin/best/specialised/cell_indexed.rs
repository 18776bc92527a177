//! Pattern databases in cell-indexed tables, without ranks. The cells of a group's tiles are the
//! digits of its entry's index, so a slide adds a known step to it. The tables are larger and
//! lookups wait for memory, but that costs less than computing ranks.

use super::geometry::SquareGrid;
use super::heuristic::SlideHeuristic;
use crate::taquin::best::fsm_pruning::{PruningFsm, DEAD};
use crate::taquin::best::pattern::{pair, GroupView, PairBits, PatternDatabases, MOST_GROUPS};
use crate::taquin::grid::{CAP, DIRECTIONS};
use crate::taquin::heuristics::{Heuristic, Manhattan};
use arbitre_games::games::taquin::Board;

/// Number of orientations of a board: plain, and reflected at the main diagonal.
const ORIENTATIONS: usize = 2;
/// Number of group views in both orientations.
const LOOKUPS: usize = ORIENTATIONS * MOST_GROUPS;
/// Sign bits of the slack: its two lowest bytes hold what each orientation has to spare.
const NEGATIVE: u64 = 0x8080;
/// Position of the moves left in the slack, above those of the two orientations.
const MOVES_SHIFT: u32 = 24;
/// Largest number of tiles of a group; tables of larger groups would be too large.
pub const MOST_TILES: usize = 6;

/// Cell-indexed tables for boards with `SIDE` rows and columns.
///
/// An entry has one bit for each pair of adjacent cells, which belong to the same zone if the blank
/// can be on either. The bit is the lowest bit of half the excess of the group's slides over the
/// Manhattan distance. A slide changes both by one, so the bit shows the direction of the change.
pub struct CellIndexedTables<E, const SIDE: usize> {
    /// Successors of each FSM state.
    after: Vec<[FsmState; DIRECTIONS]>,
    entries: Vec<E>,
    /// Lookup of each tile in both orientations.
    lookups: [[u8; ORIENTATIONS]; CAP],
    /// Step that a slide adds to the doubled entry index, by direction of the blank and tile.
    steps: [[[u32; ORIENTATIONS]; CAP]; DIRECTIONS],
    /// Bit of the entry, by the blank's cell after a slide and tile.
    bits: [[[u8; ORIENTATIONS]; CAP]; CAP],
}

/// FSM state: its number, and a bit for each direction whose move is not pruned.
type FsmState = u32;
/// Position of the direction bits.
const VALID_SHIFT: u32 = FsmState::BITS - DIRECTIONS as u32;

/// Number of set bits of a four-bit value: not every processor counts bits in one instruction.
const POPCOUNT: [u8; 1 << DIRECTIONS] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

impl<E: PairBits, const SIDE: usize> CellIndexedTables<E, SIDE> {
    /// Builds the tables in `threads` threads. Returns `None` if the patterns leave the blank's
    /// zone out, a group has too many tiles, or boards have another size.
    pub fn new(patterns: &PatternDatabases, fsm: &PruningFsm, threads: usize) -> Option<Self> {
        let is_small = patterns.groups().all(|tiles| tiles.len() <= MOST_TILES);
        if patterns.size != (SIDE, SIDE) || !patterns.is_zoned() || !is_small {
            return None;
        }
        let mut tables = CellIndexedTables {
            after: after(fsm),
            entries: patterns.by_cells(threads),
            lookups: Default::default(),
            steps: Default::default(),
            bits: Default::default(),
        };
        for TileView { orientation, lookup, tile, view, power, .. } in tile_views(patterns) {
            tables.lookups[tile][orientation] = lookup as u8;
            for cell in 0..SIDE * SIDE {
                tables.bits[cell][tile][orientation] = pair(SIDE, view.cell(cell)) as u8;
            }
            // All slides in a direction have the same step, so one from each direction is enough.
            let count_slides = [(0, SIDE), (0, 1), (1, 0), (SIDE, 0)];
            for ((to, from), steps) in count_slides.into_iter().zip(&mut tables.steps) {
                let step = view.cell(to) as i32 - view.cell(from) as i32;
                steps[tile][orientation] = (2 * step * power as i32) as u32;
            }
        }
        Some(tables)
    }
}

/// Returns the successors of each FSM state, with their direction bits.
fn after(fsm: &PruningFsm) -> Vec<[FsmState; DIRECTIONS]> {
    let word = |state: u32| match state {
        DEAD => 0,
        state => with_valid_moves(fsm, state),
    };
    (0..fsm.states() as u32).map(|state| fsm.after(state).map(word)).collect()
}

fn with_valid_moves(fsm: &PruningFsm, state: u32) -> FsmState {
    assert!(state < 1 << VALID_SHIFT);
    let bit = |(direction, &next): (usize, &u32)| {
        u32::from(next != DEAD) << (VALID_SHIFT as usize + direction)
    };
    state + fsm.after(state).iter().enumerate().map(bit).sum::<u32>()
}

/// Tile in an orientation.
struct TileView<'p> {
    orientation: usize,
    lookup: usize,
    tile: usize,
    view: &'p GroupView,
    /// Index of the first entry of its group.
    first: usize,
    /// Weight of the tile's cell in the entry index.
    power: usize,
}

/// Returns all tiles in both orientations.
fn tile_views(patterns: &PatternDatabases) -> impl Iterator<Item = TileView<'_>> {
    let cells = patterns.size.0 * patterns.size.1;
    let groups = patterns.groups().count();
    let lookups = (0..ORIENTATIONS)
        .flat_map(move |orientation| (0..groups).map(move |group| (orientation, group)));
    lookups.flat_map(move |(orientation, group)| {
        let (view, first) = patterns.view_by_cells(orientation, group);
        let lookup = orientation * MOST_GROUPS + group;
        view.tiles.iter().enumerate().map(move |(slot, &tile)| {
            let power = cells.pow(slot as u32);
            TileView { orientation, lookup, tile: tile.into(), view, first, power }
        })
    })
}

/// Cell-indexed tables with the pattern databases they are built from, which estimate the first
/// board.
pub struct CellIndexedPatterns<'g, E, const SIDE: usize> {
    /// The pattern databases.
    pub patterns: &'g PatternDatabases,
    /// FSM that prunes duplicates.
    pub fsm: &'g PruningFsm,
    /// The cell-indexed tables.
    pub tables: &'g CellIndexedTables<E, SIDE>,
}

/// Tiles of a board, and the entry indices of its groups.
#[derive(Clone)]
pub struct IndexedBoard {
    /// Tiles by cell; the value on the blank's cell is arbitrary.
    tiles: [u8; CAP],
    /// Doubled entry index of each group view, with the lowest bit of half the excess in bit 0.
    indices: [u32; LOOKUPS],
}

/// A tile, and the entry indices of its groups in both orientations.
#[derive(Clone, Copy)]
pub struct IndexChange {
    tile: u8,
    indices: [u32; ORIENTATIONS],
}

impl<E: PairBits, const SIDE: usize> SlideHeuristic for CellIndexedPatterns<'_, E, SIDE> {
    const GRID: &'static SquareGrid = &SquareGrid::new(SIDE);
    const BATCHES_LOOKUPS: bool = true;
    const KEEPS_ORDER: bool = false;
    type BoardState = IndexedBoard;
    /// FSM state and slack.
    type NodeState = (FsmState, u64);
    type Change = IndexChange;

    fn root(&self, board: &Board) -> (u32, IndexedBoard, (FsmState, u64)) {
        let (tiles, manhattan) = (board.cells(), Manhattan::new(SIDE, SIDE));
        let known = self.patterns.estimate(tiles, board.blank());
        let bound = self.patterns.value(&known);
        let mut board_state = IndexedBoard { tiles: [0; CAP], indices: [0; LOOKUPS] };
        board_state.tiles[..tiles.len()].copy_from_slice(tiles);
        let (mut firsts, mut distances) = ([0; LOOKUPS], [0; LOOKUPS]);
        for TileView { lookup, tile, view, first, power, .. } in tile_views(self.patterns) {
            let cell = tiles.iter().position(|&other| usize::from(other) == tile);
            let cell = cell.expect("every tile is on the board");
            firsts[lookup] = first as u32;
            board_state.indices[lookup] += (power * view.cell(cell)) as u32;
            distances[lookup] += manhattan.tile_distance(tile, cell);
        }
        let mut slack = u64::from(bound) << MOVES_SHIFT;
        for (lookup, index) in board_state.indices.iter_mut().enumerate() {
            let (orientation, group) = (lookup / MOST_GROUPS, lookup % MOST_GROUPS);
            // Slides and Manhattan distance have the same parity, so the XOR of their second bits
            // is the lowest bit of half their difference.
            let excess = (known.oriented[orientation].value_of(group) ^ distances[lookup]) >> 1 & 1;
            *index = 2 * (firsts[lookup] + *index) + excess;
        }
        for (orientation, sum) in known.oriented.iter().enumerate() {
            slack += (u64::from(bound - sum.value()) / 2) << (8 * orientation);
        }
        let state = with_valid_moves(self.fsm, self.fsm.start(board.blank()));
        (bound, board_state, (state, slack))
    }

    fn with_raised_bound(&self, (state, slack): (FsmState, u64)) -> (FsmState, u64) {
        // Two more moves give each orientation one more unit of slack.
        (state, slack + (2 << MOVES_SHIFT) + 0x0101)
    }

    #[inline(always)]
    fn count_slides(
        &self,
        (state, _): (FsmState, u64),
        _: usize,
        _: usize,
        direction: usize,
    ) -> u64 {
        POPCOUNT[(state >> VALID_SHIFT >> direction) as usize % POPCOUNT.len()].into()
    }

    #[inline(always)]
    fn slide(
        &self,
        board_state: &IndexedBoard,
        (state, slack): (FsmState, u64),
        blank: usize,
        direction: usize,
    ) -> Option<((FsmState, u64), IndexChange)> {
        if state >> (VALID_SHIFT as usize + direction) & 1 == 0 {
            return None;
        }
        let CellIndexedTables { after, entries, lookups, steps, bits } = self.tables;
        let to = Self::GRID.neighbours[blank][direction];
        let tile = board_state.tiles[to];
        let at = usize::from(tile) % CAP;
        let is_away = Self::GRID.farther_tiles[blank][direction] >> at;
        let (mut indices, mut slack) = ([0; ORIENTATIONS], slack - (1 << MOVES_SHIFT));
        for orientation in 0..ORIENTATIONS {
            let lookup = usize::from(lookups[at][orientation]) % LOOKUPS;
            let index = board_state.indices[lookup].wrapping_add(steps[direction][at][orientation]);
            let entry: u64 = entries[(index / 2) as usize].into();
            let changed = (entry >> (bits[to][at][orientation] & 15)) as u32 ^ index;
            indices[orientation] = index ^ changed & 1;
            // Slides increase if the tile moves away and the excess stays, or it moves nearer and
            // the excess changes.
            slack = slack.wrapping_sub(u64::from((changed ^ is_away) & 1) << (8 * orientation));
            if slack & NEGATIVE != 0 {
                return None;
            }
        }
        let state = after[(state & ((1 << VALID_SHIFT) - 1)) as usize][direction];
        Some(((state, slack), IndexChange { tile, indices }))
    }

    #[inline(always)]
    fn apply(
        &self,
        board_state: &mut IndexedBoard,
        cell: usize,
        IndexChange { tile, indices }: IndexChange,
    ) -> IndexChange {
        board_state.tiles[cell] = tile;
        let [first, second] = self.tables.lookups[usize::from(tile) % CAP];
        let indices = [(first, indices[0]), (second, indices[1])].map(|(lookup, index)| {
            std::mem::replace(&mut board_state.indices[usize::from(lookup) % LOOKUPS], index)
        });
        IndexChange { tile, indices }
    }

    #[inline(always)]
    fn is_goal(&self, (_, slack): (FsmState, u64), least: &mut u64) -> bool {
        let left = slack >> MOVES_SHIFT;
        let is_less = left < *least;
        if is_less {
            *least = left;
        }
        is_less && left == 0
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.tables.entries[..]) + self.patterns.bytes()
    }
}
