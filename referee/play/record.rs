//! Record of a game: its place in the schedule, its setup and its moves.

use crate::play::metadata::Metadata;
use crate::play::pairing::{GameId, Pairing};
use crate::play::{FaultReport, PlayedGame, Ply};
use crate::player::digest::add;
use arbitre_games::experiment::HalfPoints;
use arbitre_games::game::{Outcome, Seat};
use arbitre_process::attempts::Attempts;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Uncharged;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::time::Duration;

/// Reason for the end of a game that neither a fault nor an adjudication ended.
pub const ENDED_BY_THE_RULES: &str = "rules";

/// Game that was played, with its place in the schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Number of the game in the file of its match; none if it is not stored.
    pub number: Option<u64>,
    /// Place in the schedule.
    pub pairing: Pairing,
    /// Setup of the game.
    pub setup: String,
    /// Moves, faults and outcome.
    pub played: PlayedGame,
    /// Wall time of the whole game.
    pub duration: Duration,
    /// Least protection that a sandbox gave among the programs that are not bundled.
    pub sandbox: Level,
}

/// Result of a game, without its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Number of the game in the file of its match; none if it is not stored.
    pub number: Option<u64>,
    /// Round of the game.
    pub round: u64,
    /// Rotation of the seats.
    pub rotation: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
    /// Outcome; none if the game is void.
    pub outcome: Option<Outcome>,
    /// Reason for the end: see [`Record::end`].
    pub ending: &'static str,
    /// Seat and word of each fault.
    pub faults: Vec<(Seat, &'static str)>,
    /// Times of each seat.
    pub times: Vec<SeatTimes>,
    /// Hash of the moves: see [`Record::fingerprint`].
    pub fingerprint: u64,
}

impl GameResult {
    /// Returns the identity of the game.
    pub fn id(&self) -> GameId {
        GameId { round: self.round, players: self.players.clone() }
    }
}

/// Data of a game that a table needs besides its result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Details {
    /// Setup.
    pub setup: String,
    /// Reports of its faults.
    pub faults: Vec<FaultReport>,
    /// Time of each ply.
    pub times: Vec<MoveTime>,
    /// Data that its players printed.
    pub metadata: Metadata,
    /// Attempts of each seat to reach beyond its sandbox; empty if there were none.
    pub attempts: Vec<Attempts>,
}

/// Time of a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTime {
    /// Seat that moved.
    pub seat: Seat,
    /// Time that was charged.
    pub spent: Duration,
    /// Time for which the player, or the referee with its answer, waited for a processor.
    pub wait: Duration,
}

/// Sums over the moves of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatTimes {
    /// Number of moves.
    pub moves: u64,
    /// Time of all moves, as the player's clock measures it.
    pub total: Duration,
    /// Time of the longest move.
    pub longest: Duration,
    /// CPU time that no move is charged.
    pub uncharged: Uncharged,
}

impl SeatTimes {
    /// Sums over the moves of each seat of a game.
    pub fn of(played: &PlayedGame) -> Vec<SeatTimes> {
        let new = |&uncharged: &Uncharged| SeatTimes { uncharged, ..SeatTimes::default() };
        let mut times: Vec<SeatTimes> = played.uncharged.iter().map(new).collect();
        for ply in &played.plies {
            let seat = &mut times[ply.seat.index()];
            seat.moves += 1;
            seat.total = seat.total.saturating_add(ply.spent);
            seat.longest = seat.longest.max(ply.spent);
        }
        times
    }
}

impl Record {
    /// Returns the result of the game.
    pub fn result(&self) -> GameResult {
        let Record { number, pairing, played, .. } = self;
        let word = |report: &FaultReport| (report.seat, report.fault.word());
        GameResult {
            number: *number,
            round: pairing.round,
            rotation: pairing.rotation,
            players: pairing.players.clone(),
            outcome: played.outcome.clone(),
            ending: self.end(),
            faults: played.faults.iter().map(word).collect(),
            times: SeatTimes::of(played),
            fingerprint: self.fingerprint(),
        }
    }

    /// Returns what a table needs besides the result.
    pub fn details(&self) -> Details {
        let time = |ply: &Ply| {
            let wait = ply.time.wait.unwrap_or_default();
            MoveTime { seat: ply.seat, spent: ply.spent, wait }
        };
        let times = self.played.plies.iter().map(time).collect();
        let (setup, faults) = (self.setup.clone(), self.played.faults.clone());
        let attempts = self.played.notes.attempts.clone();
        Details { setup, faults, times, metadata: self.metadata(), attempts }
    }

    /// Returns the data that the rules published, and that the players printed on standard error.
    pub fn metadata(&self) -> Metadata {
        let PlayedGame { plies, faults, notes, .. } = &self.played;
        let plies = plies.iter().map(|ply| (ply.seat, ply.stderr.as_str()));
        let last = faults.iter().map(|report| (report.seat, report.stderr.as_str()));
        let mut read = Metadata::read(self.pairing.players.len(), plies.chain(last));
        // What the rules say holds against what a player says.
        read.game.extend(notes.metadata.clone());
        read
    }

    /// Returns the rank of each seat, see [`ranks_of`], or `None` if the game is void.
    pub fn ranks(&self) -> Option<Vec<usize>> {
        self.played.outcome.as_ref().map(ranks_of)
    }

    /// Returns the half points of each seat, see [`half_points_of`], or `None` if the game is void.
    pub fn half_points(&self) -> Option<Vec<HalfPoints>> {
        self.ranks().map(|ranks| half_points_of(&ranks))
    }

    /// Returns the reason for the end: the word of the adjudication or of the fault that ended the
    /// game, or [`ENDED_BY_THE_RULES`].
    pub fn end(&self) -> &'static str {
        if let Some(rule) = self.played.adjudicated {
            return rule.word();
        }
        let last = self.played.faults.last();
        let last = last.filter(|report| report.ply == self.played.plies.len());
        last.map_or(ENDED_BY_THE_RULES, |report| report.fault.word())
    }

    /// Returns a hash of the setup, the moves and the kinds of faults. Identical games have equal
    /// hashes. The hash is stored, so it must stay the same in every version.
    pub fn fingerprint(&self) -> u64 {
        let moves = self.played.plies.iter().map(|ply| ply.mv.as_str());
        let faults = self.played.faults.iter().map(|report| report.fault.word());
        let mut hasher = Sha256::new();
        for text in std::iter::once(self.setup.as_str()).chain(moves).chain(faults) {
            add(&mut hasher, text);
        }
        let hash: [u8; 32] = hasher.finalize().into();
        u64::from_le_bytes(hash[..8].try_into().expect("eight bytes"))
    }
}

/// Returns the rank of each seat, counted from 1. A shared rank skips those behind it: 1, 2, 2, 4.
pub fn ranks_of(outcome: &Outcome) -> Vec<usize> {
    outcome.places().into_iter().map(|place| place + 1).collect()
}

/// Returns the half points of each seat: two for every seat ranked below it, one for every seat
/// that shares its rank. With two seats, a win is 2 and a draw is 1.
pub fn half_points_of(ranks: &[usize]) -> Vec<HalfPoints> {
    let all = |&mine: &usize| ranks.iter().map(|&theirs| half_points(mine, theirs)).sum::<u8>();
    // Every seat ties with itself once.
    ranks.iter().map(|mine| all(mine) - 1).collect()
}

/// Returns the half points of one rank against another.
pub fn half_points(mine: usize, theirs: usize) -> HalfPoints {
    match mine.cmp(&theirs) {
        Ordering::Less => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::schedule::Schedule;
    use arbitre_games::game::{Seat, Seats};

    fn record(scores: &[i64], out: &[&[usize]]) -> Record {
        let group = |seats: &&[usize]| seats.iter().map(|&seat| Seat::new(seat)).collect::<Seats>();
        let out = out.iter().map(group).collect();
        let outcome = Some(Outcome { scores: scores.to_vec(), out, lower_is_better: false });
        let pairing = Schedule::new(scores.len(), scores.len(), 1, 1).pairing(0);
        let played = PlayedGame { outcome, ..PlayedGame::not_started(scores.len(), Vec::new()) };
        let (setup, duration, sandbox) = (String::new(), Duration::ZERO, Level::None);
        Record { number: None, pairing, setup, played, duration, sandbox }
    }

    #[test]
    fn ranks_follow_from_scores_and_eliminations() {
        for (scores, out, ranks, half_points) in [
            (&[3, 1][..], &[][..], &[1, 2][..], &[2, 0][..]),
            (&[2, 2], &[], &[1, 1], &[1, 1]),
            (&[9, 3], &[&[0][..]], &[2, 1], &[0, 2]),
            (&[5, 7, 7, 1], &[], &[3, 1, 1, 4], &[2, 5, 5, 0]),
            // Eliminated seats rank last whatever their score; seats eliminated together share a
            // rank.
            (&[5, 7, 7, 1], &[&[1], &[2, 0]], &[2, 4, 2, 1], &[3, 0, 3, 6]),
            (&[0, 0, 0], &[], &[1, 1, 1], &[2, 2, 2]),
        ] {
            let record = record(scores, out);
            assert_eq!(record.ranks().unwrap(), ranks, "{scores:?} {out:?}");
            assert_eq!(record.half_points().unwrap(), half_points, "{scores:?} {out:?}");
        }
        let mut void = record(&[1, 2, 3], &[]);
        void.played.outcome = None;
        assert_eq!((void.ranks(), void.half_points()), (None, None));
    }
}
