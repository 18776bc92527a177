//! Paths that lock a unit, and breadth-first searches for paths.

use crate::hextris::phrases::TextEnd;
use arbitre_games::games::hextris::{Board, Command, Piece, Symbol, UnitPosition};

/// A path that locks a unit.
#[derive(Clone, Debug)]
pub struct LockPath {
    /// Position in which the unit is locked.
    pub at: UnitPosition,
    /// All letters, the one that locks included.
    pub text: Vec<u8>,
    /// Points for phrases on the path, with first uses.
    pub points: u32,
}

impl LockPath {
    /// Completes a text that leads to `at` by a letter that locks the unit there. Returns `None` if
    /// no command locks it.
    pub fn new(
        piece: &Piece,
        board: &Board,
        at: UnitPosition,
        mut text: Vec<u8>,
        before: TextEnd,
    ) -> Option<LockPath> {
        text.push(plain(locking(piece, board, at)?));
        let points = before.points(&text);
        Some(LockPath { at, text, points })
    }
}

/// Returns the first command, in the order of [`Command::ALL`], that locks a unit where it is.
pub fn locking(piece: &Piece, board: &Board, at: UnitPosition) -> Option<Command> {
    Command::ALL.into_iter().find(|&command| piece.advance(board, at, command).is_none())
}

/// Positions and the moves of type `M` by which a search discovered them.
pub struct PathTree<M> {
    /// Origin and move of each discovered position, by index.
    parents: Vec<Option<(UnitPosition, M)>>,
    /// The positions in the order of discovery, the root first.
    pub found: Vec<UnitPosition>,
}

impl<M: Copy> PathTree<M> {
    /// Creates a tree of the root alone.
    pub fn new(piece: &Piece, root: UnitPosition) -> PathTree<M> {
        PathTree { parents: vec![None; piece.positions()], found: vec![root] }
    }

    /// Adds a position to which a move leads from another, unless it was discovered before.
    #[inline]
    pub fn add(&mut self, piece: &Piece, from: UnitPosition, by: M, to: UnitPosition) {
        let parent = &mut self.parents[piece.index(to)];
        if parent.is_none() && to != self.found[0] {
            *parent = Some((from, by));
            self.found.push(to);
        }
    }

    /// Returns the moves that lead from the root to a position, or `None` if it was not discovered.
    pub fn moves(&self, piece: &Piece, to: UnitPosition) -> Option<Vec<M>> {
        let (mut at, mut moves) = (to, Vec::new());
        while at != self.found[0] {
            let (before, by) = self.parents[piece.index(at)]?;
            moves.push(by);
            at = before;
        }
        moves.reverse();
        Some(moves)
    }
}

/// Returns the shortest paths, as plain letters, from a position to all others that can be reached.
/// They avoid the positions whose indices are held.
pub fn shortest_paths(
    piece: &Piece,
    board: &Board,
    from: UnitPosition,
    is_held: impl Fn(usize) -> bool,
) -> PathTree<u8> {
    let (mut tree, mut expanded) = (PathTree::new(piece, from), 0);
    while let Some(&at) = tree.found.get(expanded) {
        for command in Command::ALL {
            let next = piece.advance(board, at, command);
            if let Some(next) = next.filter(|&next| !is_held(piece.index(next))) {
                tree.add(piece, at, plain(command), next);
            }
        }
        expanded += 1;
    }
    tree
}

/// Plays letters from the last of the positions held, and adds the positions to which they lead.
/// Returns `None` if a letter locks the unit, is no command, or leads to a position that is held.
pub fn walk(
    piece: &Piece,
    board: &Board,
    letters: &[u8],
    held: &mut Vec<UnitPosition>,
) -> Option<()> {
    for &letter in letters {
        let at = piece.advance(board, *held.last()?, Symbol::of(letter).command()?)?;
        if held.contains(&at) {
            return None;
        }
        held.push(at);
    }
    Some(())
}

/// The letter of each command that begins the fewest phrases.
pub const PLAIN: &[u8; 6] = b"!eal1k";

/// Returns the letter for a command outside a phrase.
pub fn plain(command: Command) -> u8 {
    PLAIN[command.index()]
}
