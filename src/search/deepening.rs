//! Iterative deepening, and the result that every search of a move returns.

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult<M> {
    /// The best move.
    pub best: M,
    /// Value of the position to the player to move.
    pub value: i32,
    /// Principal variation, the best move first; empty where a search does not collect it.
    pub line: Vec<M>,
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Number of positions visited.
    pub nodes: u64,
}

/// Outcome of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IterationOutcome {
    /// Complete: a deeper iteration may improve the result.
    Continue,
    /// Complete, and a deeper iteration cannot change the result.
    Final,
    /// Stopped by the limiter. Its results so far count.
    Interrupted,
}

impl IterationOutcome {
    /// Creates the outcome of an iteration that completed or not, with a result that is final or
    /// not.
    pub fn new(is_complete: bool, is_final: bool) -> IterationOutcome {
        match (is_complete, is_final) {
            (false, _) => IterationOutcome::Interrupted,
            (true, true) => IterationOutcome::Final,
            (true, false) => IterationOutcome::Continue,
        }
    }
}

/// Runs `iterate` at each depth of `depths` until an iteration is final or interrupted. `first` is
/// the best move until an iteration finds another.
///
/// `iterate` receives the result so far and improves it. It should search the best move first: an
/// interrupted iteration then never makes the result worse. The caller sets `nodes`.
pub fn deepen<M>(
    first: M,
    depths: impl IntoIterator<Item = u32>,
    mut iterate: impl FnMut(u32, &mut SearchResult<M>) -> IterationOutcome,
) -> SearchResult<M> {
    let mut result = SearchResult { best: first, value: 0, line: vec![], depth: 0, nodes: 0 };
    for depth in depths {
        let outcome = iterate(depth, &mut result);
        if outcome != IterationOutcome::Interrupted {
            result.depth = depth;
        }
        if outcome != IterationOutcome::Continue {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_complete_iterations_only() {
        let depth = |last: IterationOutcome| {
            deepen((), 1..=9, |depth, _| if depth == 3 { last } else { IterationOutcome::Continue })
                .depth
        };
        assert_eq!(depth(IterationOutcome::Interrupted), 2);
        assert_eq!(depth(IterationOutcome::Final), 3);
        assert_eq!(depth(IterationOutcome::Continue), 9);
    }
}
