//! Columns of a row as values of SQLite, their checksum, and text forms that columns share.

use arbitre_games::game::{Seat, Seats};
use arbitre_games::text::join;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{params_from_iter, Connection, Row};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

/// Bytes for which a checksum has room at first: more than both rows of a game of 100 plies, which
/// have 650 (`cargo bench --bench store -- --large`, 2026-11-25).
const USUAL_ROW: usize = 1024;

/// Returns the `N` columns of a row from column `first` on.
pub fn columns<'r, const N: usize>(
    row: &'r Row,
    first: usize,
) -> rusqlite::Result<[ValueRef<'r>; N]> {
    let mut cells = [ValueRef::Null; N];
    for (column, cell) in cells.iter_mut().enumerate() {
        *cell = row.get_ref(first + column)?;
    }
    Ok(cells)
}

/// Returns the checksum of a row's columns. Each counts with its type and length, so that nothing
/// can move to the next column unnoticed.
pub fn checksum<'a>(cells: impl IntoIterator<Item = ValueRef<'a>>) -> u32 {
    // Many short pieces take longer to hash than to copy.
    let mut row = Vec::with_capacity(USUAL_ROW);
    for cell in cells {
        let (kind, number, bytes): (u8, [u8; 8], &[u8]) = match cell {
            ValueRef::Null => {
                row.push(b'n');
                continue;
            }
            ValueRef::Integer(number) => (b'i', number.to_le_bytes(), &[]),
            ValueRef::Real(number) => (b'r', number.to_le_bytes(), &[]),
            ValueRef::Text(bytes) => (b't', (bytes.len() as u64).to_le_bytes(), bytes),
            ValueRef::Blob(bytes) => (b'b', (bytes.len() as u64).to_le_bytes(), bytes),
        };
        row.push(kind);
        row.extend_from_slice(&number);
        row.extend_from_slice(bytes);
    }
    crc32fast::hash(&row)
}

/// Returns the checksum of columns that are not stored yet.
pub fn checksum_of(cells: &[Value]) -> u32 {
    checksum(cells.iter().map(ValueRef::from))
}

/// Inserts a row with these columns into a table.
pub fn insert(connection: &Connection, table: &str, cells: &[Value]) -> rusqlite::Result<()> {
    let places = vec!["?"; cells.len()].join(",");
    let sql = format!("INSERT INTO {table} VALUES ({places})");
    connection.prepare_cached(&sql)?.execute(params_from_iter(cells)).map(drop)
}

/// Returns the whole microseconds of a time.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Returns times in microseconds as variable-length numbers: seven bits per byte, the lowest first;
/// all but the last byte of a number have the highest bit set.
pub fn varints(times: impl IntoIterator<Item = Duration>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for time in times {
        let mut left = micros(time);
        while left > 0x7f {
            bytes.push(left as u8 | 0x80);
            left >>= 7;
        }
        bytes.push(left as u8);
    }
    bytes
}

/// Reads the times that [`varints`] wrote, each converted by `of`. Returns `None` if the bytes are
/// anything else.
pub fn read_varints<T>(bytes: &[u8], of: impl Fn(Duration) -> T) -> Option<Vec<T>> {
    let mut times = Vec::with_capacity(bytes.len());
    let (mut number, mut shift) = (0u64, 0);
    for byte in bytes {
        let bits = u64::from(byte & 0x7f);
        // The tenth byte has room for one bit.
        if shift > 63 || (shift == 63 && bits > 1) {
            return None;
        }
        number |= bits << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            times.push(of(Duration::from_micros(number)));
            (number, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(times)
}

/// Returns moves as one text: separated by blanks, or as JSON if a move contains white space.
pub fn moves_text(moves: &[&str]) -> String {
    let is_word = |mv: &&str| !mv.is_empty() && !mv.contains(|c: char| c.is_ascii_whitespace());
    // A text that begins like JSON must be JSON.
    match moves.iter().all(is_word) && !moves.first().is_some_and(|mv| mv.starts_with('[')) {
        true => moves.join(" "),
        false => json(&moves),
    }
}

/// Reads the moves that [`moves_text`] wrote.
pub fn read_moves(text: &str) -> Option<Vec<String>> {
    match text.starts_with('[') {
        true => serde_json::from_str(text).ok(),
        false => Some(text.split_ascii_whitespace().map(str::to_owned).collect()),
    }
}

/// Returns the digit of a seat. A table has at most sixteen seats.
pub fn seat_digit(seat: Seat) -> char {
    char::from_digit(seat.index() as u32, Seats::CAPACITY as u32).expect("no table is larger")
}

/// Parses seats that are written as digits.
pub fn seats_of<C: FromIterator<Seat>>(digits: &str) -> Option<C> {
    let seat = |digit: char| Some(Seat::new(digit.to_digit(Seats::CAPACITY as u32)? as usize));
    digits.chars().map(seat).collect()
}

/// Returns the mover of each ply as digits; of movers that take turns, only the first.
pub fn movers_text(movers: &[Seat], seats: usize) -> String {
    let kept = if take_turns(movers, seats) { &movers[..movers.len().min(1)] } else { movers };
    kept.iter().copied().map(seat_digit).collect()
}

/// Reads the movers of `plies` plies that [`movers_text`] wrote.
pub fn read_movers(text: &str, plies: usize, seats: usize) -> Option<Vec<Seat>> {
    let movers: Vec<Seat> = seats_of(text)?;
    let movers = match movers[..] {
        [first] if seats > 0 && first.index() < seats => {
            (0..plies).map(|ply| Seat::new((first.index() + ply) % seats)).collect()
        }
        _ => movers,
    };
    (movers.len() == plies && movers.iter().all(|seat| seat.index() < seats)).then_some(movers)
}

fn take_turns(movers: &[Seat], seats: usize) -> bool {
    let first = movers.first().map_or(0, |seat| seat.index());
    movers.iter().enumerate().all(|(ply, seat)| seat.index() == (first + ply) % seats)
}

/// Parses numbers that are separated by blanks.
pub fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
}

/// Returns groups of seats, each as digits.
pub fn groups_text(groups: &[Seats]) -> String {
    join(groups.iter().map(|group| group.iter().map(seat_digit).collect::<String>()), " ")
}

/// Reads the groups that [`groups_text`] wrote.
pub fn read_groups(text: &str) -> Option<Vec<Seats>> {
    text.split_ascii_whitespace().map(seats_of).collect()
}

/// Returns the texts that are not empty as JSON by ply, or an empty text if there are none.
pub fn by_ply<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let said: BTreeMap<usize, &str> =
        texts.enumerate().filter(|(_, text)| !text.is_empty()).collect();
    if said.is_empty() {
        String::new()
    } else {
        json(&said)
    }
}

/// Returns a value as JSON.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our documents have text keys only")
}

/// Parses JSON, or returns the default value for an empty text.
pub fn parse_or_none<'a, T: Default + Deserialize<'a>>(text: &'a str) -> Option<T> {
    match text {
        "" => Some(T::default()),
        text => serde_json::from_str(text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn cases() -> ProptestConfig {
        ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn times_survive(times in vec(prop_oneof![0..300u64, any::<u64>()], 0..20)) {
            let times: Vec<Duration> = times.into_iter().map(Duration::from_micros).collect();
            prop_assert_eq!(read_varints(&varints(times.clone()), |time| time), Some(times));
        }

        #[test]
        fn moves_survive(moves in vec("[\\[\\]a-c \t\n\"é]{0,4}", 0..6)) {
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            prop_assert_eq!(read_moves(&moves_text(&texts)), Some(moves));
        }

        #[test]
        fn movers_survive(movers in vec(0..3usize, 0..7), turns in any::<bool>(), plies in 0..7usize) {
            let movers = if turns { (0..plies).map(|ply| (ply + 1) % 3).collect() } else { movers };
            let movers: Vec<Seat> = movers.into_iter().map(Seat::new).collect();
            let text = movers_text(&movers, 3);
            prop_assert!(!turns || text.len() < 2);
            prop_assert_eq!(read_movers(&text, movers.len(), 3), Some(movers));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in vec(any::<u8>(), 0..40)) {
            let text = String::from_utf8_lossy(&bytes);
            let times = read_varints(&bytes, |time| time);
            prop_assert!(times.is_none_or(|times| times.len() <= bytes.len()));
            read_moves(&text);
            read_movers(&text, 3, 2);
            read_groups(&text);
        }
    }
}
