//! A bot that moves along walls.

use arbitre_games::game::{Seat, State};
use arbitre_games::games::tron::{CellContent, Direction, Position};

/// Returns the moves to the free cells with the most occupied neighbours that are no dead ends, and
/// the number of free neighbours. It thus leaves few holes and fills a room well.
pub fn along_walls(state: &Position, seat: Seat, _: Option<Direction>) -> (Vec<Direction>, i64) {
    let mut moves = state.moves(seat);
    let free = moves.len() as i64;
    let score = |direction: &Direction| score(state, seat, *direction);
    let most = moves.iter().map(score).max().expect("there is a legal move");
    moves.retain(|way| score(way) == most);
    (moves, free)
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
    use arbitre_games::games::tron::Tron;

    /// Returns the moves from which it draws on a grid.
    fn choices(rules: &str, text: &str) -> Vec<Direction> {
        let state = Tron::from_rules(rules).unwrap().parse_state(text, Seat::FIRST).unwrap();
        along_walls(&state, Seat::FIRST, None).0
    }

    #[test]
    fn wall_hugger_follows_walls() {
        // Up lies beside the border and the head; right and down lie beside the head alone.
        let hugs = choices("size=5x4", "...../.0A../...../....B");
        assert_eq!(hugs, [Direction::Up]);
        let along = choices("size=5x4", "0A.../...../...../....B");
        assert_eq!(along, [Direction::Right]);
    }

    #[test]
    fn dead_end_is_the_last_choice() {
        let avoids = choices("size=5x4", "#.#../.A0../.#.../....B");
        assert_eq!(avoids, [Direction::Left]);
        let must = choices("size=3x3", "#.#/#A#/##B");
        assert_eq!(must, [Direction::Up]);
    }
}
