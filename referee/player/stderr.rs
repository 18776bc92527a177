//! What is kept of a player's standard error: the end of each turn, within limits.

use std::collections::VecDeque;

/// So much is kept of a turn,
const TURN: usize = 4096;
/// until so much was kept in all,
const FULL_TURNS_TOTAL: usize = 200 * 1024;
/// and so much from then on.
const LATER_TURN: usize = 1024;

/// The end of what was written since the last look.
#[derive(Default)]
pub struct Tail {
    bytes: VecDeque<u8>,
    kept_before: usize,
}

impl Tail {
    /// Takes what was written.
    pub fn push(&mut self, bytes: &[u8]) {
        let limit = self.limit();
        let bytes = &bytes[bytes.len().saturating_sub(limit)..];
        let too_many = (self.bytes.len() + bytes.len()).saturating_sub(limit);
        self.bytes.drain(..too_many);
        self.bytes.extend(bytes);
    }

    /// What was kept since the last time.
    pub fn take(&mut self) -> String {
        self.kept_before += self.bytes.len();
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
    fn keeps_the_end_of_a_turn() {
        let mut tail = Tail::default();
        tail.push(&[b'a'; 5000]);
        tail.push(b"the end");
        let text = tail.take();
        assert_eq!(text.len(), TURN);
        assert!(text.ends_with("athe end"));
        assert_eq!(tail.take(), "");
    }

    #[test]
    fn keeps_less_after_much() {
        let mut tail = Tail::default();
        for _ in 0..FULL_TURNS_TOTAL / TURN {
            tail.push(&[b'x'; TURN]);
            assert_eq!(tail.take().len(), TURN);
        }
        tail.push(&[b'x'; TURN]);
        assert_eq!(tail.take().len(), LATER_TURN);
    }
}
