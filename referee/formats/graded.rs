//! Graded format: every player meets the same fixed bots, and no other player. Its games and its
//! mark therefore depend on no other player.
//!
//! On two seats a player meets each fixed bot in every round. At larger tables the fixed bots of a
//! round are drawn: those that were drawn least often, in an order that follows from the seed and
//! the round. All players meet the same tables. In solo games every player and every fixed bot
//! plays each instance alone.
//!
//! The only stage has all rounds, and those of a late joiner follow in its own.

use crate::config::format::{FixedBot, FormatConfig};
use crate::config::Contest;
use crate::formats::error::MOST_DRAWN;
use crate::formats::scores::{rank_by, rank_by_share, Scores};
use crate::formats::{Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use crate::play::pairing::GameId;
use crate::play::record::half_points_of;
use crate::statistics::mark::mark;
use crate::statistics::rating::{Estimate, HalfPoints};
use crate::statistics::solo::Attempt;
use arbitre_games::game::Outcome;
use arbitre_games::rng::Rng;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::Duration;

/// Units of a mark below which no difference counts for a rank. Sums of the same shares in another
/// order may differ by rounding. Not tuned.
const RANK_PRECISION: f64 = 1e9;

/// Graded format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graded {
    /// Fixed bots in ascending order.
    bots: Vec<usize>,
    seats: usize,
    tables: Vec<Tables>,
}

/// Rounds, and the fixed bots at each table of a player in them.
type Tables = (Range<u64>, Vec<Vec<usize>>);

impl Graded {
    /// Creates a format in which each player meets each of these fixed bots in at least `rounds`
    /// rounds. `rng` draws the tables of more than two seats.
    ///
    /// # Errors
    /// Returns an error if the fixed bots do not fill a table, all players are fixed bots, or more
    /// than 10,000 rounds are drawn.
    pub fn new(
        players: usize,
        mut bots: Vec<usize>,
        seats: usize,
        rounds: u64,
        rng: &Rng,
    ) -> Result<Graded, FormatError> {
        let needed = seats.saturating_sub(1).max(1);
        if bots.len() < needed {
            return Err(FormatError::TooFewBots { needed, seats, bots: bots.len() });
        }
        if players <= bots.len() {
            return Err(FormatError::NothingToGrade);
        }
        bots.sort_unstable();
        let rounds = rounds.max(1);
        let tables = match seats {
            1 => vec![(0..rounds, vec![Vec::new()])],
            2 => vec![(0..rounds, bots.iter().map(|&bot| vec![bot]).collect())],
            _ => drawn_tables(&bots, needed, rounds, rng)?,
        };
        Ok(Graded { bots, seats, tables })
    }

    /// Returns `true` if a player sits down at each of the tables: in solo games every player does.
    fn is_graded(&self, player: usize) -> bool {
        self.seats == 1 || !self.bots.contains(&player)
    }
}

/// Draws tables of `size` of the fixed bots, one per round, until each was drawn `rounds` times.
fn drawn_tables(
    bots: &[usize],
    size: usize,
    rounds: u64,
    rng: &Rng,
) -> Result<Vec<Tables>, FormatError> {
    let drawn = rounds.saturating_mul(bots.len() as u64).div_ceil(size as u64);
    if drawn > MOST_DRAWN {
        return Err(FormatError::TooManyDrawnRounds { rounds: drawn });
    }
    let mut times: HashMap<usize, u64> = HashMap::new();
    let table = |round: u64| {
        let mut order = bots.to_vec();
        rng.fork(round).shuffle(&mut order);
        order.sort_by_key(|bot| times.get(bot).copied().unwrap_or(0));
        order.truncate(size);
        order.sort_unstable();
        order.iter().for_each(|&bot| *times.entry(bot).or_default() += 1);
        (round..round + 1, vec![order])
    };
    Ok((0..drawn).map(table).collect())
}

impl Format for Graded {
    fn next(&self, history: &History) -> Option<Stage> {
        let played = history.meetings().map(|of| (of.meeting.first_round, &of.meeting.players[..]));
        let played: BTreeSet<(u64, &[usize])> = played.collect();
        let present = history.present();
        let mut meetings = Vec::new();
        for (rounds, tables) in &self.tables {
            let full = tables.iter().filter(|table| table.iter().all(|bot| present.contains(bot)));
            for table in full {
                for &player in present.iter().filter(|&&player| self.is_graded(player)) {
                    let mut players = [&table[..], &[player]].concat();
                    players.sort_unstable();
                    if !played.contains(&(rounds.start, &players[..])) {
                        let (first_round, rounds) = (rounds.start, rounds.end - rounds.start);
                        meetings.push(Meeting { players, first_round, rounds });
                    }
                }
            }
        }
        (!meetings.is_empty()).then_some(Stage { meetings, byes: vec![] })
    }

    /// Ranks by the share of the possible points. The standings rank by the marks.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        rank_by_share(history)
    }

    fn games(&self, players: usize) -> GameCount {
        let bots = if self.seats == 1 { 0 } else { self.bots.len() };
        let graded = players.saturating_sub(bots) as u64;
        let rounds = self.tables.iter().map(|(rounds, tables)| {
            (rounds.end - rounds.start).saturating_mul(tables.len() as u64)
        });
        let rounds = rounds.fold(0, u64::saturating_add);
        GameCount::exactly(rounds.saturating_mul(graded).saturating_mul(self.seats as u64))
    }
}

/// Returns all players by their marks, the best first, those without a mark last.
pub fn rank_by_mark(history: &History, marks: &[Option<Estimate>]) -> Vec<Placing> {
    let scores = Scores::of(history);
    let key = |player: usize| marks[player].map(|mark| (mark.value * RANK_PRECISION) as u64);
    rank_by(marks.len(), key, |player| (scores.half_points[player], vec![]))
}

/// Fixed bots of a contest, and the results that its marks need beyond the ranks.
#[derive(Clone, Debug)]
pub(super) struct Grading {
    /// Number of each fixed bot, and its weight.
    bots: Vec<(usize, f64)>,
    /// Scores of solo games; none where the player did not reach the end.
    solo: HashMap<GameId, Option<i64>>,
    lower_is_better: bool,
}

/// Game as it counts for a mark.
pub(super) struct GradedGame {
    pub id: GameId,
    /// Rank by seat.
    pub ranks: Vec<usize>,
    /// Whether it was played. A player that left loses its other games.
    pub is_played: bool,
}

impl Grading {
    /// Returns the grading of a contest; `None` for another format.
    pub fn of(contest: &Contest) -> Option<Grading> {
        let FormatConfig::Graded { bots } = &contest.format else { return None };
        let number = |bot: &FixedBot| {
            let number = contest.players.iter().position(|player| player.name == bot.name);
            number.map(|number| (number, bot.points))
        };
        let bots = bots.iter().filter_map(number).collect();
        Some(Grading { bots, solo: HashMap::new(), lower_is_better: false })
    }

    /// Returns the numbers of the fixed bots.
    pub fn bots(&self) -> Vec<usize> {
        self.bots.iter().map(|(bot, _)| *bot).collect()
    }

    /// Takes note of a game.
    pub fn count(&mut self, id: GameId, outcome: &Outcome) {
        if id.players.len() == 1 {
            self.lower_is_better = outcome.lower_is_better;
            self.solo.insert(id, Attempt::new(outcome, Duration::ZERO).score);
        }
    }

    /// Returns the share of the result of a fixed bot that a player reached on an instance of a
    /// solo game. `None` without the result of the bot.
    fn solo_share(&self, bot: usize, game: &GradedGame) -> Option<f64> {
        let result = |players| self.solo.get(&GameId { round: game.id.round, players }).copied();
        let theirs = result(vec![bot])?;
        let mine = result(game.id.players.clone()).flatten().filter(|_| game.is_played);
        let (Some(mine), Some(theirs)) = (mine, theirs) else {
            return Some(if mine.is_some() { 1.0 } else { 0.0 });
        };
        let (part, whole) = if self.lower_is_better { (theirs, mine) } else { (mine, theirs) };
        Some(match part {
            _ if part >= whole => 1.0,
            // No share follows from results of different signs.
            ..0 => 0.0,
            _ => part as f64 / whole as f64,
        })
    }
}

/// Scores of all players against the fixed bots.
pub(super) struct GradedScores<'a> {
    grading: &'a Grading,
    /// Scores by player and fixed bot, one for each round in the order of the rounds.
    scores: Vec<Vec<Vec<f64>>>,
    seats: usize,
}

impl GradedScores<'_> {
    pub fn new(grading: &Grading, players: usize, seats: usize) -> GradedScores<'_> {
        let scores = vec![vec![Vec::new(); grading.bots.len()]; players];
        GradedScores { grading, scores, seats }
    }

    /// Adds the games of a group on one round.
    pub fn add(&mut self, games: &[GradedGame]) {
        let Some(first) = games.first() else { return };
        let bots = self.grading.bots.iter().map(|(bot, _)| *bot);
        let Some(&player) = first.id.players.iter().find(|&&of| bots.clone().all(|bot| bot != of))
        else {
            return;
        };
        for (bot, scores) in bots.zip(&mut self.scores[player]) {
            scores.extend(match self.seats {
                1 => self.grading.solo_share(bot, first),
                _ => share_of_wins(player, bot, games),
            });
        }
    }

    /// Returns the mark of a player; `None` if a result against a fixed bot is missing.
    pub fn mark(&self, player: usize) -> Option<Estimate> {
        let weights = self.grading.bots.iter().map(|(_, points)| *points);
        let scores: Vec<(f64, &[f64])> =
            weights.zip(self.scores[player].iter().map(Vec::as_slice)).collect();
        // At two seats each game has one fixed bot.
        mark(&scores, self.seats != 2)
    }
}

/// Returns the share of the games that a player won against a fixed bot, a shared rank being half a
/// win. `None` if the bot is not at the table.
fn share_of_wins(player: usize, bot: usize, games: &[GradedGame]) -> Option<f64> {
    let half_points = |GradedGame { id, ranks, .. }: &GradedGame| {
        let rank = |of| id.players.iter().position(|&at| at == of).map(|seat| ranks[seat]);
        Some(half_points_of(&[rank(player)?, rank(bot)?])[0])
    };
    let sum = games.iter().map(half_points).sum::<Option<HalfPoints>>()?;
    Some(f64::from(sum) / (2 * games.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solo_share_is_of_the_result_of_the_bot() {
        for (lower_is_better, mine, theirs, share) in [
            (true, Some(20), Some(20), 1.0),
            (true, Some(10), Some(20), 1.0),
            (true, Some(40), Some(20), 0.5),
            (true, Some(5), Some(0), 0.0),
            (true, Some(0), Some(-5), 0.0),
            (true, None, Some(20), 0.0),
            (true, None, None, 0.0),
            (true, Some(90), None, 1.0),
            (false, Some(20), Some(20), 1.0),
            (false, Some(30), Some(20), 1.0),
            (false, Some(5), Some(20), 0.25),
            (false, Some(0), Some(20), 0.0),
            (false, Some(-5), Some(20), 0.0),
            (false, Some(-20), Some(-5), 0.0),
            (false, None, Some(-5), 0.0),
        ] {
            let id = |player| GameId { round: 3, players: vec![player] };
            let solo = HashMap::from([(id(0), theirs), (id(1), mine)]);
            let grading = Grading { bots: vec![(0, 1.0)], solo, lower_is_better };
            let game = |is_played| GradedGame { id: id(1), ranks: vec![1], is_played };
            let what = (lower_is_better, mine, theirs);
            assert_eq!(grading.solo_share(0, &game(true)), Some(share), "{what:?}");
            assert_eq!(grading.solo_share(0, &game(false)), Some(0.0), "{what:?}");
        }
    }
}
