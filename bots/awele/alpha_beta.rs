//! The bot that looks ahead by alpha-beta, deeper and deeper.

use crate::bots::mind::Mind;
use crate::bots::options::Options;
use crate::game::{BadText, Seat, State};
use crate::games::awele::{Awele, Pit, Position};
use crate::search::alpha_beta::{self, deepen, Finding};
use crate::search::budget::Budget;
use crate::text::value_of;
use std::ops::ControlFlow;

/// How a position is judged at the horizon, in seeds, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// Seeds in its own row less those in the other: the first idea of the IFIPS report.
    #[default]
    Rows,
    /// Seeds captured less those the other captured: what the finalist of 1990 counts.
    Captures,
}

impl Heuristic {
    const WORDS: [(&'static str, Heuristic); 2] =
        [("rows", Heuristic::Rows), ("captures", Heuristic::Captures)];

    fn judge(self, position: &Position) -> i32 {
        let [own, other] = match self {
            Heuristic::Rows => position.board().totals(),
            Heuristic::Captures => position.board().captures(),
        };
        i32::from(own) - i32::from(other)
    }
}

/// The mind: alpha-beta within the budget. Repetition is left to the referee: a position's value
/// would depend on the way to it.
#[derive(Clone, Copy, Default, Debug)]
pub struct AlphaBeta {
    heuristic: Heuristic,
}

impl AlphaBeta {
    /// The mind that judges by this heuristic.
    pub fn new(heuristic: Heuristic) -> AlphaBeta {
        AlphaBeta { heuristic }
    }

    /// What a search of this position finds.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&self, position: &Position, budget: Budget) -> Finding<Pit> {
        let position = position.without_history();
        deepen(&Node { position, heuristic: self.heuristic }, budget)
    }

    /// The mind that the options ask for.
    ///
    /// # Errors
    /// If the heuristic is unknown.
    pub fn take(options: &mut Options) -> Result<AlphaBeta, BadText> {
        let Some(word) = options.take_text("--heuristic")? else { return Ok(AlphaBeta::default()) };
        value_of("heuristic", &word, &Heuristic::WORDS).map(AlphaBeta::new)
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

/// A position in the search.
struct Node {
    position: Position,
    heuristic: Heuristic,
}

/// The value of a won game, less the plies played, so that the nearer win is the better one.
const WIN: i32 = 10_000;

impl alpha_beta::Position for Node {
    type Move = Pit;

    fn decided(&self) -> Option<i32> {
        let [own, other] = self.position.final_seeds()?;
        let win = WIN - self.position.ply() as i32;
        Some(match own.cmp(&other) {
            std::cmp::Ordering::Less => -win,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => win,
        })
    }

    fn evaluate(&self) -> i32 {
        self.heuristic.judge(&self.position)
    }

    /// Captures come first, the largest before the others.
    fn for_each_child(&self, mut found: impl FnMut(Pit, Node) -> ControlFlow<()>) {
        let seat = self.position.mover();
        let mut children: [Option<(Pit, Position)>; 6] = [const { None }; 6];
        for (slot, pit) in children.iter_mut().zip(Pit::of_mask(self.position.legal_mask())) {
            let mut next = self.position.clone();
            next.play_unchecked(seat, pit);
            *slot = Some((pit, next));
        }
        let captured = |child: &Option<(Pit, Position)>| {
            child.as_ref().map(|(_, position)| position.board().captures()[1])
        };
        children.sort_by_key(|child| std::cmp::Reverse(captured(child)));
        let heuristic = self.heuristic;
        let _ = children
            .into_iter()
            .flatten()
            .try_for_each(|(pit, position)| found(pit, Node { position, heuristic }));
    }
}
