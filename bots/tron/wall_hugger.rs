//! The bot that keeps close to what is there.

use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Position, Tron};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Enters the free cell with the most occupied neighbours that still has a way out, each of several
/// such equally likely: so it leaves no holes behind, and fills a room well.
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
        let score = |direction: &Direction| score(state, seat, *direction);
        let most = moves.iter().map(score).max().expect("there is a legal move");
        let best: Vec<Direction> = moves.into_iter().filter(|way| score(way) == most).collect();
        (best[self.rng.below(best.len())], String::new())
    }
}

/// The occupied neighbours of the cell that a move enters; least of all if there is no way out.
fn score(state: &Position, seat: Seat, direction: Direction) -> usize {
    let head = state.head(seat).expect("who is to move is in the game");
    let entered = head.towards(direction);
    let is_occupied = |&on: &Direction| state.cell(entered.towards(on)) != CellContent::Free;
    match Direction::ALL.into_iter().filter(is_occupied).count() {
        4 => 0,
        occupied => occupied,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::dialect::Notation;
    use std::collections::HashSet;

    /// What it plays on this grid, over many seeds.
    fn choices(rules: &str, text: &str) -> HashSet<Direction> {
        let state = Tron::from_rules(rules).unwrap().parse_state(text, Seat::FIRST).unwrap();
        let choose = |seed| {
            let mut bot = WallHugger { rng: Rng::new(seed) };
            bot.choose(&state, Seat::FIRST, Budget::default()).0
        };
        (0..50).map(choose).collect()
    }

    #[test]
    fn it_keeps_close_to_walls() {
        // Up is the border, left the own ribbon and the border's corner; down is open.
        let hugs = choices("size=5x4", "...../.0A../...../....B");
        assert_eq!(hugs, [Direction::Up].into());
        let along = choices("size=5x4", "0A.../...../...../....B");
        assert_eq!(along, [Direction::Right].into());
    }

    #[test]
    fn it_enters_no_dead_end_unless_it_must() {
        let avoids = choices("size=5x4", "#.#../.A0../.#.../....B");
        assert_eq!(avoids, [Direction::Left].into());
        let must = choices("size=3x3", "#.#/#A#/##B");
        assert_eq!(must, [Direction::Up].into());
    }
}
