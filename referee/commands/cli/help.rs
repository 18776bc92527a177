//! Help texts: a page of at most 40 lines for most users, and `referee help all`.

use super::args::{grammar, reference};
use arbitre_referee::registry::Registry;
use clap::{Arg, Command};

/// Commands by task, as the short page lists them.
const GROUPS: [(&str, &[&str]); 2] = [
    (
        "Tournaments and stored matches",
        &["tournament", "serve", "join", "list", "show", "rerun", "replay", "report"],
    ),
    ("Bots, games and machine", &["check", "new", "tune", "bot", "games", "doctor"]),
];

/// Commands that the short page only names.
const OTHERS: [&str; 12] = [
    "arena",
    "new-game",
    "export",
    "verify",
    "merge",
    "drop",
    "experiment",
    "perft",
    "completions",
    "schema",
    "man",
    "help",
];

/// Options that the short page describes.
const OPTIONS: [&str; 12] = [
    "game",
    "rules",
    "games",
    "openings",
    "sprt",
    "move_time",
    "tc",
    "seed",
    "concurrency",
    "db",
    "resume",
    "json",
];

/// Returns the grammar of the command line with the short page as its help.
pub fn command() -> Command {
    let command = grammar();
    let page = short(&command);
    command.override_help(page)
}

/// Returns the page that `--help` prints.
pub fn short(grammar: &Command) -> String {
    let about = grammar.get_about().expect("the referee has a description");
    let mut page = format!(
        "{about}\n\n\
         Usage: referee [OPTIONS] PLAYER PLAYER…\n       referee COMMAND\n\n\
         A PLAYER is a command in quotes: a bundled bot (\"awele greedy\"), a program or human.\n\
         NAME=COMMAND names it; NAME[move-time=50ms]=DIALECT@COMMAND also sets limits and dialect.\n\n"
    );
    for (title, names) in GROUPS {
        page += &format!("{title}:\n");
        for name in names {
            let command = grammar.find_subcommand(name).expect("the group lists commands");
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            page += &format!("  {name:<22} {about}\n");
        }
    }
    page += &format!("And: {}\nOptions of a match:\n", OTHERS.join(", "));
    for id in OPTIONS {
        let arg = grammar.get_arguments().find(|arg| arg.get_id() == id);
        let arg = arg.expect("the page lists options of a match");
        page += &format!("  {:<22} {}\n", spelling(arg), arg.get_help().expect("it has a help"));
    }
    page + "\nreferee help all: all options, defaults and exit codes. referee COMMAND --help: a command.\n"
}

/// Returns an option with its value: `--games N`.
fn spelling(arg: &Arg) -> String {
    let name = arg.get_long().expect("an option has a name");
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_value_names().filter(|_| takes_value).unwrap_or_default();
    values.iter().fold(format!("--{name}"), |text, value| format!("{text} {value}"))
}

/// Returns everything: the options of a match by task, examples, defaults and exit codes, then each
/// command.
pub fn all(registry: &Registry) -> String {
    let mut command = grammar().after_help(reference(registry));
    command.build();
    let mut page = command.render_help().to_string();
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names.iter().filter(|name| *name != "help") {
        let sub = command.find_subcommand_mut(name).expect("the command was just listed");
        page += &format!("\n\nreferee {name}: {}", sub.render_help());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_page_names_every_command_and_fits_a_terminal() {
        let mut command = grammar();
        command.build();
        let page = short(&command);
        assert!(page.lines().count() <= 40, "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
        let listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).chain(OTHERS).collect();
        let mut known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        known.sort_unstable();
        let mut sorted = listed;
        sorted.sort_unstable();
        assert_eq!(sorted, known);
    }
}
