//! Results that last: one SQLite file per match, one writer, a game counted when its row is
//! committed.
//!
//! A file holds the charter of the match, a row for each time the match was played at (a *session*), a row per
//! game with its checksum, and a ledger that says how many games there are and what their checksums
//! add up to, so that a row cannot vanish unseen either. Ratings and schedules follow from these and
//! are never stored.
//!
//! What tunings evaluate lies in a file of another kind, [`Evaluations`], which many of them share.

mod archive;
mod database;
mod error;
mod evaluations;
pub mod folder;
mod journal;
mod lock;
mod row;
mod schema;
pub mod verify;
mod writer;

pub use archive::{Archive, Session};
pub use error::{OpenError, StoreError};
pub use evaluations::{Evaluation, Evaluations, Start};
pub use writer::Writer;
