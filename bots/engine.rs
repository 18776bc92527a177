//! The engine: what chooses the moves of a bot.

use arbitre_games::dialect::Start;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// An engine of one game. A new game begins with [`Engine::begin`]; nothing of an earlier game may
/// change what it chooses in a later one.
pub trait Engine<G: Game>: Send {
    /// A game begins: forget the last one. Runs within the initialisation time.
    fn begin(&mut self, _start: &Start<G>) {}

    /// The move to play, and a comment for people or nothing.
    fn choose(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (G::Move, String);

    /// The same in solo games, where an answer is a path of one move or more.
    fn plan(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (Vec<G::Move>, String) {
        let (mv, comment) = self.choose(state, seat, budget);
        (vec![mv], comment)
    }
}

/// Plays any legal move, each equally likely.
pub struct Random {
    rng: Rng,
}

impl Default for Random {
    fn default() -> Self {
        Random { rng: Rng::new(0) }
    }
}

impl<G: Game> Engine<G> for Random {
    fn begin(&mut self, start: &Start<G>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &G::State, seat: Seat, _: Budget) -> (G::Move, String) {
        let moves = state.moves(seat);
        (moves[self.rng.below(moves.len())], String::new())
    }
}
