//! The commands that measure a claim again.

use arbitre_games::experiment::Laboratory;
use arbitre_games::games::seven_colors::SEATS;

/// Returns the command that measures a claim again.
pub fn how(lab: &dyn Laboratory, claim: &str) -> String {
    let (games, seed) = (lab.games(), lab.seed());
    format!("referee experiment seven-colors --claim {claim} --games {games} --seed {seed}")
}

/// Returns the command that plays a match through programs.
pub fn match_command(lab: &dyn Laboratory, [first, second]: [&str; SEATS]) -> String {
    let (games, seed) = (lab.games(), lab.seed());
    format!(
        "referee \"seven-colors {first}\" \"seven-colors {second}\" --games {games} --seed {seed}"
    )
}
