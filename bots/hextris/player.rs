//! A solver as the engine of a bot. Its answer is a whole game.

use super::phrases::TextEnd;
use super::solver::HextrisSolver;
use super::start::GameStart;
use crate::engine::Engine;
use arbitre_games::game::{Seat, State};
use arbitre_games::games::hextris::{Character, Hextris, Position};
use arbitre_games::search::budget::{Budget, Limiter};

/// Letter for south-west, which is always legal: it repeats no position, as no pivot moves up.
const DOWN: char = 'a';

impl Engine<Hextris> for HextrisSolver {
    fn plan(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Vec<Character>, String) {
        let (mut state, mut path) = (state.clone(), Vec::new());
        // Solvers start at a spawn, so a unit that an earlier answer left under way is dropped.
        let is_under_way = |state: &Position| {
            let pieces = state.terrain().pieces();
            state.progress().unit().is_some_and(|(unit, at)| pieces[unit].spawn() != at)
        };
        let down = Character::new(DOWN).expect("it is a letter");
        while is_under_way(&state) {
            state.play_unchecked(seat, down);
            path.push(down);
        }
        let used = state.counts().iter().enumerate().filter(|(_, &count)| count > 0);
        let start = GameStart {
            terrain: state.terrain(),
            play: state.progress(),
            text: TextEnd {
                phrases: state.phrases(),
                node: state.node(),
                used: used.fold(0, |set, (number, _)| set | 1 << number),
            },
        };
        let mut limiter = Limiter::new(budget);
        let letters = self.solve(start, &mut limiter);
        for character in letters.iter().filter_map(|&letter| Character::new(letter.into())) {
            state.play_unchecked(seat, character);
            path.push(character);
        }
        // The limiter may stop a solver before the end of the game.
        if !state.to_move().is_empty() {
            path.push(Character::STOP);
        }
        (path, format!("score {} nodes {}", state.score(), limiter.nodes()))
    }
}
