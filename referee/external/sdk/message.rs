//! Messages of a referee of CodinGame's SDK: a header `[[NAME] N]` and N lines.

use crate::escape::escape;
use crate::registry::table::RulesError;
use arbitre_games::game::Seat;
use std::time::Duration;

/// Most lines of a message. Not tuned.
const MOST_LINES: usize = 100_000;
/// Longest time for an answer in milliseconds. The SDK's own bound is 25 s.
const LONGEST: i64 = 3_600_000;

/// Message of a referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Name, such as `VIEW`.
    pub name: String,
    /// Lines after the header.
    pub lines: Vec<String>,
}

/// Call of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Seat of the player.
    pub seat: Seat,
    /// Number of lines that it is to answer; with none, it is only sent its input.
    pub lines: usize,
    /// Time for all of them.
    pub limit: Duration,
}

/// Reads a header. Returns the name of the message and its number of lines.
///
/// # Errors
/// Returns an error if the line is no header.
pub fn header(line: &str) -> Result<(String, usize), RulesError> {
    let expected = || {
        RulesError(format!("expected a message '[[NAME] N]' of the game, got '{}'", escape(line)))
    };
    let rest = line.trim().strip_prefix("[[").and_then(|rest| rest.strip_suffix(']'));
    let (name, count) = rest.and_then(|rest| rest.rsplit_once(']')).ok_or_else(expected)?;
    let count: usize = count.trim_start().parse().map_err(|_| expected())?;
    if name.is_empty() || count > MOST_LINES {
        return Err(expected());
    }
    Ok((name.to_owned(), count))
}

/// Returns a line for people without the marks of its colours, as in `¤RED¤lost§RED§`.
pub fn uncoloured(line: &str) -> String {
    let mut parts = line.split_inclusive(['¤', '§']).peekable();
    let mut text = String::new();
    while let Some(part) = parts.next() {
        let mark = part.chars().next_back().filter(|last| ['¤', '§'].contains(last));
        let colour = parts.peek().and_then(|next| next.strip_suffix(mark?));
        let is_colour =
            |name: &str| !name.is_empty() && name.bytes().all(|c| c.is_ascii_uppercase());
        match (mark, colour.is_some_and(is_colour)) {
            (Some(mark), true) => {
                text += part.trim_end_matches(mark);
                parts.next();
            }
            _ => text += part,
        }
    }
    text
}

impl Message {
    /// Reads `NEXT_PLAYER_INFO`: seat, number of lines and limit in milliseconds.
    ///
    /// # Errors
    /// Returns an error if the seat does not exist, or the lines are no such numbers.
    pub fn call(&self, seats: usize) -> Result<Call, RulesError> {
        let number =
            |at: usize| self.lines.get(at).and_then(|line| line.trim().parse::<i64>().ok());
        let seat = number(0).filter(|seat| (0..seats as i64).contains(seat));
        let lines = number(1).filter(|lines| (0..=MOST_LINES as i64).contains(lines));
        // A bank of time may be overdrawn.
        let limit = number(2).filter(|&limit| limit <= LONGEST).map(|limit| limit.max(0));
        match (seat, lines, limit) {
            (Some(seat), Some(lines), Some(limit)) => Ok(Call {
                seat: Seat::new(seat as usize),
                lines: lines as usize,
                limit: Duration::from_millis(limit as u64),
            }),
            _ => Err(self.unexpected(&format!(
                "a seat from 0 to {}, a number of lines and milliseconds",
                seats - 1
            ))),
        }
    }

    /// Reads `SCORES`: seat and score of each player.
    ///
    /// # Errors
    /// Returns an error unless each seat has one score.
    pub fn scores(&self, seats: usize) -> Result<Vec<i64>, RulesError> {
        let mut scores = vec![None; seats];
        for line in &self.lines {
            let pair = line.trim().split_once(' ');
            let pair = pair.and_then(|(seat, score)| {
                Some((seat.parse::<usize>().ok()?, score.trim().parse::<i64>().ok()?))
            });
            match pair {
                Some((seat, score)) if seat < seats && scores[seat].is_none() => {
                    scores[seat] = Some(score);
                }
                _ => return Err(self.unexpected("one score of each seat")),
            }
        }
        let scores: Option<Vec<i64>> = scores.into_iter().collect();
        scores.ok_or_else(|| self.unexpected("one score of each seat"))
    }

    fn unexpected(&self, what: &str) -> RulesError {
        let lines = escape(&self.lines.join(" / "));
        RulesError(format!("expected {what} in {}, got '{lines}'", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_with_and_without_a_blank() {
        for line in ["[[VIEW] 2]", "[[VIEW]2]", " [[VIEW] 2]\r"] {
            assert_eq!(header(line), Ok(("VIEW".into(), 2)), "{line}");
        }
        for line in ["", "VIEW 2", "[[VIEW] x]", "[[VIEW] -1]", "[[] 1]", "[[VIEW] 999999999999]"] {
            assert!(header(line).is_err(), "{line}");
        }
    }

    #[test]
    fn marks_of_colours_are_left_out() {
        for (line, text) in [
            ("¤GREEN¤$1 won!§GREEN§", "$1 won!"),
            ("a ¤RED¤b§RED§ c ¤BLUE¤d§BLUE§", "a b c d"),
            ("5 § 3, ¤ and ¤¤, ¤Red¤", "5 § 3, ¤ and ¤¤, ¤Red¤"),
            ("", ""),
        ] {
            assert_eq!(uncoloured(line), text);
        }
    }

    fn message(name: &str, lines: &[&str]) -> Message {
        Message { name: name.into(), lines: lines.iter().map(|line| (*line).into()).collect() }
    }

    #[test]
    fn calls_and_scores_name_each_seat_that_exists() {
        let limit = Duration::from_millis(1050);
        let call = Call { seat: Seat::new(1), lines: 2, limit };
        assert_eq!(message("NEXT_PLAYER_INFO", &["1", "2", "1050"]).call(2), Ok(call));
        let overdrawn = message("NEXT_PLAYER_INFO", &["1", "2", "-7"]).call(2).unwrap();
        assert_eq!(overdrawn.limit, Duration::ZERO);
        for lines in [&["2", "1", "50"][..], &["0", "1"], &["0", "x", "50"], &["-1", "1", "50"]] {
            assert!(message("NEXT_PLAYER_INFO", lines).call(2).is_err(), "{lines:?}");
        }
        assert_eq!(message("SCORES", &["1 -1", "0 24"]).scores(2), Ok(vec![24, -1]));
        for lines in [&["0 1"][..], &["0 1", "0 2"], &["0 1", "2 2"], &["0 1", "1 x"]] {
            assert!(message("SCORES", lines).scores(2).is_err(), "{lines:?}");
        }
    }
}
