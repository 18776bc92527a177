//! The games, one room each: rules, texts, and the dialects that are theirs alone.

pub mod awele;
pub mod hextris;
pub mod options;
pub mod seven_colors;
pub mod taquin;
pub mod tron;
