//! Conversion of games to rows and back. Columns are text that any SQLite shell can show.

use crate::pairing::schedule::Pairing;
use crate::play::record::Record;
use crate::play::{PlayedGame, Ply};
use arbitre_games::game::{Outcome, Seat, Seats};
use arbitre_games::text::join;
use rusqlite::{params_from_iter, Connection, ToSql};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

const INSERT: &str = "INSERT INTO game VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
/// Query that reads rows. Callers append a condition or an order.
pub const SELECT: &str = "SELECT * FROM game ";

/// Columns of a game in the order of the table, which has a checksum as its last column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Index of the game.
    pub number: i64,
    /// Number of the session in which the game was played.
    pub session: i64,
    texts: [String; TEXTS],
    duration: i64,
}

/// Number of columns that are text: `setup`, `entrances`, `seats`, `moves`, `times`, `comments`,
/// `stderr`, `faults`, `scores`, `out`.
const TEXTS: usize = 10;

impl Row {
    /// Creates the row of a finished game, played in this session. A void game has no row.
    pub fn of(record: &Record, outcome: &Outcome, session: i64) -> Row {
        let PlayedGame { start_reports, plies, faults, .. } = &record.played;
        let comments = plies.iter().map(|ply| ply.comment.as_deref().unwrap_or_default());
        let group = |seats: &Seats| seats.iter().map(seat_digit).collect::<String>();
        let texts = [
            record.setup.clone(),
            json(start_reports),
            plies.iter().map(|ply| seat_digit(ply.seat)).collect(),
            join(plies.iter().map(|ply| &ply.mv), " "),
            join(plies.iter().map(|ply| nanos(ply.spent)), " "),
            by_ply(comments),
            by_ply(plies.iter().map(|ply| ply.stderr.as_str())),
            if faults.is_empty() { String::new() } else { json(faults) },
            join(&outcome.scores, " "),
            join(outcome.out.iter().map(group), " "),
        ];
        let (number, duration) = (record.pairing.index.cast_signed(), nanos(record.duration));
        Row { number, session, texts, duration }
    }

    /// Returns the checksum of all columns. Each text counts with its length, so that nothing can
    /// move to the next column unnoticed.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for number in [self.number, self.session, self.duration] {
            hasher.update(&number.to_le_bytes());
        }
        for text in &self.texts {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize()
    }

    /// Inserts the row with its checksum, as part of the open transaction.
    pub fn insert(&self, checksum: u32, connection: &Connection) -> rusqlite::Result<()> {
        let before: [&dyn ToSql; 2] = [&self.number, &self.session];
        let texts = self.texts.iter().map(|text| text as &dyn ToSql);
        let after: [&dyn ToSql; 2] = [&self.duration, &checksum];
        let values = params_from_iter(before.into_iter().chain(texts).chain(after));
        connection.prepare_cached(INSERT)?.execute(values).map(drop)
    }

    /// Reads a row of [`SELECT`], with the checksum stored in it.
    pub fn read(row: &rusqlite::Row) -> rusqlite::Result<(Row, u32)> {
        let mut texts: [String; TEXTS] = Default::default();
        for (text, column) in texts.iter_mut().zip(2..) {
            *text = row.get(column)?;
        }
        let (number, session, duration) =
            (row.get("number")?, row.get("session")?, row.get("duration")?);
        Ok((Row { number, session, texts, duration }, row.get("checksum")?))
    }

    /// Returns the record of this row, which was planned as `pairing`.
    ///
    /// # Errors
    /// Returns the name of the column with invalid content.
    pub fn record(&self, pairing: Pairing, lower_is_better: bool) -> Result<Record, &'static str> {
        let [setup, start_reports, seats, moves, times, comments, stderr, faults, scores, out] =
            &self.texts;
        let group = |word| seats_of(word, "out");
        let outcome = Outcome {
            scores: numbers(scores, "scores")?,
            out: out.split_ascii_whitespace().map(group).collect::<Result<_, _>>()?,
            lower_is_better,
        };
        let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
        let movers: Vec<Seat> = seats_of(seats, "seats")?;
        let times: Vec<u64> = numbers(times, "times")?;
        if moves.len() != movers.len() || moves.len() != times.len() {
            return Err("moves");
        }
        let mut comments: BTreeMap<usize, String> = parse_or_none(comments, "comments")?;
        let mut stderr: BTreeMap<usize, String> = parse_or_none(stderr, "stderr")?;
        let plies = moves.iter().zip(movers).zip(times).enumerate();
        let plies = plies.map(|(i, ((&mv, seat), nanos))| Ply {
            seat,
            mv: mv.into(),
            spent: Duration::from_nanos(nanos),
            comment: comments.remove(&i),
            stderr: stderr.remove(&i).unwrap_or_default(),
        });
        let played = PlayedGame {
            start_reports: parse(start_reports, "entrances")?,
            plies: plies.collect(),
            faults: parse_or_none(faults, "faults")?,
            outcome: Some(outcome),
            rules_error: None,
        };
        check(&played, pairing.players.len())?;
        let duration = Duration::from_nanos(self.duration.cast_unsigned());
        Ok(Record { pairing, setup: setup.clone(), played, duration })
    }
}

/// Checks that all seats exist and that faults lie within the plies played.
fn check(played: &PlayedGame, seats: usize) -> Result<(), &'static str> {
    let exists = |seat: Seat| seat.index() < seats;
    let outcome = played.outcome.as_ref().ok_or("scores")?;
    let checks = [
        ("entrances", played.start_reports.len() == seats),
        ("seats", played.plies.iter().all(|ply| exists(ply.seat))),
        ("faults", played.faults.iter().all(|report| exists(report.seat))),
        ("faults", played.faults.iter().all(|report| report.ply <= played.plies.len())),
        ("scores", outcome.scores.len() == seats),
        ("out", outcome.out.iter().flat_map(|group| group.iter()).all(exists)),
    ];
    match checks.iter().find(|(_, holds)| !holds) {
        None => Ok(()),
        Some((column, _)) => Err(column),
    }
}

/// Returns the nanoseconds as stored in a column.
fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

/// Returns the digit of a seat. A table has at most sixteen seats.
fn seat_digit(seat: Seat) -> char {
    char::from_digit(seat.index() as u32, Seats::CAPACITY as u32).expect("no table is larger")
}

/// Parses seats that are written as digits.
fn seats_of<C: FromIterator<Seat>>(digits: &str, column: &'static str) -> Result<C, &'static str> {
    let seat = |digit: char| Some(Seat::new(digit.to_digit(Seats::CAPACITY as u32)? as usize));
    digits.chars().map(seat).collect::<Option<C>>().ok_or(column)
}

fn numbers<T: FromStr>(text: &str, column: &'static str) -> Result<Vec<T>, &'static str> {
    let numbers = text.split_ascii_whitespace().map(str::parse);
    numbers.collect::<Result<_, _>>().map_err(|_| column)
}

/// Returns the texts that are not empty as JSON by ply, or an empty text if there are none.
fn by_ply<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let said: BTreeMap<usize, &str> =
        texts.enumerate().filter(|(_, text)| !text.is_empty()).collect();
    if said.is_empty() {
        String::new()
    } else {
        json(&said)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our documents have text keys only")
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str, column: &'static str) -> Result<T, &'static str> {
    serde_json::from_str(text).map_err(|_| column)
}

/// Parses JSON, or returns the default value for an empty text.
fn parse_or_none<'a, T: Default + Deserialize<'a>>(
    text: &'a str,
    column: &'static str,
) -> Result<T, &'static str> {
    match text {
        "" => Ok(T::default()),
        text => parse(text, column),
    }
}
