//! The summary of a tournament: one document, the same for people and for programs.

use crate::referee::rating::{Estimate, Sample};
use crate::referee::tally::{Meeting, PlayerTally, Record, Tally};
use crate::referee::tournament::Contestant;
use hdrhistogram::Histogram;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The document that `--json` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The game's name.
    pub game: &'static str,
    /// Its options as resolved.
    pub rules: String,
    /// The seed of everything.
    pub seed: u64,
    /// Games that were played and count.
    pub games: u64,
    /// Were all games played that were asked for?
    pub complete: bool,
    /// Games in which somebody could not be started; they count for nobody.
    pub void: u64,
    /// How long it took.
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
}

/// What is said of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its command as it was written.
    pub command: String,
    /// One for a win, half of one for a draw.
    pub points: f64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// How much stronger it is than those it met; nothing if the games do not determine it.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval.
    pub elo_error: Option<f64>,
    /// Where there is no such interval because the score is too near to all or nothing: the end of
    /// the interval that is known.
    pub elo_bound: Option<f64>,
    /// Time per move; nothing if it never moved.
    pub time_ms: Option<TimeSummary>,
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

/// What a tournament was, apart from its counts.
pub struct Circumstances<'a> {
    /// The game's name.
    pub game: &'static str,
    /// Its options.
    pub rules: String,
    /// The seed of everything.
    pub seed: u64,
    /// The games that were asked for.
    pub asked: u64,
    /// How long it took.
    pub duration: Duration,
    /// The different openings, if they ran out.
    pub openings_ran_out: Option<usize>,
    /// The players.
    pub contestants: &'a [Contestant],
}

impl Summary {
    /// The summary of these counts.
    pub fn new(tally: &Tally, of: Circumstances) -> Summary {
        let duel = match &tally.meetings[..] {
            [meeting] if of.contestants.len() == 2 => Some(meeting),
            _ => None,
        };
        let players = of.contestants.iter().zip(&tally.players).enumerate();
        Summary {
            game: of.game,
            rules: of.rules,
            seed: of.seed,
            games: tally.games,
            complete: tally.games + tally.void == of.asked,
            void: tally.void,
            seconds: rounded(of.duration.as_secs_f64(), 3),
            moves: tally.moves,
            identical: tally.identical,
            openings_ran_out: of.openings_ran_out,
            players: players
                .map(|(i, (who, counts))| player(who, counts, strength(i, counts, duel)))
                .collect(),
            pairs: duel.map(pairs),
            los: duel.and_then(|meeting| sample(meeting).superiority()).map(|los| rounded(los, 6)),
        }
    }
}

/// The sample that speaks for a meeting: its pairs, if there are any.
fn sample(meeting: &Meeting) -> Sample {
    if meeting.pairs.count() > 0 {
        meeting.pairs.sample()
    } else {
        meeting.games.sample()
    }
}

/// How strong a player is, as far as its games tell.
#[derive(Clone, Copy, Default)]
struct Strength {
    elo: Option<f64>,
    error: Option<f64>,
    bound: Option<f64>,
}

/// In a match of two, by pairs, the second player being the mirror of the first; else by all games
/// of the player.
fn strength(i: usize, counts: &PlayerTally, duel: Option<&Meeting>) -> Strength {
    let sign = if duel.is_some() && i == 1 { -1.0 } else { 1.0 };
    let sample = duel.map_or_else(|| counts.games.sample(), sample);
    let estimate: Option<Estimate> = sample.elo();
    let bound = sample.elo_bound().filter(|_| estimate.is_none());
    Strength {
        elo: sample.elo_value().map(|elo| rounded(sign * elo, 2)),
        error: estimate.map(|estimate| rounded(estimate.error, 2)),
        bound: bound.map(|elo| rounded(sign * elo, 2)),
    }
}

fn player(who: &Contestant, counts: &PlayerTally, strength: Strength) -> PlayerSummary {
    PlayerSummary {
        name: who.name.clone(),
        command: who.command.clone(),
        points: counts.games.points(),
        wins: counts.games.wins,
        draws: counts.games.draws,
        losses: counts.games.losses,
        faults: counts.faults.clone(),
        elo: strength.elo,
        elo_error: strength.error,
        elo_bound: strength.bound,
        time_ms: times(&counts.times),
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

fn pairs(meeting: &Meeting) -> PairsSummary {
    let pairs = meeting.pairs;
    PairsSummary { ll: pairs.ll, ld: pairs.ld, even: pairs.even(), wd: pairs.wd, ww: pairs.ww }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    // Adding zero turns -0 into 0.
    (value * unit).round() / unit + 0.0
}

/// The points of a game for the players of a match so far, as progress shows them.
pub fn score_so_far(tally: &Tally, contestants: &[Contestant]) -> String {
    let points = |i: usize| tally.players[i].games.points();
    match contestants {
        [a, b] => format!("{} {} - {} {}", a.name, points(0), points(1), b.name),
        _ => {
            let best = (0..contestants.len()).max_by(|&a, &b| points(a).total_cmp(&points(b)));
            best.map_or_else(String::new, |i| {
                format!("{} leads with {}", contestants[i].name, points(i))
            })
        }
    }
}

/// The names of a game's players by seat.
pub fn names<'a>(record: &Record, contestants: &'a [Contestant]) -> Vec<&'a str> {
    record.fixture.players.iter().map(|&player| contestants[player].name.as_str()).collect()
}
