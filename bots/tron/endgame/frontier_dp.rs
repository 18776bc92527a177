//! Longest path of a block by dynamic programming over frontiers.
//!
//! At each cell the search chooses the edges that the path takes there. Partial paths with the same
//! [`Frontier`] have the same continuations, so only the one with the most visited cells is kept.
//! States that cannot exceed the known path are pruned by a bound. If more states remain than the
//! width, those with the lowest bounds are dropped, and the result is no longer proved. A narrow
//! search is thus a heuristic, a wide one a proof.

use super::frontier::{Frontier, JoinResult, CLOSES, HALF, NONE, OPENS};
use super::layer::{FrontierState, PathEnd, StateLayer, StateOrigin};
use super::strip::{Strip, Tile};
use arbitre_games::search::budget::Limiter;

/// A search that can be interrupted and resumed.
pub(super) struct FrontierDp {
    strip: Strip,
    width: usize,
    /// Value that a path must exceed to be of interest.
    known: u32,
    /// Tile at which the best path was completed, and the origin there.
    completed: Option<(usize, StateOrigin)>,
    /// The current tile, and the number of states before it that are already expanded.
    tile: usize,
    expanded: usize,
    states: Vec<FrontierState>,
    next: StateLayer,
    /// Origins of the states after each tile.
    origins: Vec<Vec<StateOrigin>>,
    narrowed: bool,
}

impl FrontierDp {
    /// Creates a search that keeps at most `width` states and looks for a path of a value above
    /// `known`.
    pub fn new(strip: Strip, width: usize, known: u32) -> FrontierDp {
        let empty = FrontierState {
            frontier: Frontier::default(),
            origin: StateOrigin::new(0, 0),
            visited: 0,
            bound: u16::MAX,
            balance: 0,
            end: PathEnd::CellsAhead,
        };
        FrontierDp {
            strip,
            width,
            known,
            completed: None,
            tile: 0,
            expanded: 0,
            states: vec![empty],
            next: StateLayer::default(),
            origins: Vec::new(),
            narrowed: false,
        }
    }

    /// Runs until it completes or the limiter stops it; each expanded state is a node. Returns
    /// `true` if it completed.
    pub fn run(&mut self, limiter: &mut Limiter) -> bool {
        while let Some(&tile) = self.strip.tiles.get(self.tile) {
            while let Some(&state) = self.states.get(self.expanded) {
                if limiter.tick() {
                    return false;
                }
                self.expand(&tile, &state);
                self.expanded += 1;
            }
            self.turn_layer();
        }
        true
    }

    fn turn_layer(&mut self) {
        self.narrowed |= self.next.narrow(self.width);
        std::mem::swap(&mut self.states, &mut self.next.states);
        self.next.clear();
        self.origins.push(self.states.iter().map(|state| state.origin).collect());
        self.tile += 1;
        self.expanded = 0;
    }

    /// Returns `true` if no state was dropped that might have been better.
    pub fn is_proof(&self) -> bool {
        !self.narrowed
    }

    /// Returns the cells of the best path in order, without the entry, or `None` if no path exceeds
    /// the known value.
    pub fn path(&self) -> Option<Vec<usize>> {
        let (tile, origin) = self.completed?;
        let edges = self.edges(tile, origin);
        let [right, below] = self.strip.steps;
        let entry = self.strip.tiles.iter().find(|tile| tile.is_entry)?.cell;
        let (mut path, mut before, mut cell) = (Vec::new(), entry, entry);
        loop {
            let around = [
                (cell + right, edges[cell] & StateOrigin::RIGHT),
                (cell + below, edges[cell] & StateOrigin::DOWN),
                (cell - right, edges[cell - right] & StateOrigin::RIGHT),
                (cell - below, edges[cell - below] & StateOrigin::DOWN),
            ];
            let next = around.into_iter().find(|&(to, edge)| edge != 0 && to != before);
            let Some((next, _)) = next else { return Some(path) };
            (before, cell) = (cell, next);
            path.push(cell);
        }
    }

    /// Returns, by cell, the edges right and down of the path completed at a tile.
    fn edges(&self, tile: usize, origin: StateOrigin) -> Vec<u8> {
        let last = self.strip.tiles.iter().map(|tile| tile.cell).max().unwrap_or(0);
        let mut edges = vec![0; last + 1];
        let mut origin = origin;
        for tile in (0..=tile).rev() {
            edges[self.strip.tiles[tile].cell] = origin.edges();
            if tile > 0 {
                origin = self.origins[tile - 1][origin.state()];
            }
        }
        edges
    }

    /// Adds all successors of a state at a tile.
    fn expand(&mut self, tile: &Tile, state: &FrontierState) {
        let frontier = (0..tile.rows).fold(state.frontier, |frontier, _| frontier.next_row());
        let (at, state) = (tile.column, &FrontierState { frontier, ..*state });
        // The entry has one edge of the path, every other visited cell two, except its end.
        match (frontier.slot(at), frontier.slot(at + 1), tile.is_entry) {
            (NONE, NONE, true) => self.begin(tile, state, HALF, false),
            (NONE, NONE, false) => {
                self.add(tile, FrontierState { origin: self.origin(0), ..*state });
                self.pass(tile, state);
                if state.end == PathEnd::CellsAhead {
                    self.begin(tile, state, HALF, true);
                }
            }
            (mark, NONE, true) | (NONE, mark, true) => {
                let slot = if mark == frontier.slot(at) { at } else { at + 1 };
                self.end(tile, state, slot, false);
            }
            (mark, NONE, false) | (NONE, mark, false) => {
                let slot = if mark == frontier.slot(at) { at } else { at + 1 };
                self.begin(
                    tile,
                    &FrontierState { frontier: frontier.with(slot, NONE), ..*state },
                    mark,
                    false,
                );
                if state.end == PathEnd::CellsAhead {
                    self.end(tile, state, slot, true);
                }
            }
            (_, _, true) => {}
            (_, _, false) => match frontier.join(at) {
                JoinResult::Piece(frontier) => self.visit(tile, state, frontier, 0, false),
                JoinResult::Path => {
                    let rest = frontier.with(at, NONE).with(at + 1, NONE);
                    self.complete(tile, state, rest, false);
                }
                JoinResult::Circle => {}
            },
        }
    }

    /// Begins a piece that leaves the tile both ways.
    fn pass(&mut self, tile: &Tile, state: &FrontierState) {
        if tile.right && tile.down {
            let frontier = state.frontier.with(tile.column, OPENS).with(tile.column + 1, CLOSES);
            self.visit(tile, state, frontier, StateOrigin::RIGHT | StateOrigin::DOWN, false);
        }
    }

    /// Continues with one edge from the tile, right or down, with this mark.
    fn begin(&mut self, tile: &Tile, state: &FrontierState, mark: u64, is_end: bool) {
        if tile.right {
            let frontier = state.frontier.with(tile.column + 1, mark);
            self.visit(tile, state, frontier, StateOrigin::RIGHT, is_end);
        }
        if tile.down {
            let frontier = state.frontier.with(tile.column, mark);
            self.visit(tile, state, frontier, StateOrigin::DOWN, is_end);
        }
    }

    /// Ends the piece at a slot on the tile.
    fn end(&mut self, tile: &Tile, state: &FrontierState, slot: usize, is_end: bool) {
        match state.frontier.end(slot) {
            Some(frontier) => self.visit(tile, state, frontier, 0, is_end),
            None => self.complete(tile, state, state.frontier.with(slot, NONE), is_end),
        }
    }

    fn origin(&self, edges: u8) -> StateOrigin {
        StateOrigin::new(self.expanded, edges)
    }

    fn visited(&self, tile: &Tile, state: &FrontierState, is_end: bool) -> FrontierState {
        let end = match (is_end, tile.is_white) {
            (false, _) => state.end,
            (true, true) => PathEnd::White,
            (true, false) => PathEnd::Black,
        };
        let moves = 1 + if is_end { tile.behind } else { 0 };
        let balance = state.balance + if tile.is_white { 1 } else { -1 };
        FrontierState { visited: state.visited + moves, balance, end, ..*state }
    }

    /// Adds the state in which the path visits the tile.
    fn visit(
        &mut self,
        tile: &Tile,
        state: &FrontierState,
        frontier: Frontier,
        edges: u8,
        is_end: bool,
    ) {
        let visited = self.visited(tile, state, is_end);
        self.add(tile, FrontierState { frontier, origin: self.origin(edges), ..visited });
    }

    /// Completes the path at the tile, if no other piece crosses the frontier.
    fn complete(&mut self, tile: &Tile, state: &FrontierState, rest: Frontier, is_end: bool) {
        // The entry is visited but is not a move.
        let moves = u32::from(self.visited(tile, state, is_end).visited) - 1;
        if rest == Frontier::default() && moves > self.known {
            self.known = moves;
            self.completed = Some((self.tile, self.origin(0)));
        }
    }

    fn add(&mut self, tile: &Tile, state: FrontierState) {
        let bound = state.visited + most_ahead(tile, &state, self.strip.entry_is_white);
        if u32::from(bound) > self.known + 1 {
            self.next.add(FrontierState { bound, ..state });
        }
    }
}

/// Returns an upper bound on what any continuation of a state adds after this tile.
///
/// White and black cells alternate on the path. The colours of its ends therefore give the
/// difference between its numbers of white and black cells.
fn most_ahead(tile: &Tile, state: &FrontierState, entry_is_white: bool) -> u16 {
    let most = |end_is_white: bool| {
        let outnumber = i16::from(entry_is_white) + i16::from(end_is_white) - 1;
        let missing = outnumber - state.balance;
        let [black, white] = tile.ahead.cells;
        // The path needs `missing` more white cells than black ones.
        let both = black.min(white - missing);
        (2 * both + missing).max(0) as u16
    };
    match state.end {
        PathEnd::White => most(true),
        PathEnd::Black => most(false),
        PathEnd::CellsAhead => {
            let [black, white] = tile.ahead.behind;
            let value = |behind: Option<u16>, is_white| {
                behind.map_or(0, |most_behind| most_behind + most(is_white))
            };
            value(black, false).max(value(white, true))
        }
    }
}
