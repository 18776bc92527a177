//! The engine of a course report (T. Blaiset, O. Hécart, S. Machefert, A. Méré, "Projet Awélé", IFIPS,
//! 2005): alpha-beta with its heuristics, its time management and its greedy opponent.

mod alpha_beta;
mod greedy;
mod heuristic;
pub(crate) mod node;
mod time_management;

pub use alpha_beta::AlphaBeta;
pub(crate) use alpha_beta::{found_text, search};
pub use greedy::Greedy;
pub use heuristic::Heuristic;
pub use node::SearchGoal;
pub use time_management::Depths;
