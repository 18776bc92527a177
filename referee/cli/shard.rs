//! `--shard`: the part of a match that this run plays.

use crate::config::MatchConfig;
use crate::failure::Failure;
use crate::pairing::shard::Shard;
use crate::store::{Archive, OpenError};
use arbitre_games::text::HELP;

/// Sets the part that is played: that of a stored match, else the one that the options name.
/// `has_seed` says whether they name a seed, too.
///
/// # Errors
/// Returns an error if the stored match is another part, or if the games of this match cannot be
/// divided.
pub fn choose(
    asked: Option<Shard>,
    has_seed: bool,
    stored: Option<&Archive>,
    config: &mut MatchConfig,
) -> Result<(), Failure> {
    if let Some(archive) = stored {
        config.shard = archive.config().shard;
        return match (asked, config.shard) {
            (Some(asked), found) if found != asked.into() => {
                let found =
                    found.map_or("the whole match".into(), |found| format!("shard {found}"));
                let why = OpenError::AnotherMatch(format!("it is {found}, not shard {asked}"));
                Err(why.about(archive.path()).into())
            }
            _ => Ok(()),
        };
    }
    let Some(shard) = asked else { return Ok(()) };
    let refuse =
        |what: &str, help: &str| Err(Failure::Usage(format!("--shard: {what}{HELP}{help}")));
    if !has_seed {
        return refuse(
            "expected --seed beside it, got none, and each shard would draw another",
            "add --seed 1 to every shard",
        );
    }
    if config.sprt.is_some() {
        return refuse(
            "expected a fixed number of games, got --sprt, whose end depends on all results",
            "play all games with --games, or test on one machine",
        );
    }
    let format = config.tournament.as_ref().map(|tournament| &tournament.format);
    if let Some(format) = format.filter(|format| format.depends_on_results()) {
        let with_test = if format.sprt().is_some() { " with --sprt" } else { "" };
        return refuse(
            &format!(
                "expected pairings that do not depend on results, got a {}{with_test}",
                format.word()
            ),
            "choose round-robin, gauntlet or balanced",
        );
    }
    config.shard = Some(shard);
    Ok(())
}
