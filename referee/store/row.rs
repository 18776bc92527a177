//! A game as a row, and back. Columns are text that a person can read with any SQLite shell.

use crate::pairing::schedule::Pairing;
use crate::play::record::Record;
use crate::play::{FaultReport, Played, Ply};
use crate::player::fault::Fault;
use arbitre_games::game::{Outcome, Seat, Seats};
use rusqlite::{params, Connection};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The columns of the table, in the order of [`Row::insert`].
macro_rules! columns {
    () => {
        "number, session, setup, entrances, seats, moves, times, comments, stderr, faults, scores, \
         out, duration, checksum"
    };
}

const INSERT: &str =
    concat!("INSERT INTO game (", columns!(), ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
/// Reads rows; complete it with a condition or an order.
pub const SELECT: &str = concat!("SELECT ", columns!(), " FROM game ");

/// A game in columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The game's index.
    pub number: i64,
    /// When it was played: the number of a session.
    pub session: i64,
    texts: [String; TEXTS.len()],
    duration: i64,
}

/// The columns that are text, and where [`Row::texts`] has them.
const TEXTS: [&str; 10] = [
    "setup",
    "entrances",
    "seats",
    "moves",
    "times",
    "comments",
    "stderr",
    "faults",
    "scores",
    "out",
];
const SETUP: usize = 0;
const ENTRANCES: usize = 1;
const SEATS: usize = 2;
const MOVES: usize = 3;
const TIMES: usize = 4;
const COMMENTS: usize = 5;
const STDERR: usize = 6;
const FAULTS: usize = 7;
const SCORES: usize = 8;
const OUT: usize = 9;

impl Row {
    /// The row of a game that ended, played in this session. A void game has no row.
    pub fn of(record: &Record, outcome: &Outcome, session: i64) -> Row {
        let Played { start_reports, plies, faults, .. } = &record.played;
        let faults: Vec<StoryForm> = faults.iter().map(StoryForm::of).collect();
        let comments = plies.iter().map(|ply| ply.comment.as_deref().unwrap_or_default());
        let group = |seats: &Seats| seats.iter().map(seat_digit).collect::<String>();
        let texts = [
            record.setup.clone(),
            json(start_reports),
            plies.iter().map(|ply| seat_digit(ply.seat)).collect(),
            words(plies.iter().map(|ply| &ply.mv)),
            words(plies.iter().map(|ply| nanos(ply.spent))),
            by_ply(comments),
            by_ply(plies.iter().map(|ply| ply.stderr.as_str())),
            if faults.is_empty() { String::new() } else { json(&faults) },
            words(&outcome.scores),
            words(outcome.out.iter().map(group)),
        ];
        let (number, duration) = (record.pairing.index.cast_signed(), nanos(record.duration));
        Row { number, session, texts, duration }
    }

    /// Every column in its order, each with its length, so that nothing can move from one to the
    /// next unseen.
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

    /// Writes it with its checksum, as part of the transaction that is open.
    pub fn insert(&self, checksum: u32, connection: &Connection) -> rusqlite::Result<()> {
        let [setup, start_reports, seats, moves, times, comments, stderr, faults, scores, out] =
            &self.texts;
        connection.prepare_cached(INSERT)?.execute(params![
            self.number,
            self.session,
            setup,
            start_reports,
            seats,
            moves,
            times,
            comments,
            stderr,
            faults,
            scores,
            out,
            self.duration,
            checksum,
        ])?;
        Ok(())
    }

    /// Reads a row of [`SELECT`], with the checksum that it should have.
    pub fn read(row: &rusqlite::Row) -> rusqlite::Result<(Row, u32)> {
        let mut texts: [String; TEXTS.len()] = Default::default();
        for (text, name) in texts.iter_mut().zip(TEXTS) {
            *text = row.get(name)?;
        }
        let (number, session, duration) =
            (row.get("number")?, row.get("session")?, row.get("duration")?);
        Ok((Row { number, session, texts, duration }, row.get("checksum")?))
    }

    /// The record of this row, which was planned as `pairing`.
    ///
    /// # Errors
    /// The column that does not say what it should.
    pub fn record(&self, pairing: Pairing, lower_is_better: bool) -> Result<Record, &'static str> {
        let faults: Vec<StoryForm> = match self.texts[FAULTS].as_str() {
            "" => Vec::new(),
            text => parse(text, "faults")?,
        };
        let played = Played {
            start_reports: parse(&self.texts[ENTRANCES], "entrances")?,
            plies: self.plies()?,
            faults: faults.into_iter().map(StoryForm::report).collect(),
            outcome: Some(self.outcome(lower_is_better)?),
            rules_error: None,
        };
        check(&played, pairing.players.len())?;
        let duration = Duration::from_nanos(self.duration.cast_unsigned());
        Ok(Record { pairing, setup: self.texts[SETUP].clone(), played, duration })
    }

    fn plies(&self) -> Result<Vec<Ply>, &'static str> {
        let moves: Vec<&str> = self.texts[MOVES].split_ascii_whitespace().collect();
        let seats: Option<Vec<Seat>> = self.texts[SEATS].chars().map(seat_of_digit).collect();
        let times: Result<Vec<u64>, _> =
            self.texts[TIMES].split_ascii_whitespace().map(str::parse).collect();
        let (seats, times) = (seats.ok_or("seats")?, times.map_err(|_| "times")?);
        if moves.len() != seats.len() || moves.len() != times.len() {
            return Err("moves");
        }
        let mut comments = read_by_ply(&self.texts[COMMENTS], "comments")?;
        let mut stderr = read_by_ply(&self.texts[STDERR], "stderr")?;
        let plies = moves.iter().zip(seats).zip(times).enumerate();
        Ok(plies
            .map(|(i, ((&mv, seat), nanos))| Ply {
                seat,
                mv: mv.into(),
                spent: Duration::from_nanos(nanos),
                comment: comments.remove(&i),
                stderr: stderr.remove(&i).unwrap_or_default(),
            })
            .collect())
    }

    fn outcome(&self, lower_is_better: bool) -> Result<Outcome, &'static str> {
        let scores: Result<Vec<i64>, _> =
            self.texts[SCORES].split_ascii_whitespace().map(str::parse).collect();
        let group = |word: &str| word.chars().map(seat_of_digit).collect::<Option<Seats>>();
        let out: Option<Vec<Seats>> = self.texts[OUT].split_ascii_whitespace().map(group).collect();
        let (scores, out) = (scores.map_err(|_| "scores")?, out.ok_or("out")?);
        Ok(Outcome { scores, out, lower_is_better })
    }
}

/// Is everything about seats that exist, and plies that were played?
fn check(played: &Played, seats: usize) -> Result<(), &'static str> {
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

/// Nanoseconds as a column holds them.
fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

/// A table has at most sixteen seats.
fn seat_digit(seat: Seat) -> char {
    char::from_digit(seat.index() as u32, Seats::CAPACITY as u32).expect("no table is larger")
}

fn seat_of_digit(digit: char) -> Option<Seat> {
    digit.to_digit(Seats::CAPACITY as u32).map(|number| Seat::new(number as usize))
}

fn words<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    for item in items {
        if !text.is_empty() {
            text.push(' ');
        }
        write!(text, "{item}").expect("a string takes every word");
    }
    text
}

/// What is not empty, by the number of the ply; nothing at all where all is empty.
fn by_ply<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let said: BTreeMap<usize, &str> =
        texts.enumerate().filter(|(_, text)| !text.is_empty()).collect();
    if said.is_empty() {
        String::new()
    } else {
        json(&said)
    }
}

fn read_by_ply(text: &str, column: &'static str) -> Result<BTreeMap<usize, String>, &'static str> {
    if text.is_empty() {
        Ok(BTreeMap::new())
    } else {
        parse(text, column)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our documents have text keys only")
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str, column: &'static str) -> Result<T, &'static str> {
    serde_json::from_str(text).map_err(|_| column)
}

#[derive(Serialize, Deserialize)]
struct StoryForm {
    seat: usize,
    fault: Fault,
    ply: usize,
    position: String,
    legal: Vec<String>,
    stderr: String,
}

impl StoryForm {
    fn of(report: &FaultReport) -> StoryForm {
        let FaultReport { seat, fault, ply, position, legal, stderr } = report.clone();
        StoryForm { seat: seat.index(), fault, ply, position, legal, stderr }
    }

    fn report(self) -> FaultReport {
        let StoryForm { seat, fault, ply, position, legal, stderr } = self;
        // A seat beyond every table is refused with the rest of the record.
        let seat = Seat::new(seat.min(Seats::CAPACITY - 1));
        FaultReport { seat, fault, ply, position, legal, stderr }
    }
}
