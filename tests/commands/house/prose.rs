//! Rules of language that can be counted. A count may not rise above its ceiling, which is recorded
//! in `tests/data/prose.txt` and only ever lowered.

use super::layout::{folders, read, root, sources};
use std::collections::BTreeMap;
use std::fs;

/// First words that say nothing about the item.
const OPENINGS: [&str; 25] = [
    "What",
    "Who",
    "Whose",
    "Whoever",
    "Whom",
    "How",
    "Where",
    "When",
    "Why",
    "So",
    "Its",
    "It",
    "That",
    "Those",
    "Such",
    "As",
    "By",
    "Of",
    "Nobody",
    "Somebody",
    "Nor",
    "Which",
    "Whatever",
    "Whichever",
    "The one that",
];
/// Vague amounts.
const AMOUNTS: [&str; 4] = ["so many", "so much", "as many", "as much"];
/// Pronouns for people, which programs and players are not.
const PERSONS: [&str; 8] =
    ["he", "his", "him", "whoever", "whose turn", "somebody", "nobody", "everybody"];
/// Phrases that stand for a plain verb.
const COINED: [&str; 14] = [
    "passes over",
    "pass over",
    "passed over",
    "but for",
    "goes on with",
    "go on with",
    "mend",
    "mends",
    "mended",
    "is told",
    "are told",
    "comes to nothing",
    "look ahead",
    "looks ahead",
];
/// Most words of a sentence.
const MOST_WORDS: usize = 25;
/// Most columns of a comment.
const MOST_COLUMNS: usize = 100;

/// Counts by name, each with the places of its findings.
#[derive(Default)]
struct Counts {
    found: BTreeMap<&'static str, Vec<String>>,
    code_lines: usize,
    whys: usize,
}

impl Counts {
    fn add(&mut self, name: &'static str, place: &str, words: &str) {
        let shown: String = words.chars().take(90).collect();
        self.found.entry(name).or_default().push(format!("{place}: {shown}"));
    }

    fn phrases(&mut self, place: &str, prose: &str) {
        let lists = [("amounts", &AMOUNTS[..]), ("persons", &PERSONS), ("coined", &COINED)];
        for (name, phrases) in lists {
            if phrases.iter().any(|phrase| has_phrase(prose, phrase)) {
                self.add(name, place, prose);
            }
        }
    }

    /// Counts the long sentences of a paragraph, which is left empty.
    fn sentences(&mut self, place: &str, paragraph: &mut String) {
        let ends = |c: char| ['.', '!', '?', ':'].contains(&c);
        let mut words = 0;
        let text = std::mem::take(paragraph);
        for word in text.split_whitespace() {
            words += 1;
            if word.trim_end_matches([')', '`', '*', '"']).ends_with(ends) {
                if words > MOST_WORDS {
                    self.add("long sentences", place, &text);
                }
                words = 0;
            }
        }
        if words > MOST_WORDS {
            self.add("long sentences", place, &text);
        }
    }
}

/// Returns `true` if the phrase occurs between word boundaries, in any case.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

fn opens_badly(line: &str) -> bool {
    let is_question = line.ends_with('?') && !line[..line.len() - 1].contains('.');
    let opens = |word: &&str| {
        let rest = line.strip_prefix(*word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    is_question || OPENINGS.iter().any(opens)
}

fn count_code(counts: &mut Counts, path: &str, text: &str) {
    let (mut in_block, mut is_fenced, mut paragraph) = (false, false, String::new());
    for (number, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", number + 1);
        let trimmed = line.trim_start();
        let doc = trimmed.strip_prefix("///").or_else(|| trimmed.strip_prefix("//!"));
        let comment = trimmed.strip_prefix("//").filter(|_| doc.is_none());
        counts.code_lines += usize::from(!trimmed.is_empty() && doc.or(comment).is_none());
        counts.whys += usize::from(comment.is_some());
        if let Some(doc) = doc.map(str::trim) {
            if !in_block && opens_badly(doc) {
                counts.add("openings", &place, doc);
            }
        }
        in_block = doc.is_some();
        is_fenced = doc.is_some_and(|doc| is_fenced ^ doc.trim().starts_with("```"));
        let Some(prose) = doc.or(comment).map(str::trim) else {
            counts.sentences(&place, &mut paragraph);
            continue;
        };
        if prose.is_empty() || prose.starts_with(['#', '|', '`', '-', '*']) {
            counts.sentences(&place, &mut paragraph);
        }
        counts.phrases(&place, prose);
        if line.chars().count() > MOST_COLUMNS {
            counts.add("wide comments", &place, prose);
        }
        if !is_fenced && !prose.starts_with(['|', '#', '`']) {
            paragraph += prose;
            paragraph.push(' ');
        }
    }
    counts.sentences(path, &mut paragraph);
    count_names(counts, path, text);
}

/// Counts the names of tests and the texts of strings that break the same rules.
fn count_names(counts: &mut Counts, path: &str, text: &str) {
    let mut is_test = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        if let Some(name) = line.trim_start().strip_prefix("fn ").filter(|_| is_test) {
            let words = name.split('(').next().unwrap_or_default().replace('_', " ");
            let persons = ["who", "he", "his", "him", "whoever", "somebody", "nobody"];
            if persons.iter().chain(&AMOUNTS).any(|word| has_phrase(&words, word)) {
                counts.add("test names", path, &words);
            }
        }
        is_test = line.trim() == "#[test]" || (is_test && line.trim().starts_with("#["));
        for string in line.split('"').skip(1).step_by(2) {
            let persons = PERSONS.iter().chain(&AMOUNTS);
            if persons.into_iter().any(|phrase| has_phrase(string, phrase)) {
                counts.add("strings", path, string);
            }
        }
    }
}

fn count_page(counts: &mut Counts, path: &str, text: &str) {
    let (mut is_fenced, mut paragraph) = (false, String::new());
    for (number, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", number + 1);
        is_fenced ^= line.starts_with("```");
        let is_prose = !is_fenced && !line.starts_with(['|', '`', '#']) && !line.trim().is_empty();
        if !is_prose || line.trim_start().starts_with(['-', '*']) {
            counts.sentences(&place, &mut paragraph);
        }
        if is_prose {
            counts.phrases(&place, line);
            paragraph += line;
            paragraph.push(' ');
        }
    }
    counts.sentences(path, &mut paragraph);
}

fn count_all() -> Counts {
    let mut counts = Counts::default();
    for file in ["src", "bots", "referee", "tests", "benches"].into_iter().flat_map(sources) {
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if path != "tests/commands/house/prose.rs" {
            count_code(&mut counts, &path, &fs::read_to_string(&file).unwrap());
        }
    }
    let bots = folders("bots").into_iter().map(|bot| format!("bots/{bot}"));
    let pages = ["", "docs"].map(str::to_owned).into_iter().chain(bots);
    let entries = pages.flat_map(|folder| fs::read_dir(root().join(folder)).unwrap()).flatten();
    for entry in entries.filter(|entry| entry.path().extension().is_some_and(|e| e == "md")) {
        let path = entry.path().strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        count_page(&mut counts, &path, &fs::read_to_string(entry.path()).unwrap());
    }
    counts
}

/// Run with `LIST_PROSE=1 cargo test --test commands prose -- --nocapture` to list every finding.
#[test]
fn counts_of_language_stay_below_their_ceilings() {
    let counts = count_all();
    if std::env::var_os("LIST_PROSE").is_some() {
        for (name, places) in &counts.found {
            places.iter().for_each(|place| eprintln!("{name}: {place}"));
        }
    }
    let mut risen = Vec::new();
    for line in read("tests/data/prose.txt").lines().filter(|line| !line.starts_with('#')) {
        let (name, limit) = line.rsplit_once(' ').expect("a name and a number");
        let limit: usize = limit.parse().expect("a number");
        if name == "why comments per thousand lines, at least" {
            let share = 1000 * counts.whys / counts.code_lines;
            if share < limit {
                risen.push(format!("{name} {limit}, found {share}"));
            }
            continue;
        }
        let places = counts.found.get(name).map_or(&[][..], Vec::as_slice);
        eprintln!("{name}: {} of {limit}", places.len());
        if places.len() > limit {
            risen.push(format!(
                "{name}: {} of at most {limit}\n{}",
                places.len(),
                places.join("\n")
            ));
        }
    }
    assert!(risen.is_empty(), "{}", risen.join("\n"));
}

#[test]
fn findings_are_seen() {
    let mut counts = Counts::default();
    count_code(
        &mut counts,
        "a.rs",
        "/// What it is.\nfn f() {}\n/// The limit.\n// Nobody waits.\n",
    );
    count_page(&mut counts, "a.md", &format!("So many. {}end.\n", "word ".repeat(25)));
    let numbers: Vec<_> = counts.found.iter().map(|(name, found)| (*name, found.len())).collect();
    assert_eq!(numbers, [("amounts", 1), ("long sentences", 1), ("openings", 1), ("persons", 1)]);
    assert_eq!((counts.code_lines, counts.whys), (1, 1));
}
