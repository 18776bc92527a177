//! The bot `best`: alpha-beta search, and a proof-number search once enough cells are taken.

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

/// Number of entries of the transposition table. Not tuned.
pub const TRANSPOSITION_ENTRIES: usize = 1 << 18;
/// Approximate number of entries of the proof table. Not tuned.
pub const PROOF_TABLE_ENTRIES: usize = 1 << 20;

/// Parameters of proofs during a game.
struct ProofParams {
    /// Largest share of free cells, in percent, at which proofs are tried. Measured at 1 ms against
    /// `oracle --depth 5`, 1000 games each of seeds 1 and 3, 2026-11-21. With 40 % the bot scored
    /// 97.2 and 98.9 %, with 70 % it scored 97.7 and 98.9 %.
    most_free_percent: usize,
    /// Percent of the time and nodes for the search once proofs are tried; the proof gets the rest.
    /// After a proved win the proof gets this share first. In the same match 80 % scored 97.3 %,
    /// and 50 % scored 97.8 % (seed 1, 2026-11-21).
    search_percent: u32,
}

const PROOF: ProofParams = ProofParams { most_free_percent: 70, search_percent: 50 };

/// Result of a search or of a proof.
pub struct BestMove {
    /// Colour to play.
    pub colour: Colour,
    /// Proved result for the player to move, a win or a loss, if there is one.
    pub proved: Option<Ordering>,
    /// Result as text for people.
    pub comment: String,
}

/// The engine, with one search for each size of bitboard, made when first needed.
#[derive(Default)]
pub struct Best {
    small: Option<Box<SizedEngine<SmallCells>>>,
    usual: Option<Box<SizedEngine<UsualCells>>>,
    large: Option<Box<SizedEngine<LargeCells>>>,
}

impl Best {
    /// Returns the best move found within `budget`.
    pub fn best_move(&mut self, position: &Position, budget: Budget) -> BestMove {
        self.sized_engine(position.rules()).best_move(position, budget)
    }

    fn sized_engine(&mut self, rules: &Rules) -> &mut dyn DynEngine {
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

/// An engine whose size of bitboard is hidden.
trait DynEngine {
    fn clear(&mut self);
    fn best_move(&mut self, position: &Position, budget: Budget) -> BestMove;
}

/// A search and a prover on bitboards of one size.
struct SizedEngine<P> {
    searcher: SevenColorsSearch<P>,
    prover: Prover<P>,
    /// Whether a win of this engine was proved in this game; it then plays by proofs.
    win_is_proved: bool,
}

impl<P: SimdBitboard> Default for SizedEngine<P> {
    fn default() -> SizedEngine<P> {
        let (searcher, prover) =
            (SevenColorsSearch::new(TRANSPOSITION_ENTRIES), Prover::new(PROOF_TABLE_ENTRIES));
        SizedEngine { searcher, prover, win_is_proved: false }
    }
}

impl<P: SimdBitboard> DynEngine for SizedEngine<P> {
    fn clear(&mut self) {
        self.searcher.clear();
        self.prover.clear();
        self.win_is_proved = false;
    }

    fn best_move(&mut self, position: &Position, budget: Budget) -> BestMove {
        let (context, node) = BoardContext::<P>::new(position);
        let free = context.free(&node).count() as usize;
        // A proof needs a limit of time or nodes; a depth limits the search alone.
        let is_limited = budget.time.is_some() || budget.nodes.is_some();
        let provable = is_limited && 100 * free <= PROOF.most_free_percent * context.rules.cells();
        let percent = if provable { PROOF.search_percent } else { 100 };
        let mut first = Limiter::new(budget).share(percent);
        // After a proved win the proof comes first. When the search chose the move instead, 12
        // proved wins did not come true in 1000 games on 14x14 (2026-11-21).
        if self.win_is_proved && provable {
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
        if provable && proved.is_none() && !self.win_is_proved {
            let mut limiter = Limiter::new(rest_of(budget, found.nodes));
            // Only one goal is tried, the more likely one: a win of the side that the search
            // prefers.
            let is_ahead = found.value > 0;
            if let Some(proved) = self.prove(&context, &node, is_ahead, &mut limiter) {
                let colour = if is_ahead { proved.colour } else { colour(found.best) };
                return BestMove { colour, ..proved };
            }
        }
        self.win_is_proved |= proved == Some(Ordering::Greater);
        BestMove::new(found.best, proved, found.value, found.nodes)
    }
}

impl<P: SimdBitboard> SizedEngine<P> {
    /// Tries to prove a win of the player to move, or of its opponent unless `mover`.
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
            return Some(BestMove::new(0, Some(Ordering::Less), -WON, limiter.nodes()));
        }
        self.win_is_proved = true;
        let best = self.prover.winning(context, node, goal)?;
        Some(BestMove::new(best, Some(Ordering::Greater), WON, limiter.nodes()))
    }
}

impl BestMove {
    fn new(best: u8, proved: Option<Ordering>, value: i32, nodes: u64) -> BestMove {
        let share = match proved {
            Some(Ordering::Greater) => " win 1",
            Some(_) => " win 0",
            None => "",
        };
        let comment = format!("score {value}{share} nodes {nodes}");
        BestMove { colour: colour(best), proved, comment }
    }
}

/// Returns `budget` with `nodes` nodes subtracted.
fn rest_of(budget: Budget, nodes: u64) -> Budget {
    let nodes = budget.nodes.map(|limit| limit.saturating_sub(nodes));
    Budget { nodes, ..budget }
}

impl Engine<SevenColors> for Best {
    fn begin(&mut self, start: &Start<SevenColors>) {
        self.sized_engine(start.game.options()).clear();
    }

    fn choose(&mut self, position: &Position, _: Seat, budget: Budget) -> (Colour, String) {
        let BestMove { colour, comment, .. } = self.best_move(position, budget);
        (colour, comment)
    }
}
