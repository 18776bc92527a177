//! A game as it is kept: what it was planned as, what it started from, and how it went.

use crate::pairing::schedule::Pairing;
use crate::play::Played;
use arbitre_games::experiment::HalfPoints;
use arbitre_games::game::Outcome;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A game that was played, and what it was planned as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The plan.
    pub pairing: Pairing,
    /// What it started from.
    pub setup: String,
    /// How it went.
    pub played: Played,
    /// How long it took.
    pub duration: Duration,
}

impl Record {
    /// [`ranks_of`] its outcome; nothing if the game is void.
    pub fn ranks(&self) -> Option<Vec<usize>> {
        self.played.outcome.as_ref().map(ranks_of)
    }

    /// [`half_points_of`] its ranks; nothing if the game is void.
    pub fn half_points(&self) -> Option<Vec<HalfPoints>> {
        self.ranks().map(|ranks| half_points_of(&ranks))
    }

    /// What makes two games the same game: where they started and what was played.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.setup.hash(&mut hasher);
        self.played.plies.iter().for_each(|ply| ply.mv.hash(&mut hasher));
        self.played.faults.iter().for_each(|report| report.fault.word().hash(&mut hasher));
        hasher.finish()
    }
}

/// The rank of each seat, counted from 1. Seats that share a rank leave out those behind it: 1, 2, 2, 4.
pub fn ranks_of(outcome: &Outcome) -> Vec<usize> {
    outcome.places().into_iter().map(|place| place + 1).collect()
}

/// Half points by seat: two for each seat that it outlasted or outscored, one for each that shares its rank.
/// In a game of two that is 2 for a win and 1 for a draw.
pub fn half_points_of(ranks: &[usize]) -> Vec<HalfPoints> {
    let against = |mine: usize, theirs: usize| match mine.cmp(&theirs) {
        Ordering::Less => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    };
    let all = |&mine: &usize| ranks.iter().map(|&theirs| against(mine, theirs)).sum::<u8>();
    // A seat shares its rank with itself.
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
        let played = Played { outcome, ..Played::never(scores.len(), Vec::new()) };
        Record { pairing, setup: String::new(), played, duration: Duration::ZERO }
    }

    #[test]
    fn ranks_follow_from_scores_and_from_who_went_out() {
        for (scores, out, ranks, half_points) in [
            (&[3, 1][..], &[][..], &[1, 2][..], &[2, 0][..]),
            (&[2, 2], &[], &[1, 1], &[1, 1]),
            (&[9, 3], &[&[0][..]], &[2, 1], &[0, 2]),
            (&[5, 7, 7, 1], &[], &[3, 1, 1, 4], &[2, 5, 5, 0]),
            // Whoever went out is last whatever he scored; those who failed together share that.
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
