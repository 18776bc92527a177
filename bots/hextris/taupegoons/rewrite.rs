//! The strategy `rewrite`, as the second team of the account had it. Phrases are inserted into a
//! finished path, and the rest of the path is searched again from the end of each phrase.

use super::path::{shortest_paths, walk, LockPath};
use crate::hextris::phrases::TextEnd;
use arbitre_games::games::hextris::{Board, Piece, UnitPosition};

/// A path: its letters, and its positions.
struct SpeltPath {
    text: Vec<u8>,
    /// Position of the unit before each letter, and at the end.
    held: Vec<UnitPosition>,
}

/// Returns the shortest path to a place, with every phrase inserted wherever it fits, the most
/// valuable phrases first.
pub fn path(piece: &Piece, board: &Board, at: UnitPosition, before: TextEnd) -> Option<LockPath> {
    let empty = SpeltPath { text: Vec::new(), held: vec![piece.spawn()] };
    let mut path = empty.completed(piece, board, at)?;
    let texts = before.phrases.texts();
    let mut numbers: Vec<usize> = (0..texts.len()).collect();
    let was_used = |number: usize| before.used >> number & 1 != 0;
    numbers.sort_by_key(|&number| (was_used(number), std::cmp::Reverse(texts[number].len())));
    for number in numbers {
        // The phrase may fit once more after its end.
        let mut from = 0;
        while let Some((longer, end)) = path.with(piece, board, texts[number].as_bytes(), from) {
            (path, from) = (longer, end);
        }
    }
    LockPath::new(piece, board, at, path.text, before)
}

impl SpeltPath {
    /// Inserts a phrase into the path, as early as it fits after the first `from` letters. Returns
    /// the new path and the index of the phrase's end in it, or `None` if it fits nowhere.
    fn with(
        &self,
        piece: &Piece,
        board: &Board,
        phrase: &[u8],
        from: usize,
    ) -> Option<(SpeltPath, usize)> {
        let goal = *self.held.last()?;
        (from..self.held.len()).find_map(|index| {
            let mut held = self.held[..=index].to_vec();
            walk(piece, board, phrase, &mut held)?;
            let text = [&self.text[..index], phrase].concat();
            let end = text.len();
            Some((SpeltPath { text, held }.completed(piece, board, goal)?, end))
        })
    }

    /// Continues to `goal` by the shortest path that holds no position twice, if there is one.
    fn completed(mut self, piece: &Piece, board: &Board, goal: UnitPosition) -> Option<SpeltPath> {
        let held: Vec<usize> = self.held.iter().map(|&at| piece.index(at)).collect();
        let shortest = shortest_paths(piece, board, *self.held.last()?, |at| held.contains(&at));
        let rest = shortest.moves(piece, goal)?;
        walk(piece, board, &rest, &mut self.held)?;
        self.text.extend(rest);
        Some(self)
    }
}
