//! Values of the begun phrases, and with them of each way to write a command.

use super::open_space::OpenSpace;
use crate::hextris::phrases::playable_from;
use crate::hextris::row_direction::DIRECTIONS;
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases, Piece};

/// Values of begun phrases to units of one period.
pub struct PhrasePotential {
    /// By direction within the row and node, where all phrases were used before.
    values: Vec<i32>,
    /// Phrases that a node has begun and the unit can end, with the hundredths of each that are
    /// there.
    begun: Vec<Vec<(u8, u8)>>,
}

/// Value of the first use of a phrase.
#[derive(Clone, Copy)]
pub struct FirstUseValue {
    /// The phrases that were used before.
    pub used: u64,
    /// Value of the first use of another, in points.
    pub points: i32,
    /// Value of one that was begun, in hundredths of the part that is there.
    pub begun_percent: u32,
}

/// A way to write a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpelling {
    /// The points that it brings and the value of the phrases begun then.
    pub value: i32,
    /// The node that it leads to.
    pub next: PhraseNode,
    /// The character.
    pub letter: u8,
    /// Whether a phrase ends that was not used before.
    pub is_first: bool,
}

/// The ways to write each command, the best first.
pub struct SpellingTable {
    spellings: Vec<CommandSpelling>,
    /// By direction, node and command.
    begins: Vec<u32>,
    /// By direction and node.
    prefix_values: Vec<i32>,
    nodes: usize,
}

impl PhrasePotential {
    /// Computes the values to a unit where nothing is in its way.
    pub fn new(phrases: &Phrases, piece: &Piece) -> PhrasePotential {
        let values = OpenSpace::new(phrases, piece.period() > 1).relative_values();
        PhrasePotential { values, begun: beginnings(phrases, piece) }
    }

    /// Returns the values of the begun phrases by direction and node, in points.
    pub fn prefix_values(&self, firsts: &FirstUseValue) -> Vec<i32> {
        let begun_value = |begun: &Vec<(u8, u8)>| {
            let fresh = begun.iter().filter(|(phrase, _)| firsts.used >> phrase & 1 == 0);
            let part = fresh.map(|&(_, part)| i32::from(part)).max().unwrap_or(0);
            part * firsts.points * firsts.begun_percent as i32 / 10_000
        };
        let begun: Vec<i32> = self.begun.iter().map(begun_value).collect();
        self.values.iter().zip(begun.iter().cycle()).map(|(value, begun)| value + begun).collect()
    }

    /// Returns the ways to write each command, sorted by their values.
    pub fn spellings(&self, phrases: &Phrases, firsts: &FirstUseValue) -> SpellingTable {
        let (prefix_values, nodes) = (self.prefix_values(firsts), phrases.nodes());
        let (mut spellings, mut begins) = (Vec::new(), vec![0]);
        for prefix_values in prefix_values.chunks(nodes) {
            for node in 0..nodes as PhraseNode {
                for command in Command::ALL {
                    let begin = spellings.len();
                    spellings.extend(phrases.choices(node, command).iter().map(|choice| {
                        let (next, letter) = (choice.next, choice.letter);
                        let fresh = phrases.ended(next) & !firsts.used;
                        let first_uses = fresh.count_ones() as i32 * firsts.points;
                        let gain = phrases.gain(next) as i32 + first_uses;
                        let value = gain + prefix_values[usize::from(next)];
                        CommandSpelling { value, next, letter, is_first: fresh != 0 }
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
    /// Returns the ways to write a command at a node, where the unit moves in a direction within
    /// its row.
    #[inline]
    pub fn of(&self, direction: usize, node: PhraseNode, command: Command) -> &[CommandSpelling] {
        let at =
            (direction * self.nodes + usize::from(node)) * Command::ALL.len() + command.index();
        &self.spellings[self.begins[at] as usize..self.begins[at + 1] as usize]
    }

    /// Returns the value of the begun phrases of a node where a unit may go either way.
    pub fn prefix_value(&self, node: PhraseNode) -> i32 {
        self.prefix_values[usize::from(node)]
    }
}

/// Returns the phrases that each node or its shorter ends have begun and a unit can complete, with
/// the hundredths of each that are there.
fn beginnings(phrases: &Phrases, piece: &Piece) -> Vec<Vec<(u8, u8)>> {
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

/// Adds to the phrases that a node has begun those that only its shorter ends have begun.
fn with_suffixes(phrases: &Phrases, mut own: Vec<Vec<(u8, u8)>>) -> Vec<Vec<(u8, u8)>> {
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
