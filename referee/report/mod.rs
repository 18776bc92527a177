//! What is told of a tournament: the summary as a table and as JSON, a line per game, progress.

pub mod events;
pub mod progress;
pub mod summary;
pub mod table;
