//! Phrase potential: values of partial phrases, and of the letters for each command. A partial
//! phrase is one whose first letters end the text so far.

use super::open_space::OpenSpace;
use crate::hextris::phrases::playable_from;
use crate::hextris::row_direction::DIRECTIONS;
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases, Piece};

/// Values of partial phrases for units of one period.
pub struct PhrasePotential {
    /// Values by direction within the row and node, where all phrases were used before.
    values: Vec<i32>,
    /// Partial phrases of each node that the unit can complete: the phrase, and the percentage of
    /// its letters that are played.
    partial_phrases: Vec<Vec<(u8, u8)>>,
}

/// Value of the first use of a phrase.
#[derive(Clone, Copy)]
pub struct FirstUseValue {
    /// Phrases used before, as bits.
    pub used: u64,
    /// Value of the first use of another, in points.
    pub points: i32,
    /// Percentage of a partial phrase's first-use value that counts, in proportion to the letters
    /// played.
    pub partial_percent: u32,
}

/// A letter for a command, with its value.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpelling {
    /// Points of the letter plus the value of the partial phrases after it.
    pub value: i32,
    /// Node after the letter.
    pub next: PhraseNode,
    /// The character.
    pub letter: u8,
    /// Whether a phrase ends that was not used before.
    pub is_first: bool,
}

/// The letters for each command, the best first.
pub struct SpellingTable {
    spellings: Vec<CommandSpelling>,
    /// Start of the spellings by direction, node and command.
    begins: Vec<u32>,
    /// Values of partial phrases by direction and node.
    prefix_values: Vec<i32>,
    nodes: usize,
}

impl PhrasePotential {
    /// Computes the values for a unit with nothing in its way.
    pub fn new(phrases: &Phrases, piece: &Piece) -> PhrasePotential {
        let values = OpenSpace::new(phrases, piece.period() > 1).relative_values();
        PhrasePotential { values, partial_phrases: partial_phrases(phrases, piece) }
    }

    /// Returns the values of the partial phrases by direction and node, in points.
    pub fn prefix_values(&self, firsts: &FirstUseValue) -> Vec<i32> {
        let first_use = |partial: &Vec<(u8, u8)>| {
            let unused = partial.iter().filter(|(phrase, _)| firsts.used >> phrase & 1 == 0);
            let part = unused.map(|&(_, part)| i32::from(part)).max().unwrap_or(0);
            part * firsts.points * firsts.partial_percent as i32 / 10_000
        };
        let first_uses: Vec<i32> = self.partial_phrases.iter().map(first_use).collect();
        let values = self.values.iter().zip(first_uses.iter().cycle());
        values.map(|(value, first_use)| value + first_use).collect()
    }

    /// Returns the letters for each command, sorted by their values.
    pub fn spellings(&self, phrases: &Phrases, firsts: &FirstUseValue) -> SpellingTable {
        let (prefix_values, nodes) = (self.prefix_values(firsts), phrases.nodes());
        let (mut spellings, mut begins) = (Vec::new(), vec![0]);
        for prefix_values in prefix_values.chunks(nodes) {
            for node in 0..nodes as PhraseNode {
                for command in Command::ALL {
                    let begin = spellings.len();
                    spellings.extend(phrases.choices(node, command).iter().map(|choice| {
                        let (next, letter) = (choice.next, choice.letter);
                        let newly_used = phrases.ended(next) & !firsts.used;
                        let first_uses = newly_used.count_ones() as i32 * firsts.points;
                        let gain = phrases.gain(next) as i32 + first_uses;
                        let value = gain + prefix_values[usize::from(next)];
                        CommandSpelling { value, next, letter, is_first: newly_used != 0 }
                    }));
                    spellings[begin..].sort_by_key(|spelling| -spelling.value);
                    begins.push(spellings.len() as u32);
                }
            }
        }
        debug_assert_eq!(begins.len(), DIRECTIONS * nodes * Command::ALL.len() + 1);
        SpellingTable { spellings, begins, prefix_values, nodes }
    }
}

impl SpellingTable {
    /// Returns the letters for a command at a node, for a unit that moves in a direction within its
    /// row.
    #[inline]
    pub fn of(&self, direction: usize, node: PhraseNode, command: Command) -> &[CommandSpelling] {
        let at =
            (direction * self.nodes + usize::from(node)) * Command::ALL.len() + command.index();
        &self.spellings[self.begins[at] as usize..self.begins[at + 1] as usize]
    }

    /// Returns the value of the partial phrases of a node where a unit may go either way.
    pub fn prefix_value(&self, node: PhraseNode) -> i32 {
        self.prefix_values[usize::from(node)]
    }
}

/// Returns the partial phrases of each node and its suffixes that a unit can complete, with the
/// percentage of their letters that are played.
fn partial_phrases(phrases: &Phrases, piece: &Piece) -> Vec<Vec<(u8, u8)>> {
    let mut own = vec![Vec::new(); phrases.nodes()];
    for (number, text) in phrases.texts().iter().enumerate() {
        let (mut node, first) = (Phrases::ROOT, playable_from(text, piece));
        for done in 1..text.len() {
            node = phrases.after(node, text.as_bytes()[done - 1]);
            if done >= first {
                own[usize::from(node)].push((number as u8, (100 * done / text.len()) as u8));
            }
        }
    }
    with_suffixes(phrases, own)
}

/// Adds to each node the partial phrases that only its suffixes have.
fn with_suffixes(phrases: &Phrases, mut own: Vec<Vec<(u8, u8)>>) -> Vec<Vec<(u8, u8)>> {
    // Nodes of shorter texts come first, so the list of the suffix is complete.
    for &node in phrases.order() {
        let shorter = own[usize::from(phrases.suffix(node))].clone();
        let mine = &mut own[usize::from(node)];
        for other in shorter {
            if mine.iter().all(|(phrase, _)| *phrase != other.0) {
                mine.push(other);
            }
        }
    }
    own
}
