//! A solution that need not be short is made shorter: the shortest way between two of its boards
//! takes the place of the piece between them, piece by piece, with longer and longer pieces.

use crate::taquin::grid::BoardGrid;
use crate::taquin::heuristics::Manhattan;
use crate::taquin::sheet::ida_star::{iterate, IdaStarTask};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

const CAP: usize = 128;
/// The length of a piece, and the boards that are expanded for it at most. As long as a search goes
/// through, longer pieces spare more; these double its nodes about as often as it takes.
const SEGMENTS: [(usize, u64); 7] = [
    (16, 1 << 11),
    (24, 1 << 13),
    (32, 1 << 15),
    (40, 1 << 17),
    (48, 1 << 19),
    (56, 1 << 21),
    (64, 1 << 23),
];

/// A path that is no longer, as short as it can be made until the limiter stops, or until the
/// longest pieces, or the longest that the limiter allows, bring nothing more.
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
    /// The boards on the path: one more than it has moves.
    boards: Vec<Board>,
}

impl PathImprover {
    /// Tries pieces of this length from the beginning to the end. Returns whether one became
    /// shorter.
    fn pass(&mut self, length: usize, nodes: u64, limiter: &mut Limiter) -> bool {
        let (before, mut from) = (self.path.len(), 0);
        while from < self.path.len() && !limiter.stopped() {
            let to = (from + length).min(self.path.len());
            match self.shorter(from, to, nodes, limiter) {
                Some(piece) => {
                    let boards = boards_along(&self.boards[from], &piece);
                    self.boards.splice(from..=to, boards);
                    self.path.splice(from..to, piece);
                    // What comes before may fit better now.
                    from = from.saturating_sub(length / 2);
                }
                None => from += (length / 4).max(1),
            }
        }
        self.path.len() < before
    }

    /// A shorter way from one board of the path to a later one, if it is found with so many nodes.
    fn shorter(
        &self,
        from: usize,
        to: usize,
        nodes: u64,
        limiter: &mut Limiter,
    ) -> Option<Vec<Direction>> {
        let most = u32::try_from(to - from).ok()?.checked_sub(2)?;
        let (start, end) = (&self.boards[from], &self.boards[to]);
        let mut goals = [0; CAP];
        (0..).zip(end.cells()).for_each(|(cell, &tile)| goals[usize::from(tile)] = cell);
        let cells: Vec<u8> = start.cells().iter().map(|&tile| goals[usize::from(tile)]).collect();
        let mut limited = limiter.part(nodes);
        let task = IdaStarTask { cells: &cells, blank: start.blank(), most };
        let found = iterate(&self.manhattan, &self.grid, &task, &mut limited);
        limiter.spend(found.stats.expanded);
        found.path
    }
}

/// A board and those on a path from it.
fn boards_along(board: &Board, path: &[Direction]) -> Vec<Board> {
    let mut boards = vec![board.clone()];
    for &direction in path {
        let last = boards.last().expect("the first one is there");
        boards.push(last.after(direction).expect("a path stays on the board"));
    }
    boards
}
