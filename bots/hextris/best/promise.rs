//! What it promises to have begun a phrase.

use crate::games::hextris::{Node, Phrases};

/// The phrases that each node of the automaton has begun: by node, which phrase and how many letters.
pub struct Beginnings {
    by_node: Vec<Vec<(u8, u16)>>,
    lengths: Vec<u16>,
}

impl Beginnings {
    /// Those of an automaton.
    pub fn new(phrases: &Phrases) -> Beginnings {
        let mut own = vec![Vec::new(); phrases.nodes()];
        let lengths = phrases.texts().iter().map(|text| text.len() as u16).collect();
        for (number, text) in phrases.texts().iter().enumerate() {
            let mut node = Phrases::ROOT;
            let nodes: Vec<Node> = text
                .bytes()
                .map(|letter| {
                    node = phrases.after(node, letter);
                    node
                })
                .collect();
            let (last, before) = nodes.split_last().expect("no phrase is empty");
            if phrases.ended(*last) >> number & 1 != 0 {
                for (letters, &node) in before.iter().enumerate() {
                    own[usize::from(node)].push((number as u8, letters as u16 + 1));
                }
            }
        }
        let by_node = (0..phrases.nodes()).map(|node| with_suffixes(phrases, &own, node)).collect();
        Beginnings { by_node, lengths }
    }

    /// By node: points that it may count on if these phrases were used before. The more of a phrase is
    /// there, the surer the rest.
    pub fn promises(&self, used: u64, first_use: i32, percent: u32) -> Vec<i32> {
        let worth = |&(phrase, letters): &(u8, u16)| {
            let length = u32::from(self.lengths[usize::from(phrase)]);
            let first = if used >> phrase & 1 == 0 { first_use as u32 } else { 0 };
            (2 * length + first) * u32::from(letters) / length * percent / 100
        };
        let best = |begun: &Vec<(u8, u16)>| begun.iter().map(worth).max().unwrap_or(0) as i32;
        self.by_node.iter().map(best).collect()
    }
}

/// What a node has begun itself, and what its shorter ends have.
fn with_suffixes(phrases: &Phrases, own: &[Vec<(u8, u16)>], node: usize) -> Vec<(u8, u16)> {
    let (mut node, mut all) = (node as Node, Vec::new());
    while node != Phrases::ROOT {
        all.extend_from_slice(&own[usize::from(node)]);
        node = phrases.suffix(node);
    }
    all
}
