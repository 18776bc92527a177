//! The interface of a format.

use crate::formats::bracket::Bracket;
use crate::formats::{History, PlayedStage, Stage};
use crate::statistics::rating::Estimate;

/// Place of a player in a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct Placing {
    /// Rank, from 1; players that share a rank leave the next ones free.
    pub rank: usize,
    /// The player.
    pub player: usize,
    /// Half points of all its games, in a Swiss tournament with those of its byes.
    pub half_points: u64,
    /// Values that decide the rank besides the points, in the order in which they are compared.
    pub criteria: Vec<Criterion>,
}

/// Value that decides a rank.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Criterion {
    /// Sum of the half points of all opponents, once per meeting.
    Buchholz(u64),
    /// Half points against the players that are equal in everything before. Absent where some of
    /// them did not meet.
    DirectEncounter(u64),
    /// Half points, and the most that were possible in the games of the player.
    Share(u64, u64),
    /// Knockout rounds in which the player took part.
    Rounds(u64),
    /// Rating in Elo.
    Rating(Estimate),
}

/// Number of games of a tournament. The bounds are equal where the number is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameCount {
    /// Fewest games.
    pub least: u64,
    /// Most games.
    pub most: u64,
}

impl GameCount {
    /// Creates the count of a known number of games.
    pub fn exactly(games: u64) -> GameCount {
        GameCount { least: games, most: games }
    }
}

/// Format of a tournament.
pub trait Format {
    /// Returns the next stage, or `None` if the tournament is over. It depends on the complete
    /// stages and the present players only.
    fn next(&self, history: &History) -> Option<Stage>;

    /// Returns every player once, the first rank first, before the end as well as after it.
    fn ranking(&self, history: &History) -> Vec<Placing>;

    /// Returns the bracket; `None` for a format without one. `current` has the results so far of
    /// the stage that is being played.
    fn bracket(&self, _history: &History, _current: Option<&PlayedStage>) -> Option<Bracket> {
        None
    }

    /// Returns the number of games of a player from beginning to end, of which a player that left
    /// must have played half. It is `None` where that is the number of its pairings, and where its
    /// results stay in any case, as later pairings depend on them.
    fn games_of_struck(&self) -> Option<u64> {
        None
    }

    /// Returns the number of games if `players` players take part from beginning to end.
    fn games(&self, players: usize) -> GameCount;
}
