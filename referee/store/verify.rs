//! Verification of a stored match: the file is as it was written, and its games follow from their
//! moves.

use super::archive::{Archive, Order};
use super::error::StoreError;
use super::lineup::Versions;
use crate::config::Contest;
use crate::formats::openings::Openings;
use crate::play::record::Record;
use crate::play::replay::Replay;
use crate::registry::{DynGame, Registry};
use crate::statistics::tally::Tally;
use std::path::Path;

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
    let mut verification = Verification::default();
    verification.problems.extend(archive.cut_off().map(|why| why.to_string()));
    type Look = fn(&Archive, &Registry, &mut Verification) -> Result<(), StoreError>;
    let looks: [Look; 6] = [pages, ledger, sessions, games, attempts, test];
    for look in looks {
        // One check that fails does not hide the problems that the others find.
        if let Err(error) = look(&archive, registry, &mut verification) {
            verification.problems.push(error.to_string());
        }
    }
    Ok(verification)
}

fn pages(archive: &Archive, _: &Registry, found: &mut Verification) -> Result<(), StoreError> {
    found.problems.extend(archive.check_pages()?);
    Ok(())
}

fn ledger(archive: &Archive, _: &Registry, found: &mut Verification) -> Result<(), StoreError> {
    let (written, counted) = (archive.ledger()?.counts(), archive.counted()?);
    if written.0 != counted.0 {
        let (written, counted) = (written.0, counted.0);
        found.problems.push(format!("ledger: {written} games were written, {counted} are here"));
    } else if written != counted {
        found.problems.push("ledger: the checksums of the games do not add up".into());
    }
    Ok(())
}

fn sessions(archive: &Archive, _: &Registry, found: &mut Verification) -> Result<(), StoreError> {
    let known = archive.sessions()?;
    let used = archive.sessions_of_games()?;
    let missing = used.into_iter().filter(|number| !known.contains_key(number));
    found.problems.extend(missing.map(|number| format!("session {number} is missing")));
    Ok(())
}

fn attempts(archive: &Archive, _: &Registry, found: &mut Verification) -> Result<(), StoreError> {
    let damaged = archive.attempts()?.into_iter().filter(Option::is_none);
    let problem = "a void attempt: its checksum does not fit";
    found.problems.extend(damaged.map(|_| problem.to_owned()));
    Ok(())
}

fn games(
    archive: &Archive,
    registry: &Registry,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let view = archive.view(Versions::All);
    let config = &view.config;
    let game = match config.open_game(registry) {
        Ok(game) => game,
        Err(why) => {
            found.problems.push(format!("the match: {why}"));
            return Ok(());
        }
    };
    let openings = config.openings(&*game);
    archive.for_each_found::<StoreError>(&view, &mut |row| {
        found.games += 1;
        match row {
            Err(problem) => found.problems.push(problem),
            Ok((record, _)) => {
                let problem = problem_of(&record, &*game, config, &openings);
                let number = record.number.unwrap_or_default();
                found.problems.extend(problem.map(|problem| format!("game {number}: {problem}")));
            }
        }
        Ok(())
    })
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
    if !config.empty_schedule().has_seeds(&record.pairing) {
        return Some("its seeds are not those of its round and seats".into());
    }
    match Replay::of(record, game, config, false) {
        Ok(replay) => replay.difference(record).map(|what| format!("played again, {what}")),
        Err(why) => Some(format!("it cannot be played again: {why}")),
    }
}

/// Checks that a sequential test has no games beyond its end. A match in progress may have games
/// after a gap; a decided match has none.
fn test(archive: &Archive, _: &Registry, found: &mut Verification) -> Result<(), StoreError> {
    let Some(sprt) = archive.config().sprt else { return Ok(()) };
    let (mut tally, mut next, mut is_whole) = (Tally::new(2), 0, true);
    let view = archive.view(Versions::Current);
    archive.for_each_detailed::<StoreError>(&view, Order::Schedule, &mut |game, _| {
        let pairs = &tally.head_to_head(0, 1).pairs;
        if sprt.verdict(sprt.llr_of_pairs(pairs)).is_some() {
            let number = game.number.unwrap_or_default();
            found.problems.push(format!("game {number}: the test was decided before it"));
        }
        is_whole &= game.round * 2 + game.rotation == next;
        next += 1;
        if is_whole {
            tally.add(&game);
        }
        Ok(())
    })
}
