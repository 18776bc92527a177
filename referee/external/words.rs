//! Words between the referee and a process that knows the rules of a game: see `docs/external.md`.

use crate::registry::table::RulesError;
use arbitre_games::game::{Outcome, Seat, Seats};
use arbitre_games::text::join;
use std::fmt::Write;

/// Most plies of a game whose rules run in another process, unless the match or the rules have
/// another bound. Rules that never end would fill the memory. Not tuned.
pub const MOST_PLIES: usize = 10_000;
/// Largest bound that rules may have. With all that players may print, such a game takes 100 MB.
pub const LARGEST_PLIES: usize = 100_000;

/// Version of the protocol.
pub const VERSION: u32 = 1;
/// Line that ends every answer.
pub const END: &str = ".";

/// Course of a game: the seats to move, or its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Seats to move, at least one.
    Turn(Seats),
    /// Outcome.
    Over(Outcome),
}

impl Status {
    /// Returns the status as a line: `turn 0 1`, or `over 25 23`, or with eliminated seats, the
    /// earliest first, `over 0 2 1 out 0 / 2`.
    pub fn line(&self) -> String {
        match self {
            Status::Turn(seats) => format!("turn {}", join(seats.iter(), " ")),
            Status::Over(Outcome { scores, out, .. }) => {
                let mut line = format!("over {}", join(scores, " "));
                if !out.is_empty() {
                    let groups = out.iter().map(|group| join(group.iter(), " "));
                    let groups: Vec<String> = groups.collect();
                    let _ = write!(line, " out {}", groups.join(" / "));
                }
                line
            }
        }
    }

    /// Parses a line for a table of `seats` seats.
    ///
    /// # Errors
    /// Returns an error if it is no status of such a table.
    pub fn parse(line: &str, seats: usize, lower_is_better: bool) -> Result<Status, RulesError> {
        let expected = || {
            let what = format!("turn SEAT…, or over with {seats} scores");
            RulesError(format!("expected {what}, got '{line}'"))
        };
        if let Some(turn) = line.strip_prefix("turn ") {
            let seats = parse_seats(turn, seats).ok_or_else(expected)?;
            return if seats.is_empty() { Err(expected()) } else { Ok(Status::Turn(seats)) };
        }
        let rest = line.strip_prefix("over ").ok_or_else(expected)?;
        let (scores, out) = rest.split_once(" out ").unwrap_or((rest, ""));
        let scores: Option<Vec<i64>> =
            scores.split_ascii_whitespace().map(|score| score.parse().ok()).collect();
        let scores = scores.filter(|scores| scores.len() == seats).ok_or_else(expected)?;
        let groups = out.split('/').filter(|group| !group.trim().is_empty());
        let out: Option<Vec<Seats>> = groups.map(|group| parse_seats(group, seats)).collect();
        Ok(Status::Over(Outcome { scores, out: out.ok_or_else(expected)?, lower_is_better }))
    }
}

/// Parses numbers of seats below `seats`.
pub fn parse_seats(text: &str, seats: usize) -> Option<Seats> {
    let numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
    numbers.map(|number| number.filter(|number| *number < seats).map(Seat::new)).collect()
}
