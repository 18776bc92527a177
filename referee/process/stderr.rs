//! Recorded standard error of a program: the beginning and the end of each turn, within limits.

use std::collections::VecDeque;

/// Bytes of standard error kept per turn: an eighth from its beginning, where some runtimes name
/// the error, the others from its end. Not tuned.
const TURN: usize = 4096;
/// Total in bytes after which the smaller limit applies. Not tuned.
const FULL_TURNS_TOTAL: usize = 200 * 1024;
/// Bytes kept per turn beyond that total. Not tuned.
const LATER_TURN: usize = 1024;

/// Line in place of text that was not kept.
const GAP: &str = "\n[…]\n";

/// Beginning and end of the standard error written since the last call of `take`.
#[derive(Default)]
pub struct Excerpt {
    head: Vec<u8>,
    bytes: VecDeque<u8>,
    /// Whether text between the two was not kept.
    has_gap: bool,
    kept_before: usize,
}

impl Excerpt {
    /// Appends `bytes`, and drops text from the middle beyond the limit.
    pub fn push(&mut self, bytes: &[u8]) {
        let head = self.limit() / 8;
        let (first, bytes) = bytes.split_at((head - self.head.len()).min(bytes.len()));
        self.head.extend(first);
        let limit = self.limit() - head;
        let (before, bytes) = bytes.split_at(bytes.len().saturating_sub(limit));
        let too_many = (self.bytes.len() + bytes.len()).saturating_sub(limit);
        self.bytes.drain(..too_many);
        self.bytes.extend(bytes);
        self.has_gap |= before.len() + too_many > 0;
    }

    /// Returns the text kept since the last call.
    pub fn take(&mut self) -> String {
        let text = self.text();
        self.kept_before += self.head.len() + self.bytes.len();
        self.head.clear();
        self.bytes.clear();
        self.has_gap = false;
        text
    }

    /// Returns the text that the next call of [`Excerpt::take`] will return.
    pub fn text(&self) -> String {
        let mut text = self.head.clone();
        let mut skipped = 0;
        if self.has_gap {
            text.extend(GAP.bytes());
            // The end of a line whose beginning was not kept is no line. A longer one is all there
            // is.
            let end = self.bytes.iter().position(|&byte| byte == b'\n');
            skipped = end.filter(|&end| end + 1 < self.bytes.len()).map_or(0, |end| end + 1);
        }
        text.extend(self.bytes.range(skipped..));
        // A cut may have split a character.
        String::from_utf8_lossy(&text).into_owned()
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
    fn beginning_and_end_of_turn_are_kept() {
        for size in [1, 100, 600, 9_000] {
            let mut excerpt = Excerpt::default();
            let text = format!("the beginning{}the end", "a".repeat(9_000 - 20));
            text.as_bytes().chunks(size).for_each(|chunk| excerpt.push(chunk));
            let kept = excerpt.take();
            let (first, rest) = kept.split_once(GAP).unwrap();
            assert_eq!((first.len(), first.len() + rest.len()), (TURN / 8, TURN), "{size}");
            assert!(first.starts_with("the beginninga") && rest.ends_with("athe end"), "{size}");
            assert_eq!(excerpt.take(), "");
        }
        let mut excerpt = Excerpt::default();
        excerpt.push(&[b'a'; TURN]);
        assert_eq!(excerpt.take(), "a".repeat(TURN), "nothing was dropped");
    }

    #[test]
    fn end_of_a_cut_line_is_no_line() {
        let mut excerpt = Excerpt::default();
        let trace = format!("Error: why\n{}", "    at some.Function (file.js:1:2)\n".repeat(300));
        excerpt.push(trace.as_bytes());
        let kept = excerpt.take();
        let (_, rest) = kept.split_once(GAP).unwrap();
        assert!(rest.starts_with("    at some.Function"), "{}", &rest[..40]);
        assert!(rest.len() > TURN / 8 * 7 - 40);
    }

    #[test]
    fn limit_shrinks_after_total() {
        let mut excerpt = Excerpt::default();
        for _ in 0..FULL_TURNS_TOTAL / TURN {
            excerpt.push(&[b'x'; TURN]);
            assert_eq!(excerpt.take().len(), TURN);
        }
        excerpt.push(&[b'x'; TURN]);
        assert_eq!(excerpt.take().replace(GAP, "").len(), LATER_TURN);
    }
}
