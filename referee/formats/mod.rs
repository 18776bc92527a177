//! Formats of tournaments as values. A format computes the next stage from the complete ones and
//! ranks the players. It reads no clock and draws nothing at random. The same results always lead
//! to the same tournament, in whatever order the games of a stage end.
//!
//! A stage consists of meetings, and a meeting of rounds. All games of a round share one setup.
//! In every round of a meeting the same players play on each rotation of the seats, so each of them
//! has each seat equally often.
//!
//! Players are numbered in the order of their seeds, the best first; a late joiner comes last.

pub mod balanced;
pub mod bracket;
mod error;
mod format;
mod gain;
pub mod graded;
pub mod knockout;
pub mod ladder;
mod open;
pub mod openings;
mod result_table;
pub mod room;
pub mod round_robin;
pub mod schedule;
mod scores;
mod stage;
pub mod stages;
pub mod swiss;
pub mod tested_gauntlet;

pub use error::FormatError;
pub use format::{Criterion, Format, GameCount, Placing};
pub use stage::{History, Meeting, PlayedMeeting, PlayedStage, Stage, StoredStage};
