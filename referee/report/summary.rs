//! Summary of a tournament: one document for people and for programs.

use super::machines::{HealthSummary, MachineSummary};
use super::rounded;
use crate::config::{sandbox_args, Contest, PlayerConfig};
use crate::escape::escape;
use crate::formats::bracket::Bracket;
use crate::play::FaultReport;
use crate::statistics::plackett_luce::ratings;
use crate::statistics::rating::{Estimate, OutcomeCount, Sample};
use crate::statistics::solo::SoloTally;
use crate::statistics::sprt::evidence::Evidence;
use crate::statistics::sprt::{Hypothesis, Sprt, TestEnd};
use crate::statistics::superiority::superiority;
use crate::statistics::tally::{HeadToHead, PlayerTally, Tally};
use arbitre_games::clock::ClockKind;
use arbitre_games::text::{join, word_of};
use arbitre_process::attempts::Attempts;
use hdrhistogram::Histogram;
use serde::Serialize;
use std::collections::BTreeMap;

/// Document that `--json` prints.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Name of the game.
    pub game: String,
    /// Rules as resolved.
    pub rules: String,
    /// Number of seats at a table.
    pub seats: usize,
    /// Number of players that a game ranks: see [`Contest::ranked`].
    #[serde(skip)]
    pub ranked: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of games that were played and count.
    pub games: u64,
    /// Whether all requested games were played, or the SPRT has ended.
    pub complete: bool,
    /// Number of void games, for example because a player could not be started. They count for no
    /// player.
    pub void: u64,
    /// Number of games played before this run, which resumed the match.
    pub resumed: u64,
    /// Duration of this run in seconds.
    pub seconds: f64,
    /// Number of moves in the games that count.
    pub moves: u64,
    /// Number of games that equal an earlier one, move for move.
    pub identical: u64,
    /// Number of different openings, if they ran out and were reused.
    pub openings_ran_out: Option<usize>,
    /// Players in the order in which they were named.
    pub players: Vec<PlayerSummary>,
    /// Pairs of games from the view of the first player, in a match of two players.
    pub pairs: Option<PairsSummary>,
    /// Likelihood of superiority of the first player, in a match of two players.
    pub los: Option<f64>,
    /// Share of pairs of games in which each player made one point, in a match of two players;
    /// without pairs, share of drawn games.
    pub draw_ratio: Option<f64>,
    /// State of the SPRT, if there is one.
    pub sprt: Option<SprtSummary>,
    /// Whether players have marks.
    #[serde(skip)]
    pub is_graded: bool,
    /// Bracket of a knockout.
    #[serde(skip)]
    pub bracket: Option<Bracket>,
    /// Waits of moves for a processor; `None` without moves that have a time limit.
    pub machine: Option<HealthSummary>,
    /// Number of processors that the games need which run at once, and number that the machine has;
    /// only if it has fewer.
    #[serde(skip)]
    pub crowd: Option<(usize, usize)>,
    /// Kinds of machines on which the games were played, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachineSummary>,
    /// Level of protection that the sandboxes of this run give; `None` if all players are bundled
    /// bots or people.
    pub sandbox: Option<&'static str>,
    /// Command that continues an interrupted match, for people.
    #[serde(skip)]
    pub continued_by: &'static str,
    /// Path of the match file; `None` if the games are not stored.
    pub db: Option<String>,
    /// Players that could not be started, by name.
    #[serde(skip)]
    pub not_started: BTreeMap<String, FaultReport>,
    /// Whether the names of the players are hidden.
    #[serde(skip)]
    pub is_anonymous: bool,
    /// Whether the machine lacked the resources to start a player.
    #[serde(skip)]
    pub has_lacked_resources: bool,
}

/// State of an SPRT.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// Parameters of the test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Log-likelihood ratio of the hypotheses.
    pub llr: f64,
    /// Bound at which H0 is accepted.
    pub lower: f64,
    /// Bound at which H1 is accepted.
    pub upper: f64,
    /// Accepted hypothesis, if there is one.
    pub accepted: Option<Hypothesis>,
    /// Whether the test ended undecided, as further games would only repeat earlier ones.
    pub openings_ran_out: bool,
    /// Number of pairs that equal an earlier one and do not count.
    pub repeated_pairs: u64,
}

impl SprtSummary {
    /// Returns the state of a test after these games.
    pub fn new(test: Sprt, evidence: &Evidence) -> SprtSummary {
        let (llr, (lower, upper)) = (test.llr_of(evidence), test.bounds());
        let [llr, lower, upper] = [llr, lower, upper].map(|value| rounded(value, 2));
        let (accepted, openings_ran_out) = match test.end(evidence) {
            Some(TestEnd::Accepted(hypothesis)) => (Some(hypothesis), false),
            Some(TestEnd::OpeningsRanOut) => (None, true),
            None => (None, false),
        };
        let repeated_pairs = test.left_out(evidence);
        SprtSummary { test, llr, lower, upper, accepted, openings_ran_out, repeated_pairs }
    }

    /// Returns `true` if the test has ended.
    pub fn has_ended(&self) -> bool {
        self.accepted.is_some() || self.openings_ran_out
    }

    /// Describes the log-likelihood ratio, with its share of the bound that it approaches:
    /// `LLR -1.20 (-41 %)`.
    pub fn llr(&self) -> String {
        let share = self.llr / if self.llr < 0.0 { -self.lower } else { self.upper };
        format!("LLR {:.2} ({:.0} %)", self.llr, 100.0 * share)
    }

    /// Describes the decision, with the pairs that do not count.
    pub fn decision(&self) -> String {
        let decision = match self.accepted {
            None if self.openings_ran_out => "undecided: the openings ran out".into(),
            None => "undecided".into(),
            Some(hypothesis) => format!("{hypothesis} is accepted"),
        };
        match self.repeated_pairs {
            0 => decision,
            1 => decision + "; a pair that repeats an earlier one does not count",
            pairs => format!("{decision}; {pairs} pairs that repeat earlier ones do not count"),
        }
    }
}

/// Results of a player.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayerSummary {
    /// Rank, from 1: in a tournament by the rules of its format, else by score, then by rating.
    /// `None` for a player that is not ranked.
    pub rank: Option<usize>,
    /// Mark in a graded tournament, up to 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<f64>,
    /// Half the width of its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark_error: Option<f64>,
    /// Values that decide the rank besides the points, in a tournament.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tie_breaks: BTreeMap<&'static str, f64>,
    /// Reason why the player is not ranked, or was withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Name of the player.
    pub name: String,
    /// Command as written by the user.
    pub command: String,
    /// Dialect of the player.
    pub dialect: String,
    /// Limits of the player.
    pub limits: String,
    /// Sandbox of the player; `none` for a bundled bot and a person.
    pub sandbox: String,
    /// Kind of time that counts.
    pub clock: &'static str,
    /// Digest of the program, or the words of a bundled bot with the signature of its engines.
    pub version: String,
    /// Reason why the player could not be started, in one line. It then has no games in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_started: Option<String>,
    /// Number of games that count.
    pub games: u64,
    /// Share of the points of its games, in percent; `None` without games.
    pub percent: Option<f64>,
    /// Points: in each game the share of other players that it outlasted or outscored, where a
    /// shared rank counts as half. Of two players a win gives 1 and a draw 0.5.
    pub points: f64,
    /// Number of wins; only if games rank two players, like the next two fields.
    pub wins: Option<u64>,
    /// Number of draws.
    pub draws: Option<u64>,
    /// Number of losses.
    pub losses: Option<u64>,
    /// Number of games by place: first, second and so on. A shared rank skips the places after it:
    /// 1, 2, 2, 4.
    pub places: Vec<u64>,
    /// Share of first places, which may be shared; only if games rank more than two players.
    pub first: Option<ShareSummary>,
    /// Number of faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Strength, if games rank two players.
    #[serde(flatten)]
    pub strength: Strength,
    /// Rating in Elo above the mean of the players; `None` without games.
    pub rating: Option<f64>,
    /// Half the width of its 95 % interval.
    pub rating_error: Option<f64>,
    /// Test of the first player against this one, in a gauntlet with tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// Time per move; `None` if the player never moved.
    pub time_ms: Option<TimeSummary>,
    /// CPU time per move that the player used while its opponents thought.
    pub stolen_ms: Option<f64>,
    /// Attempts to reach beyond its sandbox, all refused: by the system call, or `neighbour`.
    #[serde(skip_serializing_if = "Attempts::is_empty")]
    pub attempts: Attempts,
    /// CPU time of a start until the player was ready; `None` if it was never started alone.
    pub init_cpu_ms: Option<f64>,
    /// Results on the instances of solo games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solo: Option<SoloSummary>,
}

/// Reason why a player is not ranked as the others are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Player that is shown for comparison.
    Reference,
    /// Fixed bot that grades the others.
    FixedBot,
    /// Player that was taken out, or failed to start several times in a row. Its opponents win its
    /// other games.
    Withdrawn,
    /// Player that was withdrawn early. None of its games counts.
    Struck,
    /// Player that could not be built or started.
    NotStarted,
    /// Player that joined when nothing more was paired.
    Late,
}

impl PlayerSummary {
    /// Returns `true` if some points are not from games, but from byes.
    pub fn has_bye_points(&self) -> bool {
        let of_games = self.percent.unwrap_or(0.0) / 100.0 * self.games as f64;
        // The percent is rounded.
        self.solo.is_none() && self.points > of_games + 0.25
    }

    /// Returns the number of faults of each kind: `2 crash, 1 timeout`.
    pub fn faults_text(&self) -> String {
        join(self.faults.iter().map(|(kind, count)| format!("{count} {kind}")), ", ")
    }

    /// Returns the rating with its error: `+120 ± 25`.
    pub fn rating_text(&self) -> Option<String> {
        Some(format!("{:+.0} ± {:.0}", self.rating?, self.rating_error?))
    }

    /// Returns the mark with its error: `12.5 ± 0.4`.
    pub fn mark_text(&self) -> Option<String> {
        // A half is rounded up, as a browser does.
        let in_tenths = |value: f64| format!("{:.1}", rounded(value, 1));
        Some(format!("{} ± {}", in_tenths(self.mark?), in_tenths(self.mark_error?)))
    }
}

/// Share of games or points with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ShareSummary {
    /// Share between 0 and 1.
    pub share: f64,
    /// Lower end of the interval; `None` if the games do not determine it.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

impl ShareSummary {
    fn new(share: f64, bounds: Option<(f64, f64)>) -> ShareSummary {
        let in_digits = |value| rounded(value, 4);
        let (low, high) = bounds.unzip();
        let [low, high] = [low, high].map(|bound| bound.map(in_digits));
        ShareSummary { share: in_digits(share), low, high }
    }
}

/// Score and Elo difference of a player against its opponents; empty unless games rank two
/// players.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// Score between 0 and 1: in a match of two players from their pairs of games.
    pub score: Option<ShareSummary>,
    /// Elo difference; `None` if the games do not determine it.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Known end of the interval, if the score is too close to 0 or 100 % for the other end.
    pub elo_bound: Option<f64>,
    /// Normalized Elo difference: in units of the standard deviation of a game, which draws and
    /// openings do not distort. `None` if the games do not determine it.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub normalized_elo_error: Option<f64>,
}

/// Results of a player on the instances of solo games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SoloSummary {
    /// Place by solved instances, then by total, then by time; for display only.
    pub place: usize,
    /// Number of solved instances.
    pub solved: u64,
    /// Sum of the scores of solved instances.
    pub total: i64,
    /// Time of all answers in seconds.
    pub seconds: f64,
    /// Mean difference of its scores from those of the first player, over the instances that both
    /// solved. `None` for fewer than two such instances, and for the first player.
    pub difference: Option<f64>,
    /// Half the width of the 95 % interval of the difference.
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

/// Time per move in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TimeSummary {
    /// Mean.
    pub mean: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Maximum.
    pub max: f64,
}

/// Number of pairs of games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)] // L, D, W: the results of the two games
pub struct PairsSummary {
    pub ll: u64,
    pub ld: u64,
    pub even: u64,
    pub wd: u64,
    pub ww: u64,
}

impl Summary {
    /// Returns the number of players that could be started.
    pub fn started(&self) -> usize {
        self.players.iter().filter(|player| player.not_started.is_none()).count()
    }

    /// Creates the summary of these counts. `run` has what is known of the run besides them:
    /// whether all games were played that can be, in `complete`, and otherwise what only the run
    /// knows.
    pub fn new(tally: &Tally, config: &Contest, run: Summary) -> Summary {
        let of_two = (config.players.len(), config.seats) == (2, 2);
        let head_to_head = of_two.then(|| tally.head_to_head(0, 1));
        let ratings = ratings(&tally.rankings, config.players.len()).estimates;
        let players = config.players.iter().zip(&tally.players).enumerate();
        let sprt = config.sprt.filter(|_| of_two).zip(tally.evidence());
        let sprt = sprt.map(|(sprt, evidence)| SprtSummary::new(sprt, evidence));
        let has_ended = sprt.as_ref().is_some_and(SprtSummary::has_ended);
        let summary = Summary {
            game: config.game.clone(),
            rules: config.rules.clone(),
            seats: config.seats,
            ranked: config.ranked(),
            seed: config.seed,
            games: tally.games,
            complete: run.complete || has_ended,
            void: tally.void,
            moves: tally.moves,
            identical: tally.identical,
            players: players
                .map(|(i, (who, counts))| {
                    let strength = strength(i, counts, head_to_head, config.ranked());
                    let solo = (config.seats == 1).then(|| solo(&tally.solo, i));
                    let summary = player(who, counts, config.ranked(), strength, ratings[i]);
                    let not_started = run.not_started.get(&who.name);
                    let not_started = not_started.map(FaultReport::absence_line);
                    PlayerSummary { solo, not_started, ..summary }
                })
                .collect(),
            pairs: head_to_head.map(pairs),
            los: head_to_head.and_then(los).map(|los| rounded(los, 6)),
            draw_ratio: head_to_head.and_then(draw_ratio).map(|share| rounded(share, 4)),
            sprt,
            machine: HealthSummary::new(&tally.health),
            continued_by: config.continued_by(),
            ..run
        };
        summary.ranked_by_score()
    }

    /// Returns the summary with these players as not started, with the reason of each.
    pub fn without(mut self, players: impl IntoIterator<Item = (usize, String)>) -> Summary {
        players.into_iter().for_each(|(player, why)| self.players[player].not_started = Some(why));
        self.ranked_by_score()
    }

    /// Ranks the players by score, then by rating; in solo games by place.
    fn ranked_by_score(mut self) -> Summary {
        let score = |of: &PlayerSummary| of.points / of.games.max(1) as f64;
        let rating = |of: &PlayerSummary| of.rating.unwrap_or(f64::NEG_INFINITY);
        let compare = |a: &PlayerSummary, b: &PlayerSummary| {
            let place = |of: &PlayerSummary| of.solo.map(|solo| solo.place);
            let by_score = || score(b).total_cmp(&score(a)).then(rating(b).total_cmp(&rating(a)));
            place(a).cmp(&place(b)).then_with(by_score)
        };
        let ranked: Vec<&PlayerSummary> =
            self.players.iter().filter(|player| player.not_started.is_none()).collect();
        let rank = |player: &PlayerSummary| {
            let above = ranked.iter().filter(|other| compare(other, player).is_lt()).count();
            player.not_started.is_none().then_some(1 + above)
        };
        let ranks: Vec<Option<usize>> = self.players.iter().map(rank).collect();
        self.players.iter_mut().zip(ranks).for_each(|(player, rank)| player.rank = rank);
        self
    }

    /// Replaces the names of the players, and removes what tells who they are.
    pub fn anonymise(&mut self, names: &[String]) {
        self.is_anonymous = true;
        // Its path may have names.
        self.db = self.db.take().map(|_| "FILE".into());
        let mut limits: Vec<&str> = self.players.iter().map(|of| &*of.limits).collect();
        limits.dedup();
        let are_alike = limits.len() < 2;
        for (player, name) in self.players.iter_mut().zip(names) {
            player.name.clone_from(name);
            player.command.clear();
            player.version = "hidden".into();
            if !are_alike {
                player.limits = "not the same for all players".into();
            }
            if let Some(why) = &mut player.not_started {
                *why = match player.status {
                    Some(Status::Withdrawn | Status::Struck) => "it takes part no more".into(),
                    _ => "it could not be built or started".into(),
                };
            }
        }
    }

    /// Returns the players in the order of their ranks, those without a rank last.
    pub fn in_order(&self) -> Vec<&PlayerSummary> {
        self.order().into_iter().map(|number| &self.players[number]).collect()
    }

    /// Returns the numbers of the players in this order.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by_key(|&number| {
            let player = &self.players[number];
            // Reference players come before those that could not be started.
            let is_absent = player.not_started.is_some()
                || matches!(player.status, Some(Status::Struck | Status::Late));
            (player.rank.is_none(), is_absent, player.rank)
        });
        order
    }
}

/// Returns the sample of two players: their pairs of games, if there are any, else their games.
fn sample(head_to_head: &HeadToHead) -> Sample {
    if head_to_head.pairs.count() > 0 {
        head_to_head.pairs.sample()
    } else {
        head_to_head.games.sample()
    }
}

/// Returns the LOS of the first of two players, from pairs of games where there are any.
fn los(HeadToHead { pairs, games, .. }: &HeadToHead) -> Option<f64> {
    let counts: &[OutcomeCount] =
        if pairs.count() > 0 { &pairs.categories() } else { &games.categories() };
    superiority(counts)
}

/// Returns the share of even pairs, or without pairs that of drawn games.
fn draw_ratio(HeadToHead { pairs, games, .. }: &HeadToHead) -> Option<f64> {
    match pairs.count() {
        0 => games.draw_ratio(),
        count => Some(pairs.even() as f64 / count as f64),
    }
}

/// Returns the strength of player `i`: in a match of two players from their pairs, otherwise from
/// all games of the player. It is empty unless games rank two players.
fn strength(
    i: usize,
    counts: &PlayerTally,
    head_to_head: Option<&HeadToHead>,
    seats: usize,
) -> Strength {
    if seats != 2 {
        return Strength::default();
    }
    // Pairs are counted from the view of the first player.
    let is_mirrored = head_to_head.is_some() && i == 1;
    let sign = if is_mirrored { -1.0 } else { 1.0 };
    let sample = head_to_head.map_or_else(|| counts.games.sample(), sample);
    let bounds = sample.score_bounds();
    let score = sample.score().map(|score| match is_mirrored {
        true => ShareSummary::new(1.0 - score, bounds.map(|(low, high)| (1.0 - high, 1.0 - low))),
        false => ShareSummary::new(score, bounds),
    });
    let estimate: Option<Estimate> = sample.elo();
    let bound = sample.elo_bound().filter(|_| estimate.is_none());
    let normalized = sample.normalized_elo();
    Strength {
        score,
        elo: sample.elo_value().map(|elo| rounded(sign * elo, 2)),
        elo_error: estimate.map(|estimate| rounded(estimate.error, 2)),
        elo_bound: bound.map(|elo| rounded(sign * elo, 2)),
        normalized_elo: normalized.map(|estimate| rounded(sign * estimate.value, 2)),
        normalized_elo_error: normalized.map(|estimate| rounded(estimate.error, 2)),
    }
}

fn player(
    who: &PlayerConfig,
    counts: &PlayerTally,
    seats: usize,
    strength: Strength,
    rating: Estimate,
) -> PlayerSummary {
    let of_two = |count: u64| (seats == 2).then_some(count);
    let first = counts.first_share().filter(|_| seats > 2);
    let mut places = counts.places.clone();
    // A count for each place, also if no game counts.
    places.resize(seats, 0);
    let of_games = |value| (counts.played() > 0).then(|| rounded(value, 2));
    PlayerSummary {
        name: who.name.clone(),
        command: who.command.clone(),
        dialect: who.dialect.clone(),
        limits: who.limits.to_string(),
        sandbox: sandbox_args::in_words(&who.sandbox),
        clock: word_of(who.limits.clock.kind, &ClockKind::WORDS),
        version: who.version.clone(),
        games: counts.played(),
        percent: percent(counts),
        points: rounded(counts.points(), 3),
        wins: of_two(counts.games.wins),
        draws: of_two(counts.games.draws),
        losses: of_two(counts.games.losses),
        places,
        first: first.map(|share| ShareSummary::new(share.value, Some((share.low, share.high)))),
        faults: counts.faults.clone(),
        strength,
        rating: of_games(rating.value),
        rating_error: of_games(rating.error),
        time_ms: times(&counts.times),
        stolen_ms: stolen(counts),
        attempts: counts.attempts.clone(),
        init_cpu_ms: init_cpu(counts),
        ..PlayerSummary::default()
    }
}

fn percent(counts: &PlayerTally) -> Option<f64> {
    let games = counts.played();
    (games > 0).then(|| rounded(100.0 * counts.points() / games as f64, 2))
}

fn stolen(counts: &PlayerTally) -> Option<f64> {
    let moves = counts.times.len();
    (moves > 0).then(|| rounded(counts.stolen.as_secs_f64() * 1000.0 / moves as f64, 3))
}

fn init_cpu(counts: &PlayerTally) -> Option<f64> {
    let mean = counts.init.checked_div(counts.starts)?;
    Some(rounded(mean.as_secs_f64() * 1000.0, 3))
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

/// Returns the score so far for the progress bar: points of two players or of the leader, and the
/// LLR of a test.
pub fn score_so_far(tally: &Tally, config: &Contest) -> String {
    let points = |i: usize| rounded(tally.players[i].points(), 2);
    let name = |i: usize| escape(&config.players[i].name);
    let score = match config.players.len() {
        2 => format!("{} {} - {} {}", name(0), points(0), points(1), name(1)),
        count => {
            let best = (0..count).max_by(|&a, &b| points(a).total_cmp(&points(b)));
            best.map_or_else(String::new, |i| format!("{} leads with {}", name(i), points(i)))
        }
    };
    let Some((sprt, evidence)) = config.sprt.zip(tally.evidence()) else { return score };
    format!("{score}  {}", SprtSummary::new(sprt, evidence).llr())
}
