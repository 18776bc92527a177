//! The bot of a debrief by ThomasNzO, a participant in CodinGame's Tron Battle, followed to the
//! letter.
//!
//! 1. The [objective](Objective) of the turn: the enclosed players and their lives, the cells that
//!    each player controls, and the nearest player. If that one controls no more cells, the bot
//!    attacks it, and defends itself otherwise.
//! 2. A search with an evaluation by Voronoi regions, in one of three [versions](Version). The
//!    author entered them in the arena one after the other.
//! 3. Tie-breaks between moves of equal value: [`Objective::closest`].
//!
//! `best` predicts its opponents with the same search. Every version is deterministic under a limit
//! of nodes or depth.

mod breadth_first;
mod depth_control;

#[cfg(test)]
mod tests;

use super::best::bitboards::{Bitboard, LargeGrid, SmallGrid};
use super::best::multiplayer::objective::Objective;
use super::best::multiplayer::opponent_search::OpponentSearch;
use super::best::position::MultiplayerPosition;
use super::best::simd::SimdBitboard;
use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron};
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::SearchResult;
use breadth_first::BreadthFirst;
use depth_control::DepthControl;

/// Search depth of `fixed` and initial depth of `adaptive`, in plies. From the debrief
/// (docs/tron.md).
const DEPTH: u32 = 5;
/// Percentage of its time that `breadth` uses. From the debrief (docs/tron.md).
const BREADTH_SHARE: u32 = 70;

/// Versions of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Version 1: alpha-beta to a fixed depth.
    Fixed,
    /// Version 2: alpha-beta to a depth adapted to the time of the previous move.
    Adaptive,
    /// Version 3: breadth-first minimax until the time is spent.
    Breadth,
}

/// The engine of the three versions.
pub struct ThomasNzo {
    version: Version,
    depth_control: DepthControl,
}

impl ThomasNzo {
    /// Creates an engine of this version.
    pub fn new(version: Version) -> ThomasNzo {
        ThomasNzo { version, depth_control: DepthControl::new(DEPTH) }
    }

    fn think<P: SimdBitboard>(
        &mut self,
        state: &Position,
        seat: Seat,
        budget: Budget,
    ) -> (Direction, String) {
        // Seat 0 of this position is the player to move.
        let position = MultiplayerPosition::<P>::new(state, seat);
        let objective = Objective::of(&position, 0);
        let SearchResult { best, value, depth, nodes, .. } =
            self.search(&position, objective, budget);
        let direction = Direction::ALL[objective.closest(&position, best)];
        let target = objective.nearest.map_or(" alone".into(), |(nearest, steps)| {
            let mode = if objective.target.is_some() { "attack" } else { "defence" };
            format!(" {mode} target {} at {steps}", (nearest + seat.index()) % state.seats())
        });
        (direction, format!("score {value} depth {depth} nodes {nodes}{target}"))
    }

    /// Returns the best moves within the budget, as a mask. An unfinished search without a result
    /// is replaced by a search of one ply.
    fn search<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        objective: Objective,
        budget: Budget,
    ) -> SearchResult<u8> {
        let plies = match self.version {
            Version::Fixed => budget.depth.unwrap_or(DEPTH),
            Version::Adaptive => self.depth_control.depth().min(budget.depth.unwrap_or(u32::MAX)),
            Version::Breadth => budget.depth.unwrap_or(u32::MAX),
        };
        let plies = plies.max(1);
        let share = if self.version == Version::Breadth { BREADTH_SHARE } else { 100 };
        let mut search = OpponentSearch::new(objective, plies as usize);
        search.limiter = Limiter::new(budget.share(share));
        let found = match self.version {
            Version::Breadth => Some(BreadthFirst::new(position).search(&mut search, plies)),
            _ => search.best_moves(position),
        };
        let found = found.filter(|found| found.depth > 0);
        // Only `adaptive` reads this depth.
        self.depth_control.learn(search.limiter.percent_spent(), found.is_some());
        let one_ply = || OpponentSearch::new(objective, 1).best_moves(position);
        let found = found.or_else(one_ply).expect("a search without limits completes");
        SearchResult { nodes: search.limiter.nodes(), ..found }
    }
}

impl Engine<Tron> for ThomasNzo {
    fn begin(&mut self, _: &Start<Tron>) {
        self.depth_control = DepthControl::new(DEPTH);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let (width, height) = SmallGrid::LARGEST;
        match state.width() <= width && state.height() <= height {
            true => self.think::<SmallGrid>(state, seat, budget),
            false => self.think::<LargeGrid>(state, seat, budget),
        }
    }
}
