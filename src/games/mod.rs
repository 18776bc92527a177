//! The games, one module each: rules, notation, and the dialects of that game only.

pub mod awele;
pub mod hextris;
pub mod options;
pub mod seven_colors;
pub mod taquin;
pub mod tron;
