//! `seven-colors bench`: a search of fixed positions whose node count is the signature of the
//! search. A refactoring must leave it unchanged.

use crate::bench::BenchReport;
use crate::options::Options;
use crate::program::Failure;
use crate::seven_colors::best::bitboard_position::BoardContext;
use crate::seven_colors::best::search::SevenColorsSearch;
use crate::seven_colors::best::simd::UsualCells;
use crate::seven_colors::best::TRANSPOSITION_ENTRIES;
use crate::seven_colors::{greedy, MoveContext};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, State};
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::{Position, SevenColors};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Default search depth of `bench`, in plies. Not tuned.
const DEPTH: u32 = 8;

/// Searches the positions and prints a line for each, then `N nodes M nps`.
///
/// # Errors
/// Returns an error if the depth is not a number, or an option is unknown.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let depth = options.take_count("--depth")?.unwrap_or(DEPTH);
    options.finish()?;
    let mut searcher = SevenColorsSearch::new(TRANSPOSITION_ENTRIES);
    let mut report = BenchReport::default();
    for (number, (plies, position)) in positions().into_iter().enumerate() {
        searcher.clear();
        let (context, node) = BoardContext::<UsualCells>::new(&position);
        let mut limiter = Limiter::new(Budget::depth(depth));
        let found = report.measure(|| searcher.search(&context, &node, &mut limiter));
        let label = format!("{number:2}: ply {plies:2}");
        report.add(label, char::from(b'A' + found.best), found.value, found.nodes);
    }
    report.finish();
    Ok(())
}

/// Returns positions of the default rules after some plies of greedy play.
fn positions() -> Vec<(usize, Position)> {
    let game = SevenColors::from_rules("").expect("the default rules are valid");
    let boards = game.setups(2, 0, Rng::new(1)).take(16);
    let play = |(number, board)| {
        let mut position = game.start(&board).expect("setups are valid boards");
        let plies = 4 * (number % 10);
        for _ in 0..plies {
            let (graph, node) = Graph::new(&position);
            let seat = position.mover();
            let colour = greedy(&MoveContext { graph: &graph, node, seat });
            position.play_unchecked(seat, colour);
        }
        (plies, position)
    };
    let positions = boards.enumerate().map(play);
    positions.filter(|(_, position)| position.outcome().is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signature of the search. A commit that changes it must say so and give the new count.
    #[test]
    fn node_count_is_unchanged() {
        let mut searcher = SevenColorsSearch::new(TRANSPOSITION_ENTRIES);
        let mut nodes = |(_, position): &(usize, Position)| {
            searcher.clear();
            let (context, node) = BoardContext::<UsualCells>::new(position);
            searcher.search(&context, &node, &mut Limiter::new(Budget::depth(4))).nodes
        };
        let positions = positions();
        assert!(positions.len() >= 12);
        assert_eq!(positions.iter().map(&mut nodes).sum::<u64>(), 2_426);
    }
}
