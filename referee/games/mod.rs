//! The games of the registry: entry, drawing and arena dialects of each.

mod awele;
mod hextris;
mod seven_colors;
mod taquin;
mod tron;

use crate::registry::GameInfo;
use arbitre_games::games::awele::Awele;
use arbitre_games::games::hextris::Hextris;
use arbitre_games::games::seven_colors::SevenColors;
use arbitre_games::games::taquin::Taquin;
use arbitre_games::games::tron::Tron;

/// Returns every game, in the order in which they are listed.
pub fn all() -> Vec<GameInfo> {
    vec![
        GameInfo::of::<Awele>(),
        GameInfo::of::<Tron>(),
        GameInfo::of::<SevenColors>(),
        GameInfo::of::<Taquin>(),
        GameInfo::of::<Hextris>(),
    ]
}
