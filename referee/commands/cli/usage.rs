//! The words of the command line before and after the parser sees them.

use super::foreign_options::remedy;
use arbitre_games::text::{alternatives, did_you_mean, HELP};
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::failure::Failure;
use arbitre_referee::player::program;
use arbitre_referee::registry::Registry;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::Command;
use std::ffi::{OsStr, OsString};

/// Joins options with values that begin with a dash and a digit, as in `--margin=-5ms`: the parser
/// of the value then says what it expects. No option begins with a digit.
pub fn join_negative_values(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for word in words {
        let is_option = |word: &OsString| {
            let bytes = word.as_encoded_bytes();
            bytes.len() > 2 && bytes.starts_with(b"--") && !bytes.contains(&b'=')
        };
        match joined.last_mut().filter(|last| is_negative(&word) && is_option(last)) {
            Some(option) => {
                option.push("=");
                option.push(word);
            }
            None => joined.push(word),
        }
    }
    joined
}

fn is_negative(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes(), [b'-', b'0'..=b'9', ..])
}

/// Returns the failure for an error of the parser, with a remedy.
pub fn failure(error: &clap::Error, words: &[String], grammar: &Command) -> Failure {
    let failure = Failure::parser(error);
    let Failure::Usage(why) = failure else { return failure };
    if error.kind() == ErrorKind::UnknownArgument {
        for word in words.iter().skip(1) {
            let option = word.split('=').next().unwrap_or(word);
            if let Some(remedy) = remedy(option) {
                return Failure::Usage(format!("unknown option {option}{HELP}{remedy}"));
            }
        }
    }
    let long = |word: &&String| {
        let name = word.strip_prefix('-').filter(|name| name.len() > 1 && !name.starts_with('-'));
        name.is_some_and(|name| grammar.get_arguments().any(|arg| arg.get_long() == Some(name)))
    };
    if let (ErrorKind::UnknownArgument, Some(word)) =
        (error.kind(), words.iter().skip(1).find(long))
    {
        return Failure::Usage(format!("unknown option {word}{HELP}write -{word}"));
    }
    let invalid = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    // The first word that names a command decides which options there are.
    let command = words.iter().skip(1).find_map(|word| grammar.find_subcommand(word));
    let named = command.unwrap_or(grammar);
    let help = match error.kind() {
        ErrorKind::UnknownArgument => help_for_unknown(invalid(ContextKind::InvalidArg), named),
        ErrorKind::InvalidSubcommand => {
            let own = command.filter(|command| command.has_subcommands());
            let known = own.unwrap_or(grammar).get_subcommands().map(Command::get_name);
            let known: Vec<&str> = known.collect();
            match did_you_mean(invalid(ContextKind::InvalidSubcommand), known.iter().copied()) {
                meant if meant.is_empty() && own.is_some() => {
                    format!("{HELP}write {}", alternatives(&known))
                }
                meant => meant,
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let name = command.map_or(String::new(), |command| format!("{} ", command.get_name()));
            format!("{HELP}see referee {name}--help")
        }
        _ => String::new(),
    };
    Failure::Usage(why + &help)
}

/// Returns the remedy for an argument that the command does not have.
fn help_for_unknown(word: &str, command: &Command) -> String {
    let options: Vec<String> =
        command.get_arguments().filter_map(|arg| arg.get_long()).map(dashed).collect();
    if !word.starts_with('-') {
        return match options.iter().any(|option| option == "--db") {
            true => format!("{HELP}name a match file with --db {word}"),
            false => String::new(),
        };
    }
    let name = word.split('=').next().unwrap_or(word);
    match did_you_mean(name, options.iter().map(String::as_str)) {
        help if help.is_empty() => format!("{HELP}list the options with referee help all"),
        help => help,
    }
}

fn dashed(name: &str) -> String {
    format!("--{name}")
}

/// Refuses words among the players that the user probably meant otherwise: a misspelt command, a
/// strategy without its bot, and a variable of the environment. Other faults are reported where the
/// players are started.
///
/// # Errors
/// Returns an error with the likely remedy.
pub fn check_players(
    words: &[String],
    has_game: bool,
    registry: &Registry,
    grammar: &Command,
) -> Result<(), Failure> {
    let parsed: Vec<Option<PlayerArg>> =
        words.iter().map(|word| PlayerArg::parse(word, registry).ok()).collect();
    let bundled = |player: &Option<PlayerArg>| match player.as_ref().map(|arg| &arg.kind) {
        Some(CommandKind::Bundled(name, _)) => Some(name.clone()),
        _ => None,
    };
    let says_game = has_game || parsed.iter().any(|player| bundled(player).is_some());
    for (at, (word, player)) in words.iter().zip(&parsed).enumerate() {
        let Some(PlayerArg { kind: CommandKind::External(command), .. }) = player else { continue };
        if command[0].contains('/') || program::find(command, &[]).is_ok() {
            continue;
        }
        let bot = parsed[..at].iter().filter_map(bundled).next_back();
        if let Some(bot) = bot.filter(|bot| has_strategy(bot, word, registry)) {
            return Err(Failure::Usage(format!(
                "expected a player, got '{word}'{HELP}write \"{bot} {word}\", in quotes"
            )));
        }
        if let Some(variable) = variable(word).filter(|_| command.len() > 1) {
            return Err(Failure::Usage(format!(
                "expected a program after {variable}=, got '{}'{HELP}for an environment variable \
                 write env {word}",
                command[0]
            )));
        }
        if grammar.find_subcommand(word).is_some() {
            return Err(Failure::Usage(format!(
                "expected the command {word} as the first word{HELP}write its options after it"
            )));
        }
        let commands = || grammar.get_subcommands().map(Command::get_name);
        let bots = registry.bot_names();
        let is_command = !did_you_mean(word, commands()).is_empty();
        let is_bot = !did_you_mean(word, bots.iter().copied()).is_empty();
        if at == 0 && (words.len() == 1 || !says_game || (is_command && !is_bot)) {
            let known = commands().chain(bots.iter().copied());
            let help = match did_you_mean(word, known) {
                help if help.is_empty() => format!("{HELP}list the commands with referee --help"),
                help => help,
            };
            return Err(Failure::Usage(format!("no command or program '{}'{help}", command[0])));
        }
    }
    Ok(())
}

fn has_strategy(bot: &str, word: &str, registry: &Registry) -> bool {
    registry.bot(bot).is_some_and(|bot| bot.strategies().iter().any(|(name, _)| *name == word))
}

/// Returns the name before the `=`, if it is spelt like a variable of the environment.
fn variable(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (!name.is_empty() && name.chars().all(is_upper)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_values_join_their_option() {
        let joined = |words: &[&str]| {
            let joined = join_negative_values(words.iter().map(OsString::from));
            joined.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(joined(&["r", "--margin", "-5ms"]), ["r", "--margin=-5ms"]);
        assert_eq!(joined(&["show", "-1", "-v", "-2"]), ["show", "-1", "-v", "-2"]);
        assert_eq!(joined(&["--", "-1"]), ["--", "-1"]);
    }
}
