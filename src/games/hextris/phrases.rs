//! The phrases of power, and an automaton that finds them all in one pass (A. Aho, M. Corasick,
//! "Efficient string matching: an aid to bibliographic search", 1975).

use super::letters::{Command, Symbol, SYMBOLS};
use crate::game::ParseError;
use std::collections::VecDeque;

/// The eighteen phrases of the contest, the longest first.
pub const OFFICIAL: [&str; 18] = [
    "in his house at r'lyeh dead cthulhu waits dreaming.",
    "ph'nglui mglw'nafh cthulhu r'lyeh wgah'nagl fhtagn.",
    "case nightmare green",
    "cthulhu fhtagn!",
    "john bigboote",
    "necronomicon",
    "vigintillion",
    "the laundry",
    "tsathoggua",
    "yogsothoth",
    "blue hades",
    "monkeyboy",
    "planet 10",
    "yoyodyne",
    "ia! ia!",
    "yuggoth",
    "r'lyeh",
    "ei!",
];

/// So many phrases at most: a set of them is the bits of a word.
pub const PHRASES_LIMIT: usize = 64;
/// So many characters at most, all phrases together.
const CHARACTERS_LIMIT: usize = 60_000;
/// What the first use of a phrase brings.
pub const FIRST_USE: u64 = 300;

/// A state of the automaton: the longest end of the text that a phrase begins with.
pub type PhraseNode = u16;

/// A way to write a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LetterChoice {
    /// The character.
    pub letter: u8,
    /// The node that it leads to.
    pub next: PhraseNode,
}

/// A set of phrases and its automaton.
#[derive(Clone, Debug)]
pub struct Phrases {
    texts: Vec<String>,
    /// By node and symbol.
    next: Vec<PhraseNode>,
    /// By node: the next shorter end of the text that a phrase begins with.
    suffix: Vec<PhraseNode>,
    /// By node: the phrases that end there, as bits.
    ended: Vec<u64>,
    /// By node: what these bring, but for first uses.
    gain: Vec<u32>,
    /// The nodes, the shorter before the longer.
    order: Vec<PhraseNode>,
    /// By phrase: the node that it leads to.
    last: Vec<PhraseNode>,
    choices: Vec<LetterChoice>,
    /// By node and command: where its choices begin.
    choices_at: Vec<u32>,
}

impl PartialEq for Phrases {
    fn eq(&self, other: &Phrases) -> bool {
        self.texts == other.texts
    }
}

impl Phrases {
    /// The node in which a text begins.
    pub const ROOT: PhraseNode = 0;

    /// These phrases, in lower case and each once. None at all is a set as well.
    ///
    /// # Errors
    /// If there are more than [`PHRASES_LIMIT`], or they are too long.
    pub fn new<T: AsRef<str>>(phrases: &[T]) -> Result<Phrases, ParseError> {
        let mut texts: Vec<String> = Vec::new();
        for phrase in phrases.iter().map(|phrase| phrase.as_ref().to_lowercase()) {
            if !phrase.is_empty() && !texts.contains(&phrase) {
                texts.push(phrase);
            }
        }
        let characters: usize = texts.iter().map(String::len).sum();
        if texts.len() > PHRASES_LIMIT || characters > CHARACTERS_LIMIT {
            return Err(ParseError::new(format!(
                "expected at most {PHRASES_LIMIT} phrases of {CHARACTERS_LIMIT} characters \
                 together, not {} of {characters}",
                texts.len()
            )));
        }
        let mut automaton = Phrases {
            texts,
            next: vec![0; SYMBOLS],
            suffix: vec![Phrases::ROOT],
            ended: vec![0],
            gain: vec![0],
            order: vec![Phrases::ROOT],
            last: Vec::new(),
            choices: Vec::new(),
            choices_at: vec![0],
        };
        automaton.grow();
        automaton.link();
        automaton.choose();
        Ok(automaton)
    }

    /// The eighteen phrases of the contest.
    pub fn official() -> Phrases {
        Phrases::new(&OFFICIAL).expect("these are few and short")
    }

    /// A tree of all phrases; 0 stands for a missing branch.
    fn grow(&mut self) {
        for (number, text) in self.texts.iter().enumerate() {
            let mut node = usize::from(Phrases::ROOT);
            for byte in text.bytes() {
                let at = node * SYMBOLS + Symbol::of(byte).index();
                if self.next[at] == 0 {
                    self.next[at] = self.ended.len() as PhraseNode;
                    self.next.resize(self.next.len() + SYMBOLS, 0);
                    self.ended.push(0);
                }
                node = self.next[at].into();
            }
            // What a solution cannot hold is never found.
            let can_occur = text.bytes().all(|byte| byte.is_ascii() && Symbol::of(byte).is_valid());
            if can_occur {
                self.ended[node] |= 1 << number;
            }
            self.last.push(node as PhraseNode);
        }
    }

    /// Fills the missing branches with those of the next shorter end, level by level.
    fn link(&mut self) {
        let nodes = self.ended.len();
        self.suffix.resize(nodes, Phrases::ROOT);
        self.gain.resize(nodes, 0);
        let mut waiting = VecDeque::from([Phrases::ROOT]);
        while let Some(node) = waiting.pop_front() {
            let (at, suffix) = (usize::from(node), usize::from(self.suffix[usize::from(node)]));
            if node != Phrases::ROOT {
                self.order.push(node);
                self.ended[at] |= self.ended[suffix];
            }
            self.gain[at] = self.gain_of(self.ended[at]);
            for symbol in 0..SYMBOLS {
                let shorter = match node {
                    Phrases::ROOT => Phrases::ROOT,
                    _ => self.next[suffix * SYMBOLS + symbol],
                };
                let branch = &mut self.next[at * SYMBOLS + symbol];
                if *branch == 0 {
                    *branch = shorter;
                } else {
                    self.suffix[usize::from(*branch)] = shorter;
                    waiting.push_back(*branch);
                }
            }
        }
    }

    fn gain_of(&self, ended: u64) -> u32 {
        let lengths = self.texts.iter().enumerate().filter(|(i, _)| ended >> i & 1 != 0);
        lengths.map(|(_, text)| 2 * text.len() as u32).sum()
    }

    /// Gathers the letters that are worth a choice: one for each node that they lead to, and none
    /// that leads to the root if another leads elsewhere, as whatever follows from the root follows
    /// from there.
    fn choose(&mut self) {
        for node in 0..self.ended.len() {
            for command in Command::ALL {
                let begin = self.choices.len();
                for &letter in command.letters() {
                    let next = self.next[node * SYMBOLS + Symbol::of(letter).index()];
                    if self.choices[begin..].iter().all(|choice| choice.next != next) {
                        self.choices.push(LetterChoice { letter, next });
                    }
                }
                if self.choices.len() > begin + 1 {
                    let root = self.choices[begin..].iter().position(|c| c.next == Phrases::ROOT);
                    root.map(|at| self.choices.remove(begin + at));
                }
                self.choices_at.push(self.choices.len() as u32);
            }
        }
    }

    /// The phrases, in lower case.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// How many nodes there are.
    #[inline]
    pub fn nodes(&self) -> usize {
        self.ended.len()
    }

    /// Where a character leads.
    #[inline]
    pub fn next(&self, node: PhraseNode, symbol: Symbol) -> PhraseNode {
        self.next[usize::from(node) * SYMBOLS + symbol.index()]
    }

    /// Where a character leads.
    #[inline]
    pub fn after(&self, node: PhraseNode, letter: u8) -> PhraseNode {
        self.next(node, Symbol::of(letter))
    }

    /// The phrases that end at a node, as bits in the order of [`Phrases::texts`].
    #[inline]
    pub fn ended(&self, node: PhraseNode) -> u64 {
        self.ended[usize::from(node)]
    }

    /// What these bring, but for [`FIRST_USE`].
    #[inline]
    pub fn gain(&self, node: PhraseNode) -> u32 {
        self.gain[usize::from(node)]
    }

    /// The next shorter end of the text that a phrase begins with.
    #[inline]
    pub fn suffix(&self, node: PhraseNode) -> PhraseNode {
        self.suffix[usize::from(node)]
    }

    /// Returns the nodes, those of shorter texts first.
    pub fn order(&self) -> &[PhraseNode] {
        &self.order
    }

    /// The ways to write a command that are worth a choice: one at least, each to another node.
    #[inline]
    pub fn choices(&self, node: PhraseNode, command: Command) -> &[LetterChoice] {
        let at = usize::from(node) * Command::ALL.len() + command.index();
        &self.choices[self.choices_at[at] as usize..self.choices_at[at + 1] as usize]
    }

    /// How often each phrase occurs where each node was come to so often.
    pub fn counts(&self, mut visits: Vec<u32>) -> Vec<u32> {
        for &node in self.order.iter().rev() {
            let count = visits[usize::from(node)];
            if node != Phrases::ROOT {
                visits[usize::from(self.suffix(node))] += count;
            }
        }
        let numbered = self.last.iter().enumerate();
        let is_found = |number: usize, node: PhraseNode| self.ended(node) >> number & 1 != 0;
        numbered
            .map(|(i, &node)| if is_found(i, node) { visits[usize::from(node)] } else { 0 })
            .collect()
    }

    /// What phrases bring that occur so often.
    pub fn power(&self, counts: &[u32]) -> u64 {
        let used = self.texts.iter().zip(counts).filter(|(_, &count)| count > 0);
        used.map(|(text, &count)| 2 * text.len() as u64 * u64::from(count) + FIRST_USE).sum()
    }
}
