//! Table of a client: the two streams of one program, as far as both sides have received them.

use arbitre_process::stderr::Excerpt;
use std::collections::VecDeque;
use std::time::Instant;

/// Most bytes of lines that wait for the game. The longest answer of a game has 4 MiB.
pub const MOST_WAITING: usize = 5 << 20;
/// Bytes that a part of a line counts for besides its own, as it is kept.
const PART: usize = 64;

/// State of the program of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The client was asked to start it.
    Starting,
    /// Started.
    Running,
    /// Not started, with the reason.
    Failed(String),
    /// Not started, as its files changed before.
    Changed,
    /// Ended with this exit code, or minus the signal; none if it closed its output.
    Ended(Option<i64>),
    /// The client came back without it.
    Lost,
}

/// Table of a client.
pub struct Table {
    /// Name of the start.
    pub session: String,
    /// Number of the player whose program it is.
    pub owner: u64,
    /// Whether it is kept for another game.
    pub is_idle: bool,
    /// State of the program.
    pub phase: Phase,
    /// Standard error that was not taken yet.
    pub stderr: Excerpt,
    /// Instant at which the last byte for the program was handed to the system; none while it waits
    /// for that.
    pub out: Option<Instant>,
    /// Bytes for the program that the client may not have received, and the number of those before.
    sent: Vec<u8>,
    sent_before: u64,
    /// Number of bytes received from the program.
    received: u64,
    /// Lines of the program with the instants of their ends.
    lines: VecDeque<(Vec<u8>, Instant)>,
    /// Start of a line.
    partial: Vec<u8>,
    /// Bytes of lines that wait.
    waiting: usize,
}

impl Table {
    /// Creates a table whose program is to be started.
    pub fn new(session: String, owner: u64) -> Table {
        Table {
            session,
            owner,
            is_idle: false,
            phase: Phase::Starting,
            stderr: Excerpt::default(),
            out: None,
            sent: Vec::new(),
            sent_before: 0,
            received: 0,
            lines: VecDeque::new(),
            partial: Vec::new(),
            waiting: 0,
        }
    }

    /// Takes bytes of the program that have arrived. Those beyond the bound are dropped.
    pub fn hear(&mut self, bytes: &[u8], at: Instant) {
        if self.phase != Phase::Running {
            return;
        }
        self.received += bytes.len() as u64;
        // Between two games nothing was asked.
        let bytes = if self.is_idle { &[] } else { bytes };
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.is_flooded() {
                return;
            }
            self.waiting += part.len() + PART;
            self.partial.extend_from_slice(part);
            if self.partial.ends_with(b"\n") {
                self.partial.pop();
                if self.partial.ends_with(b"\r") {
                    self.partial.pop();
                }
                self.lines.push_back((std::mem::take(&mut self.partial), at));
            }
        }
    }

    /// Returns `true` if the program has said more than is kept.
    pub fn is_flooded(&self) -> bool {
        self.waiting > MOST_WAITING
    }

    /// Returns the start of a line that has not ended.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    /// Takes the first line that waits, with the instant of its end.
    pub fn take_line(&mut self) -> Option<(Vec<u8>, Instant)> {
        let line = self.lines.pop_front()?;
        self.waiting = self.waiting.saturating_sub(line.0.len() + PART);
        if self.lines.is_empty() {
            self.waiting = self.partial.len();
        }
        Some(line)
    }

    /// Drops all that waits.
    pub fn drop_leftovers(&mut self) {
        (self.lines, self.partial, self.waiting) = (VecDeque::new(), Vec::new(), 0);
    }

    /// Returns what the program has said and no question asked for; none if it said nothing.
    pub fn leftovers(&self) -> Option<String> {
        let first = self.lines.front().map(|(line, _)| line);
        let said = first.unwrap_or(&self.partial);
        (first.is_some() || !said.is_empty()).then(|| String::from_utf8_lossy(said).into_owned())
    }

    /// Takes text for the program, which is kept until the client is known to have it.
    pub fn say(&mut self, text: &[u8]) {
        self.sent.extend_from_slice(text);
        self.out = None;
    }

    /// Takes note that the client has received everything: it answered the last of it.
    pub fn note_received(&mut self) {
        self.sent_before += self.sent.len() as u64;
        self.sent.clear();
    }

    /// Returns the number of bytes received from the program.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Returns what a client lacks that has received this number of bytes; none if that cannot be.
    pub fn lacking(&self, received: u64) -> Option<&[u8]> {
        let known = usize::try_from(received.checked_sub(self.sent_before)?).ok()?;
        self.sent.get(known..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running() -> Table {
        Table { phase: Phase::Running, ..Table::new("s".into(), 1) }
    }

    #[test]
    fn lines_arrive_in_parts_and_with_both_line_ends() {
        let (mut table, now) = (running(), Instant::now());
        table.hear(b"on", now);
        assert_eq!((table.take_line(), table.partial()), (None, &b"on"[..]));
        assert_eq!(table.leftovers().as_deref(), Some("on"));
        table.hear(b"e\r\ntwo\n\nth", now);
        for line in [&b"one"[..], b"two", b""] {
            assert_eq!(table.take_line(), Some((line.to_vec(), now)));
        }
        assert_eq!((table.take_line(), table.received()), (None, 12));
        table.drop_leftovers();
        assert_eq!(table.leftovers(), None);
        table.hear(b"\n", now);
        assert_eq!(table.leftovers().as_deref(), Some(""), "an empty line was said, too");
    }

    #[test]
    fn flood_is_dropped_and_seen() {
        let (mut table, now) = (running(), Instant::now());
        let line = [b'x'; 1 << 16];
        for _ in 0..1000 {
            table.hear(&line, now);
        }
        assert!(table.is_flooded() && table.partial().len() < MOST_WAITING + (1 << 17));
        table.drop_leftovers();
        assert!(!table.is_flooded());
        // Lines without a letter take room, too.
        table.hear(&vec![b'\n'; MOST_WAITING], now);
        assert!(table.is_flooded() && table.lines.len() < 100_000);
        table.drop_leftovers();
        table.is_idle = true;
        table.hear(b"after the game\n", now);
        assert_eq!(table.leftovers(), None);
    }

    #[test]
    fn program_that_is_not_started_is_not_heard() {
        let mut table = Table::new("s".into(), 1);
        table.hear(b"of the last game\n", Instant::now());
        assert_eq!((table.take_line(), table.received()), (None, 0));
    }

    #[test]
    fn what_a_client_lacks_is_sent_again() {
        let mut table = running();
        table.say(b"one\n");
        table.say(b"two\n");
        for (received, lacking) in
            [(0, Some(&b"one\ntwo\n"[..])), (4, Some(b"two\n")), (8, Some(b"")), (9, None)]
        {
            assert_eq!(table.lacking(received), lacking, "{received}");
        }
        table.note_received();
        table.say(b"three\n");
        for (received, lacking) in [(0, None), (8, Some(&b"three\n"[..])), (u64::MAX, None)] {
            assert_eq!(table.lacking(received), lacking, "{received}");
        }
    }
}
