//! Stored results: one SQLite file per match, with one writer. A game counts once its row is
//! committed.
//!
//! A file holds the configuration of the match, its players and their versions, and a row per
//! *session* in which it was played. Each game has a narrow row with the result and a wide one with
//! the moves, both with checksums. A ledger holds the number of games and the digest of their
//! checksums, so that a row cannot vanish unnoticed. Ratings and schedules follow from these and
//! are never stored.
//!
//! Tunings share a file of another kind, [`Evaluations`].

pub mod address;
mod archive;
mod attempt;
mod cells;
mod database;
mod document;
mod error;
mod evaluations;
pub mod folder;
mod game_row;
#[cfg(test)]
mod hostile_rows;
mod journal;
mod lineup;
mod lock;
mod machine;
mod mark;
pub mod merge;
mod moves_row;
mod schema;
pub mod verify;
mod writer;

pub use address::{holder, Address, Opened, Wish};
pub use archive::{Archive, Order, Session};
pub use error::{OpenError, StoreError};
pub use evaluations::{Evaluation, Evaluations, Start};
pub use journal::Journal;
pub use lineup::{Versions, View};
pub use machine::Machine;
pub use merge::Preference;
pub use schema::{is_ours, is_written};
pub use writer::Writer;

use std::path::Path;

/// Copies a file of results, which another process may be writing, to a new file.
///
/// # Errors
/// Returns an error if it cannot be read, or the copy written.
pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    database::Database::copy(from, to)
}
