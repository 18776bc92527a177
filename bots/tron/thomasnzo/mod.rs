//! The bot of a debrief: ThomasNzO's, of the arena's Tron Battle, to the letter.
//!
//! 1. The [context](context) of the turn: who is enclosed and for how long, who controls how much, who
//!    is near; from that, who is searched for, the target, and whether to attack or to defend.
//! 2. A search by the [value](evaluation) of zones, in one of three [versions](Version), which its author
//!    put into the arena one after the other.
//! 3. Of moves that are of the same value, the [tie-breaks](ties) choose.
//!
//! All memory is arrays of fixed size that are allocated with the engine. Every version is deterministic
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

/// The depth of version 1, and with which version 2 begins, in plies.
const DEPTH: u32 = 5;
/// The hundredths of its time that version 3 uses: 70 of 100 ms.
const BREADTH_SHARE: u32 = 70;

/// The three searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Minimax to a fixed depth, with alpha-beta.
    Fixed,
    /// The same, with a depth that follows from the time that the move before took.
    Adaptive,
    /// Breadth first, for as long as there is time.
    Breadth,
}

/// The engine.
pub struct ThomasNzo {
    version: Version,
    depth_control: DepthControl,
    board: Board,
    flood: Box<RegionFlood>,
    /// Only version 3 has boards to keep.
    tree: Option<BreadthFirst>,
}

impl ThomasNzo {
    /// An engine that searches like this.
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

    /// The best moves within the budget. A search that did not come far enough to tell leaves the
    /// moves to what they look like one ply ahead.
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
        self.depth_control.learn(limiter.percent_spent(), found.is_some());
        (found.unwrap_or_else(|| self.look(context)), limiter.nodes())
    }

    /// One ply, whatever it takes.
    fn look(&mut self, context: &Context) -> BoardSearchResult {
        let mut limiter = Limiter::new(Budget::default());
        let evaluator = BoardEvaluator { context, flood: &mut self.flood, limiter: &mut limiter };
        let found = DepthFirst { board: &mut self.board, evaluator }.search(1);
        found.expect("a search without limits comes to its end")
    }
}

/// What a comment says of the context.
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
