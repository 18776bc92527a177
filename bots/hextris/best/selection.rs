//! Selection of the best boards after a unit, without duplicates.

use std::collections::HashMap;

/// An item with a value. Equal boards have equal hashes.
pub struct BoardCandidate<T> {
    /// Value; higher is better.
    pub value: f64,
    /// Hash of the board.
    pub board: u64,
    /// Hash of the board and everything else that distinguishes candidates.
    pub whole: u64,
    /// The candidate.
    pub item: T,
}

/// Keeps the best of many candidates.
pub struct Selection<T> {
    limit: usize,
    candidates: Vec<BoardCandidate<T>>,
    /// Value that a candidate must exceed to be among the best.
    threshold: f64,
}

/// Most candidates with the same board. Not tuned.
const ALIKE: u32 = 2;

impl<T> Selection<T> {
    /// Creates a selection of at most `limit` candidates.
    pub fn new(limit: usize) -> Selection<T> {
        Selection { limit, candidates: Vec::new(), threshold: f64::NEG_INFINITY }
    }

    /// Returns the number of candidates that are kept.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns `true` if a candidate of this value may be kept.
    #[inline]
    pub fn wants(&self, value: f64) -> bool {
        value > self.threshold
    }

    /// Takes a candidate.
    pub fn offer(&mut self, candidate: BoardCandidate<T>) {
        self.candidates.push(candidate);
        // Some are duplicates, so more are kept than are wanted in the end.
        if self.candidates.len() >= 8 * self.limit + 64 {
            self.sift();
            if self.candidates.len() > self.limit {
                self.candidates.truncate(self.limit);
                self.threshold = self.candidates[self.limit - 1].value;
            }
        }
    }

    /// Sorts the candidates, the best first, and drops duplicates. Ties keep their order.
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

    /// Returns the best candidates, the best first.
    pub fn best(mut self) -> Vec<BoardCandidate<T>> {
        self.sift();
        self.candidates.truncate(self.limit);
        self.candidates
    }
}
