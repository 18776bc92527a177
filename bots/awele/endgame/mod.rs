//! Endgame tables: the seeds that each side can force on every board of up to a number of seeds.
//!
//! Repetition makes the value of a position depend on the path to it, so a table cannot hold it.
//! The tables hold what depends on the board alone: the numbers of seeds that the mover and the
//! other can *force*. Forced play ends by itself, without a repetition. Both numbers together are
//! at most all seeds; where they are all, the value of the board is exact.
//!
//! The rules are those in which a grand slam captures nothing. A side without a move ends the game,
//! and each side keeps its own row. These are the presets `codingame` and `abapa`.

mod conversion;
mod endings;
pub(crate) mod folder;
pub(crate) mod index;
mod layer;
pub(crate) mod origins;
mod retrograde;
mod tables;
pub(crate) mod verify;

pub use conversion::ConversionMoves;
pub use endings::Endings;
pub use index::SeedRows;
pub use layer::ScoreBounds;
pub(crate) use tables::RULE;
pub use tables::{EndgameTables, TableRequest};
