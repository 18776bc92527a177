//! Table of all defaults for `--help` and the README.

use arbitre_games::clock::ClockKind;
use arbitre_games::text::{format_duration, format_size, word_of};
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_referee::config::args::DIALECT;
use arbitre_referee::config::limits::defaults;
use arbitre_referee::registry::Registry;
use arbitre_referee::statistics::sprt::Sprt;

/// Returns one line per option: its name and its default.
pub fn table(registry: &Registry) -> String {
    let time = format_duration;
    let with_openings = registry.games.iter().filter(|game| game.opening_plies > 0);
    let openings: Vec<String> = with_openings
        .map(|game| format!("{} plies in {}", game.opening_plies, game.meta.name))
        .collect();
    let sandbox = SandboxConfig::default();
    let profiles = Profile::WORDS.map(|(word, profile)| (word, Some(profile)));
    let rows = [
        (
            "--games",
            format!(
                "{} per pairing; 2 if a person plays; {} with --sprt",
                defaults::GAMES,
                defaults::GAMES_OF_A_TEST
            ),
        ),
        ("--move-time", time(defaults::MOVE)),
        (
            "--first-move-time",
            format!("{}, or the time per move if longer", time(defaults::FIRST_MOVE)),
        ),
        ("--init-time", time(defaults::INIT)),
        ("--margin", time(defaults::MARGIN)),
        ("--overtime", "none".into()),
        ("--clock", word_of(defaults::CLOCK, &ClockKind::WORDS).into()),
        ("--openings", format!("{}; 0 if a person plays", openings.join(", "))),
        ("--rules", "the game's first preset (see referee games)".into()),
        ("--dialect", DIALECT.into()),
        (
            "--seats",
            "the number of players where the game allows it, else 2; 1 in solo games".into(),
        ),
        (
            "--concurrency",
            "the number of processors, less one where there are more than two".into(),
        ),
        ("--profile", word_of(sandbox.profile, &profiles).into()),
        ("--memory", format_size(sandbox.memory)),
        ("--processes", sandbox.processes.to_string()),
        ("--open-files", sandbox.files.to_string()),
        ("--scratch", format_size(sandbox.disk)),
        ("--seed", "random, and printed".into()),
        ("--db", "a new file below .arbitre, named after the date and the players".into()),
        ("--sprt", format!("none; {} (or logistic)", Sprt::default())),
    ];
    let mut text = String::from("Defaults:\n");
    rows.iter().for_each(|(name, value)| text += &format!("  {name:<18} {value}\n"));
    text
}
