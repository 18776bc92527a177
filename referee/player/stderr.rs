//! Recorded standard error of a player: the end of each turn, within limits.

use std::collections::VecDeque;

/// Bytes of standard error kept per turn. Not tuned.
const TURN: usize = 4096;
/// Total in bytes after which the smaller limit applies. Not tuned.
const FULL_TURNS_TOTAL: usize = 200 * 1024;
/// Bytes kept per turn beyond that total. Not tuned.
const LATER_TURN: usize = 1024;

/// End of the standard error written since the last call of `take`.
#[derive(Default)]
pub struct Tail {
    bytes: VecDeque<u8>,
    kept_before: usize,
}

impl Tail {
    /// Appends `bytes`, and drops text from the front beyond the limit.
    pub fn push(&mut self, bytes: &[u8]) {
        let limit = self.limit();
        let bytes = &bytes[bytes.len().saturating_sub(limit)..];
        let too_many = (self.bytes.len() + bytes.len()).saturating_sub(limit);
        self.bytes.drain(..too_many);
        self.bytes.extend(bytes);
    }

    /// Returns the text kept since the last call.
    pub fn take(&mut self) -> String {
        self.kept_before += self.bytes.len();
        // The cut at the front may have split a character.
        let bytes: Vec<u8> = self.bytes.drain(..).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn limit(&self) -> usize {
        if self.kept_before < FULL_TURNS_TOTAL {
            TURN
        } else {
            LATER_TURN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_of_turn_is_kept() {
        let mut tail = Tail::default();
        tail.push(&[b'a'; 5000]);
        tail.push(b"the end");
        let text = tail.take();
        assert_eq!(text.len(), TURN);
        assert!(text.ends_with("athe end"));
        assert_eq!(tail.take(), "");
    }

    #[test]
    fn limit_shrinks_after_total() {
        let mut tail = Tail::default();
        for _ in 0..FULL_TURNS_TOTAL / TURN {
            tail.push(&[b'x'; TURN]);
            assert_eq!(tail.take().len(), TURN);
        }
        tail.push(&[b'x'; TURN]);
        assert_eq!(tail.take().len(), LATER_TURN);
    }
}
