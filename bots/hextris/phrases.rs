//! Phrases of power in the text of a game, and those that a unit can play.

use arbitre_games::games::hextris::{AxialCoord, PhraseNode, Phrases, Piece, Symbol, FIRST_USE};
use std::collections::HashSet;

/// State of the phrase automaton at the end of a text.
#[derive(Clone, Copy)]
pub struct TextEnd<'p> {
    /// The phrases of power.
    pub phrases: &'p Phrases,
    /// The node at which the text ends.
    pub node: PhraseNode,
    /// The phrases that occur in the text, as bits.
    pub used: u64,
}

impl TextEnd<'_> {
    /// Adds a letter. Returns the points of the phrases that it completes.
    pub fn push(&mut self, letter: u8) -> u32 {
        self.node = self.phrases.after(self.node, letter);
        let ended = self.phrases.ended(self.node);
        let points = self.phrases.gain(self.node) + first_uses(ended & !self.used);
        self.used |= ended;
        points
    }

    /// Returns the points for phrases of a text that continues from here.
    pub fn points(mut self, text: &[u8]) -> u32 {
        text.iter().map(|&letter| self.push(letter)).sum()
    }
}

/// Returns the points of the first use of each of these phrases.
pub fn first_uses(new: u64) -> u32 {
    new.count_ones() * FIRST_USE as u32
}

/// Returns the first index from which a text consists of commands that bring a unit to no position
/// twice. Pivot and rotation distinguish positions, whatever the board.
pub fn playable_from(text: &str, piece: &Piece) -> usize {
    let (mut at, mut rotation) = (AxialCoord { y: 0, q: 0 }, 0);
    let mut held = vec![(at, rotation)];
    for letter in text.bytes() {
        // Any other character leaves the unit where it is, which counts as a position held twice.
        if let Some(command) = Symbol::of(letter).command() {
            at = at.plus(command.pivot_step());
            rotation = piece.shift(rotation, command).rotation.into();
        }
        held.push((at, rotation));
    }
    let mut seen = HashSet::new();
    // From the end backward: the longest tail without a repeated position.
    let new = held.iter().rev().take_while(|&&position| seen.insert(position)).count();
    held.len() - new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hextris::testing::terrains;
    use arbitre_games::games::hextris::Command;

    /// Returns `true` if a unit can play a text, step by step from its beginning.
    fn is_playable(text: &str, piece: &Piece) -> bool {
        let (mut at, mut rotation) = (AxialCoord { y: 0, q: 0 }, 0);
        let mut held = vec![(at, rotation)];
        text.bytes().all(|letter| {
            let Some(command) = Symbol::of(letter).command() else { return false };
            let (y, q) = match command {
                Command::West => (0, -1),
                Command::East => (0, 1),
                Command::SouthWest => (1, -1),
                Command::SouthEast => (1, 0),
                _ => (0, 0),
            };
            at = at.plus(AxialCoord { y, q });
            rotation = piece.shift(rotation, command).rotation.into();
            let is_new = !held.contains(&(at, rotation));
            held.push((at, rotation));
            is_new
        })
    }

    #[test]
    fn playable_from_is_the_first_playable_index() {
        let custom = ["pkkpdbbd", "ssseespsps", "uuuuu", "dddddd", "pb", "p\tb", "é", "l!a"];
        let texts = Phrases::official().texts().to_vec();
        let texts: Vec<&str> = texts.iter().map(String::as_str).chain(custom).collect();
        let mut firsts = [0; 3];
        for terrain in terrains("contest", 20) {
            for (piece, text) in
                terrain.pieces().iter().flat_map(|p| texts.iter().map(move |t| (p, t)))
            {
                let first = playable_from(text, piece);
                for from in (0..=text.len()).filter(|&from| text.is_char_boundary(from)) {
                    assert_eq!(is_playable(&text[from..], piece), from >= first, "{text} {from}");
                }
                firsts[usize::from(first > 0) + usize::from(first == text.len())] += 1;
            }
        }
        assert!(firsts.iter().all(|&count| count > 10), "{firsts:?}");
    }
}
