//! Verification of a stored match: the file is as it was written, and its games follow from their
//! moves.

use super::archive::{Archive, Order};
use super::error::StoreError;
use super::lineup::Versions;
use crate::config::Contest;
use crate::formats::openings::Openings;
use crate::play::record::Record;
use crate::play::replay::Replay;
use crate::play::viewer::Viewer;
use crate::registry::{DynGame, Registry};
use crate::statistics::tally::Tally;
use std::path::Path;

/// Problem of games whose rules are a program that was not started.
const NOT_REPEATED: &str = "the games were not repeated, as the file names a program with their \
    rules; help: write --allow-rules to start it, if you trust the file";
/// Problem of games whose rules are a program that no version starts any more.
const RETIRED: &str =
    "the games were not repeated, as their rules are a program of cg-brutaltester's \
    new mode, which is no longer played";

/// Result of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// Number of games checked.
    pub games: u64,
    /// Problems found, one line each.
    pub problems: Vec<String>,
}

/// Checks the pages of the file, the checksum of every row, the ledger, and every game. Games are
/// played again from their setup and moves.
///
/// # Errors
/// Returns an error if the file cannot be read as a match at all.
pub fn verify(path: &Path, registry: &Registry) -> Result<Verification, StoreError> {
    let archive = Archive::open(path, registry)?;
    let viewer = Viewer::new(archive.config(), registry);
    verify_by(&archive, viewer.as_ref().map_err(ToString::to_string))
}

/// Checks a match as [`verify`] does. Its games are played again by the rules of `viewer`, or it is
/// the reason why there are none.
///
/// # Errors
/// Returns the error of [`verify`].
pub fn verify_by(
    archive: &Archive,
    viewer: Result<&Viewer, String>,
) -> Result<Verification, StoreError> {
    let mut verification = Verification::default();
    verification.problems.extend(archive.cut_off().map(|why| why.to_string()));
    type Look = fn(&Archive, &mut Verification) -> Result<(), StoreError>;
    let before: [Look; 3] = [pages, ledger, sessions];
    let after: [Look; 2] = [attempts, test];
    // One check that fails does not hide the problems that the others find.
    let note = |error: StoreError, found: &mut Verification| found.problems.push(error.to_string());
    for look in before {
        look(archive, &mut verification).unwrap_or_else(|why| note(why, &mut verification));
    }
    games(archive, viewer, &mut verification).unwrap_or_else(|why| note(why, &mut verification));
    for look in after {
        look(archive, &mut verification).unwrap_or_else(|why| note(why, &mut verification));
    }
    Ok(verification)
}

/// Rounds of a file that may be without games, for example after `drop`. Not tuned.
const ROUNDS: u64 = 1000;
/// Rounds that a game may stand for, as others of its match are in other files. Not tuned.
const ROUNDS_PER_GAME: u64 = 64;
/// Parts of a match that are taken into account. Not tuned.
const MOST_PARTS: u64 = 1000;

fn pages(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    found.problems.extend(archive.check_pages()?);
    Ok(())
}

fn ledger(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let (written, counted) = (archive.ledger()?.counts(), archive.counted()?);
    if written.0 != counted.0 {
        let (written, counted) = (written.0, counted.0);
        found.problems.push(format!("ledger: {written} games were written, {counted} are here"));
    } else if written != counted {
        found.problems.push("ledger: the checksums of the games do not add up".into());
    }
    Ok(())
}

fn sessions(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let known = archive.sessions()?;
    let used = archive.sessions_of_games()?;
    let missing = used.into_iter().filter(|number| !known.contains_key(number));
    found.problems.extend(missing.map(|number| format!("session {number} is missing")));
    Ok(())
}

fn attempts(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let damaged = archive.attempts()?.into_iter().filter(Option::is_none);
    let problem = "a void attempt: its checksum does not fit";
    found.problems.extend(damaged.map(|_| problem.to_owned()));
    Ok(())
}

fn games(
    archive: &Archive,
    viewer: Result<&Viewer, String>,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let view = archive.view(Versions::All);
    let config = &view.config;
    let game = match viewer {
        Ok(Viewer::Rules(game)) => Some(&**game),
        Ok(Viewer::Texts(..)) => None,
        Err(why) => {
            found.problems.push(format!("the match: {why}"));
            return Ok(());
        }
    };
    let openings = game.map(|game| config.openings(game));
    // The openings of a round are drawn after those before it, which would have no end.
    let parts = config.shard.map_or(1, |shard| shard.count().min(MOST_PARTS));
    let most_rounds = (ROUNDS + ROUNDS_PER_GAME * archive.count()?).saturating_mul(parts);
    archive.for_each_found::<StoreError>(&view, &mut |row| {
        found.games += 1;
        let (record, _) = match row {
            Ok(row) => row,
            Err(problem) => {
                found.problems.push(problem);
                return Ok(());
            }
        };
        let problem = match game.zip(openings.as_ref()) {
            Some(_) if record.pairing.round > most_rounds => {
                Some(format!("its round {} is beyond those of so few games", record.pairing.round))
            }
            Some((game, openings)) => problem_of(&record, game, config, openings),
            None => problem_of_seeds(&record, config),
        };
        let number = record.number.unwrap_or_default();
        found.problems.extend(problem.map(|problem| format!("game {number}: {problem}")));
        Ok(())
    })?;
    if game.is_none() {
        let is_retired = config.external.as_ref().is_some_and(|of| of.refuse_retired().is_err());
        found.problems.push(if is_retired { RETIRED } else { NOT_REPEATED }.into());
    }
    Ok(())
}

/// Returns the problem of the seeds of a record, if there is one.
fn problem_of_seeds(record: &Record, config: &Contest) -> Option<String> {
    let fit = config.empty_schedule().has_seeds(&record.pairing);
    (!fit).then(|| "its seeds are not those of its round and seats".into())
}

/// Returns the problem of a record whose row is intact, if there is one.
fn problem_of(
    record: &Record,
    game: &dyn DynGame,
    config: &Contest,
    openings: &Openings,
) -> Option<String> {
    let planned = match openings.setup(record.pairing.round) {
        Ok(planned) => planned,
        Err(error) => return Some(format!("its setup cannot be drawn: {error}")),
    };
    if record.setup != planned {
        return Some(format!("it starts from '{}', not '{planned}'", record.setup));
    }
    if let Some(problem) = problem_of_seeds(record, config) {
        return Some(problem);
    }
    match Replay::of(record, game, config, false) {
        Ok(replay) => replay.difference(record).map(|what| format!("played again, {what}")),
        Err(why) => Some(format!("it cannot be played again: {why}")),
    }
}

/// Checks that a sequential test has no games beyond its end. A match in progress may have games
/// after a gap; a decided match has none.
fn test(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let Some(sprt) = archive.config().sprt else { return Ok(()) };
    let (mut tally, mut next, mut is_whole) =
        (Tally::new(2).under_test(archive.config().evidence()), 0, true);
    let view = archive.view(Versions::Current);
    archive.for_each_detailed::<StoreError>(&view, Order::Schedule, &mut |game, details| {
        if tally.evidence().is_some_and(|evidence| sprt.end(evidence).is_some()) {
            let number = game.number.unwrap_or_default();
            found.problems.push(format!("game {number}: the test had ended before it"));
        }
        is_whole &= game.round * 2 + game.rotation == next;
        next += 1;
        if is_whole {
            tally.add(&game, &details);
        }
        Ok(())
    })
}
