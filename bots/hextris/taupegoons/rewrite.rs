//! Phrases put into a finished path, as the second team of the article did it: where a phrase can be played
//! on the way, the rest of the path is found anew from where it ends.

use super::path::{plain, LockPath, ShortestPaths, TextEnd};
use arbitre_games::games::hextris::{Board, Piece, Symbol, UnitPosition};

/// A path in pieces: what is spelt, and where it leads.
struct SpeltPath {
    text: Vec<u8>,
    /// Where the unit is before each letter, and at the end.
    held: Vec<UnitPosition>,
}

/// Returns the shortest path to a place with as many phrases inserted as possible, in the order of their
/// points.
pub fn path(piece: &Piece, board: &Board, at: UnitPosition, before: &TextEnd) -> Option<LockPath> {
    let shortest = ShortestPaths::new(piece, board, piece.spawn(), |_| false).path(piece, at)?;
    let mut path = SpeltPath { text: Vec::new(), held: vec![piece.spawn()] };
    path.extend(piece, &shortest.into_iter().map(plain).collect::<Vec<_>>());
    let mut numbers: Vec<usize> = (0..before.phrases.texts().len()).collect();
    let phrases = before.phrases;
    let is_new = |number: usize| before.used >> number & 1 == 0;
    numbers
        .sort_by_key(|&number| (!is_new(number), std::cmp::Reverse(phrases.texts()[number].len())));
    for number in numbers {
        // Behind a phrase that went in there may be room for it once more.
        let mut from = 0;
        while let Some((longer, end)) =
            path.with(piece, board, phrases.texts()[number].as_bytes(), from)
        {
            (path, from) = (longer, end);
        }
    }
    before.lock(piece, board, at, path.text)
}

impl SpeltPath {
    /// Goes on with letters that do not lock.
    fn extend(&mut self, piece: &Piece, letters: &[u8]) {
        for &letter in letters {
            let command = Symbol::of(letter).command().expect("only commands are put into paths");
            let at = *self.held.last().expect("a path begins somewhere");
            self.text.push(letter);
            self.held.push(piece.step(at, command).expect("the path was walked before"));
        }
    }

    /// The path with a phrase in it, as early as it goes behind so many letters, and where the phrase ends.
    /// What stands behind it is found anew, if it can be.
    fn with(
        &self,
        piece: &Piece,
        board: &Board,
        phrase: &[u8],
        from: usize,
    ) -> Option<(SpeltPath, usize)> {
        let goal = *self.held.last()?;
        (from..self.held.len()).find_map(|index| {
            let mut longer =
                SpeltPath { text: self.text[..index].to_vec(), held: self.held[..=index].to_vec() };
            longer.walk(piece, board, phrase)?;
            let at = *longer.held.last()?;
            let held: Vec<usize> = longer.held.iter().map(|&at| piece.index(at)).collect();
            let rest = ShortestPaths::new(piece, board, at, |index| held.contains(&index));
            let rest = rest.path(piece, goal)?;
            let end = longer.text.len();
            longer.extend(piece, &rest.into_iter().map(plain).collect::<Vec<_>>());
            Some((longer, end))
        })
    }

    /// Goes on with a phrase; nothing if it locks, or holds a position twice.
    fn walk(&mut self, piece: &Piece, board: &Board, phrase: &[u8]) -> Option<()> {
        for &letter in phrase {
            let at = piece.advance(board, *self.held.last()?, Symbol::of(letter).command()?)?;
            if self.held.contains(&at) {
                return None;
            }
            self.text.push(letter);
            self.held.push(at);
        }
        Some(())
    }
}
