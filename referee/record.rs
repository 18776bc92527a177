//! A game as it is kept: what it was planned as, what it started from, and how it went.

use crate::referee::play::Played;
use crate::referee::rating::HalfPoints;
use crate::referee::schedule::Fixture;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A game that was played, and what it was planned as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The plan.
    pub fixture: Fixture,
    /// What it started from.
    pub setup: String,
    /// How it went.
    pub played: Played,
    /// How long it took.
    pub duration: Duration,
}

impl Record {
    /// Half points by seat in a game of two; nothing if the game is void.
    pub fn half_points(&self) -> Option<[HalfPoints; 2]> {
        let places = self.played.outcome.as_ref()?.places();
        Some(match places[0].cmp(&places[1]) {
            std::cmp::Ordering::Less => [2, 0],
            std::cmp::Ordering::Equal => [1, 1],
            std::cmp::Ordering::Greater => [0, 2],
        })
    }

    /// What makes two games the same game: where they started and what was played.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.setup.hash(&mut hasher);
        self.played.plies.iter().for_each(|ply| ply.mv.hash(&mut hasher));
        self.played.faults.iter().for_each(|story| story.fault.word().hash(&mut hasher));
        hasher.finish()
    }
}
