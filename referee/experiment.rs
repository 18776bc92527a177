//! Claims of a game's source document, measured again: each with its words, what comes out here
//! with its interval, and a verdict.

use crate::play::record::Record;
use crate::statistics::rating::Pairs;
use crate::statistics::tally::Tally;
use arbitre_games::game::ParseError;
use serde::Serialize;

/// What a source document claims.
pub struct Claim {
    /// A word for it.
    pub name: &'static str,
    /// The source's own words.
    pub words: &'static str,
    /// What that means for a measurement.
    pub meaning: &'static str,
    /// The measurement.
    pub measure: fn(&mut dyn Lab) -> Result<Finding, ParseError>,
}

/// All claims of a source document.
pub struct Experiments {
    /// The document.
    pub source: &'static str,
    /// What it claims.
    pub claims: &'static [Claim],
}

/// What came out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The figures with their 95 % intervals.
    pub measured: String,
    /// What they say of the claim.
    pub verdict: Verdict,
    /// How to measure it again.
    pub how: String,
}

/// What a measurement says of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds here too.
    Reproduced,
    /// It does not.
    Contradicted,
    /// The interval allows both.
    Undecided,
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

    /// The score of the first player.
    ///
    /// # Errors
    /// If there is no pair.
    pub fn of_pairs(pairs: &Pairs) -> Result<Interval, ParseError> {
        let sample = pairs.sample();
        let value = sample.score().ok_or_else(|| ParseError::new("no pair of games was played"))?;
        let (low, high) = sample.score_interval();
        Ok(Interval { value, low, high })
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

/// A match that was played for an experiment.
pub struct Played {
    /// Its counts.
    pub tally: Tally,
    /// Its games, in the order in which they came in.
    pub records: Vec<Record>,
    /// The command that plays it again.
    pub command: String,
}

impl Played {
    /// The score of the first player, by pairs.
    ///
    /// # Errors
    /// If no pair was played.
    pub fn score(&self) -> Result<Interval, ParseError> {
        Interval::of_pairs(&self.tally.head_to_heads[0].pairs)
    }

    /// By pair of games, how much longer the second player thinks per move than the first.
    pub fn time_ratio(&self) -> Interval {
        let rounds = self.records.iter().map(|record| record.pairing.round).max().unwrap_or(0);
        let mut spent = vec![[(0.0, 0u32); 2]; rounds as usize + 1];
        for record in &self.records {
            for ply in &record.played.plies {
                let player = record.pairing.players[ply.seat.index()];
                let (seconds, moves) = &mut spent[record.pairing.round as usize][player];
                *seconds += ply.spent.as_secs_f64();
                *moves += 1;
            }
        }
        let per_move = |(seconds, moves): (f64, u32)| seconds / f64::from(moves);
        let whole = spent.iter().filter(|pair| pair.iter().all(|(_, moves)| *moves > 0));
        let ratios: Vec<f64> = whole.map(|pair| per_move(pair[1]) / per_move(pair[0])).collect();
        Interval::of_ratios(&ratios)
    }
}

/// Where experiments are made.
pub trait Lab {
    /// Games per match.
    fn games(&self) -> u64;

    /// Plies that players look ahead in matches.
    fn depth(&self) -> u32;

    /// The number that every random choice descends from.
    fn seed(&self) -> u64;

    /// How many games may be played at once.
    fn workers(&self) -> usize;

    /// Plays a match of two, given as on the command line of a match, and `games` of it.
    ///
    /// # Errors
    /// If the words describe no match, or it was interrupted.
    fn play(&mut self, first: &str, second: &str, games: u64) -> Result<Played, ParseError>;

    /// Tells what is going on.
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
