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

/// End of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Iteration {
    /// Complete: a deeper iteration may improve the result.
    Complete,
    /// Complete, and a deeper iteration cannot change the result.
    Final,
    /// Stopped by the limiter. Its results so far count.
    Interrupted,
}

impl Iteration {
    /// Returns the end of an iteration from whether it completed and whether its result is final.
    pub fn new(is_complete: bool, is_final: bool) -> Iteration {
        match (is_complete, is_final) {
            (false, _) => Iteration::Interrupted,
            (true, true) => Iteration::Final,
            (true, false) => Iteration::Complete,
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
    mut iterate: impl FnMut(u32, &mut SearchResult<M>) -> Iteration,
) -> SearchResult<M> {
    let mut result = SearchResult { best: first, value: 0, line: vec![], depth: 0, nodes: 0 };
    for depth in depths {
        let iteration = iterate(depth, &mut result);
        if iteration != Iteration::Interrupted {
            result.depth = depth;
        }
        if iteration != Iteration::Complete {
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
        let depth = |last: Iteration| {
            deepen((), 1..=9, |depth, _| if depth == 3 { last } else { Iteration::Complete }).depth
        };
        assert_eq!(depth(Iteration::Interrupted), 2);
        assert_eq!(depth(Iteration::Final), 3);
        assert_eq!(depth(Iteration::Complete), 9);
    }
}
