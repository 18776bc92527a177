//! The lines of standard error, or of a build, that a report shows.

use crate::escape::escape;
use std::ops::Range;

/// Number of lines that are shown. Not tuned.
const LINES: usize = 5;

/// Beginnings of lines that name an error, in the words of runtimes: C and C++, Go, Java, Node,
/// OCaml, Rust, shells, and of the compiler of Rust.
const BEGINNINGS: [&str; 11] = [
    "Error: ",
    "Exception in thread ",
    "Fatal error: ",
    "Uncaught ",
    "Unhandled ",
    "error: ",
    "error[",
    "fatal error: ",
    "panic: ",
    "terminate called ",
    "thread '",
];

/// Returns the lines of a report, each safe for a terminal: the first one that names an error, then
/// the last ones, without blank lines. Some runtimes name the error first, and then the calls that
/// led to it; others end with the error.
pub fn last_words(stderr: &str) -> Vec<String> {
    let said = said(stderr);
    let last = said.len().saturating_sub(LINES);
    let mut shown = Vec::new();
    if let Some(named) = named(&said).filter(|named| named.start < last) {
        shown.extend(&said[named.clone()]);
        shown.extend(&said[last + named.len()..]);
    } else {
        shown.extend(&said[last..]);
    }
    shown.into_iter().map(|line| format!("standard error: {}", escape(line))).collect()
}

/// Returns the first error that a text names, else its last line; in one line that is safe for a
/// terminal. `None` without text.
pub fn telling_line(text: &str) -> Option<String> {
    let said = said(text);
    let last = said.len().checked_sub(1)?;
    let shown = &said[named(&said).unwrap_or(last..last + 1)];
    Some(escape(&shown.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")))
}

/// Returns the lines of a text that are not blank.
fn said(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

/// Returns the place of the first lines that name an error: Rust writes the message on the next
/// line.
fn named(said: &[&str]) -> Option<Range<usize>> {
    let at = said.iter().position(|line| names_an_error(line))?;
    let count = 1 + usize::from(said[at].ends_with(':'));
    Some(at..(at + count).min(said.len()))
}

/// Words of compilers before an error, after the place in a file: C and C++, C#, Java, TypeScript.
const OF_COMPILERS: [&str; 3] = [": error: ", ": fatal error: ", ": error "];

/// Returns `true` if a line begins with the name of an error, such as `ReferenceError: …` or
/// `java.lang.NullPointerException`, or has one after a place: `bot.c:3:1: error: …`.
fn names_an_error(line: &str) -> bool {
    let word = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = word.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
    let ends = ["Error", "Exception"].iter().any(|end| word.ends_with(end));
    (is_name && ends)
        || BEGINNINGS.iter().any(|begin| line.starts_with(begin))
        || OF_COMPILERS.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Standard error of programs that end by an error, in the form of their runtimes, shortened.
    #[test]
    fn line_that_names_the_error_is_shown() {
        let calls = |call: &str| call.repeat(9);
        let cases = [
            (
                format!(
                    "/home/b/bot.js:1\nconst line = readline();\n             ^\n\n\
                     ReferenceError: readline is not defined\n{}\nNode.js v18.20.4\n",
                    calls("    at Module._compile (node:internal/modules/cjs/loader:1356:14)\n")
                ),
                "ReferenceError: readline is not defined",
            ),
            (
                format!(
                    "Exception in thread \"main\" java.lang.StackOverflowError\n{}",
                    calls("\tat Bot.search(Bot.java:3)\n")
                ),
                "Exception in thread \"main\" java.lang.StackOverflowError",
            ),
            (
                format!(
                    "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\n{}",
                    calls("   4: bot::main\n")
                ),
                "index out of bounds",
            ),
            (
                format!("{}ValueError: no number\n", calls("  File \"bot.py\", line 3, in f\n")),
                "ValueError: no number",
            ),
            (
                format!(
                    "terminate called after throwing an instance of 'std::out_of_range'\n{}",
                    calls("x\n")
                ),
                "terminate called after throwing an instance of 'std::out_of_range'",
            ),
        ];
        for (text, named) in cases {
            let lines = last_words(&text);
            assert!(lines.contains(&format!("standard error: {named}")), "{lines:#?}");
            let last = text.lines().last().unwrap();
            assert_eq!(lines.last(), Some(&format!("standard error: {}", escape(last))));
            assert!(lines.len() <= LINES, "{lines:#?}");
        }
    }

    #[test]
    fn telling_line_names_the_error() {
        for (text, expected) in [
            ("", None),
            (" \n\n", None),
            (
                "  File \"bot.py\", line 1\n    f(:\n      ^\nSyntaxError: bad\n",
                Some("SyntaxError: bad"),
            ),
            (
                "thread 'main' panicked at m.rs:2:5:\nno\n   4: main\n",
                Some("thread 'main' panicked at m.rs:2:5: no"),
            ),
            ("Unhandled Exception:\n", Some("Unhandled Exception:")),
            (
                "  bot.c:1:9: fatal error: a.h: none\n  1 | #include\n  ended\n",
                Some("bot.c:1:9: fatal error: a.h: none"),
            ),
            (
                "bot.c:3:1: error: one\nbot.c:4:1: error: two\nmake: *** [bot] Error 1\n",
                Some("bot.c:3:1: error: one"),
            ),
            (
                "bot.ts(1,5): error TS1005: ';' expected.\n",
                Some("bot.ts(1,5): error TS1005: ';' expected."),
            ),
            ("error[E0425]: no x\n --> m.rs\nerror: aborting\n", Some("error[E0425]: no x")),
            ("hello\n\u{1b}[31mbye\n\n", Some("\\u{1b}[31mbye")),
        ] {
            assert_eq!(telling_line(text).as_deref(), expected, "{text}");
        }
        let long = telling_line(&"é".repeat(900)).unwrap();
        assert_eq!(long, "é".repeat(200) + "…");
    }

    #[test]
    fn short_text_is_shown_whole_and_once() {
        assert_eq!(last_words(" \n\n"), [] as [&str; 0]);
        let text = "Error: one\ntwo\n\nError: three\nfour\nfive\n";
        let shown = ["Error: one", "two", "Error: three", "four", "five"];
        assert_eq!(last_words(text), shown.map(|line| format!("standard error: {line}")));
        let long = format!("{text}six\nseven\n");
        let shown = ["Error: one", "four", "five", "six", "seven"];
        assert_eq!(last_words(&long), shown.map(|line| format!("standard error: {line}")));
    }
}
