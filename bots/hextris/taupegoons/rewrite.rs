//! Phrases inserted into a finished path, as the second team of the article did it: where a phrase
//! can be played on the path, the rest is found anew from where the phrase ends.

use super::path::{shortest_paths, walk, LockPath};
use crate::hextris::phrases::TextEnd;
use arbitre_games::games::hextris::{Board, Piece, UnitPosition};

/// A path: its letters, and where it leads.
struct SpeltPath {
    text: Vec<u8>,
    /// Where the unit is before each letter, and at the end.
    held: Vec<UnitPosition>,
}

/// Returns the shortest path to a place, with every phrase inserted wherever it fits, in the order
/// of their points.
pub fn path(piece: &Piece, board: &Board, at: UnitPosition, before: TextEnd) -> Option<LockPath> {
    let empty = SpeltPath { text: Vec::new(), held: vec![piece.spawn()] };
    let mut path = empty.completed(piece, board, at)?;
    let texts = before.phrases.texts();
    let mut numbers: Vec<usize> = (0..texts.len()).collect();
    let was_used = |number: usize| before.used >> number & 1 != 0;
    numbers.sort_by_key(|&number| (was_used(number), std::cmp::Reverse(texts[number].len())));
    for number in numbers {
        // There may be room for the phrase once more behind its end.
        let mut from = 0;
        while let Some((longer, end)) = path.with(piece, board, texts[number].as_bytes(), from) {
            (path, from) = (longer, end);
        }
    }
    LockPath::new(piece, board, at, path.text, before)
}

impl SpeltPath {
    /// Inserts a phrase into the path, as early as it fits behind the first `from` letters. Returns
    /// `None` where it does not fit, else the new path and where the phrase ends in it.
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
