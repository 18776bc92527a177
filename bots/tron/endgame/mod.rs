//! The endgame of a cycle that is alone: how to survive as many moves as possible.
//!
//! That is the longest path of a grid graph from the head, which ends where nothing is free. The
//! region falls into blocks. Each is searched with growing width, until a search has left nothing
//! out: then its path is the longest. The first plan is a greedy filling.
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

/// The moves that a cycle which is alone has before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndgamePlan {
    /// The moves, the next one first; after the last nothing is free.
    pub path: Vec<Direction>,
    /// Is there no longer path?
    pub exact: bool,
}

/// No path in a region has more moves than this. It costs about as much as a look at each cell.
pub fn upper_bound(region: &FreeRegion) -> u32 {
    Blocks::default().bound(region)
}

/// Plays an endgame: it keeps its plan from move to move, and makes it better while there is time.
#[derive(Default)]
pub struct EndgamePlayer {
    /// Where the plan begins.
    region: Option<FreeRegion>,
    path: Vec<Direction>,
    /// After so many moves of the path, what remains of it is the longest.
    exact_after: Option<usize>,
    work: Option<EndgameWork>,
    /// The width of the sweeps that are next worth trying, and nodes that a move's time allows.
    width: usize,
    nodes: u64,
    /// Nothing more is to be tried.
    idle: bool,
}

/// A search that begins later on the path.
struct EndgameWork {
    /// After so many moves of the path.
    after: usize,
    solver: EndgameSolver,
}

impl EndgamePlayer {
    /// What it would play from now on, as long as nothing else changes the region.
    pub fn plan(&self) -> EndgamePlan {
        EndgamePlan { path: self.path.clone(), exact: self.exact_after == Some(0) }
    }

    /// The next move, or nothing where none is free. All time that the meter allows is spent, unless
    /// the plan is known to be the longest.
    ///
    /// The region may be any: where it is the last one after the move that was chosen, the plan goes
    /// on, else a new one is made.
    pub fn choose(&mut self, region: &FreeRegion, limiter: &mut Limiter) -> Option<Direction> {
        // A plan that ran out before its region did is made anew.
        if self.region.as_ref() != Some(region) || self.path.is_empty() {
            self.begin(region, limiter);
        }
        self.improve(region, limiter);
        let direction = *self.path.first()?;
        self.play(direction);
        Some(direction)
    }

    /// Makes a plan for another region; what is left of the old one serves if it is longer.
    fn begin(&mut self, region: &FreeRegion, limiter: &mut Limiter) {
        let filling = greedy::fill(region, limiter);
        let old = region.path_of(&region.cells_of(&self.path));
        *self = EndgamePlayer {
            region: Some(region.clone()),
            path: if old.len() > filling.len() { old } else { filling },
            ..EndgamePlayer::default()
        };
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

    /// A search that begins as far ahead as it is likely to take moves to come to its end, because
    /// what it finds is of use only if its beginning still lies ahead then.
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

    /// Takes over what a round has found.
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

    /// The plan goes on from where this move leads; a search that begins here comes too late.
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

    /// A plan may end where a sweep stopped, with more free cells behind that.
    #[test]
    fn a_plan_that_runs_out_is_made_anew() {
        let region = FreeRegion::new(3, 3, Point { x: 1, y: 0 }, |_| true);
        let known = Some(region.clone());
        let mut endgame_player =
            EndgamePlayer { region: known, idle: true, ..EndgamePlayer::default() };
        assert!(endgame_player.choose(&region, &mut Limiter::new(Budget::nodes(100))).is_some());
    }
}
