//! What the ways to write a command bring and promise.

use super::open_space::OpenSpace;
use crate::hextris::phrases::playable_from;
use crate::hextris::row_direction::DIRECTIONS;
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases, Piece};

/// What phrases promise units of one period.
pub struct PhrasePotential {
    /// By direction within the row and node, where all phrases were used before.
    values: Vec<i32>,
    /// By node: the phrases that it has begun and the unit can end, and how many hundredths of each.
    begun: Vec<Vec<(u8, u8)>>,
}

/// What first uses count.
#[derive(Clone, Copy)]
pub struct FirstUseValue {
    /// The phrases that were used before.
    pub used: u64,
    /// The first use of another counts so many points.
    pub points: i32,
    /// One that was begun counts so many hundredths of the part that is there.
    pub begun_percent: u32,
}

/// A way to write a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpelling {
    /// What it brings and promises, in points.
    pub value: i32,
    /// The node that it leads to.
    pub next: PhraseNode,
    /// The character.
    pub letter: u8,
    /// Does a phrase end that was not used before?
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
    /// What phrases promise a unit where nothing is in its way.
    pub fn new(phrases: &Phrases, piece: &Piece) -> PhrasePotential {
        let values = OpenSpace::new(phrases, piece.period() > 1).relative_values();
        PhrasePotential { values, begun: beginnings(phrases, piece) }
    }

    /// By direction and node: the points that a unit may count on.
    pub fn prefix_values(&self, firsts: &FirstUseValue) -> Vec<i32> {
        let begun_value = |begun: &Vec<(u8, u8)>| {
            let fresh = begun.iter().filter(|(phrase, _)| firsts.used >> phrase & 1 == 0);
            let part = fresh.map(|&(_, part)| i32::from(part)).max().unwrap_or(0);
            part * firsts.points * firsts.begun_percent as i32 / 10_000
        };
        let begun: Vec<i32> = self.begun.iter().map(begun_value).collect();
        self.values.iter().zip(begun.iter().cycle()).map(|(value, begun)| value + begun).collect()
    }

    /// The ways to write each command, sorted by what they are worth then.
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
    /// Those of a command at a node, where the unit goes in a direction within its row.
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

/// By node, the phrases that it has begun and a unit can end, itself or by its shorter ends.
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

/// Adds to what each node has begun itself what its shorter ends have begun of other phrases.
fn with_suffixes(phrases: &Phrases, mut own: Vec<Vec<(u8, u8)>>) -> Vec<Vec<(u8, u8)>> {
    let mut is_done = vec![false; own.len()];
    is_done[usize::from(Phrases::ROOT)] = true;
    for node in 0..own.len() as PhraseNode {
        let not_done = |&node: &PhraseNode| !is_done[usize::from(node)];
        let chain = std::iter::successors(Some(node), |&node| Some(phrases.suffix(node)));
        let chain: Vec<PhraseNode> = chain.take_while(not_done).collect();
        for node in chain.into_iter().rev() {
            let shorter = own[usize::from(phrases.suffix(node))].clone();
            let mine = &mut own[usize::from(node)];
            let others = |other: &(u8, u8)| mine.iter().all(|(phrase, _)| *phrase != other.0);
            let others: Vec<(u8, u8)> = shorter.into_iter().filter(others).collect();
            mine.extend(others);
            is_done[usize::from(node)] = true;
        }
    }
    own
}
