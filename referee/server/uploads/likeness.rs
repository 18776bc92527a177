//! Programs that have much in common, found by winnowing: S. Schleimer, D. Wilkerson, A. Aiken,
//! "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.
//!
//! A source is a row of tokens. All names are one token, all numbers another, all texts a third.
//! Comments and blanks are left out. Each run of [`RUN`] tokens has a hash, and of every [`WINDOW`]
//! hashes the least is kept. So any [`RUN`] + [`WINDOW`] − 1 tokens that two sources share are
//! found.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Tokens of a run that is compared. Not tuned.
const RUN: usize = 12;
/// Hashes of which one is kept. Not tuned.
const WINDOW: usize = 8;
/// Hashes that a source must have: a shorter one is like any other. Not tuned.
const LEAST: usize = 20;
/// Share of the shorter source from which on two are named. Not tuned.
const MUCH: f64 = 0.5;
/// Sources that share a run from which on it counts for none of them: it is from a lesson, or a
/// template. Not tuned.
const COMMON: usize = 4;
/// Words that are not names. A word that a language lacks is rarely a name in it.
const KEYWORDS: [&str; 40] = [
    "and", "begin", "bool", "break", "case", "char", "class", "const", "continue", "def", "double",
    "elif", "else", "end", "false", "float", "fn", "for", "fun", "function", "if", "import", "in",
    "int", "let", "loop", "match", "new", "not", "or", "public", "return", "static", "struct",
    "switch", "then", "true", "var", "void", "while",
];

/// Two sources that have much in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Places of the two among the sources, the smaller one first.
    pub of: (usize, usize),
    /// Share of the shorter one that is in the other, too.
    pub share: f64,
}

/// Returns the pairs of sources that have much in common, the largest share first.
pub fn pairs(sources: &[String]) -> Vec<Pair> {
    let mut prints: Vec<HashSet<u64>> = sources.iter().map(|source| fingerprints(source)).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    prints.iter().flatten().for_each(|print| *counts.entry(*print).or_default() += 1);
    prints.iter_mut().for_each(|of| of.retain(|print| counts[print] < COMMON));
    let mut pairs = Vec::new();
    for (second, of_second) in prints.iter().enumerate() {
        for (first, of_first) in prints[..second].iter().enumerate() {
            let shorter = of_first.len().min(of_second.len());
            let share = of_first.intersection(of_second).count() as f64 / shorter as f64;
            if shorter >= LEAST && share >= MUCH {
                pairs.push(Pair { of: (first, second), share });
            }
        }
    }
    pairs.sort_by(|one, other| other.share.total_cmp(&one.share));
    pairs
}

/// Returns the hashes of a source that are kept.
fn fingerprints(source: &str) -> HashSet<u64> {
    let tokens = tokens(source);
    let hash = |run: &[&str]| {
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        hasher.finish()
    };
    let hashes: Vec<u64> = tokens.windows(RUN).map(hash).collect();
    hashes.windows(WINDOW).filter_map(|window| window.iter().min().copied()).collect()
}

/// Returns the tokens of a source of any language.
fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let line = || rest.find('\n').unwrap_or(rest.len());
        let until = |start: usize, end: &str| {
            rest[start..].find(end).map_or(rest.len(), |at| start + at + end.len())
        };
        let length = match first {
            // A line of C that begins so is rarely copied alone.
            '#' => line(),
            '/' if rest.starts_with("//") => line(),
            '/' if rest.starts_with("/*") => until(2, "*/"),
            '(' if rest.starts_with("(*") => until(2, "*)"),
            '"' if rest.starts_with("\"\"\"") => until(3, "\"\"\""),
            '"' | '\'' => {
                tokens.push("\"");
                text_length(rest, first)
            }
            _ if first.is_numeric() || is_word(first) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = &rest[..length];
                let known = KEYWORDS.iter().find(|keyword| **keyword == word);
                tokens.push(match (known, first.is_numeric()) {
                    (Some(keyword), _) => keyword,
                    (None, true) => "0",
                    (None, false) => "v",
                });
                length
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                tokens.push(&rest[..first.len_utf8()]);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of a text in quotes, which ends at the end of its line at the latest.
fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of some length: a bot of `referee new`, and lines of its own.
    fn program(own: &[&str]) -> String {
        let mut text = String::from("import sys\n");
        for line in own {
            text += &format!("{line}\n");
        }
        text
    }

    const ADA: [&str; 14] = [
        "def value(board, seat):  # what I think",
        "    mine, others = 0, 0",
        "    for pit in range(6):",
        "        if seat == 0: mine += board[pit] * 3",
        "        else: others -= board[pit + 6] // 2",
        "    return mine * 4 - others if mine > others else -others",
        "def search(board, depth, alpha, beta):",
        "    if depth == 0: return value(board, depth % 2)",
        "    for move in moves(board):",
        "        score = -search(play(board, move), depth - 1, -beta, -alpha)",
        "        if score >= beta: return beta",
        "        alpha = max(alpha, score)",
        "    return alpha",
        "print(search([4] * 12, 6, -100, 100), 'done')",
    ];

    #[test]
    fn other_names_numbers_comments_and_places_hide_nothing() {
        let copy = program(&ADA)
            .replace("board", "plateau")
            .replace("alpha", "a")
            .replace("# what I think", "# mon idée")
            .replace("100", "9999")
            .replace("'done'", "\"fini\"");
        let moved = format!("def other():\n    return 1\n\n{}", copy.replace("    ", "\t"));
        let own = "x = [i * i for i in range(9) if i % 2]\nwhile x and x[0] < 9:\n    x = x[1:]\n"
            .repeat(3)
            + "class A:\n    def __init__(self, a): self.a = {k: v for k, v in a}\n"
            + "    def best(self): return sorted(self.a.items(), key=lambda i: (i[1], -i[0]))[0]\n"
            + "try:\n    print(A(zip(x, x)).best())\nexcept (IndexError, KeyError) as error:\n"
            + "    raise SystemExit(str(error)) from None\n";
        let found = pairs(&[program(&ADA), own, moved]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].of, (0, 2));
        assert!(found[0].share > 0.9, "{found:?}");
    }

    #[test]
    fn what_many_share_counts_for_none() {
        let class: Vec<String> =
            (0..COMMON).map(|number| format!("# {number}\n{}", program(&ADA))).collect();
        assert!(pairs(&class).is_empty());
        assert_eq!(pairs(&class[..2]).len(), 1);
        assert!(pairs(&["x = 1".into(), "x = 1".into()]).is_empty(), "too short to say");
        assert!(pairs(&[String::new(), "é\"".into(), "/*".into(), "'\\".into()]).is_empty());
    }
}
