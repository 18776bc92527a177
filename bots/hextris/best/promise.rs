//! What the ways to write a command bring and promise.

use super::space::{Space, WAYS};
use crate::hextris::hopes::playable_from;
use arbitre_games::games::hextris::{Command, Node, Phrases, Piece};

/// What phrases promise units of one period.
pub struct Outlook {
    /// By way within the row and node, where all phrases were used before.
    worth: Vec<i32>,
    /// By node: the phrases that it has begun and the unit can end, and how many hundredths of each.
    begun: Vec<Vec<(u8, u8)>>,
}

/// What first uses count.
#[derive(Clone, Copy)]
pub struct FirstUses {
    /// The phrases that were used before.
    pub used: u64,
    /// The first use of another counts so many points.
    pub points: i32,
    /// One that was begun counts so many hundredths of the part that is there.
    pub promise: u32,
}

/// A way to write a command.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// What it brings and promises, in points.
    pub worth: i32,
    /// The node that it leads to.
    pub next: Node,
    /// The character.
    pub letter: u8,
    /// Does a phrase end that was not used before?
    pub is_first: bool,
}

/// The ways to write each command, the best first.
pub struct Arrows {
    arrows: Vec<Arrow>,
    /// By way, node and command.
    begins: Vec<u32>,
    /// By way and node.
    promises: Vec<i32>,
    nodes: usize,
}

impl Outlook {
    /// What phrases promise a unit where nothing is in its way.
    pub fn new(phrases: &Phrases, piece: &Piece) -> Outlook {
        let worth = Space::new(phrases, piece.period() > 1).worth();
        Outlook { worth, begun: beginnings(phrases, piece) }
    }

    /// By way and node: the points that a unit may count on.
    pub fn promises(&self, firsts: &FirstUses) -> Vec<i32> {
        let hope = |begun: &Vec<(u8, u8)>| {
            let fresh = begun.iter().filter(|(phrase, _)| firsts.used >> phrase & 1 == 0);
            let part = fresh.map(|&(_, part)| i32::from(part)).max().unwrap_or(0);
            part * firsts.points * firsts.promise as i32 / 10_000
        };
        let hopes: Vec<i32> = self.begun.iter().map(hope).collect();
        self.worth.iter().zip(hopes.iter().cycle()).map(|(worth, hope)| worth + hope).collect()
    }

    /// The ways to write each command, sorted by what they are worth then.
    pub fn arrows(&self, phrases: &Phrases, firsts: &FirstUses) -> Arrows {
        let (promises, nodes) = (self.promises(firsts), phrases.nodes());
        let (mut arrows, mut begins) = (Vec::new(), vec![0]);
        for promises in promises.chunks(nodes) {
            for node in 0..nodes as Node {
                for command in Command::ALL {
                    let begin = arrows.len();
                    arrows.extend(phrases.choices(node, command).iter().map(|choice| {
                        let (next, letter) = (choice.next, choice.letter);
                        let fresh = phrases.ended(next) & !firsts.used;
                        let first_uses = fresh.count_ones() as i32 * firsts.points;
                        let gain = phrases.gain(next) as i32 + first_uses;
                        let worth = gain + promises[usize::from(next)];
                        Arrow { worth, next, letter, is_first: fresh != 0 }
                    }));
                    arrows[begin..].sort_by_key(|arrow| -arrow.worth);
                    begins.push(arrows.len() as u32);
                }
            }
        }
        debug_assert_eq!(begins.len(), WAYS * nodes * Command::ALL.len() + 1);
        Arrows { arrows, begins, promises, nodes }
    }
}

impl Arrows {
    /// Those of a command at a node, where the unit goes a way within its row.
    #[inline]
    pub fn of(&self, way: usize, node: Node, command: Command) -> &[Arrow] {
        let at = (way * self.nodes + usize::from(node)) * Command::ALL.len() + command.index();
        &self.arrows[self.begins[at] as usize..self.begins[at + 1] as usize]
    }

    /// What a node promises where a unit may go either way.
    pub fn promise(&self, node: Node) -> i32 {
        self.promises[usize::from(node)]
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
    for node in 0..own.len() as Node {
        let not_done = |&node: &Node| !is_done[usize::from(node)];
        let chain = std::iter::successors(Some(node), |&node| Some(phrases.suffix(node)));
        let chain: Vec<Node> = chain.take_while(not_done).collect();
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
