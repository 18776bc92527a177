//! `tron bench`: searches fixed positions and counts nodes. The node count is the search's
//! signature, which a refactoring must not change.

use crate::bench::BenchReport;
use crate::engine::{Engine, Random};
use crate::options::Options;
use crate::program::{say, Failure};
use crate::tron::along_walls;
use crate::tron::best::bitboards::{Bitboard, SmallGrid};
use crate::tron::best::position::TwoPlayerPosition;
use crate::tron::best::two_player::TwoPlayerSearch;
use crate::tron::best::ENTRIES;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, State};
use arbitre_games::games::tron::{Position, Tron};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// Default depth of each search, in plies.
const DEPTH: u32 = 12;

/// Searches the positions and prints a line for each, then `N nodes M nps`.
///
/// # Errors
/// Returns an error if the depth is not a number, or an option is unknown.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let depth = options.take_count("--depth")?.unwrap_or(DEPTH);
    options.finish()?;
    let mut searcher = TwoPlayerSearch::new(ENTRIES);
    let (mut report, mut leaves) = (BenchReport::default(), 0);
    for (number, position) in positions().into_iter().enumerate() {
        searcher.clear();
        let found = report.measure(|| {
            searcher.search(&TwoPlayerPosition::<SmallGrid>::new(&position), Budget::depth(depth))
        });
        leaves += searcher.leaves();
        let label = format!("{number:2}: ply {:3}", position.ply());
        report.add(label, format!("{:?}", found.best), found.value, found.nodes);
    }
    say(&format!("{:.0} leaves a second\n", report.rate(leaves)));
    report.finish();
    Ok(())
}

/// Returns two-player positions of the first sixty plies in which the players can still meet.
fn positions() -> Vec<Position> {
    let game = Tron::from_rules("").expect("the default rules are valid");
    let setups = game.setups(2, 0, Rng::new(1)).take(24);
    let play = |(number, setup)| {
        let mut position = game.start(&setup).ok()?;
        let mut engine = Random::<Tron>::of(along_walls);
        // Depends on the number alone, as a signature needs the same positions in every run.
        for _ in 0..5 * (number % 12) {
            if position.outcome().is_some() {
                return None;
            }
            let seat = position.mover();
            let (direction, _) = engine.choose(&position, seat, Budget::nodes(1));
            position.play_unchecked(seat, direction);
        }
        let meet = {
            let two_player = TwoPlayerPosition::<SmallGrid>::new(&position);
            two_player.free.flood_fill_from(two_player.heads[0]).dilate().has(two_player.heads[1])
        };
        (position.outcome().is_none() && meet).then_some(position)
    };
    setups.enumerate().filter_map(play).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The node-count signature. A commit that changes it states the new count
    /// (bots/tron/diary.md).
    #[test]
    fn search_keeps_its_node_count() {
        let mut searcher = TwoPlayerSearch::new(ENTRIES);
        let mut nodes = |position: &Position| {
            searcher.clear();
            searcher.search(&TwoPlayerPosition::<SmallGrid>::new(position), Budget::depth(6)).nodes
        };
        let positions = positions();
        assert!(positions.len() >= 12);
        assert_eq!(positions.iter().map(&mut nodes).sum::<u64>(), 1_561);
    }
}
