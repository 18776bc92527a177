//! What phrases that were begun promise.

use arbitre_games::games::hextris::{Command, PhraseNode, Phrases, Symbol, FIRST_USE};

/// So many phrases that were begun are thought of at each node.
const MOST: usize = 3;
/// A promise is this part of what a phrase would bring, if it is all there but for the last letter.
const SHARE: usize = 2;

/// What a phrase promises, and how many rows it still goes down.
#[derive(Clone, Copy, Default, Debug)]
struct BegunPhrase {
    points: u32,
    rows: i32,
}

/// By node of the automaton, what may become of the phrases that the text ends with the beginning of.
#[derive(Clone, Debug, Default)]
pub struct BegunPhrases {
    /// Those that promise most come first.
    by_node: Vec<[BegunPhrase; MOST]>,
}

impl BegunPhrases {
    /// Gathers them for a unit that can play these phrases, where those of `used` were used. The more of a
    /// phrase is there, the larger is the part of it that counts.
    pub fn gather(&mut self, phrases: &Phrases, playable: u64, used: u64) {
        self.by_node.clear();
        self.by_node.resize(phrases.nodes(), [BegunPhrase::default(); MOST]);
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
                let points = value * done * (done + length) / (2 * length * length) / SHARE;
                let begun = BegunPhrase { points: points as u32, rows: rows as i32 };
                keep(&mut self.by_node[usize::from(node)], begun);
            }
        }
    }

    /// The best promise at a node that can be kept within so many rows.
    #[inline]
    pub fn prefix_value(&self, node: PhraseNode, rows: i32) -> u32 {
        let begun = &self.by_node[usize::from(node)];
        begun.iter().find(|begun| begun.rows <= rows).map_or(0, |begun| begun.points)
    }
}

fn keep(kept: &mut [BegunPhrase; MOST], mut begun: BegunPhrase) {
    for known in kept {
        if begun.points > known.points {
            std::mem::swap(known, &mut begun);
        }
    }
}

fn goes_down(letter: u8) -> bool {
    matches!(Symbol::of(letter).command(), Some(Command::SouthWest | Command::SouthEast))
}
