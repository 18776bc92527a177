//! The bot of a debrief: ThomasNzO's, of the arena's Tron Battle, to the letter.
//!
//! 1. The [context](context) of the turn: who is enclosed and for how long, who controls how much, who
//!    is near; from that, who is searched for, the target, and whether to attack or to defend.
//! 2. A search by the [value](evaluation) of zones, in one of three [versions](Version), which its author
//!    put into the arena one after the other.
//! 3. Of moves that are of the same value, the [tie-breaks](ties) choose.
//!
//! All memory is arrays of fixed size that are allocated with the mind. Every version is deterministic
//! under a limit of nodes or depth.

mod board;
mod breadth_first;
mod context;
mod depth_first;
mod evaluation;
mod flood;
mod pace;
mod ties;

#[cfg(test)]
mod tests;

use crate::mind::Mind;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{Direction, Position, Tron};
use arbitre_games::search::budget::{Budget, Limiter};
use board::Board;
use breadth_first::BreadthFirst;
use context::{Context, Mode};
use depth_first::DepthFirst;
use evaluation::Judge;
use flood::Flood;
use pace::Pace;

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

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    value: i32,
    /// All moves of that value, as a mask.
    moves: u8,
    /// How many plies were looked ahead.
    depth: u32,
}

/// The mind.
pub struct Seed {
    version: Version,
    pace: Pace,
    board: Board,
    flood: Box<Flood>,
    /// Only version 3 has boards to keep.
    tree: Option<BreadthFirst>,
}

impl Seed {
    /// A mind that searches like this.
    pub fn new(version: Version) -> Seed {
        let tree = (version == Version::Breadth).then(BreadthFirst::new);
        Seed { version, pace: Pace::new(DEPTH), board: Board::empty(), flood: Flood::new(), tree }
    }

    /// The best moves within the budget. A search that did not come far enough to tell leaves the
    /// moves to what they look like one ply ahead.
    fn search(&mut self, context: &Context, budget: &Budget) -> (Found, u64) {
        let share = if self.version == Version::Breadth { BREADTH_SHARE } else { 100 };
        let mut meter = Limiter::new(budget.share(share));
        let mut judge = Judge { context, flood: &mut self.flood, meter: &mut meter };
        let deepest = budget.depth.unwrap_or(u32::MAX).max(1);
        let found = match (&mut self.tree, self.version) {
            (Some(tree), _) => tree.search(&mut self.board, &mut judge, deepest),
            (None, Version::Adaptive) => {
                let depth = self.pace.depth().min(deepest);
                DepthFirst { board: &mut self.board, judge }.search(depth)
            }
            (None, _) => {
                let depth = budget.depth.map_or(DEPTH, |_| deepest);
                DepthFirst { board: &mut self.board, judge }.search(depth)
            }
        };
        self.pace.learn(meter.percent_spent(), found.is_some());
        (found.unwrap_or_else(|| self.look(context)), meter.nodes())
    }

    /// One ply, whatever it takes.
    fn look(&mut self, context: &Context) -> Found {
        let mut meter = Limiter::new(Budget::default());
        let judge = Judge { context, flood: &mut self.flood, meter: &mut meter };
        let found = DepthFirst { board: &mut self.board, judge }.search(1);
        found.expect("a search without limits comes to its end")
    }
}

/// What a comment says of the context.
fn aim(context: &Context) -> String {
    let Some(target) = context.target else { return " alone".into() };
    let mode = match context.mode {
        Mode::Attack => "attack",
        Mode::Defence => "defence",
    };
    format!(" {mode} target {target} at {}", context.distances[target].unwrap_or_default())
}

impl Mind<Tron> for Seed {
    fn begin(&mut self, _: &Start<Tron>) {
        self.pace = Pace::new(DEPTH);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        self.board.load(state, seat);
        let context = Context::of(&self.board, &mut self.flood);
        self.board.set_players(context.players);
        let (Found { value, moves, depth }, nodes) = self.search(&context, &budget);
        let way = ties::choose(&self.board, &context, moves);
        (way, format!("score {value} depth {depth} nodes {nodes}{}", aim(&context)))
    }
}
