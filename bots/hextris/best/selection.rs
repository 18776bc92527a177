//! Selection of the best boards after a unit, without duplicates.

use std::collections::HashMap;

/// An item with a value and the hashes by which duplicates are found.
pub struct BoardCandidate<T> {
    /// Value; higher is better.
    pub value: f64,
    /// Hash of the board.
    pub board_hash: u64,
    /// Hash of the board, the phrase node and the rows just removed. Used phrases and score are
    /// left out: of candidates that differ only in them, the one of the highest value is kept.
    pub state_hash: u64,
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
const MOST_PER_BOARD: u32 = 2;
/// Number of candidates per wanted one, plus [`MORE_CANDIDATES`], at which duplicates are dropped.
/// Not tuned.
const BUFFER_FACTOR: usize = 8;
/// Candidates buffered in addition. Not tuned.
const MORE_CANDIDATES: usize = 64;

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
        if self.candidates.len() >= BUFFER_FACTOR * self.limit + MORE_CANDIDATES {
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
        let (mut boards, mut states) = (HashMap::new(), HashMap::new());
        self.candidates.retain(|candidate| {
            let same_board: &mut u32 = boards.entry(candidate.board_hash).or_default();
            let same_state: &mut u32 = states.entry(candidate.state_hash).or_default();
            (*same_board, *same_state) = (*same_board + 1, *same_state + 1);
            *same_board <= MOST_PER_BOARD && *same_state == 1
        });
    }

    /// Returns the best candidates, the best first.
    pub fn best(mut self) -> Vec<BoardCandidate<T>> {
        self.sift();
        self.candidates.truncate(self.limit);
        self.candidates
    }
}
