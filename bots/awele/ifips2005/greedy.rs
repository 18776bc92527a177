//! The bot that maximises the capture of its next move.

use crate::engine::Engine;
use arbitre_games::dialect::Start;
use arbitre_games::game::{Seat, State};
use arbitre_games::games::awele::{Awele, Pit, Position};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Plays one of the moves with the largest capture, each with the same probability.
pub struct Greedy {
    rng: Rng,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy { rng: Rng::new(0) }
    }
}

impl Engine<Awele> for Greedy {
    fn begin(&mut self, start: &Start<Awele>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &Position, seat: Seat, _: Budget) -> (Pit, String) {
        let moves = state.moves(seat);
        let gains: Vec<u8> = moves.iter().map(|&pit| gain(state, seat, pit)).collect();
        let most = *gains.iter().max().expect("there is a legal move");
        let best: Vec<Pit> = moves
            .into_iter()
            .zip(gains)
            .filter(|&(_, gain)| gain == most)
            .map(|(pit, _)| pit)
            .collect();
        let [own, other] = state.board_of(seat).captures();
        let lead = i32::from(own + most) - i32::from(other);
        (best[self.rng.below(best.len())], format!("score {lead}"))
    }
}

/// The seeds that a move captures.
fn gain(state: &Position, seat: Seat, pit: Pit) -> u8 {
    let mut next = state.clone();
    next.play_unchecked(seat, pit);
    next.board_of(seat).captures()[0] - state.board_of(seat).captures()[0]
}
