//! The best solver: a beam search over boards, in which a dynamic programme per board finds the best phrases
//! on the way to every place where the unit can be locked.

mod beam;
mod evaluate;
mod lane;
mod layer;
mod passes;
mod paths;
mod plan;
mod programme;
mod promise;
mod prospects;
mod selection;
mod space;
mod width;

#[cfg(test)]
mod tests;

pub use beam::Search;
pub use passes::{answer, solve, Answer};

use arbitre_games::games::hextris::{Node, Phrases, Play, Terrain};

/// Where a game is taken over: a unit is at the place where it appears.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The problem.
    pub terrain: &'a Terrain,
    /// The phrases of power.
    pub phrases: &'a Phrases,
    /// The game.
    pub play: &'a Play,
    /// The node at which the text so far ends.
    pub node: Node,
    /// The phrases that were used.
    pub used: u64,
}
