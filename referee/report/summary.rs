//! The summary of a tournament: one document, the same for people and for programs.

use crate::config::{MatchConfig, PlayerConfig};
use crate::escape::escape;
use crate::statistics::plackett_luce::{ratings, Rating};
use crate::statistics::rating::{Estimate, Sample};
use crate::statistics::solo::SoloTally;
use crate::statistics::sprt::{Hypothesis, Sprt};
use crate::statistics::tally::{HeadToHead, PlayerTally, Tally};
use hdrhistogram::Histogram;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The document that `--json` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The game's name.
    pub game: String,
    /// Its options as resolved.
    pub rules: String,
    /// How many sat at a table.
    pub seats: usize,
    /// How many a game ranked: see [`MatchConfig::ranked`].
    #[serde(skip)]
    pub ranked: usize,
    /// The seed of everything.
    pub seed: u64,
    /// Games that were played and count.
    pub games: u64,
    /// Were all games played that were asked for, or is the test decided?
    pub complete: bool,
    /// Games in which somebody could not be started; they count for nobody.
    pub void: u64,
    /// How many of the games were played before this run, which went on with them.
    pub resumed: u64,
    /// How long this run took.
    pub seconds: f64,
    /// Moves played in the games that count.
    pub moves: u64,
    /// Games equal to an earlier one, move for move.
    pub identical: u64,
    /// The different openings, if they ran out and were used again.
    pub openings_ran_out: Option<usize>,
    /// The players, in the order in which they were named.
    pub players: Vec<PlayerSummary>,
    /// Pairs of games, from the view of the first player; in a match of two.
    pub pairs: Option<PairsSummary>,
    /// The likelihood that the first player is the stronger one; in a match of two.
    pub los: Option<f64>,
    /// Where the sequential test stands, if there is one.
    pub sprt: Option<SprtSummary>,
    /// Where the games are kept; nothing if they are not.
    pub db: Option<String>,
}

/// Where a sequential test stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the ratio of the hypotheses' likelihoods.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// The hypothesis that is accepted, if one is.
    pub accepted: Option<Hypothesis>,
}

impl SprtSummary {
    /// A test after these games of a match.
    pub fn new(test: Sprt, head_to_head: &HeadToHead) -> SprtSummary {
        let (llr, (lower, upper)) = (test.llr_of_pairs(&head_to_head.pairs), test.bounds());
        let accepted = test.verdict(llr);
        let [llr, lower, upper] = [llr, lower, upper].map(|value| rounded(value, 2));
        SprtSummary { test, llr, lower, upper, accepted }
    }
}

/// What is said of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its command as it was written.
    pub command: String,
    /// Its games that count.
    pub games: u64,
    /// Of each game the share of the others whom it outlasted or outscored, one that shares its rank
    /// counting as half: at a table of two one for a win and a half for a draw.
    pub points: f64,
    /// Games won; at a table of two, like the next two.
    pub wins: Option<u64>,
    /// Games drawn.
    pub draws: Option<u64>,
    /// Games lost.
    pub losses: Option<u64>,
    /// How often it was first, second and so on. Who shares a rank leaves out those behind it: 1, 2,
    /// 2, 4.
    pub places: Vec<u64>,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Strength at a table of two.
    #[serde(flatten)]
    pub strength: Strength,
    /// Strength in a field of more than two.
    #[serde(flatten)]
    pub rating: FieldRating,
    /// Time per move; nothing if it never moved.
    pub time_ms: Option<TimeSummary>,
    /// In solo games, what it made of the instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solo: Option<SoloSummary>,
}

/// Difference in Elo between a player and those it met; empty at a table of more than two.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// Nothing if the games do not determine it.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval.
    pub elo_error: Option<f64>,
    /// Where there is no such interval because the score is too near to all or nothing: the end of
    /// the interval that is known.
    pub elo_bound: Option<f64>,
    /// The same difference in units of the deviation of a game, which draws and openings do not
    /// stretch; nothing if the games do not determine it.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub normalized_elo_error: Option<f64>,
}

/// Rating of a player above the mean of its field, in Elo; empty in a match of two.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct FieldRating {
    /// Nothing if the games do not determine it.
    pub rating: Option<f64>,
    /// Half the width of its 95 % interval.
    pub rating_error: Option<f64>,
    /// Where it has no rating because it was first, or last, in all its games: what it is above, or
    /// below, with a confidence of 97.5 %.
    pub rating_bound: Option<f64>,
}

impl FieldRating {
    fn new(rating: Rating) -> FieldRating {
        let in_hundredths = |value: f64| Some(rounded(value, 2));
        let (rating, rating_error, rating_bound) = match rating {
            Rating::Known(Estimate { value, error }) => {
                (in_hundredths(value), in_hundredths(error), None)
            }
            Rating::Over(bound) | Rating::Under(bound) => (None, None, in_hundredths(bound)),
            Rating::Undetermined => (None, None, None),
        };
        FieldRating { rating, rating_error, rating_bound }
    }
}

/// What a player made of the instances of solo games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SoloSummary {
    /// Its place by instances solved, then by the total, then by time: for show.
    pub place: usize,
    /// Instances that it came to the end of.
    pub solved: u64,
    /// The scores of these, added up.
    pub total: i64,
    /// The seconds of all its answers.
    pub seconds: f64,
    /// How much larger its scores are than those of the first player, on average over the instances that
    /// both came to the end of; nothing of fewer than two, nor of the first player.
    pub difference: Option<f64>,
    /// Half the width of the 95 % interval of that.
    pub difference_error: Option<f64>,
}

fn solo(tally: &SoloTally, player: usize) -> SoloSummary {
    let counts = &tally.players[player];
    let difference = counts.to_first.mean();
    SoloSummary {
        place: tally.places()[player],
        solved: counts.solved,
        total: counts.total,
        seconds: rounded(counts.spent.as_secs_f64(), 3),
        difference: difference.map(|(mean, _)| rounded(mean, 3)),
        difference_error: difference.map(|(_, error)| rounded(error, 3)),
    }
}

/// Time per move, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TimeSummary {
    /// The mean.
    pub mean: f64,
    /// What 99 of 100 moves did not exceed.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// Pairs of games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)] // L, D, W: the results of the two games
pub struct PairsSummary {
    pub ll: u64,
    pub ld: u64,
    pub even: u64,
    pub wd: u64,
    pub ww: u64,
}

/// What a tournament was, apart from its charter and its counts.
#[derive(Clone, Default, Debug)]
pub struct RunInfo {
    /// How many games had been played before.
    pub resumed: u64,
    /// How long the others took.
    pub duration: Duration,
    /// The different openings, if they ran out.
    pub openings_ran_out: Option<usize>,
    /// Where the games are kept.
    pub db: Option<String>,
}

impl Summary {
    /// The summary of these counts.
    pub fn new(tally: &Tally, config: &MatchConfig, of: RunInfo) -> Summary {
        let head_to_head = match &tally.head_to_heads[..] {
            [head_to_head] if config.players.len() == 2 => Some(head_to_head),
            _ => None,
        };
        let ratings = ratings_of(tally, config);
        let players = config.players.iter().zip(&tally.players).enumerate();
        let sprt = config.sprt.zip(head_to_head);
        let sprt = sprt.map(|(sprt, games)| SprtSummary::new(sprt, games));
        let is_decided = sprt.as_ref().is_some_and(|sprt| sprt.accepted.is_some());
        let is_full = tally.games == config.schedule().games();
        Summary {
            game: config.game.clone(),
            rules: config.rules.clone(),
            seats: config.seats,
            ranked: config.ranked(),
            seed: config.seed,
            games: tally.games,
            complete: is_full || is_decided,
            void: tally.void,
            resumed: of.resumed,
            seconds: rounded(of.duration.as_secs_f64(), 3),
            moves: tally.moves,
            identical: tally.identical,
            openings_ran_out: of.openings_ran_out,
            players: players
                .map(|(i, (who, counts))| {
                    let strength = strength(i, counts, head_to_head, config.ranked());
                    let solo = (config.seats == 1).then(|| solo(&tally.solo, i));
                    let summary = player(who, counts, config.ranked(), strength, ratings[i]);
                    PlayerSummary { solo, ..summary }
                })
                .collect(),
            pairs: head_to_head.map(pairs),
            los: head_to_head.and_then(|of| sample(of).superiority()).map(|los| rounded(los, 6)),
            sprt,
            db: of.db,
        }
    }
}

/// Returns the sample of two players who met: their pairs, if there are any, or their games.
fn sample(head_to_head: &HeadToHead) -> Sample {
    if head_to_head.pairs.count() > 0 {
        head_to_head.pairs.sample()
    } else {
        head_to_head.games.sample()
    }
}

/// In a match of two, by pairs, the second player being the mirror of the first; else by all games
/// of the player. Games of more than two have no difference.
fn strength(
    i: usize,
    counts: &PlayerTally,
    head_to_head: Option<&HeadToHead>,
    seats: usize,
) -> Strength {
    if seats != 2 {
        return Strength::default();
    }
    let sign = if head_to_head.is_some() && i == 1 { -1.0 } else { 1.0 };
    let sample = head_to_head.map_or_else(|| counts.games.sample(), sample);
    let estimate: Option<Estimate> = sample.elo();
    let bound = sample.elo_bound().filter(|_| estimate.is_none());
    let normalized = sample.normalized_elo();
    Strength {
        elo: sample.elo_value().map(|elo| rounded(sign * elo, 2)),
        elo_error: estimate.map(|estimate| rounded(estimate.error, 2)),
        elo_bound: bound.map(|elo| rounded(sign * elo, 2)),
        normalized_elo: normalized.map(|estimate| rounded(sign * estimate.value, 2)),
        normalized_elo_error: normalized.map(|estimate| rounded(estimate.error, 2)),
    }
}

/// What a field of more than two is worth; of two all is said by their difference.
fn ratings_of(tally: &Tally, config: &MatchConfig) -> Vec<Rating> {
    match config.players.len() {
        players @ ..=2 => vec![Rating::Undetermined; players],
        players => ratings(&tally.rankings, players),
    }
}

/// A count for each place, also where no game counts.
fn padded(places: &[u64], seats: usize) -> Vec<u64> {
    let zeros = std::iter::repeat(0);
    places.iter().copied().chain(zeros).take(seats).collect()
}

fn player(
    who: &PlayerConfig,
    counts: &PlayerTally,
    seats: usize,
    strength: Strength,
    rating: Rating,
) -> PlayerSummary {
    let of_two = |count: u64| (seats == 2).then_some(count);
    PlayerSummary {
        name: who.name.clone(),
        command: who.command.clone(),
        games: counts.played(),
        points: rounded(counts.points(), 3),
        wins: of_two(counts.games.wins),
        draws: of_two(counts.games.draws),
        losses: of_two(counts.games.losses),
        places: padded(&counts.places, seats),
        faults: counts.faults.clone(),
        strength,
        rating: FieldRating::new(rating),
        time_ms: times(&counts.times),
        solo: None,
    }
}

fn times(micros: &Histogram<u64>) -> Option<TimeSummary> {
    let millis = |micros: f64| rounded(micros / 1000.0, 3);
    (!micros.is_empty()).then(|| TimeSummary {
        mean: millis(micros.mean()),
        p99: millis(micros.value_at_quantile(0.99) as f64),
        max: millis(micros.max() as f64),
    })
}

fn pairs(head_to_head: &HeadToHead) -> PairsSummary {
    let pairs = head_to_head.pairs;
    PairsSummary { ll: pairs.ll, ld: pairs.ld, even: pairs.even(), wd: pairs.wd, ww: pairs.ww }
}

/// A value with so many digits behind the point.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    // Adding zero turns -0 into 0.
    (value * unit).round() / unit + 0.0
}

/// The points of a game for the players of a match so far, and its test, as progress shows them.
pub fn score_so_far(tally: &Tally, config: &MatchConfig) -> String {
    let points = |i: usize| rounded(tally.players[i].points(), 2);
    let name = |i: usize| escape(&config.players[i].name);
    let score = match config.players.len() {
        2 => format!("{} {} - {} {}", name(0), points(0), points(1), name(1)),
        count => {
            let best = (0..count).max_by(|&a, &b| points(a).total_cmp(&points(b)));
            best.map_or_else(String::new, |i| format!("{} leads with {}", name(i), points(i)))
        }
    };
    let Some(sprt) = config.sprt else { return score };
    let SprtSummary { llr, lower, upper, .. } = SprtSummary::new(sprt, &tally.head_to_heads[0]);
    format!("{score}  LLR {llr:.2} ({lower:.2}, {upper:.2})")
}
