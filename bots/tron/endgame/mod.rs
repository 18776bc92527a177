//! Endgame of an enclosed cycle: surviving for the largest number of moves.
//!
//! The best play is the longest path from the head in a grid graph. The region is split into
//! blocks. Each is searched with growing width until a search drops no state; its path is then the
//! longest. The first plan fills greedily.
//!
//! ```
//! use arbitre_bots::tron::endgame::{FreeRegion, EndgamePlayer};
//! use arbitre_games::games::tron::{Direction, Point};
//! use arbitre_games::search::budget::{Budget, Limiter};
//! // The head is in the upper middle of an empty box of 3 by 3.
//! let region = FreeRegion::new(3, 3, Point { x: 1, y: 0 }, |_| true);
//! let mut survivor = EndgamePlayer::default();
//! survivor.choose(&region, &mut Limiter::new(Budget::nodes(10_000)));
//! let plan = survivor.plan();
//! // Seven moves are possible: one was made, and the others are planned.
//! assert_eq!((plan.path.len(), plan.exact), (6, true));
//! ```

mod blocks;
mod frontier;
mod frontier_dp;
mod greedy;
mod layer;
mod region;
mod solver;
mod strip;

pub use region::FreeRegion;

use arbitre_games::games::tron::Direction;
use arbitre_games::search::budget::Limiter;
use blocks::Blocks;
use solver::EndgameSolver;

/// Plan of an enclosed cycle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndgamePlan {
    /// Moves, the next one first; after the last no cell is free.
    pub path: Vec<Direction>,
    /// Whether no longer path exists.
    pub exact: bool,
}

/// Returns an upper bound on the moves of any path in a region, at about the cost of one visit per
/// cell.
pub fn upper_bound(region: &FreeRegion) -> u32 {
    Blocks::default().bound(region)
}

/// A player of endgames that keeps its plan between moves and improves it while there is time.
#[derive(Default)]
pub struct EndgamePlayer {
    /// Region in which the plan begins.
    region: Option<FreeRegion>,
    path: Vec<Direction>,
    /// Number of moves of the path after which its remainder is proved the longest.
    exact_after: Option<usize>,
    /// The interrupted search, if there is one.
    work: Option<EndgameWork>,
    /// Width of the last search that ran out of time; 0 at first.
    width: usize,
    /// Nodes spent on the last move that ran out of time; 0 at first.
    nodes: u64,
    /// Whether no further search is worth trying.
    idle: bool,
}

/// A search that begins later on the path.
struct EndgameWork {
    /// Number of moves of the path before it.
    after: usize,
    solver: EndgameSolver,
}

impl EndgamePlayer {
    /// Returns the planned moves, valid while nothing else changes the region.
    pub fn plan(&self) -> EndgamePlan {
        EndgamePlan { path: self.path.clone(), exact: self.exact_after == Some(0) }
    }

    /// Returns the next move, or `None` where no cell is free. It spends all that the limiter
    /// allows, unless the plan is proved the longest or nothing is left to try.
    ///
    /// Any region is accepted. The plan is kept if it is the last region after the chosen move;
    /// otherwise a new plan is made.
    pub fn choose(&mut self, region: &FreeRegion, limiter: &mut Limiter) -> Option<Direction> {
        // A plan that ends before its region is replaced.
        if self.region.as_ref() != Some(region) || self.path.is_empty() {
            self.begin(region, limiter);
        }
        self.improve(region, limiter);
        let direction = *self.path.first()?;
        self.play(direction);
        Some(direction)
    }

    /// Makes a plan for another region; the remaining old plan is kept if it is longer.
    fn begin(&mut self, region: &FreeRegion, limiter: &mut Limiter) {
        let filling = greedy::fill(region, limiter);
        let old = region.path_of(&region.cells_of(&self.path));
        *self = EndgamePlayer {
            region: Some(region.clone()),
            path: if old.len() > filling.len() { old } else { filling },
            ..EndgamePlayer::default()
        };
        // A path as long as the bound needs no search.
        if self.path.len() as u32 == upper_bound(region) {
            self.exact_after = Some(0);
        }
    }

    fn improve(&mut self, region: &FreeRegion, limiter: &mut Limiter) {
        let before = limiter.nodes();
        while !self.idle && self.exact_after.is_none() && !limiter.stopped() {
            let mut work = self.work.take().unwrap_or_else(|| self.plan_work(region));
            if !work.solver.round(limiter) {
                self.nodes = limiter.nodes() - before;
                self.width = work.solver.width();
                self.work = Some(work);
                return;
            }
            self.learn(region, &work);
            if work.solver.widen() {
                self.work = Some(work);
            } else {
                self.idle = true;
            }
        }
    }

    /// Returns a search that starts ahead on the path by the number of moves that it is expected to
    /// take. Its result is of use only if its start is still ahead when it completes.
    fn plan_work(&self, region: &FreeRegion) -> EndgameWork {
        let (mut after, mut width) = (0, self.width);
        if self.nodes > 0 {
            let most = self.path.len() / 2;
            let moves = |width: usize| (self.path.len() * width) as u64 / self.nodes + 1;
            while moves(width) > most as u64 && width > 1 {
                width /= 2;
            }
            after = (moves(width) as usize).min(most);
        }
        let cells = region.cells_of(&self.path);
        let mut ahead = region.clone();
        self.path[..after].iter().for_each(|&direction| _ = ahead.advance(direction));
        EndgameWork {
            after,
            solver: EndgameSolver::new(ahead, &cells[after..], width.max(EndgameSolver::NARROWEST)),
        }
    }

    /// Takes the result of a completed round.
    fn learn(&mut self, region: &FreeRegion, work: &EndgameWork) {
        let cells = region.cells_of(&self.path);
        let found = work.solver.path();
        if found.len() > cells.len() - work.after {
            self.path = region.path_of(&[&cells[..work.after], &found].concat());
        }
        if work.solver.is_exact() {
            self.exact_after = Some(work.after);
        }
    }

    /// Advances the plan by a move; drops a search that started at the old head.
    fn play(&mut self, direction: Direction) {
        if let Some(region) = &mut self.region {
            region.advance(direction);
        }
        self.path.remove(0);
        self.exact_after = self.exact_after.map(|after| after.saturating_sub(1));
        self.work = self.work.take().filter(|work| work.after > 0);
        if let Some(work) = &mut self.work {
            work.after -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::tron::Point;
    use arbitre_games::search::budget::Budget;

    /// A plan may end where a search stopped, with free cells beyond it.
    #[test]
    fn exhausted_plan_is_replaced() {
        let region = FreeRegion::new(3, 3, Point { x: 1, y: 0 }, |_| true);
        let known = Some(region.clone());
        let mut endgame_player =
            EndgamePlayer { region: known, idle: true, ..EndgamePlayer::default() };
        assert!(endgame_player.choose(&region, &mut Limiter::new(Budget::nodes(100))).is_some());
    }
}
