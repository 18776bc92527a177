//! Claims of a game's source document, measured again: each with its words, the measurement with its
//! interval, and a verdict. Claims stand beside the bots that they are about; the referee lends them
//! a laboratory in which matches are played.

use crate::game::{ParseError, Seat};
use crate::rng::Rng;

/// What a source document claims.
pub struct Claim {
    /// A word for it.
    pub name: &'static str,
    /// The source's own words.
    pub words: &'static str,
    /// What that means for a measurement.
    pub meaning: &'static str,
    /// The measurement.
    pub measure: fn(&mut dyn Laboratory) -> Result<Measurement, ParseError>,
}

/// All claims of a game's source document.
pub struct Experiments {
    /// Name of the game.
    pub game: &'static str,
    /// The document.
    pub source: &'static str,
    /// What it claims.
    pub claims: &'static [Claim],
}

/// Result of a measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The figures with their 95 % intervals.
    pub measured: String,
    /// What they say of the claim.
    pub verdict: Verdict,
    /// How to measure it again.
    pub how: String,
}

/// What a measurement says of a claim.
///
/// A claim that says several things has the largest of their verdicts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It holds here too.
    Reproduced,
    /// The interval allows both.
    Undecided,
    /// The claim fails here.
    Contradicted,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Contradicted => "contradicted",
            Verdict::Undecided => "undecided",
        }
    }

    /// Returns the verdict on a claim that holds or does not, without an interval.
    pub fn of(holds: bool) -> Verdict {
        match holds {
            true => Verdict::Reproduced,
            false => Verdict::Contradicted,
        }
    }

    /// Of a claim that a value lies within these limits.
    pub fn within(interval: Interval, low: f64, high: f64) -> Verdict {
        if interval.low >= low && interval.high <= high {
            Verdict::Reproduced
        } else if interval.high < low || interval.low > high {
            Verdict::Contradicted
        } else {
            Verdict::Undecided
        }
    }
}

/// An estimate and the ends of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The mean of values that do not depend on each other.
    ///
    /// # Panics
    /// If there are none.
    pub fn of_mean(values: &[f64]) -> Interval {
        assert!(!values.is_empty(), "a mean needs a value");
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Interval { value: mean, low: mean - error, high: mean + error }
    }

    /// The geometric mean of ratios that do not depend on each other.
    ///
    /// # Panics
    /// If there are none.
    pub fn of_ratios(ratios: &[f64]) -> Interval {
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let Interval { value, low, high } = Interval::of_mean(&logs);
        Interval { value: value.exp(), low: low.exp(), high: high.exp() }
    }

    /// The share of `hits` among `count` (Wilson).
    pub fn of_share(hits: usize, count: usize) -> Interval {
        let (n, z) = (count as f64, 1.96f64);
        let share = hits as f64 / n;
        let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
        Interval { value: share, low: middle - half, high: middle + half }
    }

    /// What was counted out, so that nothing is left to chance.
    pub fn exactly(value: f64) -> Interval {
        Interval { value, low: value, high: value }
    }

    /// As people read a share.
    pub fn percent(&self) -> String {
        let [value, low, high] = [self.value, self.low, self.high].map(|share| 100.0 * share);
        format!("{value:.1} % ({low:.1} to {high:.1})")
    }

    /// As people read a ratio.
    pub fn figure(&self) -> String {
        let Interval { value, low, high } = self;
        format!("{value:.2} ({low:.2} to {high:.2})")
    }
}

/// A game of two, as its place in a match determines it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabPairing {
    /// Index of the game in the match.
    pub index: u64,
    /// Index of the pair of games that start alike.
    pub round: u64,
    /// The player on each seat.
    pub players: [usize; 2],
    /// The seed of each seat's random choices.
    pub seeds: [u64; 2],
}

impl LabPairing {
    /// Returns the seat of a player.
    pub fn seat_of(&self, player: usize) -> Seat {
        Seat::new(usize::from(self.players[1] == player))
    }
}

/// The games of a match, and the generator of the setups of its rounds.
#[derive(Clone, Debug)]
pub struct LabSchedule {
    /// The games in the order of their indices.
    pub pairings: Vec<LabPairing>,
    /// The generator from which setups are drawn.
    pub setups: Rng,
}

/// A game that was played through programs.
#[derive(Clone, Debug)]
pub struct LabGame {
    /// Its place in the match.
    pub pairing: LabPairing,
    /// The setup as text.
    pub setup: String,
    /// The moves as text, each with its seat and the seconds that it took.
    pub moves: Vec<(Seat, String, f64)>,
}

/// A match that was played through programs.
#[derive(Clone, Debug)]
pub struct LabMatch {
    /// The games in the order of their indices.
    pub games: Vec<LabGame>,
    /// Score of the first player, by pairs of games.
    pub score: Interval,
    /// Mean time per move of each player, in milliseconds.
    pub move_millis: [f64; 2],
    /// The command that plays it again.
    pub command: String,
}

impl LabMatch {
    /// Returns, by pair of games, how many times as long per move the second player thinks.
    pub fn time_ratio(&self) -> Interval {
        let rounds = self.games.iter().map(|game| game.pairing.round + 1).max().unwrap_or(0);
        let mut spent = vec![[(0.0, 0u32); 2]; rounds as usize];
        for LabGame { pairing, moves, .. } in &self.games {
            for (seat, _, time) in moves {
                let player = pairing.players[seat.index()];
                let (seconds, moves) = &mut spent[pairing.round as usize][player];
                *seconds += time;
                *moves += 1;
            }
        }
        let per_move = |(seconds, moves): (f64, u32)| seconds / f64::from(moves);
        let whole = spent.iter().filter(|pair| pair.iter().all(|(_, moves)| *moves > 0));
        let ratios: Vec<f64> = whole.map(|pair| per_move(pair[1]) / per_move(pair[0])).collect();
        Interval::of_ratios(&ratios)
    }
}

/// Result of a game for a player, in half points.
pub type HalfPoints = u8;

/// Where experiments are made.
pub trait Laboratory {
    /// Returns the number of games per match.
    fn games(&self) -> u64;

    /// Returns the depth of players in matches, in plies.
    fn depth(&self) -> u32;

    /// Returns the number that every random choice descends from.
    fn seed(&self) -> u64;

    /// Returns the number of games that may be played at once.
    fn workers(&self) -> usize;

    /// Returns the schedule of a match of two of `games` games.
    fn schedule(&self, games: u64) -> LabSchedule;

    /// Returns the score of a player from its results in pairs of games that start alike.
    ///
    /// # Errors
    /// Returns an error if there is no pair.
    fn score(&self, pairs: &[[HalfPoints; 2]]) -> Result<Interval, ParseError>;

    /// Plays a match of two, whose players are written as on the command line.
    ///
    /// # Errors
    /// Returns an error if the words describe no match, or it was interrupted.
    fn play(&mut self, first: &str, second: &str, games: u64) -> Result<LabMatch, ParseError>;

    /// Reports progress.
    fn say(&mut self, what: &str);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_need_the_whole_interval() {
        let interval = |low, high| Interval { value: 0.5, low, high };
        assert_eq!(Verdict::within(interval(0.6, 0.7), 0.5, 1.0), Verdict::Reproduced);
        assert_eq!(Verdict::within(interval(0.4, 0.7), 0.5, 1.0), Verdict::Undecided);
        assert_eq!(Verdict::within(interval(0.3, 0.49), 0.5, 1.0), Verdict::Contradicted);
    }

    #[test]
    fn intervals_are_as_in_the_books() {
        let ratio = Interval::of_ratios(&[2.0, 8.0]);
        assert!((ratio.value - 4.0).abs() < 1e-9, "the geometric mean: {ratio:?}");
        assert!((ratio.low * ratio.high - 16.0).abs() < 1e-9 && ratio.low < 2.0);
        // Wilson's interval of 0 of 10 ends at z^2 / (n + z^2).
        let share = Interval::of_share(0, 10);
        assert!(share.low.abs() < 1e-9 && (share.high - 3.8416 / 13.8416).abs() < 1e-9);
    }
}
