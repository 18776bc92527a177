//! Endgame tables: what each side can force on every board of up to so many seeds.
//!
//! Repetition makes the value of a position depend on the way to it, so a table cannot hold it. What
//! it holds depends on the board alone: how many of the seeds on it the mover can *force*, and how
//! many the other can, by play that ends by itself, without a position coming back. Together that is
//! all seeds at most; where it is all, the board is worth exactly that.
//!
//! The rules are those by which a grand slam captures nothing and each side keeps its own row where
//! the mover has no move: the presets `codingame` and `abapa`.

mod conversion;
pub(crate) mod folder;
pub(crate) mod index;
mod layer;
mod retrograde;
mod tables;
pub(crate) mod verify;

pub use conversion::ConversionMoves;
pub use index::SeedRows;
pub use layer::ScoreBounds;
pub(crate) use tables::RULE;
pub use tables::{EndgameTables, TableRequest};
