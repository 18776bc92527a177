//! One iteration of a search with alpha and beta at its root.

use super::bitboards::Cell;
use arbitre_games::games::tron::Direction;
use arbitre_games::search::deepening::SearchResult;

/// A bound above all values; its negative is below them.
pub const INFINITY: i32 = i32::MAX;

/// Searches the moves of a root, the best move so far first, so that an interrupted iteration never
/// makes the result worse. `value` receives where a move leads and the best value before it, below
/// which a bound is enough; it returns `None` once the limiter has stopped the search. Returns
/// whether the iteration was complete.
pub fn iterate(
    ways: impl Iterator<Item = (Direction, Cell)>,
    result: &mut SearchResult<Direction>,
    mut value: impl FnMut(Cell, i32) -> Option<i32>,
) -> bool {
    let mut ways: Vec<(Direction, Cell)> = ways.collect();
    ways.sort_by_key(|(direction, _)| *direction != result.best);
    let mut alpha = -INFINITY;
    for (direction, to) in ways {
        let Some(value) = value(to, alpha) else { return false };
        if value > alpha {
            alpha = value;
            (result.best, result.value) = (direction, value);
        }
    }
    true
}
