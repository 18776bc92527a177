//! The strategy `atomic`, as TaupeGoons had it: a breadth-first search with whole phrases as moves.
//! It tries phrases before single commands, so a position that a phrase discovers keeps the phrase.

use super::path::{walk, LockPath, PathTree, PLAIN};
use crate::hextris::phrases::TextEnd;
use arbitre_games::games::hextris::{Board, Phrases, Piece, Symbol, UnitPosition};

/// Returns a path to every place where the unit can be locked.
pub fn paths(piece: &Piece, board: &Board, before: TextEnd) -> Vec<LockPath> {
    let tree = search(piece, board, before.phrases);
    let text = |at| tree.moves(piece, at).expect("it was discovered").concat();
    let path = |&at: &UnitPosition| LockPath::new(piece, board, at, text(at), before);
    tree.found.iter().filter_map(path).collect()
}

fn search<'p>(piece: &Piece, board: &Board, phrases: &'p Phrases) -> PathTree<&'p [u8]> {
    let texts = phrases.texts().iter().map(|text| text.as_bytes());
    let moves: Vec<&[u8]> = texts.chain(PLAIN.chunks(1)).collect();
    let (mut tree, mut expanded) = (PathTree::new(piece, piece.spawn()), 0);
    while let Some(&at) = tree.found.get(expanded) {
        // Positions within a phrase are held too, so single commands need the check as well.
        let letters: Vec<&[u8]> = tree.moves(piece, at).expect("it was discovered");
        let mut held = positions(piece, &letters.concat());
        let before = held.len();
        for &letters in &moves {
            if walk(piece, board, letters, &mut held).is_some() {
                tree.add(piece, at, letters, held[held.len() - 1]);
            }
            held.truncate(before);
        }
        expanded += 1;
    }
    tree
}

/// Returns all positions of a path from the spawn, both ends included.
fn positions(piece: &Piece, letters: &[u8]) -> Vec<UnitPosition> {
    let mut at = piece.spawn();
    let steps = letters.iter().map(|&letter| {
        let command = Symbol::of(letter).command().expect("a path consists of commands");
        at = piece.step(at, command).expect("the path was walked before");
        at
    });
    std::iter::once(piece.spawn()).chain(steps).collect()
}
