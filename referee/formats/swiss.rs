//! Swiss system: in every stage each player meets one of about equal score that it has not met.
//!
//! With two seats the pairing is the best by four criteria, each of which decides only where all
//! before it are equal:
//! 1. the fewest repeats: earlier meetings of the pairs, summed;
//! 2. no second bye;
//! 3. the smallest sum of squared score differences, where a bye has the lowest score of all;
//! 4. the upper half of each score group meets its lower half in order, as in the Dutch system.
//!    Players of different groups are near in the standings.
//!
//! It is a perfect matching of least weight. A meeting has every rotation of the seats, so seats
//! are balanced in any pairing.
//!
//! With more seats, tables are filled from the top of the standings. Candidates for a seat are the
//! next [`WINDOW`] players per seat of the table. The one that met the players at the table least
//! often takes it; among equals, the highest in the standings. If the seats do not divide the
//! players, those with the fewest byes have a bye, the lowest in the standings first.
//!
//! A bye counts as a won meeting, as does a meeting with a player whose games do not count. A late
//! joiner begins without points.

use crate::formats::error::check_table;
use crate::formats::scores::{rank_with_direct_encounter, Scores};
use crate::formats::{Criterion, Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use integer_blossom::min_weight_perfect_matching;

/// Players considered for each seat of a table, in multiples of the seats. Not tuned.
pub const WINDOW: usize = 3;
/// Stages beyond the base-2 logarithm of the number of players.
const MORE_STAGES: u64 = 2;

/// Swiss system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swiss {
    seats: usize,
    stages: u64,
    rounds: u64,
}

impl Swiss {
    /// Creates a Swiss tournament of `stages` stages, in which a meeting has `rounds` rounds, at
    /// least one.
    ///
    /// # Errors
    /// Returns an error if the players do not fill a table of at least two seats.
    pub fn new(
        players: usize,
        seats: usize,
        stages: u64,
        rounds: u64,
    ) -> Result<Swiss, FormatError> {
        check_table(players, seats)?;
        Ok(Swiss { seats, stages, rounds: rounds.max(1) })
    }

    /// Returns the usual number of stages: the base-2 logarithm of the number of players, rounded
    /// up, and two more. It is at most the number of stages of a round robin on two seats.
    pub fn default_stages(players: usize) -> u64 {
        let logarithm = u64::from(players.next_power_of_two().trailing_zeros());
        // An odd field has a bye in each stage, so it needs one stage more.
        let round_robin = (players - usize::from(players.is_multiple_of(2))) as u64;
        (logarithm + MORE_STAGES).min(round_robin)
    }

    /// Returns the half points of each player, byes included.
    fn points(&self, scores: &Scores) -> Vec<u64> {
        let seats = self.seats as u64;
        let of_bye = 2 * (seats - 1) * self.rounds * seats;
        let points = scores.half_points.iter().zip(&scores.byes);
        points.map(|(half_points, byes)| half_points + byes * of_bye).collect()
    }
}

impl Format for Swiss {
    fn next(&self, history: &History) -> Option<Stage> {
        let mut standings = history.present();
        if history.stages.len() as u64 >= self.stages || standings.len() < self.seats {
            return None;
        }
        let mut scores = Scores::of(history);
        // From here on counts meetings, whatever their length.
        scores.met.iter_mut().flatten().for_each(|rounds| *rounds /= self.rounds);
        let points = self.points(&scores);
        standings.sort_by_key(|&player| (std::cmp::Reverse(points[player]), player));
        let (groups, mut byes) = if self.seats == 2 {
            pair(&standings, &points, &scores)
        } else {
            fill_tables(standings, self.seats, &scores)
        };
        byes.sort_unstable();
        let first_round = history.next_round();
        let meeting = |mut players: Vec<usize>| {
            players.sort_unstable();
            Meeting { players, first_round, rounds: self.rounds }
        };
        Some(Stage { meetings: groups.into_iter().map(meeting).collect(), byes })
    }

    /// Ranks by points, then by Buchholz, then by direct encounter. A bye counts as an opponent
    /// with the player's own points. Players without a game come last, whatever their byes.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        let scores = Scores::of(history);
        let points = self.points(&scores);
        let mut buchholz: Vec<u64> =
            points.iter().zip(&scores.byes).map(|(points, byes)| points * byes).collect();
        for of in history.meetings() {
            let group = &of.meeting.players;
            let sum: u64 = group.iter().map(|&player| points[player]).sum();
            group.iter().for_each(|&player| buchholz[player] += sum - points[player]);
        }
        let place = |player: usize| (points[player], vec![Criterion::Buchholz(buchholz[player])]);
        let key = |player: usize| (scores.games[player] > 0, points[player], buchholz[player]);
        rank_with_direct_encounter(&scores, key, place)
    }

    fn games_of_struck(&self) -> Option<u64> {
        Some(self.stages * self.rounds * self.seats as u64)
    }

    fn games(&self, players: usize) -> GameCount {
        let tables = (players / self.seats) as u64;
        GameCount::exactly(tables * self.stages * self.rounds * self.seats as u64)
    }
}

/// Groups that meet, and players with a bye.
type Tables = (Vec<Vec<usize>>, Vec<usize>);

/// Number of criteria of a pairing.
const CRITERIA: usize = 4;

/// Returns the best pairs of the players, which are sorted by their standing.
fn pair(standings: &[usize], points: &[u64], scores: &Scores) -> Tables {
    let players = standings.len();
    // With an odd number the last vertex is the bye.
    let vertices = players + players % 2;
    let mut costs = vec![[0; CRITERIA]; vertices * vertices];
    let equal = standings.chunk_by(|&one, &other| points[one] == points[other]);
    let group_sizes: Vec<i128> =
        equal.flat_map(|group| vec![group.len() as i128; group.len()]).collect();
    for one in 0..vertices {
        for other in one + 1..vertices {
            let cost = if other == players {
                bye_cost(standings, one, points, scores)
            } else {
                pair_cost(standings, one, other, points, scores, group_sizes[one])
            };
            costs[one * vertices + other] = cost;
            costs[other * vertices + one] = cost;
        }
    }
    let mates = min_weight_perfect_matching(&weights(&costs, vertices), vertices);
    let (mut pairs, mut byes) = (Vec::new(), Vec::new());
    for (one, &other) in mates.iter().enumerate().take(players) {
        if other == players {
            byes.push(standings[one]);
        } else if one < other {
            pairs.push(vec![standings[one], standings[other]]);
        }
    }
    (pairs, byes)
}

/// Returns the cost of a pair by each criterion. `group_size` is the size of the score group of the
/// first one.
fn pair_cost(
    standings: &[usize],
    one: usize,
    other: usize,
    points: &[u64],
    scores: &Scores,
    group_size: i128,
) -> [i128; CRITERIA] {
    let (first, second) = (standings[one], standings[other]);
    let difference = i128::from(points[first] - points[second]);
    // The best distance within a score group is half its size; both are doubled here.
    let best = if difference == 0 { group_size } else { 0 };
    let distance = 2 * (other - one) as i128 - best;
    [i128::from(scores.met[first][second]), 0, difference * difference, distance * distance]
}

/// Returns the cost of a bye for the player at `place` by each criterion.
fn bye_cost(
    standings: &[usize],
    place: usize,
    points: &[u64],
    scores: &Scores,
) -> [i128; CRITERIA] {
    let (player, last) = (standings[place], standings[standings.len() - 1]);
    let difference = i128::from(points[player] - points[last]);
    let distance = 2 * (standings.len() - 1 - place) as i128;
    [0, i128::from(scores.byes[player]), difference * difference, distance * distance]
}

/// Returns the costs as single numbers, the first criterion first. A unit of a criterion outweighs
/// every matching's cost by all later ones.
///
/// `a_large_tournament_fits` states what fits.
fn weights(costs: &[[i128; CRITERIA]], vertices: usize) -> Vec<i128> {
    let mut weights = vec![0; costs.len()];
    let mut unit = 1;
    for criterion in (0..CRITERIA).rev() {
        let most = costs.iter().map(|cost| cost[criterion]).max().unwrap_or(0);
        for (weight, cost) in weights.iter_mut().zip(costs) {
            *weight += unit * cost[criterion];
        }
        unit *= most * (vertices as i128 / 2) + 1;
    }
    weights
}

/// Fills tables of `seats` from the top of the standings.
fn fill_tables(mut standings: Vec<usize>, seats: usize, scores: &Scores) -> Tables {
    let mut byes = Vec::new();
    for _ in 0..standings.len() % seats {
        let fewest = (0..standings.len()).rev().min_by_key(|&place| scores.byes[standings[place]]);
        byes.extend(fewest.map(|place| standings.remove(place)));
    }
    let mut tables = Vec::new();
    while !standings.is_empty() {
        let mut table = vec![standings.remove(0)];
        while table.len() < seats {
            let window = standings.iter().take(WINDOW * seats).enumerate();
            let next = window.min_by_key(|(_, &player)| scores.met_at(&table, player));
            let place = next.map_or(0, |(place, _)| place);
            table.push(standings.remove(place));
        }
        tables.push(table);
    }
    (tables, byes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A weight below 2^124 leaves the matching its headroom in 128 bits. The largest tournament
    /// here has 1,000 players, 20 stages and 100,000 rounds a meeting, four half points each.
    #[test]
    fn a_large_tournament_fits() {
        let (players, stages, rounds) = (1000, 20, 100_000);
        let score = stages * rounds * 4;
        let most = [stages, stages, score * score, (2 * players) * (2 * players)];
        let mut costs = vec![[0; CRITERIA]; (players * players) as usize];
        costs[1] = most;
        let weights = weights(&costs, players as usize);
        assert!(weights[1] < 1 << 124, "{} bits", 128 - weights[1].leading_zeros());
        // One repeat outweighs the most of all later criteria together.
        costs[1] = [1, 0, 0, 0];
        costs[2] = most.map(|_| 0);
        costs[3] = [0, most[1], most[2], most[3]];
        let weights = super::weights(&costs, players as usize);
        assert!(weights[1] > weights[3] * players / 2);
    }
}
