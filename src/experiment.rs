//! Experiments: claims of a game's source document, the report that its bots reproduce, measured
//! again. Each gives the claim in its own words, a measurement with its interval, and a verdict.
//! The claims are defined beside the bots that they concern; the referee provides the laboratory
//! that plays the matches.

use crate::dialect::Notation;
use crate::game::{ParseError, Seat, State};

/// A claim of a source document.
pub struct Claim {
    /// Short name.
    pub name: &'static str,
    /// Quotation from the source.
    pub words: &'static str,
    /// Prediction of the claim for the measurement.
    pub meaning: &'static str,
    /// Function that measures it.
    pub measure: fn(&mut dyn Laboratory) -> Result<Measurement, ParseError>,
}

/// All claims of a game's source document.
pub struct Experiments {
    /// Name of the game.
    pub game: &'static str,
    /// Title of the document.
    pub source: &'static str,
    /// Claims of the document.
    pub claims: &'static [Claim],
}

/// Result of a measurement.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The figures with their 95 % intervals.
    pub measured: String,
    /// Verdict of the figures on the claim.
    pub verdict: Verdict,
    /// Command or method that repeats the measurement.
    pub how: String,
}

/// Verdict of a measurement on a claim. A claim of several parts has the largest of their verdicts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The claim holds here too.
    Reproduced,
    /// The interval allows both.
    Undecided,
    /// The claim does not hold.
    Contradicted,
}

impl Verdict {
    /// Returns the verdict as a word.
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

    /// Returns the verdict on the claim that a value lies between `low` and `high`.
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

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Interval {
    /// Returns the mean of independent values.
    ///
    /// # Panics
    /// Panics if there are no values.
    pub fn of_mean(values: &[f64]) -> Interval {
        assert!(!values.is_empty(), "the mean of no values");
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        // The maximum avoids 0 / 0 for a single value, whose interval is the value itself.
        let error = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Interval { value: mean, low: mean - error, high: mean + error }
    }

    /// Returns the geometric mean of independent ratios.
    ///
    /// # Panics
    /// Panics if there are no ratios.
    pub fn of_ratios(ratios: &[f64]) -> Interval {
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let Interval { value, low, high } = Interval::of_mean(&logs);
        Interval { value: value.exp(), low: low.exp(), high: high.exp() }
    }

    /// Returns `hits / count` with Wilson's interval.
    pub fn of_share(hits: usize, count: usize) -> Interval {
        Interval::of_mean_share(hits as f64 / count as f64, count as f64)
    }

    /// Returns the mean `share` of `n` values between 0 and 1, with Wilson's interval. Values other
    /// than 0 and 1 vary less, so it is wider than needed for them.
    pub fn of_mean_share(share: f64, n: f64) -> Interval {
        let z = 1.96f64;
        let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
        Interval { value: share, low: middle - half, high: middle + half }
    }

    /// Returns the interval of an exact count, which has no error.
    pub fn exactly(value: f64) -> Interval {
        Interval { value, low: value, high: value }
    }

    /// Returns a share as text, in percent.
    pub fn percent(&self) -> String {
        let [value, low, high] = [self.value, self.low, self.high].map(|share| 100.0 * share);
        format!("{value:.1} % ({low:.1} to {high:.1})")
    }

    /// Returns a ratio as text.
    pub fn figure(&self) -> String {
        let Interval { value, low, high } = self;
        format!("{value:.2} ({low:.2} to {high:.2})")
    }
}

/// A two-player match to play.
#[derive(Clone, Copy, Debug)]
pub struct MatchRequest<'a> {
    /// Players, as on the command line.
    pub players: [&'a str; 2],
    /// Rules of the game; the default ones if it is empty.
    pub rules: &'a str,
    /// Number of games.
    pub games: u64,
    /// Whether the bots play inside this process, not as programs.
    pub inside: bool,
}

/// A game of a match.
#[derive(Clone, Debug)]
pub struct LabGame {
    /// Index of the pair of games with the same start.
    pub round: u64,
    /// Player on each seat.
    pub players: [usize; 2],
    /// Setup as text.
    pub setup: String,
    /// Moves as text, each with its seat and its duration in seconds.
    pub moves: Vec<(Seat, String, f64)>,
    /// Result of each seat.
    pub results: [HalfPoints; 2],
}

impl LabGame {
    /// Returns the seat of a player.
    pub fn seat_of(&self, player: usize) -> Seat {
        Seat::new(usize::from(self.players[1] == player))
    }

    /// Replays the game. Returns the positions before each move, and the last one.
    ///
    /// # Errors
    /// Returns an error if the setup or a move is not one of `game`.
    pub fn positions<G: Notation>(&self, game: &G) -> Result<Vec<G::State>, ParseError> {
        let mut positions = vec![game.start(&game.parse_setup_text(&self.setup)?)?];
        for (seat, text, _) in &self.moves {
            let mut position = positions[positions.len() - 1].clone();
            let accepted = position.play(*seat, game.parse_move(text)?);
            accepted.map_err(|why| ParseError::new(format!("'{text}': {why}")))?;
            positions.push(position);
        }
        Ok(positions)
    }
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct LabMatch {
    /// Games in the order of their indices.
    pub games: Vec<LabGame>,
    /// Score of the first player, by pairs of games.
    pub score: Interval,
    /// Mean time per move of each player, in milliseconds.
    pub move_millis: [f64; 2],
    /// Command that repeats the match.
    pub command: String,
}

impl LabMatch {
    /// Returns the ratio of the second player's time per move to the first player's, by pair of
    /// games.
    pub fn time_ratio(&self) -> Interval {
        let rounds = self.games.iter().map(|game| game.round + 1).max().unwrap_or(0);
        let mut spent = vec![[(0.0, 0u32); 2]; rounds as usize];
        for LabGame { round, players, moves, .. } in &self.games {
            for (seat, _, time) in moves {
                let (seconds, moves) = &mut spent[*round as usize][players[seat.index()]];
                *seconds += time;
                *moves += 1;
            }
        }
        let per_move = |(seconds, moves): (f64, u32)| seconds / f64::from(moves);
        // A player that made no move has no time per move.
        let whole = spent.iter().filter(|pair| pair.iter().all(|(_, moves)| *moves > 0));
        let ratios: Vec<f64> = whole.map(|pair| per_move(pair[1]) / per_move(pair[0])).collect();
        Interval::of_ratios(&ratios)
    }

    /// Returns the measurement of the claim that a value lies between `low` and `high`.
    pub fn within(self, measured: String, value: Interval, low: f64, high: f64) -> Measurement {
        Measurement { measured, verdict: Verdict::within(value, low, high), how: self.command }
    }
}

/// Result of a game for a player, in half points.
pub type HalfPoints = u8;

/// Environment in which experiments run.
pub trait Laboratory {
    /// Returns the number of games per match.
    fn games(&self) -> u64;

    /// Returns the search depth of players in matches, in plies.
    fn depth(&self) -> u32;

    /// Returns the seed from which every random choice derives.
    fn seed(&self) -> u64;

    /// Returns the number of threads that may run at once.
    fn workers(&self) -> usize;

    /// Plays a match.
    ///
    /// # Errors
    /// Returns an error if a player is invalid, or the match was interrupted.
    fn play(&mut self, request: MatchRequest) -> Result<LabMatch, ParseError>;

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
    fn intervals_match_their_formulas() {
        let ratio = Interval::of_ratios(&[2.0, 8.0]);
        assert!((ratio.value - 4.0).abs() < 1e-9, "the geometric mean: {ratio:?}");
        assert!((ratio.low * ratio.high - 16.0).abs() < 1e-9 && ratio.low < 2.0);
        // Wilson's interval of 0 of 10 ends at z^2 / (n + z^2).
        let share = Interval::of_share(0, 10);
        assert!(share.low.abs() < 1e-9 && (share.high - 3.8416 / 13.8416).abs() < 1e-9);
    }

    /// Values from R. Newcombe, "Two-sided confidence intervals for the single proportion:
    /// comparison of seven methods", Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn share_agrees_with_published_values() {
        let published = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (hits, count, low, high) in published {
            let share = Interval::of_share(hits, count);
            let is_near = |value: f64, expected: f64| (value - expected).abs() <= 0.000_05;
            assert!(is_near(share.low, low) && is_near(share.high, high), "{hits}: {share:?}");
        }
    }
}
