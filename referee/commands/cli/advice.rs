//! Commands that help after a fault.

use arbitre_referee::config::player_arg::CommandKind;
use arbitre_referee::config::{Contest, PlayerConfig};
use arbitre_referee::escape::escape_whole;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::commands::conditions;
use arbitre_referee::statistics::tally::Tally;
use arbitre_referee::store::folder::FOLDER;
use std::path::{Path, PathBuf};

/// Largest number of programs for which a check is proposed. Not tuned.
const MOST_CHECKS: usize = 3;

/// Returns the commands that show the first fault and test the faulty programs; nothing without a
/// fault. `here` is the folder of the user, and `db` the file of the games, if there is one.
pub fn after_faults(
    contest: &Contest,
    tally: &Tally,
    db: Option<&str>,
    here: &Path,
    registry: &Registry,
) -> String {
    let players = contest.players.iter().zip(&tally.players);
    let faulty = players.filter(|(_, counts)| counts.first_fault.is_some());
    let faulty: Vec<&PlayerConfig> = faulty.map(|(player, _)| player).collect();
    if faulty.is_empty() {
        return String::new();
    }
    let mut lines = Vec::new();
    // Without a name, commands read the newest file of the folder.
    let is_found = |db: &str| Path::new(db).parent() == Some(Path::new(FOLDER));
    lines.extend(db.map(|db| match is_found(db) {
        true => "referee show first-fault".into(),
        false => format!("referee show first-fault --db {}", shell_words::quote(db)),
    }));
    let can_check = |player: &&PlayerConfig| {
        let has_rules_there = match &contest.external {
            None => true,
            // The command of the rules is relative to another folder than that of the program.
            Some(_) => player.environment.own_folder.is_none(),
        };
        has_rules_there && matches!(player.kind(registry), Ok(CommandKind::External(_)))
    };
    let programs = faulty.into_iter().filter(can_check);
    lines.extend(programs.take(MOST_CHECKS).map(|player| check(player, contest, here, registry)));
    let lines = lines.iter().map(|line| format!("  {}\n", escape_whole(line)));
    format!("\nto find the cause:\n{}", lines.collect::<String>())
}

/// Returns the command that tests a player under the conditions of the contest.
fn check(player: &PlayerConfig, contest: &Contest, here: &Path, registry: &Registry) -> String {
    let PlayerConfig { command, environment, .. } = player;
    let own = environment.own_folder.as_deref().unwrap_or_default();
    // Adding nothing to a path appends a slash.
    let folder = Path::new(&environment.folder).join(own).components().collect::<PathBuf>();
    let mut words = vec!["referee".to_owned(), "check".into(), command.clone()];
    words.extend(conditions(player, contest, registry));
    let words = shell_words::join(words);
    match folder == here {
        true => words,
        false => format!("cd {} && {words}", shell_words::quote(&folder.to_string_lossy())),
    }
}
