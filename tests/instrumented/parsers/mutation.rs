//! Random inputs, and mutations of valid ones.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

/// Pieces that are inserted.
const PIECES: [&str; 28] = [
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "é",
    "\u{202e}",
    "\u{1F600}",
    ",",
    ";",
    "/",
    "#",
    "=",
    "-",
    ":",
    "\"",
    "\\u12",
    "\\",
    "0",
    "1",
    "null",
    "[",
    "]",
    "{",
    "}",
    "_",
    ".",
    "\n\n",
];

/// Numbers that replace others.
const NUMBERS: [&str; 20] = [
    "-1",
    "0",
    "1",
    "48",
    "100",
    "121",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e999",
    "0x10",
    "٣",
    "007",
];

/// Numbers that are often valid.
const SMALL: [&str; 8] = ["0", "1", "2", "3", "5", "10", "30", "1000"];

/// Openings that nest.
const NESTS: [&str; 5] = ["[", "{\"a\":", "(", "/", "-"];

/// Change of an input.
#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, u8),
    Delete(Index, usize),
    Duplicate(Index, usize),
    Insert(Index, &'static str),
    Truncate(Index),
    Number(Index, &'static str),
    Nest(Index, &'static str, usize),
    Lengthen(Index, usize),
    RepeatLine(Index, usize),
    Word(Index, Index),
    Raw(Index, u8),
}

/// Returns the place of the word at or after `at`.
fn word(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let start = at + bytes[at..].iter().position(is_part).unwrap_or(bytes.len() - at);
    start..start + bytes[start..].iter().take_while(|byte| is_part(byte)).count()
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |at: &Index| at.index(bytes.len() + 1);
        match self {
            Edit::Flip(at, bits) => {
                let at = place(at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bits;
                }
            }
            Edit::Delete(at, length) => {
                let at = place(at);
                bytes.drain(at..bytes.len().min(at + length));
            }
            Edit::Duplicate(at, length) => {
                let at = place(at);
                let part = bytes[at..bytes.len().min(at + length)].to_vec();
                bytes.splice(at..at, part);
            }
            Edit::Insert(at, piece) => {
                let at = place(at);
                bytes.splice(at..at, piece.bytes());
            }
            Edit::Truncate(at) => bytes.truncate(place(at)),
            Edit::Number(at, number) => {
                let at = place(at);
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                let Some(first) = bytes[at..].iter().position(is_digit) else { return };
                let first = at + first;
                let length = bytes[first..].iter().take_while(|byte| is_digit(byte)).count();
                bytes.splice(first..first + length, number.bytes());
            }
            Edit::Nest(at, open, count) => {
                let at = place(at);
                bytes.splice(at..at, open.repeat(*count).into_bytes());
            }
            Edit::Lengthen(at, count) => {
                let at = place(at);
                let byte = bytes.get(at).copied().unwrap_or(b' ');
                bytes.splice(at..at, std::iter::repeat_n(byte, *count));
            }
            Edit::RepeatLine(at, count) => {
                let at = place(at);
                let start =
                    bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |n| n + 1);
                let end = bytes[at..].iter().position(|&byte| byte == b'\n');
                let line = bytes[start..end.map_or(bytes.len(), |end| at + end + 1)].to_vec();
                bytes.splice(start..start, line.repeat(*count));
            }
            Edit::Word(from, to) => {
                let copied = bytes[word(bytes, place(from))].to_vec();
                bytes.splice(word(bytes, place(to)), copied);
            }
            Edit::Raw(at, byte) => bytes.insert(place(at), *byte),
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        1 => (at(), 1..=255u8).prop_map(|(at, bits)| Edit::Flip(at, bits)),
        1 => (at(), 1..20usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        1 => (at(), 1..40usize).prop_map(|(at, length)| Edit::Duplicate(at, length)),
        1 => (at(), select(&PIECES[..])).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        1 => at().prop_map(Edit::Truncate),
        3 => (at(), select(&NUMBERS[..])).prop_map(|(at, number)| Edit::Number(at, number)),
        1 => (at(), select(&NESTS[..]), 1..3000usize)
            .prop_map(|(at, open, count)| Edit::Nest(at, open, count)),
        1 => (at(), 1..8000usize).prop_map(|(at, count)| Edit::Lengthen(at, count)),
        1 => (at(), 1..30usize).prop_map(|(at, count)| Edit::RepeatLine(at, count)),
        2 => (at(), at()).prop_map(|(from, to)| Edit::Word(from, to)),
        1 => (at(), select(&[0x1b, 0x7f, 0x80, 0x9b, 0xff][..]))
            .prop_map(|(at, byte)| Edit::Raw(at, byte)),
    ]
}

/// Input of a parser, which is shown as text.
#[derive(Clone)]
pub struct Input(pub Vec<u8>);

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// Returns mutations of an input that keep its structure: other numbers, words and lines.
pub fn tweaks(valid: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        4 => (at(), select(&NUMBERS[..])).prop_map(|(at, number)| Edit::Number(at, number)),
        4 => (at(), select(&SMALL[..])).prop_map(|(at, number)| Edit::Number(at, number)),
        2 => (at(), at()).prop_map(|(from, to)| Edit::Word(from, to)),
        1 => (at(), 1..3usize).prop_map(|(at, count)| Edit::RepeatLine(at, count)),
    ];
    vec(edit, 1..3).prop_map(move |edits| {
        let mut bytes = valid.clone();
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        bytes
    })
}

/// Returns mutations of `valid` inputs.
pub fn mutations(valid: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    (select(valid), vec(edit(), 1..5)).prop_map(|(mut bytes, edits)| {
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        bytes
    })
}

/// Returns inputs of a parser: random bytes, random text, and mutations of `valid` inputs.
pub fn inputs(valid: Vec<Vec<u8>>) -> impl Strategy<Value = Input> {
    let bytes = prop_oneof![
        1 => vec(any::<u8>(), 0..200),
        1 => "\\PC{0,60}".prop_map(String::into_bytes),
        8 => mutations(valid),
    ];
    bytes.prop_map(Input)
}
