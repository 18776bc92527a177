//! What the referee knows of each game beyond its rules: its entry in the registry, its drawing.

pub mod awele;
pub mod hextris;
pub mod seven_colors;
pub mod taquin;
pub mod tron;

use crate::registry::GameInfo;

/// Returns every game, in the order in which they are listed.
pub fn all() -> Vec<GameInfo> {
    vec![awele::INFO, tron::INFO, seven_colors::INFO, taquin::INFO, hextris::INFO]
}
