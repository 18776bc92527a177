//! `awele bench`: a search of fixed positions whose node count is the signature of the search. A
//! refactoring must leave it unchanged.

use crate::awele::best::Best;
use crate::bench::BenchReport;
use crate::options::Options;
use crate::program::Failure;
use arbitre_games::game::{Game, State};
use arbitre_games::games::awele::{Awele, Opening, Position, CODINGAME};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Default search depth of `bench`, in plies. Not tuned.
const DEPTH: u32 = 12;

/// Searches the positions and prints a line for each, then `N nodes M nps`.
///
/// # Errors
/// Returns an error if the depth is not a number, or an option is unknown.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let depth = options.take_count("--depth")?.unwrap_or(DEPTH);
    let mut engine = Best::take_without_book(&mut options)?;
    options.finish()?;
    let mut report = BenchReport::default();
    for position in positions() {
        engine.new_game(position.rules());
        let found = report.measure(|| engine.search(&position, Budget::depth(depth)));
        report.add(format!("{} ", position.board()), found.best, found.value, found.nodes);
    }
    report.finish();
    Ok(())
}

/// Returns positions from all phases of a game, reached by random play from fixed seeds.
pub(crate) fn positions() -> impl Iterator<Item = Position> {
    (0..24).filter_map(|number| {
        let mut position = Awele::new(CODINGAME).start(&Opening::default()).ok()?;
        let mut rng = Rng::new(number);
        for _ in 0..3 * number {
            let moves = position.moves(position.mover());
            position.play_unchecked(position.mover(), *moves.get(rng.below(moves.len().max(1)))?);
        }
        position.end().is_none().then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::best::evaluation::{Evaluation, EvaluationSource};

    #[test]
    fn there_are_positions_of_all_phases() {
        let plies: Vec<u32> = positions().map(|position| position.ply()).collect();
        assert!(plies.len() >= 12, "{plies:?}");
        assert!(plies.first() == Some(&0) && plies.last() >= Some(&30), "{plies:?}");
    }

    /// Signature of the search. A commit that changes it must say so and give the new count.
    #[test]
    fn the_search_visits_what_it_visited() {
        let mut engine = Best::new(EvaluationSource::Rules(Evaluation::network));
        let nodes = |root: Position| {
            engine.new_game(root.rules());
            engine.search(&root, Budget::depth(6)).nodes
        };
        let nodes: u64 = positions().map(nodes).sum();
        assert_eq!(nodes, 14_021);
    }
}
