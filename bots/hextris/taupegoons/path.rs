//! Ways to bring a unit to its place, and the shortest of them.

use crate::hextris::phrases::points;
use arbitre_games::games::hextris::{Board, Command, PhraseNode, Phrases, Piece, UnitPosition};
use std::collections::VecDeque;

/// A way to lock a unit.
#[derive(Clone, Debug)]
pub struct LockPath {
    /// Where it is locked.
    pub at: UnitPosition,
    /// All letters, the one that locks included.
    pub text: Vec<u8>,
    /// What phrases bring on the way, with first uses.
    pub points: u32,
}

/// The end of the text so far.
#[derive(Clone, Copy)]
pub struct TextEnd<'p> {
    /// The phrases of power.
    pub phrases: &'p Phrases,
    /// The node at which the text ends.
    pub node: PhraseNode,
    /// The phrases that were used.
    pub used: u64,
}

impl TextEnd<'_> {
    /// Completes a text that leads to `at` by a letter that locks the unit there. Returns `None` if no
    /// command does.
    pub fn lock(
        &self,
        piece: &Piece,
        board: &Board,
        at: UnitPosition,
        mut text: Vec<u8>,
    ) -> Option<LockPath> {
        text.push(plain(locking(piece, board, at)?));
        let points = points(self.phrases, self.node, &text, self.used);
        Some(LockPath { at, text, points })
    }
}

/// The first command, in the usual order, that locks a unit where it is.
pub fn locking(piece: &Piece, board: &Board, at: UnitPosition) -> Option<Command> {
    Command::ALL.into_iter().find(|&command| piece.advance(board, at, command).is_none())
}

/// The shortest paths to all positions that can be reached, found breadth first.
pub struct ShortestPaths {
    /// By index: the command that came there first, and from where.
    parents: Vec<Option<(UnitPosition, Command)>>,
    start: UnitPosition,
    /// In the order in which they were found.
    pub reached: Vec<UnitPosition>,
}

impl ShortestPaths {
    /// From a position, on a board where the positions that are `held` may not be used.
    pub fn new(
        piece: &Piece,
        board: &Board,
        start: UnitPosition,
        is_held: impl Fn(usize) -> bool,
    ) -> ShortestPaths {
        let mut search =
            ShortestPaths { parents: vec![None; piece.positions()], start, reached: vec![start] };
        let mut waiting = VecDeque::from([start]);
        while let Some(at) = waiting.pop_front() {
            for command in Command::ALL {
                let Some(next) = piece.advance(board, at, command) else { continue };
                let index = piece.index(next);
                if next == start || search.parents[index].is_some() || is_held(index) {
                    continue;
                }
                search.parents[index] = Some((at, command));
                search.reached.push(next);
                waiting.push_back(next);
            }
        }
        search
    }

    /// The commands that lead there; none if nothing does.
    pub fn path(&self, piece: &Piece, to: UnitPosition) -> Option<Vec<Command>> {
        let (mut at, mut path) = (to, Vec::new());
        while at != self.start {
            let (before, command) = self.parents[piece.index(at)]?;
            path.push(command);
            at = before;
        }
        path.reverse();
        Some(path)
    }
}

/// The letter for a command that is part of no phrase.
pub fn plain(command: Command) -> u8 {
    // Of each six letters this is the one that begins the fewest phrases.
    *b"!eal1k".get(command.index()).expect("there are six commands")
}
