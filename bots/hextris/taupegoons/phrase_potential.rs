//! Phrase potential: values of the partial phrases at the end of a text.

use crate::hextris::phrases::TextEnd;
use arbitre_games::games::hextris::{Command, PhraseNode, Phrases, Symbol, FIRST_USE};

/// Number of partial phrases kept for a node. Not tuned.
const MOST: usize = 3;
/// Divisor of the value of an almost complete phrase. Not tuned.
const SHARE: usize = 2;

/// The value of a partial phrase, and the rows that its remaining letters go down.
#[derive(Clone, Copy, Default, Debug)]
struct PartialPhrase {
    points: u32,
    rows: i32,
}

/// Partial phrases at the end of a text, by node.
#[derive(Clone, Debug, Default)]
pub struct PartialPhrases {
    /// The most valuable ones, the best first.
    by_node: Vec<[PartialPhrase; MOST]>,
}

impl PartialPhrases {
    /// Gathers the partial phrases after a text, for a unit that can play those of `playable`. A
    /// larger part of a phrase counts a larger part of its points.
    pub fn gather(&mut self, &TextEnd { phrases, used, .. }: &TextEnd, playable: u64) {
        self.by_node.clear();
        self.by_node.resize(phrases.nodes(), [PartialPhrase::default(); MOST]);
        for (number, text) in phrases.texts().iter().enumerate() {
            if playable >> number & 1 == 0 {
                continue;
            }
            let first_use = if used >> number & 1 == 0 { FIRST_USE as usize } else { 0 };
            let (length, value) = (text.len(), 2 * text.len() + first_use);
            let mut rows = text.bytes().filter(|&letter| goes_down(letter)).count();
            let mut node = Phrases::ROOT;
            for (done, letter) in (1..length).zip(text.bytes()) {
                node = phrases.after(node, letter);
                rows -= usize::from(goes_down(letter));
                // Grows faster than the letters played: half of a phrase counts 3/8 of its share.
                let points = value * done * (done + length) / (2 * length * length) / SHARE;
                let partial = PartialPhrase { points: points as u32, rows: rows as i32 };
                keep(&mut self.by_node[usize::from(node)], partial);
            }
        }
    }

    /// Returns the highest value of a partial phrase of a node that can be completed within `rows`
    /// rows.
    #[inline]
    pub fn prefix_value(&self, node: PhraseNode, rows: i32) -> u32 {
        let mut partial = self.by_node[usize::from(node)].iter();
        partial.find(|phrase| phrase.rows <= rows).map_or(0, |phrase| phrase.points)
    }
}

fn keep(kept: &mut [PartialPhrase; MOST], mut partial: PartialPhrase) {
    for known in kept {
        if partial.points > known.points {
            std::mem::swap(known, &mut partial);
        }
    }
}

fn goes_down(letter: u8) -> bool {
    matches!(Symbol::of(letter).command(), Some(Command::SouthWest | Command::SouthEast))
}
