//! The phrases of power and their Aho-Corasick automaton, which finds them all in one pass (A. Aho,
//! M. Corasick, "Efficient string matching: an aid to bibliographic search", 1975).

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

/// Most phrases of a set, as a subset of them is the bits of a `u64`.
pub const PHRASES_LIMIT: usize = 64;
/// Most bytes of all phrases together, so that the index of a node fits in 16 bits.
const CHARACTERS_LIMIT: usize = 60_000;
/// Points for the first use of a phrase.
pub const FIRST_USE: u64 = 300;

/// A state of the automaton: the longest suffix of the text that is a prefix of a phrase.
pub type PhraseNode = u16;

/// A letter for a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LetterChoice {
    /// The character.
    pub letter: u8,
    /// The node after the letter.
    pub next: PhraseNode,
}

/// A set of phrases and its automaton.
#[derive(Clone, Debug)]
pub struct Phrases {
    texts: Vec<String>,
    /// Successors by node and symbol.
    next: Vec<PhraseNode>,
    /// Failure links by node: the longest proper suffix that is a prefix of a phrase.
    suffix: Vec<PhraseNode>,
    /// Phrases that end at each node, as bits.
    ended: Vec<u64>,
    /// Points for these phrases, without first uses, by node.
    gain: Vec<u32>,
    /// The nodes, those of shorter texts first.
    order: Vec<PhraseNode>,
    /// Last node of each phrase.
    last: Vec<PhraseNode>,
    choices: Vec<LetterChoice>,
    /// Start of the choices of each node and command.
    choices_at: Vec<u32>,
}

impl PartialEq for Phrases {
    fn eq(&self, other: &Phrases) -> bool {
        self.texts == other.texts
    }
}

impl Phrases {
    /// The node before the first character.
    pub const ROOT: PhraseNode = 0;

    /// Creates the automaton of these phrases, in lower case and without duplicates. An empty set
    /// is valid.
    ///
    /// # Errors
    /// Returns an error if there are more than [`PHRASES_LIMIT`] phrases, or they are too long.
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
                 together, got {} of {characters}",
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

    /// Returns the eighteen phrases of the contest.
    pub fn official() -> Phrases {
        Phrases::new(&OFFICIAL).expect("the phrases are few and short")
    }

    /// Builds the trie of all phrases; 0 stands for a missing edge.
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
            // No solution may contain an invalid character, so such a phrase is never found.
            let can_occur = text.bytes().all(|byte| byte.is_ascii() && Symbol::of(byte).is_valid());
            if can_occur {
                self.ended[node] |= 1 << number;
            }
            self.last.push(node as PhraseNode);
        }
    }

    /// Adds the failure links, and fills missing edges with those of the failure link.
    fn link(&mut self) {
        let nodes = self.ended.len();
        self.suffix.resize(nodes, Phrases::ROOT);
        self.gain.resize(nodes, 0);
        // Breadth first: longer nodes need the links of shorter ones.
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

    /// Gathers the letters that are worth a choice: one for each successor. A letter that leads to
    /// the root is dropped if another does not: a phrase that begins at the root can begin at any
    /// node.
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

    /// Returns the phrases, in lower case.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns the number of nodes.
    #[inline]
    pub fn nodes(&self) -> usize {
        self.ended.len()
    }

    /// Returns the node after a symbol.
    #[inline]
    pub fn next(&self, node: PhraseNode, symbol: Symbol) -> PhraseNode {
        self.next[usize::from(node) * SYMBOLS + symbol.index()]
    }

    /// Returns the node after a letter.
    #[inline]
    pub fn after(&self, node: PhraseNode, letter: u8) -> PhraseNode {
        self.next(node, Symbol::of(letter))
    }

    /// Returns the phrases that end at a node, as bits in the order of [`Phrases::texts`].
    #[inline]
    pub fn ended(&self, node: PhraseNode) -> u64 {
        self.ended[usize::from(node)]
    }

    /// Returns the points for the phrases that end at a node, without [`FIRST_USE`].
    #[inline]
    pub fn gain(&self, node: PhraseNode) -> u32 {
        self.gain[usize::from(node)]
    }

    /// Returns the failure link: the longest proper suffix of a node that is a prefix of a phrase.
    #[inline]
    pub fn suffix(&self, node: PhraseNode) -> PhraseNode {
        self.suffix[usize::from(node)]
    }

    /// Returns the nodes, those of shorter texts first.
    pub fn order(&self) -> &[PhraseNode] {
        &self.order
    }

    /// Returns the letters for a command that are worth a choice: at least one, each with another
    /// successor.
    #[inline]
    pub fn choices(&self, node: PhraseNode, command: Command) -> &[LetterChoice] {
        let at = usize::from(node) * Command::ALL.len() + command.index();
        &self.choices[self.choices_at[at] as usize..self.choices_at[at + 1] as usize]
    }

    /// Returns the number of occurrences of each phrase, from the number of visits of each node.
    pub fn counts(&self, mut visits: Vec<u32>) -> Vec<u32> {
        // A visit of a node counts for its suffixes too. Longer nodes come first here.
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

    /// Returns the points for phrases, from their numbers of occurrences.
    pub fn power(&self, counts: &[u32]) -> u64 {
        let used = self.texts.iter().zip(counts).filter(|(_, &count)| count > 0);
        used.map(|(text, &count)| 2 * text.len() as u64 * u64::from(count) + FIRST_USE).sum()
    }
}
