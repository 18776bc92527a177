//! Record of a game: its place in the schedule, its setup and its moves.

use crate::pairing::schedule::Pairing;
use crate::play::PlayedGame;
use arbitre_games::experiment::HalfPoints;
use arbitre_games::game::Outcome;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// Game that was played, with its place in the schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Place in the schedule.
    pub pairing: Pairing,
    /// Setup of the game.
    pub setup: String,
    /// Moves, faults and outcome.
    pub played: PlayedGame,
    /// Wall time of the whole game.
    pub duration: Duration,
}

impl Record {
    /// Returns the rank of each seat, see [`ranks_of`], or `None` if the game is void.
    pub fn ranks(&self) -> Option<Vec<usize>> {
        self.played.outcome.as_ref().map(ranks_of)
    }

    /// Returns the half points of each seat, see [`half_points_of`], or `None` if the game is void.
    pub fn half_points(&self) -> Option<Vec<HalfPoints>> {
        self.ranks().map(|ranks| half_points_of(&ranks))
    }

    /// Returns a hash of the setup, the moves and the kinds of faults. Identical games have equal
    /// hashes.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.setup.hash(&mut hasher);
        self.played.plies.iter().for_each(|ply| ply.mv.hash(&mut hasher));
        self.played.faults.iter().for_each(|report| report.fault.word().hash(&mut hasher));
        hasher.finish()
    }
}

/// Returns the rank of each seat, counted from 1. A shared rank skips those behind it: 1, 2, 2, 4.
pub fn ranks_of(outcome: &Outcome) -> Vec<usize> {
    outcome.places().into_iter().map(|place| place + 1).collect()
}

/// Returns the half points of each seat: two for every seat ranked below it, one for every seat
/// that shares its rank. With two seats, a win is 2 and a draw is 1.
pub fn half_points_of(ranks: &[usize]) -> Vec<HalfPoints> {
    let against = |mine: usize, theirs: usize| match mine.cmp(&theirs) {
        Ordering::Less => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    };
    let all = |&mine: &usize| ranks.iter().map(|&theirs| against(mine, theirs)).sum::<u8>();
    // Every seat ties with itself once.
    ranks.iter().map(|mine| all(mine) - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::schedule::Schedule;
    use arbitre_games::game::{Seat, Seats};

    fn record(scores: &[i64], out: &[&[usize]]) -> Record {
        let group = |seats: &&[usize]| seats.iter().map(|&seat| Seat::new(seat)).collect::<Seats>();
        let out = out.iter().map(group).collect();
        let outcome = Some(Outcome { scores: scores.to_vec(), out, lower_is_better: false });
        let pairing = Schedule::new(scores.len(), scores.len(), 1, 1).pairing(0);
        let played = PlayedGame { outcome, ..PlayedGame::not_started(scores.len(), Vec::new()) };
        Record { pairing, setup: String::new(), played, duration: Duration::ZERO }
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
