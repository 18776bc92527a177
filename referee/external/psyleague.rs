//! `referee arena psyleague A B …`: games as the league manager psyleague expects them.

use crate::play::metadata::{number, Values};
use crate::play::record::Record;
use serde::Serialize;
use serde_json::{Map, Value};

/// Game as psyleague reads it. Its lists are in the order in which the players were named.
#[derive(Serialize, PartialEq, Debug)]
pub struct GameResult {
    /// Rank of each player, from 0. Equal ranks are shared.
    ranks: Vec<usize>,
    /// Whether each player had a fault: 1 or 0.
    errors: Vec<u8>,
    /// Data of the game.
    test_data: Map<String, Value>,
    /// Data of each player: numbers.
    player_data: Vec<Values>,
}

/// Keys of the referee, which no player replaces.
const OWN: [&str; 4] = ["seed", "moves", "ranks", "errors"];

impl GameResult {
    /// Returns the result of a game in a match with this seed. In a void game, those at fault are
    /// last and share their place.
    pub fn of(record: &Record, seed: u64) -> GameResult {
        let at_fault =
            |seat: usize| record.played.faults.iter().any(|report| report.seat.index() == seat);
        let seats = record.pairing.players.len();
        let present = (0..seats).filter(|&seat| !at_fault(seat)).count();
        let of_void = || (0..seats).map(|seat| if at_fault(seat) { present } else { 0 }).collect();
        let ranks: Vec<usize> = match record.ranks() {
            Some(ranks) => ranks.into_iter().map(|rank| rank - 1).collect(),
            None => of_void(),
        };
        let metadata = record.metadata();
        let mut test_data = Map::new();
        test_data.insert("seed".into(), seed.into());
        test_data.insert("moves".into(), record.played.plies.len().into());
        // As text: psyleague cuts the fraction off a number, but not off one that it parses.
        let of_game = metadata.game.into_iter().filter(|(key, _)| !OWN.contains(&key.as_str()));
        test_data.extend(of_game.map(|(key, value)| (key, value.into())));
        let seat_of = |player: usize| {
            let seat = record.pairing.players.iter().position(|&other| other == player);
            seat.expect("each player has a seat")
        };
        let order: Vec<usize> = (0..seats).map(seat_of).collect();
        GameResult {
            ranks: order.iter().map(|&seat| ranks[seat]).collect(),
            errors: order.iter().map(|&seat| u8::from(at_fault(seat))).collect(),
            test_data,
            player_data: order.iter().map(|&seat| numbers(&metadata.players[seat])).collect(),
        }
    }
}

/// Returns the values that are numbers. Any other would end the table of psyleague, which averages
/// them.
fn numbers(values: &Values) -> Values {
    let numbers = values.iter().filter(|(_, value)| number(value).is_some());
    numbers.map(|(key, value)| (key.clone(), value.clone())).collect()
}
