//! The engine of a course report (T. Blaiset, O. Hécart, S. Machefert, A. Méré, "Projet Awélé",
//! IFIPS, 2005). It has alpha-beta with several heuristics, time management and a greedy opponent.

mod alpha_beta;
mod greedy;
mod heuristic;
pub(crate) mod node;
mod time_management;

pub use alpha_beta::AlphaBeta;
pub(crate) use alpha_beta::{found_text, search};
pub use greedy::largest_captures;
pub use heuristic::Heuristic;
pub use node::SearchGoal;
pub use time_management::Depths;
