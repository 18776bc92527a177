//! Row of the table `game`: the identity of a game and its result, without its moves.

use super::cells::{
    checksum, checksum_of, columns, groups_text, micros, numbers, read_groups, seat_digit, seats_of,
};
use super::lineup::View;
use crate::config::adjudication::AdjudicationRule;
use crate::config::limits::counting;
use crate::config::Contest;
use crate::play::pairing::Pairing;
use crate::play::record::{ranks_of, GameResult, Record, SeatTimes, ENDED_BY_THE_RULES};
use crate::player::fault::Fault;
use arbitre_games::clock::{Clock, ClockKind};
use arbitre_games::game::{Outcome, Seat};
use arbitre_games::text::{join, word_of};
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Uncharged;
use arbitre_process::stopwatch::Counting;
use rusqlite::types::{Value, ValueRef};
use rusqlite::Row;
use std::time::Duration;

/// Columns that the checksum covers: all but itself.
const COLUMNS: usize = 17;

/// Bound on rounds, numbers of moves and times in microseconds, which are a year at most. Sums over
/// all games then stay in their types.
const LARGEST: u64 = 1 << 45;

/// Row of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// Number of the game.
    pub number: u64,
    /// Round of the game.
    pub round: u64,
    /// Rotation of the seats.
    pub rotation: u64,
    /// Version of the player on each seat.
    pub versions: Vec<i64>,
    /// Seeds by seat.
    pub seeds: Vec<u64>,
    /// Number of the session in which the game was played.
    pub session: i64,
    /// Time that counts by seat.
    pub counting: Vec<Counting>,
    /// Least protection that a sandbox gave.
    pub sandbox: Level,
    /// Outcome.
    pub outcome: Outcome,
    /// Reason for the end: see [`Record::end`].
    pub ending: &'static str,
    /// Seat and word of each fault.
    pub faults: Vec<(Seat, &'static str)>,
    /// Times by seat.
    pub times: Vec<SeatTimes>,
    /// Hash of the moves.
    pub fingerprint: u64,
    /// Duration of the game.
    pub duration: Duration,
    /// Checksum of its row of moves.
    pub moves: u32,
}

/// Place of a game in the file.
pub struct Place<'a> {
    /// Number of the game.
    pub number: u64,
    /// Number of the session.
    pub session: i64,
    /// Version of the player on each seat.
    pub versions: &'a [i64],
    /// Checksum of its row of moves.
    pub moves: u32,
}

/// Returns the columns of a finished game, and their checksum, which is the last of them.
pub fn cells(
    record: &Record,
    outcome: &Outcome,
    config: &Contest,
    place: &Place,
) -> (Vec<Value>, u32) {
    let Record { pairing, played, duration, .. } = record;
    let times = SeatTimes::of(played);
    let clocks =
        pairing.players.iter().map(|&player| clock_text(&config.players[player].limits.clock));
    let faults = played.faults.iter();
    let faults = faults.map(|fault| format!("{}:{}", seat_digit(fault.seat), fault.fault.word()));
    let seeds: Vec<u8> = pairing.seeds.iter().flat_map(|seed| seed.to_le_bytes()).collect();
    let mut cells: Vec<Value> = vec![
        integer(place.number),
        integer(pairing.round),
        integer(pairing.rotation),
        Value::Text(join(place.versions, " ")),
        Value::Blob(seeds),
        Value::Integer(place.session),
        Value::Text(join(clocks, " ")),
        Value::Text(record.sandbox.to_string()),
        Value::Text(join(&outcome.scores, " ")),
        Value::Text(groups_text(&outcome.out)),
        Value::Text(join(ranks_of(outcome), " ")),
        Value::Text(record.end().into()),
        Value::Text(join(faults, " ")),
        Value::Text(join(times.iter().map(times_text), " ")),
        integer(record.fingerprint()),
        integer(micros(*duration)),
        Value::Integer(place.moves.into()),
    ];
    let checksum = checksum_of(&cells);
    cells.push(Value::Integer(checksum.into()));
    (cells, checksum)
}

fn integer(number: u64) -> Value {
    Value::Integer(number.cast_signed())
}

fn times_text(SeatTimes { moves, total, longest, uncharged }: &SeatTimes) -> String {
    let text = format!("{moves}:{}:{}", micros(*total), micros(*longest));
    match (micros(uncharged.stolen), micros(uncharged.init)) {
        (0, 0) => text,
        (stolen, 0) => format!("{text}:{stolen}"),
        (stolen, init) => format!("{text}:{stolen}:{init}"),
    }
}

/// Returns the word of a clock, with the number of threads if there are several.
fn clock_text(clock: &Clock) -> String {
    let word = word_of(clock.kind, &ClockKind::WORDS);
    match clock.threads.unwrap_or(1) {
        1 => word.into(),
        threads => format!("{word}:{threads}"),
    }
}

impl GameRow {
    /// Reads a row that begins with all columns of the table `game`.
    ///
    /// # Errors
    /// Returns a description of the damage.
    pub fn read(row: &Row, lower_is_better: bool) -> Result<GameRow, String> {
        let cells: [ValueRef; COLUMNS] = columns(row, 0).map_err(|why| why.to_string())?;
        let stored: u32 = row.get(COLUMNS).map_err(|why| why.to_string())?;
        let damaged = |what: &str| match row.get::<_, i64>(0) {
            Ok(number) => format!("game {number}: {what}"),
            Err(_) => what.to_owned(),
        };
        if checksum(cells) != stored {
            return Err(damaged("its checksum does not fit"));
        }
        GameRow::parse(&cells, lower_is_better)
            .map_err(|column| damaged(&format!("its {column} cannot be read")))
    }

    fn parse(cells: &[ValueRef; COLUMNS], lower_is_better: bool) -> Result<GameRow, &'static str> {
        let text = |column: usize, name| cells[column].as_str().map_err(|_| name);
        let signed = |column: usize, name| cells[column].as_i64().map_err(|_| name);
        let integer = |column: usize, name| u64::try_from(signed(column, name)?).map_err(|_| name);
        let versions: Vec<i64> = numbers(text(3, "versions")?).ok_or("versions")?;
        let seats = versions.len();
        let (scores, out) = (text(8, "scores")?, text(9, "out")?);
        let outcome = Outcome {
            scores: numbers(scores).filter(|scores| scores.len() == seats).ok_or("scores")?,
            out: read_groups(out).ok_or("out")?,
            lower_is_better,
        };
        let exists = |seat: Seat| seat.index() < seats;
        if !outcome.out.iter().flat_map(|group| group.iter()).all(exists) {
            return Err("out");
        }
        let faults: Option<Vec<_>> =
            text(12, "faults")?.split_ascii_whitespace().map(read_fault).collect();
        let faults = faults.filter(|faults| faults.iter().all(|(seat, _)| exists(*seat)));
        let times: Option<Vec<_>> =
            text(13, "times")?.split_ascii_whitespace().map(read_times).collect();
        let small = |column: usize, name| {
            integer(column, name).and_then(|of| if of < LARGEST { Ok(of) } else { Err(name) })
        };
        Ok(GameRow {
            number: integer(0, "number")?,
            round: small(1, "round")?,
            rotation: small(2, "rotation")?,
            seeds: read_seeds(cells[4]).filter(|seeds| seeds.len() == seats).ok_or("seeds")?,
            session: signed(5, "session")?,
            counting: read_counting(text(6, "clock")?)
                .filter(|all| all.len() == seats)
                .ok_or("clock")?,
            sandbox: Level::parse(text(7, "sandbox")?).ok_or("sandbox")?,
            ending: read_ending(text(11, "ending")?).ok_or("ending")?,
            faults: faults.ok_or("faults")?,
            times: times.filter(|times| times.len() == seats).ok_or("times")?,
            fingerprint: signed(14, "fingerprint")?.cast_unsigned(),
            duration: Duration::from_micros(small(15, "duration")?),
            moves: integer(16, "moves")?.try_into().map_err(|_| "moves")?,
            versions,
            outcome,
        })
    }

    /// Returns the result of the game between these players.
    pub fn result(self, players: Vec<usize>) -> GameResult {
        GameResult {
            number: Some(self.number),
            round: self.round,
            rotation: self.rotation,
            players,
            outcome: Some(self.outcome),
            ending: self.ending,
            faults: self.faults,
            times: self.times,
            fingerprint: self.fingerprint,
        }
    }

    /// Returns the place of the game in the schedule, if the view has all of its players.
    pub fn pairing(&self, view: &View) -> Option<Pairing> {
        let (round, rotation, seeds) = (self.round, self.rotation, self.seeds.clone());
        Some(Pairing { round, rotation, players: view.players(&self.versions)?, seeds })
    }
}

fn read_ending(text: &str) -> Option<&'static str> {
    let adjudications = AdjudicationRule::WORDS.into_iter().map(|(word, _)| word);
    let mut words = Fault::WORDS.into_iter().chain(adjudications).chain([ENDED_BY_THE_RULES]);
    words.find(|known| *known == text)
}

fn read_seeds(cell: ValueRef) -> Option<Vec<u64>> {
    let bytes = cell.as_blob().ok()?;
    let seeds = bytes.chunks(8).map(|seed| Some(u64::from_le_bytes(seed.try_into().ok()?)));
    seeds.collect()
}

fn read_counting(text: &str) -> Option<Vec<Counting>> {
    let read = |text: &str| {
        let (word, threads) = text.split_once(':').unwrap_or((text, "1"));
        let (_, kind) = ClockKind::WORDS.iter().find(|(known, _)| *known == word)?;
        Some(counting(*kind, Some(threads.parse().ok()?)))
    };
    text.split_ascii_whitespace().map(read).collect()
}

fn read_fault(text: &str) -> Option<(Seat, &'static str)> {
    let (seat, word) = text.split_once(':')?;
    let seats: Vec<Seat> = seats_of(seat)?;
    let word = Fault::WORDS.into_iter().find(|known| *known == word)?;
    Some((*seats.first()?, word))
}

fn read_times(text: &str) -> Option<SeatTimes> {
    let mut parts = text.split(':').map(str::parse::<u64>);
    let mut next = || parts.next()?.ok().filter(|&number| number < LARGEST);
    let moves = next()?;
    // Earlier versions wrote three or four numbers.
    let times = [next()?, next()?, next().unwrap_or_default(), next().unwrap_or_default()];
    let [total, longest, stolen, init] = times.map(Duration::from_micros);
    Some(SeatTimes { moves, total, longest, uncharged: Uncharged { init, stolen } })
}
