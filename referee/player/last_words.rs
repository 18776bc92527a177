//! The lines of standard error that a report shows.

use crate::escape::escape;

/// Number of lines that are shown. Not tuned.
const LINES: usize = 5;

/// Beginnings of lines that name an error, in the words of runtimes: C and C++, Go, Java, Node,
/// OCaml, Rust, shells.
const BEGINNINGS: [&str; 10] = [
    "Error: ",
    "Exception in thread ",
    "Fatal error: ",
    "Uncaught ",
    "Unhandled ",
    "error: ",
    "fatal error: ",
    "panic: ",
    "terminate called ",
    "thread '",
];

/// Returns the lines of a report, each safe for a terminal: the first one that names an error, then
/// the last ones, without blank lines. Some runtimes name the error first, and then the calls that
/// led to it; others end with the error.
pub fn last_words(stderr: &str) -> Vec<String> {
    let said: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = said.len().saturating_sub(LINES);
    let named = said[..last].iter().position(|line| names_an_error(line));
    let mut shown = Vec::new();
    if let Some(at) = named {
        // Rust writes the message on the next line.
        let count = 1 + usize::from(said[at].ends_with(':'));
        shown.extend(&said[at..at + count]);
        shown.extend(&said[(at + count).max(last + count)..]);
    } else {
        shown.extend(&said[last..]);
    }
    shown.into_iter().map(|line| format!("standard error: {}", escape(line))).collect()
}

/// Returns `true` if a line begins with the name of an error, such as `ReferenceError: …` or
/// `java.lang.NullPointerException`.
fn names_an_error(line: &str) -> bool {
    let word = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = word.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
    let ends = ["Error", "Exception"].iter().any(|end| word.ends_with(end));
    (is_name && ends) || BEGINNINGS.iter().any(|begin| line.starts_with(begin))
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
