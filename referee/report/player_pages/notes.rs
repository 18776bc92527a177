//! Games that the pages of the players mention, from all games of a tournament.

use crate::play::metadata::number;
use crate::play::pairing::GameId;
use crate::play::record::{half_points, ranks_of, Details, GameResult};
use crate::play::FaultReport;
use crate::report::rounded;
use crate::statistics::rating::Games;
use std::collections::BTreeMap;

/// Number of faults that the page of a player describes. Not tuned.
const FAULTS: usize = 5;

/// Number of keys whose data the page of a player shows. Not tuned.
const KEYS: usize = 64;

/// Number of instances whose scores the page of a player shows. Not tuned.
const INSTANCES: usize = 100;

/// Notes on the games of each player, by its number.
pub struct PageNotes {
    players: BTreeMap<usize, PlayerNotes>,
    /// Whether the data of a game may name players that printed it.
    has_game_data: bool,
}

/// Notes on the games of a player.
#[derive(Default)]
pub struct PlayerNotes {
    /// Results against each opponent.
    pub against: BTreeMap<usize, Games>,
    /// Lost game with the smallest distance to the winner's score, then with the most moves: its
    /// number last.
    closest_loss: Option<(u64, u64, u64)>,
    /// Number of moves of the longest game, and its number.
    pub longest: Option<(u64, u64)>,
    /// First faults in the order in which other reports find the first one, with the numbers of
    /// their games.
    pub faults: BTreeMap<GameId, (u64, FaultReport)>,
    /// Number of all faults.
    pub fault_count: usize,
    /// Data that it printed, by key.
    pub data: BTreeMap<String, KeyNotes>,
    /// Number and score of its first solo games, and the number of all.
    pub instances: (Vec<(u64, i64)>, usize),
}

/// Values of a key in the games of a player.
#[derive(Default)]
pub struct KeyNotes {
    /// Number of games with a value.
    pub games: u64,
    /// Number of those whose value is a number, and their sum.
    numbers: (u64, f64),
    /// The last value.
    pub last: String,
}

impl KeyNotes {
    fn add(&mut self, value: &str) {
        self.games += 1;
        if let Some(number) = number(value) {
            self.numbers = (self.numbers.0 + 1, self.numbers.1 + number);
        }
        value.clone_into(&mut self.last);
    }

    /// Returns the mean as text, or a dash if some values are no numbers.
    pub fn mean(&self) -> String {
        match self.numbers {
            (count, sum) if count == self.games => rounded(sum / count as f64, 2).to_string(),
            _ => "-".into(),
        }
    }
}

impl PlayerNotes {
    /// Returns the distance of scores in the closest loss, and the number of that game.
    pub fn closest_loss(&self) -> Option<(u64, u64)> {
        self.closest_loss.map(|(distance, _, game)| (distance, game))
    }
}

impl PageNotes {
    /// Creates notes without games. Anonymous ones ignore data of a game, which any player printed.
    pub fn new(is_anonymous: bool) -> PageNotes {
        PageNotes { players: BTreeMap::new(), has_game_data: !is_anonymous }
    }

    /// Returns the notes on a player; `None` if it has no games.
    pub fn of(&self, player: usize) -> Option<&PlayerNotes> {
        self.players.get(&player)
    }

    /// Takes note of a stored game.
    pub fn add(&mut self, game: &GameResult, details: &Details) {
        let (Some(outcome), Some(number)) = (&game.outcome, game.number) else { return };
        let (ranks, moves) = (ranks_of(outcome), details.times.len() as u64);
        let is_solo = game.players.len() == 1;
        for (seat, &player) in game.players.iter().enumerate() {
            let notes = self.players.entry(player).or_default();
            for (other, &opponent) in game.players.iter().enumerate().filter(|(at, _)| *at != seat)
            {
                let half_points = half_points(ranks[seat], ranks[other]);
                notes.against.entry(opponent).or_default().add(half_points);
            }
            if is_solo {
                let (scores, count) = &mut notes.instances;
                *count += 1;
                if scores.len() < INSTANCES {
                    scores.push((number, outcome.scores[seat]));
                }
            }
            if notes.longest.is_none_or(|(most, _)| moves > most) {
                notes.longest = Some((moves, number));
            }
            let best = ranks.iter().position(|rank| *rank == 1).unwrap_or(seat);
            let distance = outcome.scores[best].abs_diff(outcome.scores[seat]);
            // Among equal distances the longest game says most.
            let closeness = (distance, u64::MAX - moves, number);
            let is_loss = ranks[seat] > 1 && !is_solo;
            if is_loss && notes.closest_loss.is_none_or(|closest| closeness < closest) {
                notes.closest_loss = Some(closeness);
            }
        }
        for (&player, values) in game.players.iter().zip(&details.metadata.players) {
            let notes = self.players.entry(player).or_default();
            let of_game = details.metadata.game.iter().filter(|_| self.has_game_data);
            for (key, value) in values.iter().chain(of_game) {
                // An author of many keys fills no page with them.
                if notes.data.len() < KEYS || notes.data.contains_key(key) {
                    notes.data.entry(key.clone()).or_default().add(value);
                }
            }
        }
        for report in &details.faults {
            let notes = self.players.entry(game.players[report.seat.index()]).or_default();
            notes.fault_count += 1;
            notes.faults.insert(game.id(), (number, report.clone()));
            if notes.faults.len() > FAULTS {
                notes.faults.pop_last();
            }
        }
    }
}
