//! What the referee knows of each game beyond its rules: its entry in the registry, its drawing.

pub mod awele;
pub mod hextris;
pub mod seven_colors;
pub mod taquin;
pub mod tron;
