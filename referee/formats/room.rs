//! Draw of a room: the players of the next table, while players come and go.
//!
//! The first seat goes to the player with the earliest turn, by start-time fair queueing. Each
//! table puts off the turns of its players by a stride. The less is known of a player, the shorter
//! its stride. The turn of the last first seat is the earliest that counts. A newcomer and a
//! returning player are therefore due at once, and no absence saves up games.
//!
//! The other seats go to players of the earlier half of the turns. As in a ladder, the gain of a
//! pair is `p (1 - p) v`. Here the variance `v` of the difference of two strengths is the sum of
//! two own variances. Each is the inverse of the information of a player's games. A table takes
//! about linear time in the players present. Recent meetings of a pair reduce its gain.
//!
//! A seat goes to the earliest turn whose gain is near the greatest, not to the greatest alone.
//! Early estimates lie too far apart. If players met only their neighbours by these estimates, no
//! game would correct them: the ratings of equal players would be worse than after random pairing.
//!
//! Source: P. Goyal, H. Vin, H. Cheng, Start-time fair queueing, SIGCOMM 1996.

use crate::formats::gain::{fill, spread};
use crate::statistics::plackett_luce::ELO_PER_LOGIT;
use crate::statistics::ranking::{Ranking, Rankings};
use crate::statistics::rating::{Estimate, Z};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// Stride of a player without games. A well-known player has 1. Not tuned.
const SHORTEST: f64 = 0.25;
/// Longest distance of a turn from the earliest one, in strides. Not tuned.
const LATEST: f64 = 2.0;
/// Share of the greatest gain that suffices for a seat. With 1 the error of 100 players of nearly
/// equal strength was 76 Elo, after random pairing 40 (100 games each, 2026-11-30).
const SHARE: f64 = 0.5;
/// Divisor of the gain of a pair for each of its recent meetings. In rooms of 6 very unequal
/// players each met 4 others or more in 24 games, with a divisor of 4 some met 3 (2026-11-30).
const REPEAT: f64 = 16.0;
/// Number of tables of which a player's opponents are remembered. With 4 some met 2 (2026-11-30).
const RECENT: usize = 8;
/// Steps of the search for strengths in each rating, which continues from the last. Not tuned.
const STEPS: usize = 4;
/// Virtual draws of each player against a player of strength 0. With 1, as in ratings, the errors
/// of nearly equal players were 10 to 16 % above those after random pairing (20 games each,
/// 2026-11-30).
const VIRTUAL_DRAWS: f64 = 4.0;
/// Information of the virtual draws.
const PRIOR: f64 = VIRTUAL_DRAWS / 4.0;

/// Chooses the players of the next game of a room.
#[derive(Clone, PartialEq, Debug)]
pub struct Draw {
    seats: usize,
    players: Vec<Player>,
    /// Turn of the last first seat.
    now: f64,
}

/// Knowledge about a player. Strengths are in logits.
#[derive(Clone, PartialEq, Debug)]
struct Player {
    strength: f64,
    information: f64,
    turn: f64,
    tables: u64,
    /// Opponents of the recent tables, the latest last.
    met: VecDeque<usize>,
}

impl Player {
    fn new() -> Player {
        Player { strength: 0.0, information: PRIOR, turn: 0.0, tables: 0, met: VecDeque::new() }
    }

    fn stride(&self) -> f64 {
        (SHORTEST * (self.information / PRIOR).sqrt()).min(1.0)
    }

    /// Compares by turn; of two with the same turn, the one of which less is known comes first.
    fn compare(&self, other: &Player) -> Ordering {
        let by_tables = self.tables.cmp(&other.tables);
        let by_information = self.information.total_cmp(&other.information);
        self.turn.total_cmp(&other.turn).then(by_tables).then(by_information)
    }
}

impl Draw {
    /// Creates a draw for tables of `seats` seats.
    pub fn new(seats: usize) -> Draw {
        Draw { seats, players: Vec::new(), now: 0.0 }
    }

    /// Takes the rankings of all counted games of `players` players. Numbers of players never
    /// change. Information that was counted for tables is replaced.
    pub fn rate(&mut self, rankings: &Rankings, players: usize) {
        self.grow(players);
        for _ in 0..STEPS {
            self.step(rankings);
        }
    }

    /// Returns the ratings of all players in Elo above the mean strength, by their own information
    /// alone. Their errors lack what is not known of the opponents.
    pub fn estimates(&self) -> Vec<Estimate> {
        let of = |player: &Player| Estimate {
            value: ELO_PER_LOGIT * player.strength,
            error: Z * ELO_PER_LOGIT / player.information.sqrt(),
        };
        self.players.iter().map(of).collect()
    }

    fn grow(&mut self, players: usize) {
        let players = players.max(self.players.len());
        self.players.resize_with(players, Player::new);
    }

    /// Takes a step of Newton's method with the diagonal of the information alone. Half of it never
    /// goes too far, because the information is at most twice its diagonal.
    fn step(&mut self, rankings: &Rankings) {
        let slopes = Slopes::of(rankings, self.players.iter().map(|player| player.strength));
        for (player, (slope, information)) in self.players.iter_mut().zip(slopes.values) {
            player.information = PRIOR + information;
            player.strength += (slope / (2.0 * player.information)).clamp(-1.0, 1.0);
        }
    }

    /// Returns the players of the next table in ascending order; `None` if fewer are present than
    /// there are seats. `present` are the players that can play, in ascending order. The table
    /// counts as played, one game for each rotation of its seats, until the next rating.
    pub fn next(&mut self, present: &[usize]) -> Option<Vec<usize>> {
        if present.len() < self.seats {
            return None;
        }
        self.grow(present.last()? + 1);
        for &player in present {
            self.players[player].turn = self.players[player].turn.max(self.now);
        }
        let queue = self.earlier_half(present);
        let mut table = vec![*queue.first()?];
        self.now = self.players[table[0]].turn;
        fill(&mut table, &queue, self.seats, SHARE, |one, other| self.gain(one, other));
        self.count(&table);
        Some(table)
    }

    /// Returns the earlier half of the turns in order, and more players than seats if they are
    /// present.
    fn earlier_half(&self, present: &[usize]) -> Vec<usize> {
        let mut queue = present.to_vec();
        let compare = |one: &usize, other: &usize| {
            self.players[*one].compare(&self.players[*other]).then(one.cmp(other))
        };
        let size = (queue.len() / 2).max(self.seats + 1);
        if size < queue.len() {
            queue.select_nth_unstable_by(size, compare);
            queue.truncate(size);
        }
        queue.sort_unstable_by(compare);
        queue
    }

    /// Returns the value by which opponents are chosen. The probability of a win is averaged over
    /// the uncertainty of the difference, by MacKay's approximation.
    fn gain(&self, one: usize, other: usize) -> f64 {
        let (first, second) = (&self.players[one], &self.players[other]);
        let variance = first.information.recip() + second.information.recip();
        let doubt = (1.0 + std::f64::consts::PI / 8.0 * variance).sqrt();
        let meetings = first.met.iter().filter(|&&player| player == other).count();
        let repeats = REPEAT.powi(meetings as i32);
        spread((first.strength - second.strength) / doubt) * variance / repeats
    }

    /// Counts a table for the turns, the information and the meetings of its players.
    fn count(&mut self, table: &[usize]) {
        for &one in table {
            let others = table.iter().copied().filter(|&other| other != one);
            let strength = self.players[one].strength;
            let spreads = others.clone().map(|at| spread(strength - self.players[at].strength));
            let information = spreads.sum::<f64>() * self.seats as f64;
            let player = &mut self.players[one];
            player.turn = (player.turn + player.stride()).min(self.now + LATEST);
            player.tables += 1;
            player.information += information;
            player.met.extend(others);
            let old = player.met.len().saturating_sub(RECENT * (self.seats - 1));
            player.met.drain(..old);
        }
    }
}

/// Derivatives of the log-posterior for each player: the first, and the negative second without
/// the prior. Each pair of players of a game counts as a game of two, which agrees with the model
/// of Plackett and Luce in the mean.
struct Slopes {
    weights: Vec<f64>,
    values: Vec<(f64, f64)>,
}

impl Slopes {
    fn of(rankings: &Rankings, strengths: impl Iterator<Item = f64>) -> Slopes {
        let weights: Vec<f64> = strengths.map(f64::exp).collect();
        let prior = |weight: &f64| VIRTUAL_DRAWS * (0.5 - weight / (1.0 + weight));
        let values = weights.iter().map(|weight| (prior(weight), 0.0)).collect();
        let mut slopes = Slopes { weights, values };
        rankings.iter().for_each(|(ranking, count)| slopes.add(ranking, count as f64));
        slopes
    }

    fn add(&mut self, ranking: &Ranking, count: f64) {
        let mut groups = ranking.groups().iter();
        while let Some(group) = groups.next() {
            for (place, &one) in group.iter().enumerate() {
                group[place + 1..].iter().for_each(|&other| self.compare(one, other, 0.5, count));
                let behind = groups.clone().flatten();
                behind.for_each(|&other| self.compare(one, other, 1.0, count));
            }
        }
    }

    /// Adds `count` games of two players with the mean `score` of the first.
    fn compare(&mut self, one: usize, other: usize, score: f64, count: f64) {
        let chance = self.weights[one] / (self.weights[one] + self.weights[other]);
        for (player, sign) in [(one, 1.0), (other, -1.0)] {
            let (slope, information) = &mut self.values[player];
            *slope += sign * count * (score - chance);
            *information += count * chance * (1.0 - chance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::plackett_luce::ratings;
    use arbitre_games::rng::Rng;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Tables between two ratings; the last results are missing in the next one.
    const BATCH: usize = 4;

    /// Simulated room. All numbers by player, in the order in which they joined.
    struct Room {
        rng: Rng,
        seats: usize,
        /// Standard deviation of the strengths, in logits.
        spread: f64,
        draw: Draw,
        rankings: Rankings,
        strengths: Vec<f64>,
        is_present: Vec<bool>,
        tables: Vec<Vec<usize>>,
    }

    impl Room {
        fn new(players: usize, seats: usize, spread: f64, seed: u64) -> Room {
            let mut room = Room {
                rng: Rng::new(seed),
                seats,
                spread: spread / ELO_PER_LOGIT,
                draw: Draw::new(seats),
                rankings: Rankings::default(),
                strengths: Vec::new(),
                is_present: Vec::new(),
                tables: Vec::new(),
            };
            (0..players).for_each(|_| room.join());
            room
        }

        fn join(&mut self) {
            let normal = (0..12).map(|_| self.rng.unit()).sum::<f64>() - 6.0;
            self.strengths.push(self.spread * normal);
            self.is_present.push(true);
        }

        fn present(&self) -> Vec<usize> {
            (0..self.is_present.len()).filter(|&player| self.is_present[player]).collect()
        }

        /// A player joins, leaves, brings a new version or returns. At least `fewest` remain.
        fn change(&mut self, fewest: usize) {
            let player = self.rng.below(self.strengths.len());
            match self.rng.below(4) {
                0 => self.join(),
                1 if self.present().len() > fewest => self.is_present[player] = false,
                2 if self.is_present[player] => {
                    self.is_present[player] = false;
                    self.join();
                }
                _ => self.is_present[player] = true,
            }
        }

        /// Returns the result of a game by the model of Plackett and Luce: the least time first.
        fn play(&mut self, table: &[usize]) -> Ranking {
            let mut time =
                |&player: &usize| (-(1.0 - self.rng.unit()).ln()).ln() - self.strengths[player];
            let times: Vec<f64> = table.iter().map(&mut time).collect();
            let rank = |time: &f64| times.iter().filter(|other| *other < time).count();
            Ranking::new(table, &times.iter().map(rank).collect::<Vec<_>>())
        }

        fn count(&mut self, table: Vec<usize>) {
            for _ in 0..self.seats {
                let ranking = self.play(&table);
                self.rankings.add(ranking);
            }
            self.tables.push(table);
        }

        fn step(&mut self) -> Vec<usize> {
            if self.tables.len().is_multiple_of(BATCH) {
                self.draw.rate(&self.rankings, self.strengths.len());
            }
            let present = self.present();
            let table = self.draw.next(&present).expect("the table can be filled");
            assert_eq!(table.len(), self.seats);
            assert!(table.windows(2).all(|pair| pair[0] < pair[1]), "{table:?}");
            assert!(table.iter().all(|player| present.contains(player)), "{table:?}");
            self.count(table.clone());
            table
        }

        fn random_step(&mut self) {
            let mut table = self.present();
            self.rng.shuffle(&mut table);
            table.truncate(self.seats);
            table.sort_unstable();
            self.count(table);
        }

        /// Returns the root mean square of the errors of all ratings in Elo.
        fn error(&self) -> f64 {
            let count = self.strengths.len() as f64;
            let estimates = ratings(&self.rankings, self.strengths.len()).estimates;
            let difference =
                |(strength, estimate): (&f64, &crate::statistics::rating::Estimate)| {
                    strength * ELO_PER_LOGIT - estimate.value
                };
            let errors: Vec<f64> = self.strengths.iter().zip(&estimates).map(difference).collect();
            let mean = errors.iter().sum::<f64>() / count;
            (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / count).sqrt()
        }

        /// Returns the opponents of each player in the order of its tables.
        fn opponents(&self) -> BTreeMap<usize, Vec<usize>> {
            let mut opponents: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for table in &self.tables {
                for &one in table {
                    let others = table.iter().copied().filter(|&other| other != one);
                    opponents.entry(one).or_default().extend(others);
                }
            }
            opponents
        }
    }

    /// Waiting times of the present players. A share is the number of tables in which all present
    /// players could play once.
    #[derive(Default)]
    struct Waits {
        by_player: BTreeMap<usize, (usize, f64)>,
        veterans: BTreeSet<usize>,
    }

    impl Waits {
        /// Returns for each player of a table whether it is its first, with the tables and the
        /// shares since its last one. A player that returns starts anew.
        fn step(&mut self, present: &[usize], table: &[usize]) -> Vec<(bool, usize, f64)> {
            self.by_player.retain(|player, _| present.contains(player));
            for &player in present {
                let (tables, shares) = self.by_player.entry(player).or_default();
                *tables += 1;
                *shares += table.len() as f64 / present.len() as f64;
            }
            let wait = |player: &usize| {
                let (tables, shares) = self.by_player.remove(player).expect("it is present");
                (self.veterans.insert(*player), tables, shares)
            };
            table.iter().map(wait).collect()
        }
    }

    fn seats() -> impl Strategy<Value = usize> {
        prop_oneof![Just(1usize), Just(2), Just(4), Just(8)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

        /// In simulated rooms the longest wait was 3.1 shares (2026-11-30).
        #[test]
        fn no_player_starves(
            seats in seats(),
            players in 0usize..40,
            spread in 0.0..800.0,
            churn in 2usize..50,
            seed: u64,
        ) {
            let mut room = Room::new(seats + players, seats, spread, seed);
            let (mut waits, first) = (Waits::default(), room.strengths.len());
            for step in 0..400 {
                if room.rng.below(churn) == 0 {
                    room.change(seats);
                }
                let present = room.present();
                let table = room.step();
                for (is_newcomer, tables, shares) in waits.step(&present, &table) {
                    prop_assert!(shares <= 4.0 + 1.0 / seats as f64, "{shares} shares");
                    // At the start all are newcomers.
                    let is_settled = step > 2 * first;
                    prop_assert!(!is_newcomer || !is_settled || tables <= 8, "{tables} tables");
                }
            }
        }

        /// Newcomers that join together wait for one share at most.
        #[test]
        fn joiners_of_one_moment_play_within_a_share(
            seats in seats(),
            players in 0usize..40,
            newcomers in 1usize..40,
            seed: u64,
        ) {
            let mut room = Room::new(seats + players, seats, 300.0, seed);
            (0..200).for_each(|_| drop(room.step()));
            (0..newcomers).for_each(|_| room.join());
            let mut waiting: BTreeSet<usize> = (seats + players..room.strengths.len()).collect();
            for _ in 0..newcomers {
                let table = room.step();
                waiting.retain(|player| !table.contains(player));
            }
            prop_assert!(waiting.is_empty(), "{waiting:?}");
        }

        /// Among 24 tables of a player there are three opponents or more. On two seats none of them
        /// is at more than 16. On more seats two players may still meet at each of 24 tables.
        #[test]
        fn opponents_vary(
            seats in prop_oneof![Just(2usize), Just(4)],
            players in 6usize..40,
            spread in 0.0..800.0,
            churn in 2usize..100,
            seed: u64,
        ) {
            let mut room = Room::new(players, seats, spread, seed);
            for _ in 0..400 {
                if room.rng.below(churn) == 0 {
                    room.change(6);
                }
                room.step();
            }
            for opponents in room.opponents().values() {
                for window in opponents.windows(24 * (seats - 1)) {
                    let met: BTreeSet<&usize> = window.iter().collect();
                    prop_assert!(met.len() >= 3, "{met:?}");
                    let most = met.iter().map(|&met| window.iter().filter(|at| *at == met).count());
                    prop_assert!(seats > 2 || most.max() <= Some(16), "{window:?}");
                }
            }
        }

        #[test]
        fn equal_inputs_give_equal_tables(seats in seats(), players in 0usize..20, seed: u64) {
            let tables = || {
                let mut room = Room::new(seats + players, seats, 300.0, seed);
                for _ in 0..50 {
                    room.change(seats);
                    room.step();
                }
                (room.tables, room.draw)
            };
            prop_assert_eq!(tables(), tables());
        }
    }

    #[test]
    fn absent_players_leave_no_table() {
        let mut draw = Draw::new(2);
        assert_eq!((draw.next(&[]), draw.next(&[7])), (None, None));
        assert_eq!(draw.next(&[3, 7]), Some(vec![3, 7]));
        assert_eq!(Draw::new(1).next(&[]), None);
    }

    #[test]
    fn strengths_are_found() {
        let mut room = Room::new(12, 4, 300.0, 1);
        (0..400).for_each(|_| drop(room.step()));
        (0..25).for_each(|_| room.draw.rate(&room.rankings, 12));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let found: Vec<f64> = room.draw.players.iter().map(|player| player.strength).collect();
        for (one, other) in found.iter().zip(&room.strengths) {
            assert!((one - mean(&found) - other + mean(&room.strengths)).abs() < 0.5);
        }
    }

    /// Returns the mean errors after random pairing and after the draw, `games` games per player.
    fn errors(players: usize, games: usize, spread: f64, rooms: u64) -> (f64, f64) {
        let (mut random, mut drawn) = (0.0, 0.0);
        for seed in 0..rooms {
            let room = || Room::new(players, 2, spread, seed);
            let (mut one, mut other) = (room(), room());
            for _ in 0..players * games / 4 {
                one.random_step();
                other.step();
            }
            random += one.error() / rooms as f64;
            drawn += other.error() / rooms as f64;
        }
        (random, drawn)
    }

    #[test]
    fn draw_is_more_exact_than_random_pairing() {
        for (players, rooms) in [(12, 40), (30, 16), (100, 3)] {
            let (random, drawn) = errors(players, 100, 400.0, rooms);
            eprintln!("{players} players: {random:.1} at random, {drawn:.1} by the draw");
            assert!(drawn < 0.95 * random, "{players} players: {random}, {drawn}");
        }
    }

    /// A choice of the nearest estimates alone fails here.
    #[test]
    fn nearly_equal_players_are_rated_as_well_as_by_random_pairing() {
        for (players, rooms) in [(12, 40), (30, 16), (100, 3)] {
            let (random, drawn) = errors(players, 50, 150.0, rooms);
            eprintln!("{players} players: {random:.1} at random, {drawn:.1} by the draw");
            assert!(drawn < 1.1 * random, "{players} players: {random}, {drawn}");
        }
    }
}
