//! Player that moves at random.

use super::player::score;
use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::{Seat, State};
use arbitre_games::games::taquin::{Direction, Position, Taquin};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Player that slides the blank at random but never straight back, until the board is solved or no
/// moves remain.
pub struct RandomPlayer {
    rng: Rng,
}

impl Default for RandomPlayer {
    fn default() -> Self {
        RandomPlayer { rng: Rng::new(0) }
    }
}

impl RandomPlayer {
    fn step(&mut self, state: &Position, last: Option<Direction>) -> Direction {
        let ways: Vec<Direction> = state.board().ways_after(last).collect();
        ways[self.rng.below(ways.len())]
    }
}

impl Engine<Taquin> for RandomPlayer {
    fn begin(&mut self, start: &Start<Taquin>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Direction, String) {
        let (path, comment) = self.plan(state, seat, budget);
        (path[0], comment)
    }

    fn plan(&mut self, state: &Position, seat: Seat, _: Budget) -> (Vec<Direction>, String) {
        let (mut state, mut path) = (state.clone(), Vec::new());
        while state.to_move().contains(seat) {
            let direction = self.step(&state, path.last().copied());
            state.play_unchecked(seat, direction);
            path.push(direction);
        }
        (path, score(state.made() as usize))
    }
}
