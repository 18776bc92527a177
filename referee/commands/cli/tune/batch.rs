//! Games of a batch of candidates: known results are looked up, the others are played.

use crate::tune::evaluation::{evaluation, seat_of, start_of};
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::openings::Openings;
use arbitre_referee::formats::schedule::Schedule;
use arbitre_referee::play::pairing::{GameId, Pairing};
use arbitre_referee::play::record::Record;
use arbitre_referee::play::FaultReport;
use arbitre_referee::run::plan::failed_start;
use arbitre_referee::run::PlannedPlayer;
use arbitre_referee::store::{Evaluation, Evaluations, Start};
use std::collections::HashSet;
use std::ops::Range;

/// Games of some candidates.
pub struct Batch {
    /// Document of each candidate's evaluation context.
    contexts: Vec<String>,
    /// Schedule of all games of the batch.
    pub schedule: Schedule,
    seats: usize,
    rounds: Range<u64>,
    /// Games that are not played.
    pub done: HashSet<GameId>,
    /// Results by candidate and game; `None` while a game is missing.
    results: Vec<Vec<Option<Evaluation>>>,
}

impl Batch {
    /// Creates the games of each candidate in `rounds` against all opponents. Opponents are
    /// numbered after the candidates.
    pub fn new(contexts: Vec<String>, seats: usize, rounds: Range<u64>, seed: u64) -> Batch {
        let count = contexts.len();
        let group = |candidate| [&[candidate][..], &opponents(count, seats)].concat();
        let schedule = Schedule::apart((0..count).map(group).collect(), rounds.end, seed);
        let games = (rounds.end - rounds.start) as usize * seats;
        let (done, results) = (HashSet::new(), vec![vec![None; games]; count]);
        Batch { contexts, schedule, seats, rounds, done, results }
    }

    /// Returns the number of games of each candidate.
    pub fn games_of_each(&self) -> u64 {
        (self.rounds.end - self.rounds.start) * self.seats as u64
    }

    /// Returns the number of games without a result.
    pub fn missing(&self) -> usize {
        self.results.iter().flatten().filter(|result| result.is_none()).count()
    }

    /// Looks up known results. Returns their number.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or the rules fail.
    pub fn recall(&mut self, known: &Evaluations, openings: &Openings) -> Result<u64, Failure> {
        let mut found = 0;
        let pairings: Vec<Pairing> = self.schedule.pairings().collect();
        for pairing in pairings {
            // The schedule starts with round 0; held-out instances are later rounds.
            if pairing.round < self.rounds.start {
                self.done.insert(pairing.id());
                continue;
            }
            let candidate = candidate_of(&pairing);
            let seat = seat_of(&pairing.players, candidate);
            let setup = openings.setup(pairing.round)?;
            let start = Start { setup: &setup, seat: seat as u8, seeds: &pairing.seeds };
            if let Some(evaluation) = known.find(&self.contexts[candidate], &start)? {
                self.put(candidate, pairing.round, seat, evaluation);
                self.done.insert(pairing.id());
                found += 1;
            }
        }
        Ok(found)
    }

    /// Takes the result of a game that was played, and stores it.
    ///
    /// # Errors
    /// Returns an error if the game is void, or the file cannot be written.
    pub fn take(
        &mut self,
        record: &Record,
        all: &Evaluations,
        players: &[PlannedPlayer],
    ) -> Result<(), Failure> {
        let candidate = candidate_of(&record.pairing);
        let Some(evaluation) = evaluation(record, candidate) else {
            return Err(absent(record, players));
        };
        let start = start_of(record, candidate);
        all.add(&self.contexts[candidate], &start, &evaluation)?;
        self.put(candidate, record.pairing.round, start.seat.into(), evaluation);
        Ok(())
    }

    fn put(&mut self, candidate: usize, round: u64, seat: usize, evaluation: Evaluation) {
        let game = (round - self.rounds.start) as usize * self.seats + seat;
        self.results[candidate][game] = Some(evaluation);
    }

    /// Returns all results by candidate and game.
    ///
    /// # Panics
    /// Panics if a result is missing.
    pub fn results(self) -> Vec<Vec<Evaluation>> {
        let all = |results: Vec<Option<Evaluation>>| {
            results.into_iter().map(|result| result.expect("every game was played")).collect()
        };
        self.results.into_iter().map(all).collect()
    }
}

/// Returns the number of the candidate that plays a game: the lowest, as opponents follow the
/// candidates.
fn candidate_of(pairing: &Pairing) -> usize {
    pairing.players.iter().copied().min().expect("a game has players")
}

/// Returns the numbers of the opponents, which follow those of the candidates.
fn opponents(candidates: usize, seats: usize) -> Vec<usize> {
    (candidates..candidates + seats - 1).collect()
}

/// Returns the failure that made a game void.
fn absent(record: &Record, players: &[PlannedPlayer]) -> Failure {
    if let Some(error) = &record.played.rules_error {
        return error.clone().into();
    }
    let mut players = record.pairing.players.iter().map(|&player| &players[player]);
    let absent = players.find_map(|who| Some((&who.config.command, who.start_failure()?)));
    if let Some((command, FaultReport { fault, .. })) = absent {
        return failed_start(fault, format!("{command} could not be started: {}", fault.reason()));
    }
    let what = "a player could not be started; help: the same command continues".to_owned();
    match record.played.faults.first() {
        Some(report) => failed_start(&report.fault, what),
        None => Failure::Player(what),
    }
}
