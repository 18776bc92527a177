//! The games of the registry: entry, drawing and arena dialects of each.

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
