//! The best solver: a beam search over boards. For each board a phrase DP finds the best phrases on
//! the paths to every position where the unit can be locked.
//!
//! Terms:
//!
//! - *Anchor*: the leftmost cell of the unit's topmost row.
//! - *Pivot*: the cell about which the unit turns. It may lie outside the unit and the board.
//! - *Position*: a rotation and the cell of the anchor (`UnitPosition`).
//! - *Place*: a rotation and a column, for a given row of the pivot. Together with that row it is a
//!   position.
//! - *Bucket*: the index of a place, or of a position to lock in, in a layer of labels.
//! - *Label*: a state of the phrase DP. The name is that of resource-constrained shortest paths.
//! - *Lock option*: a position to lock the unit in, with the text of a path to it.
//! - *Partial phrase*: a phrase of which the first letters end the text so far.

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

pub(super) use phrase_dp::{DpQuery, PhraseDp};
pub(super) use potential_cache::PotentialCache;
pub use potential_cache::{BeamParams, PotentialStore};
pub use schedule::solve;
