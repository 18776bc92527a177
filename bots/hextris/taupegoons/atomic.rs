//! Phrases as moves of their own, as TaupeGoons had them: a search breadth first that tries every phrase
//! from a position before it tries single commands, so that whatever a phrase discovers keeps it.

use super::path::{plain, LockPath, TextEnd};
use arbitre_games::games::hextris::{Board, Command, Phrases, Piece, Symbol, UnitPosition};
use std::collections::VecDeque;

/// How a position was discovered.
#[derive(Clone, Copy)]
enum PathMove {
    /// By a command.
    Single(Command),
    /// By the phrase of this number.
    Phrase(usize),
}

/// The search; what it needs of the phrases is made ready once.
pub struct AtomicPhrases {
    /// By phrase: its commands; none for one that holds anything else.
    commands: Vec<Option<Vec<Command>>>,
}

impl AtomicPhrases {
    /// With these phrases.
    pub fn new(phrases: &Phrases) -> AtomicPhrases {
        let commands =
            |text: &String| text.bytes().map(|byte| Symbol::of(byte).command()).collect();
        AtomicPhrases { commands: phrases.texts().iter().map(commands).collect() }
    }

    /// Returns a path to every place where the unit can be locked.
    pub fn paths(&self, piece: &Piece, board: &Board, before: &TextEnd) -> Vec<LockPath> {
        let tree = self.search(piece, board);
        let text = |at| tree.text(piece, at, before.phrases);
        let path = |&at: &UnitPosition| before.lock(piece, board, at, text(at));
        tree.found.iter().filter_map(path).collect()
    }

    fn search(&self, piece: &Piece, board: &Board) -> DiscoveryTree {
        let start = piece.spawn();
        let mut tree =
            DiscoveryTree { parents: vec![None; piece.positions()], start, found: vec![start] };
        let mut waiting = VecDeque::from([start]);
        while let Some(at) = waiting.pop_front() {
            // What a phrase passes by counts as held as well, so single commands are checked too.
            let path = tree.held(piece, at, &self.commands);
            let mut discovered = Vec::new();
            for (number, commands) in self.commands.iter().enumerate() {
                let commands = commands.iter();
                let ends = commands.filter_map(|commands| after(piece, board, at, commands, &path));
                discovered.extend(ends.map(|to| (to, PathMove::Phrase(number))));
            }
            for command in Command::ALL {
                let to = piece.advance(board, at, command).filter(|to| !path.contains(to));
                discovered.extend(to.map(|to| (to, PathMove::Single(command))));
            }
            for (to, by) in discovered {
                let parent = &mut tree.parents[piece.index(to)];
                if to != start && parent.is_none() {
                    *parent = Some((at, by));
                    tree.found.push(to);
                    waiting.push_back(to);
                }
            }
        }
        tree
    }
}

/// Where these commands lead, if none of them locks, and no position of the whole path is held twice.
fn after(
    piece: &Piece,
    board: &Board,
    from: UnitPosition,
    commands: &[Command],
    path: &[UnitPosition],
) -> Option<UnitPosition> {
    let mut held = Vec::with_capacity(commands.len());
    let mut at = from;
    for &command in commands {
        at = piece.advance(board, at, command)?;
        if path.contains(&at) || held.contains(&at) {
            return None;
        }
        held.push(at);
    }
    Some(at)
}

/// What was discovered, and how.
struct DiscoveryTree {
    parents: Vec<Option<(UnitPosition, PathMove)>>,
    start: UnitPosition,
    /// In the order of discovery.
    found: Vec<UnitPosition>,
}

impl DiscoveryTree {
    fn moves(&self, piece: &Piece, to: UnitPosition) -> Vec<(UnitPosition, PathMove)> {
        let step = |&(at, _): &(UnitPosition, PathMove)| self.parents[piece.index(at)];
        let mut moves: Vec<_> =
            std::iter::successors(self.parents[piece.index(to)], step).collect();
        moves.reverse();
        moves
    }

    /// All positions of the path to one, both ends included.
    fn held(
        &self,
        piece: &Piece,
        to: UnitPosition,
        phrases: &[Option<Vec<Command>>],
    ) -> Vec<UnitPosition> {
        let mut held = vec![self.start];
        for (mut at, by) in self.moves(piece, to) {
            let single;
            let commands = match by {
                PathMove::Single(command) => {
                    single = [command];
                    &single[..]
                }
                PathMove::Phrase(number) => phrases[number].as_deref().unwrap_or_default(),
            };
            for &command in commands {
                at = piece.step(at, command).expect("the path was walked before");
                held.push(at);
            }
        }
        held
    }

    fn text(&self, piece: &Piece, to: UnitPosition, phrases: &Phrases) -> Vec<u8> {
        let mut text = Vec::new();
        for (_, by) in self.moves(piece, to) {
            match by {
                PathMove::Single(command) => text.push(plain(command)),
                PathMove::Phrase(number) => text.extend(phrases.texts()[number].bytes()),
            }
        }
        text
    }
}
