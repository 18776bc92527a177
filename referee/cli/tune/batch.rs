//! The games of a generation: which are known, which are to be played.

use crate::failure::Failure;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::Schedule;
use crate::play::record::Record;
use crate::store::{Evaluation, Evaluations, Start};
use crate::tournament::TournamentPlayer;
use crate::tune::evaluation::{evaluation, seat_of, start_of};
use std::collections::HashSet;
use std::ops::Range;

/// The games of some candidates.
pub struct Batch {
    /// The document of each candidate's games.
    contexts: Vec<String>,
    /// When who plays.
    pub schedule: Schedule,
    seats: usize,
    rounds: Range<u64>,
    /// The games that need not be played.
    pub done: HashSet<u64>,
    /// By candidate and game.
    results: Vec<Vec<Option<Evaluation>>>,
}

impl Batch {
    /// So many rounds of each candidate against all opponents, who are numbered behind the candidates.
    pub fn new(contexts: Vec<String>, seats: usize, rounds: Range<u64>, seed: u64) -> Batch {
        let count = contexts.len();
        let group = |candidate| [&[candidate][..], &opponents(count, seats)].concat();
        let schedule = Schedule::apart((0..count).map(group).collect(), rounds.end, seed);
        let games = (rounds.end - rounds.start) as usize * seats;
        let (done, results) = (HashSet::new(), vec![vec![None; games]; count]);
        Batch { contexts, schedule, seats, rounds, done, results }
    }

    /// The games of a candidate.
    pub fn games_of_each(&self) -> u64 {
        (self.rounds.end - self.rounds.start) * self.seats as u64
    }

    /// How many games have no result.
    pub fn missing(&self) -> usize {
        self.results.iter().flatten().filter(|result| result.is_none()).count()
    }

    /// Looks up what is known. Returns how many games that is.
    ///
    /// # Errors
    /// If the file is damaged, or the rules fail.
    pub fn recall(&mut self, known: &Evaluations, openings: &Openings) -> Result<u64, Failure> {
        let mut found = 0;
        for index in 0..self.schedule.games() {
            let pairing = self.schedule.pairing(index);
            if pairing.round < self.rounds.start {
                self.done.insert(index);
                continue;
            }
            let seat = seat_of(&pairing.players, pairing.group);
            let setup = openings.setup(pairing.round)?;
            let start = Start { setup: &setup, seat: seat as u8, seeds: &pairing.seeds };
            if let Some(evaluation) = known.find(&self.contexts[pairing.group], &start)? {
                self.put(pairing.group, pairing.round, seat, evaluation);
                self.done.insert(index);
                found += 1;
            }
        }
        Ok(found)
    }

    /// Takes a game that was played, and keeps it.
    ///
    /// # Errors
    /// If it is void, or the file does not take it.
    pub fn take(
        &mut self,
        record: &Record,
        all: &Evaluations,
        players: &[TournamentPlayer],
    ) -> Result<(), Failure> {
        let candidate = record.pairing.group;
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

    /// All results, by candidate and game.
    ///
    /// # Panics
    /// If a game is missing.
    pub fn results(self) -> Vec<Vec<Evaluation>> {
        let all = |results: Vec<Option<Evaluation>>| {
            results.into_iter().map(|result| result.expect("it was played")).collect()
        };
        self.results.into_iter().map(all).collect()
    }
}

/// The numbers of those that the candidates play against, behind which they stand.
fn opponents(candidates: usize, seats: usize) -> Vec<usize> {
    (candidates..candidates + seats - 1).collect()
}

/// Why a game is void.
fn absent(record: &Record, players: &[TournamentPlayer]) -> Failure {
    if let Some(error) = &record.played.rules_error {
        return error.clone().into();
    }
    let players = record.pairing.players.iter().map(|&player| &players[player]);
    let absent = players.filter_map(|who| Some((&who.config.command, who.given_up()?))).next();
    Failure::Player(match absent {
        Some((command, why)) => format!("{command} could not be started: {why}"),
        None => "a player could not be started; the same command goes on".into(),
    })
}
