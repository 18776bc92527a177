//! Records of self-play: positions with the value of their search and the result of their game.
//!
//! A file begins with a line of text that names its parameters. Records of 16 bytes follow: twelve
//! pits, the captures of the player to move, the value of the search in two bytes (the lower
//! first), and the result for the player to move. That is 0 for a loss, 1 for a draw and 2 for a
//! win; the last record of a game has 4 more.

use super::logistic::sigmoid;
use crate::awele::best::search::LEAST_WIN;
use arbitre_games::games::awele::{Board, SEEDS};

/// Weight of the search's value in a training target; the rest is the result of the game.
const SEARCH_WEIGHT: f32 = 0.6;

/// Bytes of a record.
pub const RECORD: usize = 16;
/// Added to the result in the last record of a game.
pub const LAST: u8 = 4;

/// A position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Board.
    pub board: Board,
    /// Value of its search, from the view of the player to move.
    pub value: i16,
    /// Result for the player to move: 0 for a loss, 1 for a draw, 2 for a win.
    pub result: u8,
    /// Whether it is the last of its game.
    pub is_last: bool,
}

impl Record {
    /// Returns the bytes of the record.
    pub fn bytes(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..12].copy_from_slice(&self.board.pits());
        bytes[12] = self.board.captures()[0];
        bytes[13..15].copy_from_slice(&self.value.to_le_bytes());
        bytes[15] = self.result + if self.is_last { LAST } else { 0 };
        bytes
    }

    /// Returns the record of these bytes, if they are one.
    pub fn parse(bytes: &[u8; RECORD]) -> Option<Record> {
        let pits: [u8; 12] = bytes[..12].try_into().ok()?;
        let own = bytes[12];
        let seeds = pits.iter().try_fold(own, |sum, &seeds| sum.checked_add(seeds))?;
        let board = Board::new(pits, [own, SEEDS.checked_sub(seeds)?]);
        let value = i16::from_le_bytes([bytes[13], bytes[14]]);
        let (result, is_last) = (bytes[15] % LAST, bytes[15] >= LAST);
        (result < 3 && bytes[15] < 2 * LAST).then_some(Record { board, value, result, is_last })
    }

    /// Returns the training target: a share of the value of the search and of the result.
    pub fn target(&self) -> f32 {
        let value = i32::from(self.value);
        if value.abs() >= LEAST_WIN {
            return if value > 0 { 1.0 } else { 0.0 };
        }
        let result = f32::from(self.result) / 2.0;
        SEARCH_WEIGHT * sigmoid(value as f32 / 100.0) + (1.0 - SEARCH_WEIGHT) * result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_their_bytes() {
        let board = Board::new([0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 13], [10, 4]);
        for (value, result, is_last) in [(-9999, 0, false), (0, 1, true), (9999, 2, true)] {
            let record = Record { board, value, result, is_last };
            assert_eq!(Record::parse(&record.bytes()), Some(record));
        }
        let mut bytes = Record { board, value: 1, result: 2, is_last: true }.bytes();
        for (at, byte) in [(0, 5), (12, 200), (15, 3), (15, 7), (15, 8)] {
            let before = std::mem::replace(&mut bytes[at], byte);
            assert_eq!(Record::parse(&bytes), None, "byte {at} is {byte}");
            bytes[at] = before;
        }
    }

    #[test]
    fn targets_mix_value_and_result() {
        let record = Record { board: Board::START, value: 0, result: 1, is_last: false };
        let target = |value, result| Record { value, result, ..record }.target();
        assert!((target(0, 1) - 0.5).abs() < 1e-6);
        assert!((target(0, 2) - 0.7).abs() < 1e-6 && (target(0, 0) - 0.3).abs() < 1e-6);
        // 1 / (1 + 1/e) is 0.7311.
        assert!((target(100, 1) - (0.6 * 0.7311 + 0.2)).abs() < 1e-3);
        assert_eq!([target(9_990, 0), target(-9_990, 2)], [1.0, 0.0]);
    }
}
