//! What phrases that were begun promise.

use arbitre_games::games::hextris::{
    Command, Meaning, Node, Oblique, Phrases, Piece, Symbol, FIRST_USE,
};
use std::collections::HashSet;

/// So many phrases that were begun are thought of at each node.
const MOST: usize = 3;
/// A promise is this part of what a phrase would bring, if it is all there but for the last letter.
const SHARE: usize = 2;

/// What a phrase promises, and how many rows it still goes down.
#[derive(Clone, Copy, Default, Debug)]
struct Hope {
    points: u32,
    rows: i32,
}

/// By node of the automaton, what may become of the phrases that the text ends with the beginning of.
#[derive(Clone, Debug, Default)]
pub struct Hopes {
    /// Those that promise most come first.
    by_node: Vec<[Hope; MOST]>,
}

impl Hopes {
    /// Gathers them for a unit that can play these phrases, where those of `used` were used. The more of a
    /// phrase is there, the larger is the part of it that counts.
    pub fn gather(&mut self, phrases: &Phrases, playable: u64, used: u64) {
        self.by_node.clear();
        self.by_node.resize(phrases.nodes(), [Hope::default(); MOST]);
        for (number, text) in phrases.texts().iter().enumerate() {
            if playable >> number & 1 == 0 {
                continue;
            }
            let first_use = if used >> number & 1 == 0 { FIRST_USE as usize } else { 0 };
            let (length, worth) = (text.len(), 2 * text.len() + first_use);
            let mut rows = text.bytes().filter(|&letter| goes_down(letter)).count();
            let mut node = Phrases::ROOT;
            for (done, letter) in (1..length).zip(text.bytes()) {
                node = phrases.after(node, letter);
                rows -= usize::from(goes_down(letter));
                let points = worth * done * (done + length) / (2 * length * length) / SHARE;
                let hope = Hope { points: points as u32, rows: rows as i32 };
                keep(&mut self.by_node[usize::from(node)], hope);
            }
        }
    }

    /// The best promise at a node that can be kept within so many rows.
    #[inline]
    pub fn promise(&self, node: Node, rows: i32) -> u32 {
        let hopes = &self.by_node[usize::from(node)];
        hopes.iter().find(|hope| hope.rows <= rows).map_or(0, |hope| hope.points)
    }
}

fn keep(hopes: &mut [Hope; MOST], mut hope: Hope) {
    for known in hopes {
        if hope.points > known.points {
            std::mem::swap(known, &mut hope);
        }
    }
}

fn goes_down(letter: u8) -> bool {
    let meaning = Symbol::of(letter).meaning();
    matches!(meaning, Meaning::Command(Command::SouthWest | Command::SouthEast))
}

/// The phrases that a unit can play where nothing is in its way, as bits.
pub fn playable(phrases: &Phrases, piece: &Piece) -> u64 {
    let numbered = phrases.texts().iter().enumerate();
    let can_play = numbered.filter(|(_, text)| playable_from(text, piece) == 0);
    can_play.fold(0, |set, (number, _)| set | 1 << number)
}

/// From which of its characters on this text commands to the end, and brings a unit to no position twice. The
/// pivot and the rotation tell positions apart, whatever the board.
pub fn playable_from(text: &str, piece: &Piece) -> usize {
    let (mut at, mut rotation) = (Oblique { y: 0, q: 0 }, 0);
    let mut held = vec![(at, rotation)];
    for letter in text.bytes() {
        let Meaning::Command(command) = Symbol::of(letter).meaning() else {
            // It is where it was, and so the text can be played from behind this at best.
            held.push((at, rotation));
            continue;
        };
        at = at.plus(command.way());
        rotation = piece.leap(rotation, command).rotation.into();
        held.push((at, rotation));
    }
    let mut seen = HashSet::new();
    let new = held.iter().rev().take_while(|&&position| seen.insert(position)).count();
    held.len() - new
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::hextris::{draw_problem, Rules, Terrain};
    use arbitre_games::rng::Rng;

    /// Step by step, each time from where it begins.
    fn is_playable(text: &str, piece: &Piece) -> bool {
        let (mut at, mut rotation) = (Oblique { y: 0, q: 0 }, 0);
        let mut held = vec![(at, rotation)];
        text.bytes().all(|letter| {
            let Meaning::Command(command) = Symbol::of(letter).meaning() else { return false };
            let way = match command {
                Command::West => Oblique { y: 0, q: -1 },
                Command::East => Oblique { y: 0, q: 1 },
                Command::SouthWest => Oblique { y: 1, q: -1 },
                Command::SouthEast => Oblique { y: 1, q: 0 },
                _ => Oblique { y: 0, q: 0 },
            };
            at = at.plus(way);
            rotation = piece.leap(rotation, command).rotation.into();
            let is_new = !held.contains(&(at, rotation));
            held.push((at, rotation));
            is_new
        })
    }

    #[test]
    fn from_there_on_a_text_can_be_played_and_from_no_earlier_letter() {
        let (rules, mut rng) = (Rules::parse("contest").unwrap(), Rng::new(12));
        let custom = ["pkkpdbbd", "ssseespsps", "uuuuu", "dddddd", "pb", "p\tb", "é", "l!a"];
        let texts = Phrases::official().texts().to_vec();
        let texts: Vec<&str> = texts.iter().map(String::as_str).chain(custom).collect();
        let mut firsts = [0; 3];
        for _ in 0..20 {
            let terrain = Terrain::new(draw_problem(&rules, &mut rng));
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
