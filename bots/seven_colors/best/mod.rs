//! The bot that is meant to win.

pub mod bitboard_position;
pub mod proof;
pub mod race;
pub mod regions;
pub mod search;
pub mod simd;
pub mod solve;

#[cfg(test)]
mod tests;

use crate::engine::Engine;
use arbitre_games::bitboard::Bitboard;
use arbitre_games::dialect::Start;
use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::{Colour, Position, Rules, SevenColors};
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::transposition::WON;
use bitboard_position::{colour, BitboardNode, BoardContext};
use proof::{ProofGoal, Prover};
use search::SevenColorsSearch;
use simd::{fits, LargeCells, SimdBitboard, SmallCells, UsualCells};
use std::cmp::Ordering;

/// The entries of the transposition table.
pub const ENTRIES: usize = 1 << 18;
/// The entries of the table of proofs.
pub const PROOFS: usize = 1 << 20;
/// A proof is tried where no more than so many cells in a hundred are free.
const PROVABLE: usize = 70;
/// So much of the time in a hundred goes to the search then, and the rest to the proof. Where it was
/// proved before that the game is won, the proof comes first.
const FIRST: u32 = 50;

/// What was found of a position.
pub struct BestMove {
    /// The colour to play.
    pub colour: Colour,
    /// How the game ends for the player to move, if that is proved: it wins or loses.
    pub proved: Option<Ordering>,
    /// The same for people.
    pub comment: String,
}

/// The engine.
#[derive(Default)]
pub struct Best {
    small: Option<Box<Thinker<SmallCells>>>,
    usual: Option<Box<Thinker<UsualCells>>>,
    large: Option<Box<Thinker<LargeCells>>>,
}

impl Best {
    /// What there is to be found within a budget.
    pub fn think(&mut self, position: &Position, budget: Budget) -> BestMove {
        self.thinker(position.rules()).think(position, budget)
    }

    fn thinker(&mut self, rules: &Rules) -> &mut dyn Think {
        let size = (rules.width(), rules.height());
        if fits(size, SmallCells::LARGEST) {
            self.small.get_or_insert_default().as_mut()
        } else if fits(size, UsualCells::LARGEST) {
            self.usual.get_or_insert_default().as_mut()
        } else {
            self.large.get_or_insert_default().as_mut()
        }
    }
}

/// Thinking on boards of one kind.
trait Think {
    fn clear(&mut self);
    fn think(&mut self, position: &Position, budget: Budget) -> BestMove;
}

/// A search and a prover for boards of one kind.
struct Thinker<P> {
    searcher: SevenColorsSearch<P>,
    prover: Prover<P>,
    /// Was it proved in this game that it wins? Then the proof is what it plays by.
    has_won: bool,
}

impl<P: SimdBitboard> Default for Thinker<P> {
    fn default() -> Thinker<P> {
        let (searcher, prover) = (SevenColorsSearch::new(ENTRIES), Prover::new(PROOFS));
        Thinker { searcher, prover, has_won: false }
    }
}

impl<P: SimdBitboard> Think for Thinker<P> {
    fn clear(&mut self) {
        self.searcher.clear();
        self.prover.clear();
        self.has_won = false;
    }

    fn think(&mut self, position: &Position, budget: Budget) -> BestMove {
        let (context, node) = BoardContext::<P>::new(position);
        let free = context.free(&node).count() as usize;
        let is_limited = budget.time.is_some() || budget.nodes.is_some();
        let provable = is_limited && 100 * free <= PROVABLE * context.rules.cells();
        let mut first = Limiter::new(share_of(budget, if provable { FIRST } else { 100 }));
        if self.has_won && provable {
            if let Some(proved) = self.prove(&context, &node, true, &mut first) {
                return proved;
            }
            first = Limiter::new(rest_of(budget, first.nodes()));
        }
        let found = self.searcher.search(&context, &node, &mut first);
        let proved = match found.value {
            WON.. => Some(Ordering::Greater),
            value if value <= -WON => Some(Ordering::Less),
            _ => None,
        };
        if provable && proved.is_none() && !self.has_won {
            let mut limiter = Limiter::new(rest_of(budget, found.nodes));
            let is_ahead = found.value > 0;
            if let Some(proved) = self.prove(&context, &node, is_ahead, &mut limiter) {
                let colour = if is_ahead { proved.colour } else { colour(found.best) };
                return BestMove { colour, ..proved };
            }
        }
        self.has_won |= proved == Some(Ordering::Greater);
        best_move(found.best, proved, found.value, found.nodes)
    }
}

impl<P: SimdBitboard> Thinker<P> {
    /// Tries to prove that the player to move wins, or the other one.
    fn prove(
        &mut self,
        context: &BoardContext<P>,
        node: &BitboardNode<P>,
        mover: bool,
        limiter: &mut Limiter,
    ) -> Option<BestMove> {
        let goal = if mover { ProofGoal::MOVER_WINS } else { ProofGoal::OTHER_WINS };
        if self.prover.answer(context, node, goal, limiter) != Some(true) {
            return None;
        }
        if !mover {
            return Some(best_move(0, Some(Ordering::Less), 0, limiter.nodes()));
        }
        self.has_won = true;
        let best = self.prover.winning(context, node, goal)?;
        Some(best_move(best, Some(Ordering::Greater), 0, limiter.nodes()))
    }
}

fn best_move(best: u8, proved: Option<Ordering>, value: i32, nodes: u64) -> BestMove {
    let said = match proved {
        Some(Ordering::Greater) => "proved win".to_owned(),
        Some(_) => "proved loss".to_owned(),
        None => format!("score {value}"),
    };
    BestMove { colour: colour(best), proved, comment: format!("{said} nodes {nodes}") }
}

/// What is left of a budget after so many nodes.
fn rest_of(budget: Budget, nodes: u64) -> Budget {
    let nodes = budget.nodes.map(|limit| limit.saturating_sub(nodes));
    Budget { nodes, ..budget }
}

/// So many hundredths of the time and of the nodes.
fn share_of(budget: Budget, percent: u32) -> Budget {
    let nodes = budget.nodes.map(|limit| limit * u64::from(percent) / 100);
    Budget { nodes, ..budget.share(percent) }
}

impl Engine<SevenColors> for Best {
    fn begin(&mut self, start: &Start<SevenColors>) {
        self.thinker(start.game.options()).clear();
    }

    fn choose(&mut self, position: &Position, _: Seat, budget: Budget) -> (Colour, String) {
        let BestMove { colour, comment, .. } = self.think(position, budget);
        (colour, comment)
    }
}
