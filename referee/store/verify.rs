//! Verification of a stored match: the file is as it was written, and its games follow from their
//! moves.

use super::archive::Archive;
use super::error::StoreError;
use crate::config::MatchConfig;
use crate::pairing::openings::Openings;
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
    type Look = fn(&Archive, &Registry, &mut Verification) -> Result<(), StoreError>;
    let looks: [Look; 4] = [pages, ledger, sessions, games];
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
    let (written, counted) = (archive.ledger()?, archive.counted()?);
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

fn games(
    archive: &Archive,
    registry: &Registry,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let config = archive.config();
    let game = match config.open_game(registry) {
        Ok(game) => game,
        Err(why) => {
            found.problems.push(format!("the charter: {why}"));
            return Ok(());
        }
    };
    let openings = config.openings(&*game);
    let mut test = TestSoFar::new(config);
    archive.for_each_row::<StoreError>(&mut |row| {
        found.games += 1;
        match row {
            Err(problem) => found.problems.push(problem),
            Ok((record, _)) => {
                let problem = problem_of(&record, &*game, config, &openings);
                let problem = problem.or_else(|| test.problem_with(&record));
                let number = record.pairing.index;
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
    config: &MatchConfig,
    openings: &Openings,
) -> Option<String> {
    let planned = match openings.setup(record.pairing.round) {
        Ok(planned) => planned,
        Err(error) => return Some(format!("its setup cannot be drawn: {error}")),
    };
    if record.setup != planned {
        return Some(format!("it starts from '{}', not '{planned}'", record.setup));
    }
    match Replay::of(record, game, config, false) {
        Ok(replay) => replay.difference(record).map(|what| format!("played again, {what}")),
        Err(why) => Some(format!("it cannot be played again: {why}")),
    }
}

/// State of a sequential test, read game by game. Games stored beyond its end are a problem.
struct TestSoFar<'a> {
    config: &'a MatchConfig,
    tally: Tally,
    next: u64,
    is_whole: bool,
}

impl<'a> TestSoFar<'a> {
    fn new(config: &'a MatchConfig) -> TestSoFar<'a> {
        let tally = Tally::new(config.players.len(), config.schedule().groups().len());
        TestSoFar { config, tally, next: 0, is_whole: true }
    }

    /// Returns a problem if the test was decided before this record. A match in progress may have
    /// games after a gap; a decided match has none.
    fn problem_with(&mut self, record: &Record) -> Option<String> {
        let sprt = self.config.sprt?;
        let pairs = &self.tally.head_to_heads[0].pairs;
        let is_decided = sprt.verdict(sprt.llr_of_pairs(pairs)).is_some();
        self.is_whole &= record.pairing.index == self.next;
        self.next = record.pairing.index + 1;
        if self.is_whole {
            self.tally.add(record);
        }
        is_decided.then(|| "the test was decided before it".into())
    }
}
