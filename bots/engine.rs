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
    /// `seat`: `score N`, or `win N` with a share from 0 to 1. By default the move is the first of
    /// [`Engine::plan`], so an engine must implement one of both.
    fn choose(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (G::Move, String) {
        let (path, comment) = self.plan(state, seat, budget);
        (path[0], comment)
    }

    /// Returns the answer in solo games, a path of at least one move, and a comment as for
    /// [`Engine::choose`].
    fn plan(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (Vec<G::Move>, String) {
        let (mv, comment) = self.choose(state, seat, budget);
        (vec![mv], comment)
    }
}

/// Returns the moves from which [`Random`] draws, given the last one of the path so far, and the
/// evaluation.
pub type Choices<G> =
    fn(&<G as Game>::State, Seat, Option<<G as Game>::Move>) -> (Vec<<G as Game>::Move>, i64);

/// An engine that plays one of some moves at random, each with the same probability.
pub struct Random<G: Game> {
    choices: Choices<G>,
    rng: Rng,
}

impl<G: Game> Random<G> {
    /// Creates an engine that draws from these moves.
    pub fn of(choices: Choices<G>) -> Random<G> {
        Random { choices, rng: Rng::new(0) }
    }

    fn draw(&mut self, state: &G::State, seat: Seat, last: Option<G::Move>) -> (G::Move, i64) {
        let (moves, score) = (self.choices)(state, seat, last);
        (moves[self.rng.below(moves.len())], score)
    }
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Random::of(any::<G>)
    }
}

/// Returns the legal moves. Where a game has no points, more of them are better: in Tron, free
/// neighbours.
fn any<G: Game>(state: &G::State, seat: Seat, _: Option<G::Move>) -> (Vec<G::Move>, i64) {
    let moves = state.moves(seat);
    let score = lead(state, seat).unwrap_or(moves.len() as i64);
    (moves, score)
}

impl<G: Game> Engine<G> for Random<G> {
    fn begin(&mut self, start: &Start<G>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &G::State, seat: Seat, _: Budget) -> (G::Move, String) {
        let (chosen, score) = self.draw(state, seat, None);
        (chosen, format!("score {score}"))
    }

    /// Plays until the game is over, the rest of it in solo games.
    fn plan(&mut self, state: &G::State, seat: Seat, _: Budget) -> (Vec<G::Move>, String) {
        let (mut state, mut path) = (state.clone(), Vec::new());
        while state.to_move().contains(seat) {
            let (chosen, _) = self.draw(&state, seat, path.last().copied());
            state.play_unchecked(seat, chosen);
            path.push(chosen);
        }
        let outcome = state.outcome().expect("a solo game is over where its seat is not to move");
        let sign = if outcome.lower_is_better { "-" } else { "" };
        (path, format!("score {sign}{}", outcome.scores[seat.index()]))
    }
}

/// Returns the lead in points over the best other seat, in games that have points before their end.
fn lead<S: State>(state: &S, seat: Seat) -> Option<i64> {
    let mut scores = state.outcome_so_far()?.scores;
    let own = scores.remove(seat.index());
    Some(own - scores.into_iter().max()?)
}
