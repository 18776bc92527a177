//! Texts shared by all parsers: durations, and suggestions for misspelt words.

use crate::game::ParseError;
use std::fmt::{Display, Write};
use std::io::{self, ErrorKind};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Returns the word of `choices` that `word` probably misspells, if one is near.
///
/// ```
/// # use arbitre_games::text::closest;
/// assert_eq!(closest("gredy", ["random", "greedy"]), Some("greedy"));
/// assert_eq!(closest("minimax", ["random", "greedy"]), None);
/// ```
pub fn closest<'a>(word: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A third of the longer word may be wrong, but at least one edit.
    let near = |choice: &&str| 1 + choice.chars().count().max(word.chars().count()) / 3;
    choices
        .into_iter()
        .map(|choice| (edits(word, choice), choice))
        .filter(|(distance, choice)| *distance < near(choice).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, choice)| choice)
}

/// Separator between the message of an error and its remedy. [`report`] starts a new line there.
pub const HELP: &str = "; help: ";

/// Returns an error as programs print it: `error: …`, then `help: …` if the message has a remedy.
///
/// ```
/// # use arbitre_games::text::report;
/// assert_eq!(
///     report("expected a game, got 'chess'; help: list them with referee games"),
///     "error: expected a game, got 'chess'\nhelp: list them with referee games\n"
/// );
/// ```
pub fn report(message: &str) -> String {
    format!("error: {}\n", message.replace(HELP, "\nhelp: "))
}

/// Returns why a file cannot be used, in plain words.
pub fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file or folder".into(),
        ErrorKind::AlreadyExists => "a file of that name exists".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        ErrorKind::NotADirectory => "its folder is a file".into(),
        ErrorKind::InvalidData => "it is not UTF-8 text".into(),
        // The number of the error means nothing to most users.
        _ => error.to_string().split(" (os error").next().unwrap_or_default().into(),
    }
}

/// Returns `true` for control characters, line separators and characters that change the writing
/// direction. Marks that cannot be seen, such as that of the byte order, count too.
pub fn needs_escape(c: char) -> bool {
    let turns_text = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unseen = matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}');
    c.is_control() || turns_text || is_unseen
}

/// Returns the remedy for a misspelt word: its likely spelling after [`HELP`], or nothing.
pub fn did_you_mean<'a>(word: &str, choices: impl IntoIterator<Item = &'a str>) -> String {
    let choice = closest(word, choices);
    choice.map_or_else(String::new, |choice| format!("{HELP}did you mean {choice}?"))
}

/// Returns an error with the expected words, the actual word and the likely one.
///
/// ```
/// # use arbitre_games::text::unknown;
/// let error = unknown("strategy", "gredy", ["random", "greedy"]);
/// assert_eq!(
///     error.to_string(),
///     "strategy: expected random or greedy, got 'gredy'; help: did you mean greedy?"
/// );
/// ```
pub fn unknown<'a>(
    kind: &str,
    word: &str,
    choices: impl IntoIterator<Item = &'a str>,
) -> ParseError {
    unknown_among(kind, word, &choices.into_iter().collect::<Vec<_>>())
}

fn unknown_among(kind: &str, word: &str, choices: &[&str]) -> ParseError {
    let (expected, help) = (alternatives(choices), did_you_mean(word, choices.iter().copied()));
    ParseError::new(format!("{kind}: expected {expected}, got '{word}'{help}"))
}

/// Parses a whole number of a range, whose upper end is named if the type allows more.
///
/// # Errors
/// Returns an error if the text is not a whole number, or lies outside.
///
/// ```
/// # use arbitre_games::text::parse_number;
/// assert_eq!(parse_number("7", 1..=u64::MAX), Ok(7));
/// let error = parse_number("1e3", 1..=u64::MAX).unwrap_err();
/// assert_eq!(error.to_string(), "expected a number from 1, got '1e3'");
/// ```
pub fn parse_number(text: &str, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = range.into_inner();
        let end = if most == u64::MAX { String::new() } else { format!(" to {most}") };
        ParseError::new(format!("expected a number from {least}{end}, got '{text}'"))
    })
}

/// Returns the value of a word in a table of words and values.
///
/// # Errors
/// Returns an error if the word is not in the table; `kind` names the kind of word in the message.
pub fn value_of<T: Copy>(kind: &str, word: &str, table: &[(&str, T)]) -> Result<T, ParseError> {
    match table.iter().find(|(known, _)| *known == word) {
        Some((_, value)) => Ok(*value),
        None => Err(unknown(kind, word, table.iter().map(|(known, _)| *known))),
    }
}

/// Returns the word of a value in a table of words and values.
///
/// # Panics
/// Panics if the value is missing: a table lists every value of its type.
pub fn word_of<T: PartialEq>(value: T, table: &[(&'static str, T)]) -> &'static str {
    let entry = table.iter().find(|(_, known)| *known == value);
    entry.expect("a table of words lists every value").0
}

/// Joins choices as `a, b or c`.
pub fn alternatives(choices: &[&str]) -> String {
    match choices {
        [] => "nothing".into(),
        [only] => (*only).into(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

/// Joins items with `separator` between them.
///
/// ```
/// assert_eq!(arbitre_games::text::join([3, 1, 2], " - "), "3 - 1 - 2");
/// ```
pub fn join<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let mut text = String::new();
    for (number, item) in items.into_iter().enumerate() {
        let separator = if number > 0 { separator } else { "" };
        write!(text, "{separator}{item}").expect("writing to a string succeeds");
    }
    text
}

/// Returns the Levenshtein distance, with a swap of two neighbours counted as one edit.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Parses a duration: a number and its unit, as in `100ms`, `1.5s`, `2min`.
///
/// # Errors
/// Returns an error if the number or the unit is missing or invalid, or above [`LONGEST`].
/// The units are `us`, `ms`, `s`, `m`, `min` and `h`.
///
/// ```
/// # use arbitre_games::text::parse_duration;
/// assert_eq!(parse_duration("1.5s").unwrap().as_millis(), 1500);
/// assert!(parse_duration("100").unwrap_err().to_string().contains("100ms"));
/// ```
pub fn parse_duration(text: &str) -> Result<Duration, ParseError> {
    let text = text.trim();
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let seconds_per_unit = match unit.trim() {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "" if !number.is_empty() => {
            return Err(ParseError::new(format!(
                "expected a duration with its unit, got '{text}'{HELP}write {text}ms or {text}s"
            )))
        }
        _ => return Err(not_a_duration(text)),
    };
    let number: f64 = number.parse().map_err(|_| not_a_duration(text))?;
    let duration = Duration::try_from_secs_f64(number * seconds_per_unit);
    match duration.map_err(|_| not_a_duration(text))? {
        duration if duration > LONGEST => {
            Err(ParseError::new(format!("expected a duration of at most 1000h, got '{text}'")))
        }
        duration => Ok(duration),
    }
}

/// Longest duration that can be written: 1000 hours. A sum of a few never overflows.
pub const LONGEST: Duration = Duration::from_secs(3_600_000);

fn not_a_duration(text: &str) -> ParseError {
    ParseError::new(format!("expected a duration like 100ms, 1.5s or 2min, got '{text}'"))
}

/// Formats a duration for [`parse_duration`], in the largest unit that needs no fraction.
pub fn format_duration(duration: Duration) -> String {
    let micros = duration.as_micros();
    match micros {
        0 => "0ms".into(),
        _ if micros.is_multiple_of(60_000_000) => format!("{}min", micros / 60_000_000),
        _ if micros.is_multiple_of(1_000_000) => format!("{}s", micros / 1_000_000),
        _ if micros.is_multiple_of(1_000) => format!("{}ms", micros / 1_000),
        _ => format!("{micros}us"),
    }
}

/// Units of sizes, with their number of bytes.
const SIZE_UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// Parses a size in bytes: a whole number and its unit, as in `512MiB`. The units are `KiB`, `MiB`
/// and `GiB`.
///
/// # Errors
/// Returns an error if the number or the unit is missing or invalid, or the size is outside
/// `range`.
///
/// ```
/// use arbitre_games::text::parse_size;
/// assert_eq!(parse_size("2GiB", 1..=u64::MAX), Ok(2 << 30));
/// let error = parse_size("2", 1..=u64::MAX).unwrap_err().to_string();
/// assert!(error.ends_with("with its unit, got '2'; help: write 2MiB or 2GiB"));
/// let error = parse_size("1KiB", 1 << 20..=1 << 40).unwrap_err();
/// assert_eq!(error.to_string(), "expected a size from 1MiB to 1024GiB, got '1KiB'");
/// ```
pub fn parse_size(text: &str, range: RangeInclusive<u64>) -> Result<u64, ParseError> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    if unit.is_empty() && !number.is_empty() {
        return Err(ParseError::new(format!(
            "expected a size with its unit, got '{text}'{HELP}write {text}MiB or {text}GiB"
        )));
    }
    let bytes = SIZE_UNITS.iter().find(|(known, _)| *known == unit).map(|(_, bytes)| *bytes);
    let number: Option<u64> = number.parse().ok();
    let (Some(number), Some(bytes)) = (number, bytes) else {
        return Err(ParseError::new(format!("expected a size like 512MiB or 2GiB, got '{text}'")));
    };
    let size = number.checked_mul(bytes).filter(|size| range.contains(size));
    size.ok_or_else(|| {
        let (least, most) = (format_size(*range.start()), format_size(*range.end()));
        ParseError::new(format!("expected a size from {least} to {most}, got '{text}'"))
    })
}

/// Formats a size for [`parse_size`], in the largest unit that needs no fraction. A size that is
/// not a whole number of KiB is in bytes.
///
/// ```
/// use arbitre_games::text::format_size;
/// assert_eq!([1 << 30, 3 << 29, 1000].map(format_size), ["1GiB", "1536MiB", "1000B"]);
/// ```
pub fn format_size(size: u64) -> String {
    let fits = |(_, bytes): &&(&str, u64)| size >= *bytes && size.is_multiple_of(*bytes);
    match SIZE_UNITS.iter().find(fits) {
        Some((unit, bytes)) => format!("{}{unit}", size / bytes),
        None => format!("{size}B"),
    }
}

/// Appends a JSON string with its quotes.
///
/// ```
/// let mut out = String::new();
/// arbitre_games::text::write_json_string("a\"\n", &mut out);
/// assert_eq!(out, r#""a\"\n""#);
/// ```
pub fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string succeeds")
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_include_swaps() {
        let cases =
            [("", "abc", 3), ("kitten", "sitting", 3), ("awele", "awlee", 1), ("a", "a", 0)];
        for (a, b, distance) in cases {
            assert_eq!(edits(a, b), distance, "{a} {b}");
            assert_eq!(edits(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn rejects_malformed_durations() {
        for text in
            ["", "ms", "1.2.3s", "10 parsecs", "-5ms", "1e9s", "1001h", "99999999999999999999h"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_round_trip() {
        for micros in [0, 1, 999, 1_000, 50_000, 1_500_000, 60_000_000, 600_000_000] {
            let duration = Duration::from_micros(micros);
            assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }
    }
}
