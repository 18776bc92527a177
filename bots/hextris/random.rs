//! The random bot.

use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::{Seat, State};
use arbitre_games::games::hextris::{Character, Hextris, Position};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Plays random letters of legal commands, each equally likely, until the game is over.
pub struct RandomCommands(pub Rng);

impl Engine<Hextris> for RandomCommands {
    fn begin(&mut self, start: &Start<Hextris>) {
        self.0 = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Character, String) {
        let (path, comment) = self.plan(state, seat, budget);
        (path[0], comment)
    }

    fn plan(&mut self, state: &Position, seat: Seat, _: Budget) -> (Vec<Character>, String) {
        let (mut state, mut path) = (state.clone(), Vec::new());
        while state.to_move().contains(seat) {
            let moves = state.moves(seat);
            // The last move is the stop, which is never played.
            let character = moves[self.0.below(moves.len() - 1)];
            state.play_unchecked(seat, character);
            path.push(character);
        }
        (path, format!("score {}", state.score()))
    }
}
