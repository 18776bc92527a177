//! The bot of a debrief by ThomasNzO, a participant in CodinGame's Tron Battle, followed to the
//! letter.
//!
//! 1. The [context](context) of the turn: the enclosed players and their lives, the cells that each
//!    player controls, the distances; from these the target, and the mode, attack or defence.
//! 2. A search with a [Voronoi evaluation](evaluation), in one of three [versions](Version). The
//!    author entered them in the arena one after the other.
//! 3. [Tie-breaks](ties) between moves of equal value.
//!
//! All memory is in fixed-size arrays, allocated with the engine. Every version is deterministic
//! under a limit of nodes or depth.

mod board;
mod breadth_first;
mod context;
mod depth_control;
mod depth_first;
mod evaluation;
mod flood;
mod ties;

#[cfg(test)]
mod tests;

use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron};
use arbitre_games::search::budget::{Budget, Limiter};
use board::Board;
use breadth_first::BreadthFirst;
use context::{Context, Mode};
use depth_control::DepthControl;
use depth_first::DepthFirst;
use evaluation::{BoardEvaluator, BoardSearchResult};
use flood::RegionFlood;

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
    board: Board,
    flood: Box<RegionFlood>,
    /// Memory of the breadth-first search; only [`Version::Breadth`] has it.
    tree: Option<BreadthFirst>,
}

impl ThomasNzo {
    /// Creates an engine of this version.
    pub fn new(version: Version) -> ThomasNzo {
        let tree = (version == Version::Breadth).then(BreadthFirst::new);
        ThomasNzo {
            version,
            depth_control: DepthControl::new(DEPTH),
            board: Board::empty(),
            flood: RegionFlood::new(),
            tree,
        }
    }

    /// Returns the best moves within the budget, and the nodes. An unfinished search without a
    /// result is replaced by a search of one ply.
    fn search(&mut self, context: &Context, budget: &Budget) -> (BoardSearchResult, u64) {
        let share = if self.version == Version::Breadth { BREADTH_SHARE } else { 100 };
        let mut limiter = Limiter::new(budget.share(share));
        let mut evaluator =
            BoardEvaluator { context, flood: &mut self.flood, limiter: &mut limiter };
        let deepest = budget.depth.unwrap_or(u32::MAX).max(1);
        let found = match &mut self.tree {
            Some(tree) => tree.search(&mut self.board, &mut evaluator, deepest),
            None => {
                let depth = match self.version {
                    Version::Adaptive => self.depth_control.depth().min(deepest),
                    _ => budget.depth.map_or(DEPTH, |_| deepest),
                };
                DepthFirst { board: &mut self.board, evaluator }.search(depth)
            }
        };
        // Only `adaptive` reads this depth.
        self.depth_control.learn(limiter.percent_spent(), found.is_some());
        (found.unwrap_or_else(|| self.look(context)), limiter.nodes())
    }

    /// Searches one ply without limits.
    fn look(&mut self, context: &Context) -> BoardSearchResult {
        let mut limiter = Limiter::new(Budget::default());
        let evaluator = BoardEvaluator { context, flood: &mut self.flood, limiter: &mut limiter };
        let found = DepthFirst { board: &mut self.board, evaluator }.search(1);
        found.expect("a search without limits completes")
    }
}

/// Returns the text about the context in a move's comment.
fn objective_comment(context: &Context) -> String {
    let Some(target) = context.target else { return " alone".into() };
    let mode = match context.mode {
        Mode::Attack => "attack",
        Mode::Defence => "defence",
    };
    format!(" {mode} target {target} at {}", context.distances[target].unwrap_or_default())
}

impl Engine<Tron> for ThomasNzo {
    fn begin(&mut self, _: &Start<Tron>) {
        self.depth_control = DepthControl::new(DEPTH);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        self.board.load(state, seat);
        let context = Context::of(&self.board, &mut self.flood);
        self.board.players = context.players;
        let (BoardSearchResult { value, moves, depth }, nodes) = self.search(&context, &budget);
        let direction = ties::choose(&self.board, &context, moves);
        (
            direction,
            format!("score {value} depth {depth} nodes {nodes}{}", objective_comment(&context)),
        )
    }
}
