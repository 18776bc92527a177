//! One iteration of an alpha-beta search at its root.

use super::bitboards::Cell;
use arbitre_games::games::tron::Direction;
use arbitre_games::search::deepening::SearchResult;

/// A bound above all values; its negative is below them.
pub const INFINITY: i32 = i32::MAX;

/// Searches the moves of a root, the best move so far first, so that an interrupted iteration never
/// makes the result worse. Returns `true` if the iteration was complete.
///
/// `value` receives the cell of a move and the best value so far, below which a bound is enough. It
/// returns `None` once the limiter has stopped the search.
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
