//! Path improvement: replaces pieces of a solution by shortest paths between their ends, with
//! longer and longer pieces.

use crate::taquin::grid::BoardGrid;
use crate::taquin::heuristics::Manhattan;
use crate::taquin::sheet::ida_star::{iterate, IdaStarTask};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Power of two that holds the cells of all boards, 10x10 at most.
const CAP: usize = 128;
/// Length of the pieces in moves, and the node limit of the search for each piece. As long as the
/// searches complete, longer pieces save more moves. The node limit doubles about as often as these
/// searches need. Not tuned.
const SEGMENTS: [(usize, u64); 7] = [
    (16, 1 << 11),
    (24, 1 << 13),
    (32, 1 << 15),
    (40, 1 << 17),
    (48, 1 << 19),
    (56, 1 << 21),
    (64, 1 << 23),
];

/// Shortens `path` as far as possible. Stops when the limiter stops, or when the longest allowed
/// pieces bring no further gain.
pub fn improve(board: &Board, path: Vec<Direction>, limiter: &mut Limiter) -> Vec<Direction> {
    let size = (board.rows(), board.columns());
    let manhattan = Manhattan::new(size.0, size.1);
    let mut improver = PathImprover {
        grid: BoardGrid::new(size),
        manhattan,
        boards: boards_along(board, &path),
        path,
    };
    let most = limiter.depth_limit() as usize;
    for (length, nodes) in SEGMENTS.into_iter().filter(|(length, _)| *length <= most) {
        while improver.pass(length, nodes, limiter) && !limiter.stopped() {}
    }
    improver.path
}

struct PathImprover {
    grid: BoardGrid<CAP>,
    manhattan: Manhattan,
    path: Vec<Direction>,
    /// Boards along the path: one more than it has moves.
    boards: Vec<Board>,
}

impl PathImprover {
    /// Searches pieces of `length` moves from the start to the end of the path. Returns `true` if
    /// the path became shorter.
    fn pass(&mut self, length: usize, nodes: u64, limiter: &mut Limiter) -> bool {
        let (before, mut from) = (self.path.len(), 0);
        while from < self.path.len() && !limiter.stopped() {
            let to = (from + length).min(self.path.len());
            match self.shorter(from, to, nodes, limiter) {
                Some(piece) => {
                    let boards = boards_along(&self.boards[from], &piece);
                    self.boards.splice(from..=to, boards);
                    self.path.splice(from..to, piece);
                    // Pieces that overlap the change may have become improvable.
                    from = from.saturating_sub(length / 2);
                }
                None => from += (length / 4).max(1),
            }
        }
        self.path.len() < before
    }

    /// Returns a shorter path between two boards of the path, if one is found within `nodes` nodes.
    fn shorter(
        &self,
        from: usize,
        to: usize,
        nodes: u64,
        limiter: &mut Limiter,
    ) -> Option<Vec<Direction>> {
        // All paths between two boards have the same parity, so a shorter one saves at least two
        // moves.
        let most = u32::try_from(to - from).ok()?.checked_sub(2)?;
        let (start, end) = (&self.boards[from], &self.boards[to]);
        let mut goals = [0; CAP];
        // Tiles are renumbered so that the later board becomes the goal of the search.
        (0..).zip(end.cells()).for_each(|(cell, &tile)| goals[usize::from(tile)] = cell);
        let cells: Vec<u8> = start.cells().iter().map(|&tile| goals[usize::from(tile)]).collect();
        let mut limited = limiter.part(nodes);
        let task = IdaStarTask { cells: &cells, blank: start.blank(), most };
        let found = iterate(&self.manhattan, &self.grid, &task, &mut limited);
        limiter.spend(found.stats.expanded);
        found.path
    }
}

/// Returns a board and the boards along a path from it.
fn boards_along(board: &Board, path: &[Direction]) -> Vec<Board> {
    let mut boards = vec![board.clone()];
    for &direction in path {
        let last = boards.last().expect("the list starts with a board");
        boards.push(last.after(direction).expect("a path stays on the board"));
    }
    boards
}
