//! Options that apply to all players, or in brackets to one of them.

use crate::config::limit_args::LimitArgs;
use crate::config::sandbox_args::SandboxArgs;
use crate::failure::Failure;
use arbitre_games::text::unknown;
use clap::{Args, FromArgMatches};

/// Limits and sandbox of players.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub struct PlayerOptions {
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

impl PlayerOptions {
    /// Returns the names of the options, without dashes.
    pub fn names() -> Vec<String> {
        let command = PlayerOptions::augment_args(clap::Command::new("options"));
        let names = command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned));
        names.collect()
    }

    /// Returns these options on top of others.
    pub fn over(&self, base: &PlayerOptions) -> PlayerOptions {
        let limits = self.limits.over(&base.limits);
        PlayerOptions { limits, sandbox: self.sandbox.over(&base.sandbox) }
    }

    /// Parses the options in the brackets of one player: the same options without dashes.
    ///
    /// # Errors
    /// Returns an error if a word is no option, or its value is invalid.
    pub fn parse_words(words: &[String]) -> Result<PlayerOptions, Failure> {
        let command = clap::Command::new("options").no_binary_name(true);
        let command = PlayerOptions::augment_args(command);
        let names = PlayerOptions::names();
        // Checked before clap sees the words, for an error that names the option without dashes.
        for word in words {
            let name = word.split('=').next().unwrap_or(word);
            if !names.iter().any(|known| known == name) {
                Err(unknown("option", name, names.iter().map(String::as_str)))?;
            }
        }
        let dashed = words.iter().map(|word| format!("--{word}"));
        let matches = command.try_get_matches_from(dashed);
        matches.and_then(|matches| PlayerOptions::from_arg_matches(&matches)).map_err(|error| {
            match Failure::parser(&error) {
                // Options have no dashes in brackets.
                Failure::Usage(why) => Failure::Usage(why.replace("--", "")),
                other => other,
            }
        })
    }
}
