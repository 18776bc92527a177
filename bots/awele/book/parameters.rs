//! Parameters of a book: the options of its command and the header of its file.

use crate::awele::{Heuristic, SearchGoal};
use crate::options::Options;
use arbitre_games::game::{ParseError, Seat, Seats};
use arbitre_games::games::awele::{PlyLimit, Rules, CODINGAME};
use arbitre_games::text::value_of;
use std::fmt;

/// Parameters with which a book is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Rules of the game.
    pub rules: Rules,
    /// Number of consecutive moves that a seat plays by the book: MAXPROF in the IFIPS report.
    pub own_moves: u32,
    /// Search depth of each move, in plies: ALPHABETAPROF in the report.
    pub depth: u32,
    /// Goal of the searches; its threshold is NOMOREALPHABETA in the report.
    pub goal: SearchGoal,
    /// Seats that the book is for.
    pub seats: Seats,
}

/// The numbered lines of a file.
type BookLines<'a, 'l> = &'a mut dyn Iterator<Item = (usize, &'l str)>;

impl Parameters {
    /// First line of every book.
    const MAGIC: &'static str = "awele book 1";

    /// Returns the parameters of the options.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid.
    pub fn take(options: &mut Options) -> Result<Parameters, ParseError> {
        let rules = options.take_text("--rules")?.map(|text| Rules::parse(&text)).transpose()?;
        let seats = options.take_text("--seat")?;
        Ok(Parameters {
            rules: rules.unwrap_or(CODINGAME),
            own_moves: options.take_count("--own-moves")?.unwrap_or(4),
            depth: options.take_count("--depth")?.unwrap_or(14),
            goal: SearchGoal::take(options)?,
            seats: match seats.as_deref() {
                None => Seats::first(2),
                Some(word) => value_of("value of --seat", word, &seats_by_word("both"))?,
            },
        })
    }

    /// Parses the header of a book.
    ///
    /// # Errors
    /// Returns an error that names the first invalid line.
    pub fn parse(lines: BookLines) -> Result<Parameters, ParseError> {
        match lines.next() {
            Some((_, Parameters::MAGIC)) => {}
            line => return Err(unexpected(1, &format!("'{}'", Parameters::MAGIC), line)),
        }
        Ok(Parameters {
            rules: read(lines, 2, "rules", "rules", |text| Some(Rules::parse(text)))?,
            own_moves: read(lines, 3, "own-moves", NUMBER, positive)?,
            depth: read(lines, 4, "depth", NUMBER, positive)?,
            goal: SearchGoal {
                heuristic: read(lines, 5, "heuristic", "a heuristic", |text| {
                    Some(Heuristic::parse(text))
                })?,
                threshold: read(lines, 6, "threshold", NUMBER, |text| {
                    Some(SearchGoal::parse_threshold(text))
                })?,
                maximise: read(lines, 7, "maximise", "on or off", |text| match text {
                    "on" => Some(Ok(true)),
                    "off" => Some(Ok(false)),
                    _ => None,
                })?,
            },
            seats: read(lines, 8, "seats", "0, 1 or 0 1", |text| {
                value_of("", text, &seats_by_word("0 1")).ok().map(Ok)
            })?,
        })
    }

    /// Returns `true` if searches of the book's positions find the same under `rules`.
    pub fn fit(&self, rules: &Rules) -> bool {
        self.seen(rules) == self.seen(&self.rules)
    }

    /// Returns the part of the rules that such a search sees: no repetition, and the largest number
    /// of plies with its end only where it reaches so far. The sweep is in it where that or the
    /// margin counts.
    fn seen(&self, rules: &Rules) -> Rules {
        let horizon = (2 * self.own_moves).saturating_add(self.depth);
        let max_plies = rules.max_plies.filter(|plies| *plies <= horizon);
        let sweep = rules.sweep && (max_plies.is_some() || self.goal.maximise);
        let limit = max_plies.map_or(PlyLimit::AfterMoves, |_| rules.limit);
        Rules { repetition: None, max_plies, sweep, limit, ..*rules }
    }
}

/// Expected value of a number in the header, for error messages.
const NUMBER: &str = "a number from 1";

fn positive(text: &str) -> Option<Result<u32, ParseError>> {
    text.parse().ok().filter(|number| *number > 0).map(Ok)
}

/// The seats that a book may be for, with `both` as the word for both.
fn seats_by_word(both: &str) -> [(&str, Seats); 3] {
    [("0", Seats::one(Seat::FIRST)), ("1", Seats::one(Seat::new(1))), (both, Seats::first(2))]
}

/// Reads line `number` of a header, `NAME VALUE`; `parse` knows the value, or that it is none.
fn read<T>(
    lines: BookLines,
    number: usize,
    name: &str,
    what: &str,
    parse: impl FnOnce(&str) -> Option<Result<T, ParseError>>,
) -> Result<T, ParseError> {
    let line = lines.next();
    let value = line.and_then(|(_, line)| line.strip_prefix(name)?.strip_prefix(' '));
    match value.and_then(parse) {
        Some(value) => value.map_err(|error| at_line(number, error)),
        None => Err(unexpected(number, &format!("'{name}' and {what}"), line)),
    }
}

fn unexpected(number: usize, expected: &str, line: Option<(usize, &str)>) -> ParseError {
    let came = line.map_or("the end".into(), |(_, line)| format!("'{line}'"));
    at_line(number, format!("expected {expected}, got {came}"))
}

impl fmt::Display for Parameters {
    /// The header of a book, each line ended.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats: Vec<String> = self.seats.iter().map(|seat| seat.to_string()).collect();
        writeln!(f, "{}", Parameters::MAGIC)?;
        writeln!(f, "rules {}", self.rules)?;
        writeln!(f, "own-moves {}", self.own_moves)?;
        writeln!(f, "depth {}", self.depth)?;
        writeln!(f, "heuristic {}", self.goal.heuristic)?;
        writeln!(f, "threshold {}", self.goal.threshold)?;
        writeln!(f, "maximise {}", if self.goal.maximise { "on" } else { "off" })?;
        writeln!(f, "seats {}", seats.join(" "))
    }
}

/// Returns an error that names the line of a book.
pub(crate) fn at_line(number: usize, why: impl std::fmt::Display) -> ParseError {
    ParseError::new(format!("line {number}: {why}"))
}
