//! A bot that moves along walls.

use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Position, Tron};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Enters the free cell with the most occupied neighbours that is no dead end; ties are drawn at
/// random. It thus leaves few holes and fills a room well.
pub struct WallHugger {
    rng: Rng,
}

impl Default for WallHugger {
    fn default() -> Self {
        WallHugger { rng: Rng::new(0) }
    }
}

impl Engine<Tron> for WallHugger {
    fn begin(&mut self, start: &Start<Tron>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &Position, seat: Seat, _: Budget) -> (Direction, String) {
        let moves: Vec<Direction> = Direction::of_mask(state.legal_mask()).collect();
        let free = moves.len();
        let score = |direction: &Direction| score(state, seat, *direction);
        let most = moves.iter().map(score).max().expect("there is a legal move");
        let best: Vec<Direction> = moves.into_iter().filter(|way| score(way) == most).collect();
        (best[self.rng.below(best.len())], format!("score {free}"))
    }
}

/// Returns the number of occupied neighbours of the entered cell, or 0 for a dead end.
fn score(state: &Position, seat: Seat, direction: Direction) -> usize {
    let head = state.head(seat).expect("the player to move is in the game");
    let entered = head.towards(direction);
    let is_occupied = |&on: &Direction| state.cell(entered.towards(on)) != CellContent::Free;
    match Direction::ALL.into_iter().filter(is_occupied).count() {
        // Four occupied neighbours leave no further move.
        4 => 0,
        occupied => occupied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::dialect::Notation;
    use std::collections::HashSet;

    /// Returns the moves that it plays on a grid with 50 seeds.
    fn choices(rules: &str, text: &str) -> HashSet<Direction> {
        let state = Tron::from_rules(rules).unwrap().parse_state(text, Seat::FIRST).unwrap();
        let choose = |seed| {
            let mut bot = WallHugger { rng: Rng::new(seed) };
            bot.choose(&state, Seat::FIRST, Budget::default()).0
        };
        (0..50).map(choose).collect()
    }

    #[test]
    fn wall_hugger_follows_walls() {
        // Up lies beside the border and the head; right and down lie beside the head alone.
        let hugs = choices("size=5x4", "...../.0A../...../....B");
        assert_eq!(hugs, [Direction::Up].into());
        let along = choices("size=5x4", "0A.../...../...../....B");
        assert_eq!(along, [Direction::Right].into());
    }

    #[test]
    fn dead_end_is_the_last_choice() {
        let avoids = choices("size=5x4", "#.#../.A0../.#.../....B");
        assert_eq!(avoids, [Direction::Left].into());
        let must = choices("size=3x3", "#.#/#A#/##B");
        assert_eq!(must, [Direction::Up].into());
    }
}
