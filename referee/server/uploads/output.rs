//! Log of a build and its test, of which beginning and end are kept.

use std::collections::VecDeque;

/// Bytes kept from the beginning and from the end. Not tuned.
const HEAD: usize = 48 * 1024;
const TAIL: usize = 16 * 1024;

/// Text that grows, of which beginning and end are kept.
#[derive(Clone, Default)]
pub struct Log {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes between them that are not kept.
    left_out: u64,
}

impl Log {
    /// Adds bytes at the end.
    pub fn add(&mut self, bytes: &[u8]) {
        let space = HEAD - self.head.len();
        let (head, tail) = bytes.split_at(bytes.len().min(space));
        self.head.extend(head);
        // A build may print 2 GB at once.
        let skipped = tail.len().saturating_sub(TAIL);
        self.tail.extend(&tail[skipped..]);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += (skipped + over) as u64;
    }

    /// Returns the text without characters that act on a screen.
    pub fn text(&self) -> String {
        let mut bytes = self.head.clone();
        if self.left_out > 0 {
            bytes.extend(format!("\n… {} bytes are left out …\n", self.left_out).bytes());
        }
        bytes.extend(&self.tail);
        let shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        String::from_utf8_lossy(&bytes).chars().filter(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_kept() {
        let mut log = Log::default();
        log.add(b"first\x1b[31m\r\n");
        for _ in 0..1000 {
            log.add(&[b'x'; 4096]);
        }
        log.add("last é".as_bytes());
        let text = log.text();
        assert!(
            text.starts_with("first[31m\nxxx") && text.ends_with("xxxlast é"),
            "{}",
            text.len()
        );
        let left_out = 4_096_000 + 12 + 7 - HEAD - TAIL;
        assert!(text.contains(&format!("… {left_out} bytes are left out …")));
        assert!(text.len() < HEAD + TAIL + 100);
    }

    #[test]
    fn short_text_stays_whole() {
        let mut log = Log::default();
        log.add("a\tb\n".as_bytes());
        log.add("\u{e9}".as_bytes());
        assert_eq!(log.text(), "a\tb\né");
    }
}
