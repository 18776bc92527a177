//! The bot that looks ahead by alpha-beta, deeper and deeper.

use super::heuristic::Heuristic;
use super::node::{Aim, Node, Terms};
use crate::bots::mind::Mind;
use crate::bots::options::Options;
use crate::game::{BadText, Seat, State};
use crate::games::awele::{Awele, Pit, Position};
use crate::search::alpha_beta::{deepen, Finding};
use crate::search::budget::Budget;

/// The mind: alpha-beta within the budget.
#[derive(Clone, Copy, Default, Debug)]
pub struct AlphaBeta {
    aim: Aim,
}

impl AlphaBeta {
    /// The mind that judges by this heuristic.
    pub fn new(heuristic: Heuristic) -> AlphaBeta {
        AlphaBeta { aim: Aim { heuristic, ..Aim::default() } }
    }

    /// What a search of this position finds.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&self, position: &Position, budget: Budget) -> Finding<Pit> {
        let terms = Terms { rules: *position.rules(), aim: self.aim };
        deepen(&Node::new(position, &terms), budget)
    }

    /// The mind that the options ask for.
    ///
    /// # Errors
    /// If the heuristic is unknown, or a value is not what its option takes.
    pub fn take(options: &mut Options) -> Result<AlphaBeta, BadText> {
        Ok(AlphaBeta { aim: Aim::take(options)? })
    }
}

impl Mind<Awele> for AlphaBeta {
    fn choose(&mut self, state: &Position, seat: Seat, budget: Budget) -> (Pit, String) {
        if let [only] = state.moves(seat)[..] {
            return (only, String::new());
        }
        let found = self.search(state, budget);
        let line: Vec<String> = found.line.iter().map(Pit::to_string).collect();
        let (score, depth, nodes) = (found.value, found.depth, found.nodes);
        (found.best, format!("score {score} depth {depth} nodes {nodes} pv {}", line.join(" ")))
    }
}
