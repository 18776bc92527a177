//! The best solver: a beam search over boards. For each board a phrase DP finds the best phrases on
//! the paths to every place where the unit can be locked.

mod beam;
mod beam_width;
mod evaluate;
mod label_layer;
mod letter_path;
mod open_space;
mod pass_plan;
mod phrase_dp;
mod phrase_potential;
mod potential_cache;
mod row_fit;
mod schedule;
mod selection;

#[cfg(test)]
mod tests;

pub use potential_cache::BeamParams;
pub use potential_cache::PotentialStore;
pub use schedule::solve;
