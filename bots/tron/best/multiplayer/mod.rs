//! Searches for three and four players. `paranoid`, for the opening, evaluates Voronoi regions.
//! `mcts` replaces it once a tenth of the grid is filled, and plays games to their end.

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
