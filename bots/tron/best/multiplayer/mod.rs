//! Three and four players: a position of theirs, what it is worth, and two searches. `paranoid` is that of
//! the opening, which looks at zones; `mcts` takes over once a tenth of the grid is taken, and plays games
//! to their end.

pub mod evaluation;
pub mod lead;
pub mod lookahead;
pub mod mcts;
pub mod move_prior;
pub mod neighbours;
pub mod objective;
pub mod opponent_search;
mod paranoid;
pub mod reach;
pub mod rollout;

pub use paranoid::ParanoidSearch;
