//! Pattern databases as a heuristic, in tables without ranks: the cells of a group's tiles are the
//! digits of its entry's number, so that a slide adds to it what is known beforehand. Such tables
//! are larger, and looks into them wait for memory; but that takes less than ranks do.

use super::geometry::SquareGrid;
use super::heuristic::SlideHeuristic;
use crate::taquin::best::fsm_pruning::{PruningFsm, DEAD};
use crate::taquin::best::pattern::{pair, GroupView, PairBits, PatternDatabases, MOST_GROUPS};
use crate::taquin::grid::{CAP, DIRECTIONS};
use crate::taquin::heuristics::{Heuristic, Manhattan};
use arbitre_games::games::taquin::Board;

/// The board, and its reflection at the diagonal.
const SIDES: usize = 2;
/// The groups as seen from either.
const LOOKUPS: usize = SIDES * MOST_GROUPS;
/// A byte of the slack is what a side has to spare. This bit of it is set where that is negative.
const NEGATIVE: u64 = 0x8080;
/// Then comes how many moves are left.
const MOVES_SHIFT: u32 = 24;
/// The most tiles of a group: tables of more would be too large.
pub const MOST_TILES: usize = 6;

/// The tables, for boards of `SIDE` rows and columns. An entry has a bit for each two cells side by
/// side, which are in one zone where the blank can be on either: by how much the group's slides
/// exceed the Manhattan distance, halved, the lowest bit. A slide changes both by one, so that this
/// bit tells which way.
pub struct CellIndexedTables<E, const SIDE: usize> {
    /// By state of the state machine.
    after: Vec<[FsmState; DIRECTIONS]>,
    entries: Vec<E>,
    /// By tile.
    lookups: [[u8; SIDES]; CAP],
    /// By direction of the blank and tile: what its slide adds to the number of the entry, twice.
    steps: [[[u32; SIDES]; CAP]; DIRECTIONS],
    /// By the blank's cell after a slide and tile: the bit of the entry.
    bits: [[[u8; SIDES]; CAP]; CAP],
}

/// A state of the state machine: its number, and a bit for each direction in which moves are worth
/// trying.
type FsmState = u32;
/// Where these bits are.
const VALID_SHIFT: u32 = FsmState::BITS - DIRECTIONS as u32;

/// How many of them there are: not every processor counts bits in one instruction.
const POPCOUNT: [u8; 1 << DIRECTIONS] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

impl<E: PairBits, const SIDE: usize> CellIndexedTables<E, SIDE> {
    /// The tables of these patterns, made by so many threads; nothing if they leave the zone of the
    /// blank out, a group has too many tiles, or the boards have another size.
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
        for TileView { side, lookup, tile, view, power, .. } in tile_views(patterns) {
            tables.lookups[tile][side] = lookup as u8;
            for cell in 0..SIDE * SIDE {
                tables.bits[cell][tile][side] = pair(SIDE, view.cell(cell)) as u8;
            }
            // All slides in a direction go as far.
            let count_slides = [(0, SIDE), (0, 1), (1, 0), (SIDE, 0)];
            for ((to, from), steps) in count_slides.into_iter().zip(&mut tables.steps) {
                let step = view.cell(to) as i32 - view.cell(from) as i32;
                steps[tile][side] = (2 * step * power as i32) as u32;
            }
        }
        Some(tables)
    }
}

/// What follows each state of an state machine.
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

/// A tile as it is seen from a side.
struct TileView<'p> {
    side: usize,
    lookup: usize,
    tile: usize,
    view: &'p GroupView,
    /// Where the entries of its group begin.
    first: usize,
    /// What a cell counts in their numbers.
    power: usize,
}

/// All tiles from both sides.
fn tile_views(patterns: &PatternDatabases) -> impl Iterator<Item = TileView<'_>> {
    let cells = patterns.size.0 * patterns.size.1;
    let groups = patterns.groups().count();
    let lookups = (0..SIDES).flat_map(move |side| (0..groups).map(move |group| (side, group)));
    lookups.flat_map(move |(side, group)| {
        let (view, first) = patterns.view_by_cells(side, group);
        let lookup = side * MOST_GROUPS + group;
        view.tiles.iter().enumerate().map(move |(slot, &tile)| {
            let power = cells.pow(slot as u32);
            TileView { side, lookup, tile: tile.into(), view, first, power }
        })
    })
}

/// The tables with the pattern databases that they are made of, which estimate the first board.
pub struct CellIndexedPatterns<'g, E, const SIDE: usize> {
    /// They.
    pub patterns: &'g PatternDatabases,
    /// The state machine.
    pub fsm: &'g PruningFsm,
    /// The tables.
    pub tables: &'g CellIndexedTables<E, SIDE>,
}

/// A board by cell and by group.
#[derive(Clone)]
pub struct IndexedBoard {
    /// By cell; anything on that of the blank.
    tiles: [u8; CAP],
    /// By move lookup: the number of the entry, twice, and the lowest bit of the excess.
    numbers: [u32; LOOKUPS],
}

/// A tile, and the numbers of its groups from both sides.
#[derive(Clone, Copy)]
pub struct IndexChange {
    tile: u8,
    numbers: [u32; SIDES],
}

impl<E: PairBits, const SIDE: usize> SlideHeuristic for CellIndexedPatterns<'_, E, SIDE> {
    const GRID: &'static SquareGrid = &SquareGrid::new(SIDE);
    const BATCHES_LOOKUPS: bool = true;
    const KEEPS_ORDER: bool = false;
    type BoardState = IndexedBoard;
    /// State of the state machine, and slack.
    type NodeState = (FsmState, u64);
    type Change = IndexChange;

    fn root(&self, board: &Board) -> (u32, IndexedBoard, (FsmState, u64)) {
        let (tiles, manhattan) = (board.cells(), Manhattan::new(SIDE, SIDE));
        let known = self.patterns.estimate(tiles, board.blank());
        let bound = self.patterns.value(&known);
        let mut board_state = IndexedBoard { tiles: [0; CAP], numbers: [0; LOOKUPS] };
        board_state.tiles[..tiles.len()].copy_from_slice(tiles);
        let (mut firsts, mut distances) = ([0; LOOKUPS], [0; LOOKUPS]);
        for TileView { lookup, tile, view, first, power, .. } in tile_views(self.patterns) {
            let cell = tiles.iter().position(|&other| usize::from(other) == tile);
            let cell = cell.expect("every tile is on the board");
            firsts[lookup] = first as u32;
            board_state.numbers[lookup] += (power * view.cell(cell)) as u32;
            distances[lookup] += manhattan.tile_distance(tile, cell);
        }
        let mut slack = u64::from(bound) << MOVES_SHIFT;
        for (lookup, number) in board_state.numbers.iter_mut().enumerate() {
            let (side, group) = (lookup / MOST_GROUPS, lookup % MOST_GROUPS);
            // Slides and distance are odd together.
            let excess = (known.sums[side].value_of(group) ^ distances[lookup]) >> 1 & 1;
            *number = 2 * (firsts[lookup] + *number) + excess;
        }
        for (side, sum) in known.sums.iter().enumerate() {
            slack += (u64::from(bound - sum.value()) / 2) << (8 * side);
        }
        let state = with_valid_moves(self.fsm, self.fsm.start(board.blank()));
        (bound, board_state, (state, slack))
    }

    fn with_raised_bound(&self, (state, slack): (FsmState, u64)) -> (FsmState, u64) {
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
        let (mut numbers, mut slack) = ([0; SIDES], slack - (1 << MOVES_SHIFT));
        for side in 0..SIDES {
            let lookup = usize::from(lookups[at][side]) % LOOKUPS;
            let number = board_state.numbers[lookup].wrapping_add(steps[direction][at][side]);
            let entry: u64 = entries[(number / 2) as usize].into();
            let changed = (entry >> (bits[to][at][side] & 15)) as u32 ^ number;
            numbers[side] = number ^ changed & 1;
            // The slides became more where they did not follow the distance.
            slack = slack.wrapping_sub(u64::from((changed ^ is_away) & 1) << (8 * side));
            if slack & NEGATIVE != 0 {
                return None;
            }
        }
        let state = after[(state & ((1 << VALID_SHIFT) - 1)) as usize][direction];
        Some(((state, slack), IndexChange { tile, numbers }))
    }

    #[inline(always)]
    fn apply(
        &self,
        board_state: &mut IndexedBoard,
        cell: usize,
        IndexChange { tile, numbers }: IndexChange,
    ) -> IndexChange {
        board_state.tiles[cell] = tile;
        let [first, second] = self.tables.lookups[usize::from(tile) % CAP];
        let numbers = [(first, numbers[0]), (second, numbers[1])].map(|(lookup, number)| {
            std::mem::replace(&mut board_state.numbers[usize::from(lookup) % LOOKUPS], number)
        });
        IndexChange { tile, numbers }
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
