//! Row of the table `moves`: everything of a game that its result does not need.

use super::cells::{
    by_ply, checksum, columns, json, movers_text, moves_text, parse_or_none, read_movers,
    read_moves, read_varints, varints,
};
use super::game_row::GameRow;
use super::schema::Format;
use crate::config::adjudication::AdjudicationRule;
use crate::play::metadata::Metadata;
use crate::play::notes::Notes;
use crate::play::pairing::Pairing;
use crate::play::record::{Details, MoveTime, Record};
use crate::play::{FaultReport, PlayedGame, Ply, StartReport};
use crate::registry::drawing::PositionTexts;
use arbitre_games::game::Seat;
use arbitre_process::stopwatch::AnswerTime;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::Compression;
use rusqlite::types::{Value, ValueRef};
use rusqlite::Row;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::Duration;

/// Number of columns in format 2.
const COLUMNS: usize = 11;
/// Most bytes of the texts of a game, compressed.
const MOST_TEXTS: usize = 1 << 20;
/// Most bytes of the texts of a game: 64 MiB. Not tuned.
const MOST_UNPACKED: u64 = 64 << 20;

/// Start report in a column: whether the player was kept, and its line of readiness.
type StartColumn = Option<(bool, Option<String>)>;

/// Returns the columns of the moves of a game.
pub fn cells(record: &Record, number: u64, format: Format) -> Vec<Value> {
    let PlayedGame { start_reports, plies, faults, .. } = &record.played;
    let starts = start_reports
        .iter()
        .map(|report| report.as_ref().map(|StartReport { kept, ready }| (*kept, ready.clone())));
    let movers: Vec<Seat> = plies.iter().map(|ply| ply.seat).collect();
    let moves: Vec<&str> = plies.iter().map(|ply| ply.mv.as_str()).collect();
    let comments = plies.iter().map(|ply| ply.comment.as_deref().unwrap_or_default());
    let optional =
        |of: fn(&Ply) -> Option<Duration>| match plies.iter().any(|ply| of(ply).is_some()) {
            // Zero marks a time that was not read, so known times are stored with one more.
            true => varints(
                plies
                    .iter()
                    .map(|ply| of(ply).map_or(Duration::ZERO, |time| time.saturating_add(STEP))),
            ),
            false => Vec::new(),
        };
    let mut cells = vec![
        Value::Integer(number.cast_signed()),
        Value::Text(record.setup.clone()),
        Value::Text(json(&starts.collect::<Vec<StartColumn>>())),
        Value::Text(movers_text(&movers, record.pairing.players.len())),
        Value::Text(moves_text(&moves)),
        Value::Blob(varints(plies.iter().map(|ply| ply.time.wall))),
        Value::Blob(optional(|ply| ply.time.cpu)),
        Value::Blob(optional(|ply| ply.time.wait)),
        Value::Text(by_ply(comments)),
        Value::Text(by_ply(plies.iter().map(|ply| ply.stderr.as_str()))),
        Value::Text(if faults.is_empty() { String::new() } else { json(faults) }),
    ];
    if format >= Format::Three {
        let (texts, left_out) = pack(&record.played.texts, MOST_TEXTS);
        let texts_left_out = record.played.notes.texts_left_out + left_out;
        let notes = Notes { texts_left_out, ..record.played.notes.clone() };
        cells.extend(notes_cells(&notes, texts));
    }
    cells
}

/// Returns the columns that format 3 added.
pub fn notes_cells(notes: &Notes, texts: Vec<u8>) -> [Value; 2] {
    let notes = if *notes == Notes::default() { String::new() } else { json(notes) };
    [Value::Text(notes), Value::Blob(texts)]
}

/// Returns texts in at most `most` bytes, and the number of last ones that are left out.
fn pack(texts: &[PositionTexts], most: usize) -> (Vec<u8>, u64) {
    if texts.is_empty() {
        return (Vec::new(), 0);
    }
    let packed = |kept: usize| {
        let text = json(&&texts[..kept]);
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        let is_short = text.len() as u64 <= MOST_UNPACKED;
        let bytes = packed.write_all(text.as_bytes()).and_then(|()| packed.finish()).ok()?;
        (is_short && bytes.len() <= most).then_some(bytes)
    };
    if let Some(bytes) = packed(texts.len()) {
        return (bytes, 0);
    }
    let (mut fitting, mut bytes, mut end) = (0, Vec::new(), texts.len());
    while fitting + 1 < end {
        let kept = usize::midpoint(fitting, end);
        match packed(kept) {
            Some(packed) => (fitting, bytes) = (kept, packed),
            None => end = kept,
        }
    }
    (bytes, (texts.len() - fitting) as u64)
}

/// Reads the texts that [`pack`] wrote.
fn unpack(bytes: &[u8]) -> Option<Vec<PositionTexts>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let mut text = String::new();
    // A forged text may unpack to any size.
    let mut unpacked = ZlibDecoder::new(bytes).take(MOST_UNPACKED);
    unpacked.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Smallest difference of stored times.
const STEP: Duration = Duration::from_micros(1);

/// Row of the table `moves` in the result of a query.
pub struct MovesRow<'r> {
    cells: [ValueRef<'r>; COLUMNS],
    /// Columns that format 3 added.
    more: Option<[ValueRef<'r>; 2]>,
}

impl<'r> MovesRow<'r> {
    /// Creates the row whose columns begin at `first`, if it belongs to this game.
    ///
    /// # Errors
    /// Returns a description of the damage.
    pub fn of(row: &'r Row, first: usize, game: &GameRow) -> Result<MovesRow<'r>, String> {
        let failed = |why: rusqlite::Error| why.to_string();
        let cells: [ValueRef; COLUMNS] = columns(row, first).map_err(failed)?;
        let more = match row.as_ref().column_count() > first + COLUMNS {
            true => Some(columns(row, first + COLUMNS).map_err(failed)?),
            false => None,
        };
        match checksum(cells.into_iter().chain(more.into_iter().flatten())) == game.moves {
            true => Ok(MovesRow { cells, more }),
            false => Err(format!("game {}: the checksum of its moves does not fit", game.number)),
        }
    }

    /// Returns the record of the game, planned as `pairing`.
    ///
    /// # Errors
    /// Returns a description of the damage.
    pub fn record(&self, game: &GameRow, pairing: Pairing) -> Result<Record, String> {
        let damaged = |column: &str| format!("game {}: its {column} cannot be read", game.number);
        let played = self.played(game).map_err(damaged)?;
        let setup = self.text(1, "setup").map_err(damaged)?.to_owned();
        let GameRow { duration, sandbox, .. } = *game;
        Ok(Record { number: Some(game.number), pairing, setup, played, duration, sandbox })
    }

    fn played(&self, game: &GameRow) -> Result<PlayedGame, &'static str> {
        let seats = game.versions.len();
        let starts: Vec<StartColumn> =
            serde_json::from_str(self.text(2, "starts")?).map_err(|_| "starts")?;
        if starts.len() != seats {
            return Err("starts");
        }
        let moves = read_moves(self.text(4, "moves")?).ok_or("moves")?;
        let movers = self.movers(moves.len(), seats)?;
        let times = self.times()?;
        if times.len() != moves.len() {
            return Err("wall");
        }
        let mut comments: BTreeMap<usize, String> =
            parse_or_none(self.text(8, "comments")?).ok_or("comments")?;
        let mut stderr: BTreeMap<usize, String> =
            parse_or_none(self.text(9, "stderr")?).ok_or("stderr")?;
        let plies = moves.into_iter().zip(movers).zip(times).enumerate();
        let plies = plies.map(|(i, ((mv, seat), time))| Ply {
            seat,
            mv,
            time,
            spent: time.charge(game.counting[seat.index()]),
            comment: comments.remove(&i),
            stderr: stderr.remove(&i).unwrap_or_default(),
        });
        let plies: Vec<Ply> = plies.collect();
        let faults = self.faults(seats)?;
        if faults.iter().any(|report| report.ply > plies.len()) {
            return Err("faults");
        }
        let start = |(kept, ready)| StartReport { kept, ready };
        Ok(PlayedGame {
            start_reports: starts.into_iter().map(|report| report.map(start)).collect(),
            plies,
            faults,
            outcome: Some(game.outcome.clone()),
            adjudicated: AdjudicationRule::of_word(game.ending),
            rules_error: None,
            uncharged: game.times.iter().map(|times| times.uncharged).collect(),
            notes: self.notes()?,
            texts: match self.more {
                Some([_, texts]) => texts.as_blob().ok().and_then(unpack).ok_or("texts")?,
                None => Vec::new(),
            },
        })
    }

    fn notes(&self) -> Result<Notes, &'static str> {
        match self.more.map(|[notes, _]| notes.as_str()) {
            None | Some(Ok("")) => Ok(Notes::default()),
            Some(Ok(text)) => serde_json::from_str(text).map_err(|_| "notes"),
            Some(Err(_)) => Err("notes"),
        }
    }

    /// Returns the faults and the counted time of each ply with its seat.
    ///
    /// # Errors
    /// Returns a description of the damage.
    pub fn details(&self, game: &GameRow) -> Result<Details, String> {
        let read = || -> Result<Details, &'static str> {
            let times = self.times()?;
            let seats = game.versions.len();
            let movers = self.movers(times.len(), seats)?;
            let faults = self.faults(seats)?;
            let metadata = self.metadata(&movers, &faults, seats)?;
            let times = movers.into_iter().zip(&times).map(|(seat, time)| {
                let spent = time.charge(game.counting[seat.index()]);
                MoveTime { seat, spent, wait: time.wait.unwrap_or_default() }
            });
            let times = times.collect();
            let setup = self.text(1, "setup")?.to_owned();
            let attempts = self.notes()?.attempts;
            Ok(Details { setup, faults, times, metadata, attempts })
        };
        read().map_err(|column| format!("game {}: its {column} cannot be read", game.number))
    }

    /// Returns the data that the players printed. Few print any, so that most texts are not parsed.
    fn metadata(
        &self,
        movers: &[Seat],
        faults: &[FaultReport],
        seats: usize,
    ) -> Result<Metadata, &'static str> {
        let text = self.text(9, "stderr")?;
        let written: BTreeMap<usize, String> = match text.contains("DATA") {
            true => parse_or_none(text).ok_or("stderr")?,
            false => BTreeMap::new(),
        };
        let of_plies = written.iter().filter_map(|(&ply, text)| {
            let seat = *movers.get(ply)?;
            Some((seat, text.as_str()))
        });
        let last = faults.iter().map(|report| (report.seat, report.stderr.as_str()));
        Ok(Metadata::read(seats, of_plies.chain(last)))
    }

    fn movers(&self, plies: usize, seats: usize) -> Result<Vec<Seat>, &'static str> {
        read_movers(self.text(3, "seats")?, plies, seats).ok_or("seats")
    }

    fn faults(&self, seats: usize) -> Result<Vec<FaultReport>, &'static str> {
        let faults: Vec<FaultReport> = parse_or_none(self.text(10, "faults")?).ok_or("faults")?;
        match faults.iter().all(|report| report.seat.index() < seats) {
            true => Ok(faults),
            false => Err("faults"),
        }
    }

    /// Returns the time of each ply.
    fn times(&self) -> Result<Vec<AnswerTime>, &'static str> {
        let wall = self.blob(5, "wall")?;
        let mut times = read_varints(wall, AnswerTime::of_wall).ok_or("wall")?;
        self.read_optional(6, "cpu", &mut times, |time| &mut time.cpu)?;
        self.read_optional(7, "wait", &mut times, |time| &mut time.wait)?;
        Ok(times)
    }

    /// Reads a column of times that may be empty into a field of the time of each ply.
    fn read_optional(
        &self,
        column: usize,
        name: &'static str,
        times: &mut [AnswerTime],
        field: fn(&mut AnswerTime) -> &mut Option<Duration>,
    ) -> Result<(), &'static str> {
        let bytes = self.blob(column, name)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let known = read_varints(bytes, |time| time.checked_sub(STEP)).ok_or(name)?;
        if known.len() != times.len() {
            return Err(name);
        }
        times.iter_mut().zip(known).for_each(|(time, known)| *field(time) = known);
        Ok(())
    }

    fn text(&self, column: usize, name: &'static str) -> Result<&'r str, &'static str> {
        self.cells[column].as_str().map_err(|_| name)
    }

    fn blob(&self, column: usize, name: &'static str) -> Result<&'r [u8], &'static str> {
        self.cells[column].as_blob().map_err(|_| name)
    }
}
