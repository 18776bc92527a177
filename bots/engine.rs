//! The engine: the part of a bot that chooses its moves.

use arbitre_games::dialect::Start;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// An engine for one game. A new game begins with [`Engine::begin`]; an earlier game must not
/// influence the moves of a later one.
pub trait Engine<G: Game>: Send {
    /// Prepares for a new game and discards the last one, within the initialisation time.
    fn begin(&mut self, _start: &Start<G>) {}

    /// Returns the move to play, and a comment, which begins with the evaluation from the view of
    /// `seat`: `score N`, or `win N` with a share from 0 to 1.
    fn choose(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (G::Move, String);

    /// Returns the answer in solo games, a path of at least one move, and a comment as for
    /// [`Engine::choose`].
    fn plan(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (Vec<G::Move>, String) {
        let (mv, comment) = self.choose(state, seat, budget);
        (vec![mv], comment)
    }
}

/// An engine that plays legal moves at random, uniformly distributed.
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
        let chosen = moves[self.rng.below(moves.len())];
        // Where a game has no points, more legal moves are better: in Tron, free neighbours.
        let score = lead(state, seat).unwrap_or(moves.len() as i64);
        (chosen, format!("score {score}"))
    }
}

/// Returns the lead in points over the best other seat, in games that have points before their end.
fn lead<S: State>(state: &S, seat: Seat) -> Option<i64> {
    let mut scores = state.outcome_so_far()?.scores;
    let own = scores.remove(seat.index());
    Some(own - scores.into_iter().max()?)
}
