//! The best boards that came of a unit, no two alike.

use std::collections::HashMap;

/// Something with a value; the same board has the same hash.
pub struct BoardCandidate<T> {
    /// What it promises: the more the better.
    pub value: f64,
    /// Of the board.
    pub board: u64,
    /// Of all that matters.
    pub whole: u64,
    /// What it is.
    pub item: T,
}

/// Keeps the best of many candidates.
pub struct Selection<T> {
    limit: usize,
    candidates: Vec<BoardCandidate<T>>,
    /// No candidate below this will be among the best.
    threshold: f64,
}

/// So many candidates with the same board are kept.
const ALIKE: u32 = 2;

impl<T> Selection<T> {
    /// For so many at most.
    pub fn new(limit: usize) -> Selection<T> {
        Selection { limit, candidates: Vec::new(), threshold: f64::NEG_INFINITY }
    }

    /// So many at most.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Is a candidate of this value worth offering?
    #[inline]
    pub fn wants(&self, value: f64) -> bool {
        value > self.threshold
    }

    /// Takes a candidate.
    pub fn offer(&mut self, candidate: BoardCandidate<T>) {
        self.candidates.push(candidate);
        // As some are alike, more are kept than are wanted in the end.
        if self.candidates.len() >= 8 * self.limit + 64 {
            self.sift();
            if self.candidates.len() > self.limit {
                self.candidates.truncate(self.limit);
                self.threshold = self.candidates[self.limit - 1].value;
            }
        }
    }

    /// Sorts, the best first, and drops what is alike. The order in which they came breaks ties.
    fn sift(&mut self) {
        self.candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        let (mut boards, mut wholes) = (HashMap::new(), HashMap::new());
        self.candidates.retain(|candidate| {
            let alike: &mut u32 = boards.entry(candidate.board).or_default();
            let same: &mut u32 = wholes.entry(candidate.whole).or_default();
            (*alike, *same) = (*alike + 1, *same + 1);
            *alike <= ALIKE && *same == 1
        });
    }

    /// The best, the very best first.
    pub fn best(mut self) -> Vec<BoardCandidate<T>> {
        self.sift();
        self.candidates.truncate(self.limit);
        self.candidates
    }
}
