//! `awele book`: makes an opening book. Its positions are visited in a fixed order, and the file
//! gets a line for each. Positions already in the file are not searched again.

use crate::awele::book::{at_line, entry, entry_without_move, Parameters};
use crate::awele::ifips2005::search;
use crate::options::Options;
use crate::program::Failure;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat, State};
use arbitre_games::games::awele::{Awele, Board, Pit, Position, Rules};
use arbitre_games::search::budget::Budget;
use arbitre_games::text::io_reason;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the command `awele book`.
///
/// # Errors
/// Returns an error if an option is invalid, or the file cannot be written or has other contents.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let parameters = Parameters::take(&mut options)?;
    let output = options.take_text("--output")?;
    options.finish()?;
    let output = output
        .ok_or_else(|| ParseError::new("--output: expected a file for the book, got none"))?;
    make(&parameters, Path::new(&output), &mut io::stderr())?;
    Ok(())
}

/// Makes or continues the book in a file, reports the progress and returns the number of positions.
///
/// A kill loses only the current position. The same parameters give the same bytes, however often
/// the process was killed.
///
/// # Errors
/// Returns an error if the file cannot be written, is written by another process, or is not the
/// beginning of this book.
pub fn make(
    parameters: &Parameters,
    path: &Path,
    progress: &mut dyn Write,
) -> Result<usize, ParseError> {
    let journal = BookJournal::open(path, parameters)?;
    let mut maker = Maker { parameters, journal, progress: BookProgress::new(progress), done: 0 };
    for seat in parameters.seats.iter() {
        maker.walk(seat)?;
    }
    maker.journal.finish(maker.done)?;
    maker.progress.finish(maker.done);
    Ok(maker.done)
}

struct Maker<'a> {
    parameters: &'a Parameters,
    journal: BookJournal,
    progress: BookProgress<'a>,
    done: usize,
}

impl Maker<'_> {
    /// The positions of a seat: breadth first, each where it comes up first.
    fn walk(&mut self, seat: Seat) -> Result<(), ParseError> {
        let mut turns = first_turns(self.parameters.rules, seat);
        let mut seen: HashSet<Board> = turns.iter().map(Position::board).collect();
        for left in (0..self.parameters.own_moves).rev() {
            let mut later = Vec::new();
            for (at, position) in turns.iter().enumerate() {
                let pit = self.best(position)?;
                if left > 0 {
                    let replies = after_replies(&after(position, pit)).into_iter();
                    later.extend(replies.filter(|next| seen.insert(next.board())));
                }
                self.done += 1;
                self.progress.tell(self.done, self.done + turns.len() - at - 1 + later.len());
            }
            turns = later;
        }
        Ok(())
    }

    /// The move of this position: the one in the file, or what a search finds.
    fn best(&mut self, position: &Position) -> Result<Pit, ParseError> {
        if let Some(pit) = self.journal.kept(position)? {
            return Ok(pit);
        }
        let Parameters { goal, depth, .. } = *self.parameters;
        let pit = match position.moves(position.mover())[..] {
            [only] => only,
            _ => search(goal, None, position, Budget::depth(depth)).best,
        };
        self.progress.searched += 1;
        self.journal.append(&entry(position, pit))?;
        Ok(pit)
    }
}

/// Returns the positions in which a seat is to move for the first time.
fn first_turns(rules: Rules, seat: Seat) -> Vec<Position> {
    let rules = Rules { repetition: None, ..rules };
    let start = Position::new(rules, Board::START, Seat::FIRST);
    match seat == Seat::FIRST {
        true => vec![start],
        false => after_replies(&start),
    }
}

/// Returns the positions after every move of the player to move in which the game goes on.
fn after_replies(position: &Position) -> Vec<Position> {
    let all = position.moves(position.mover()).into_iter().map(|pit| after(position, pit));
    all.filter(|next| next.end().is_none()).collect()
}

fn after(position: &Position, pit: Pit) -> Position {
    let mut next = position.clone();
    next.play_unchecked(position.mover(), pit);
    next
}

/// The file of a book in the making.
struct BookJournal {
    file: File,
    name: String,
    /// The lines after the header that were there when it was opened, the last one first.
    kept: Vec<(usize, String)>,
}

impl BookJournal {
    /// Opens the file and reads what an earlier run left there. A last line without its end was
    /// being written when that run ended: it is cut off. A file with another header is not changed.
    fn open(path: &Path, parameters: &Parameters) -> Result<BookJournal, ParseError> {
        let name = path.display().to_string();
        let refused = |error: io::Error| cannot_use(&name, &error);
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let mut file = how.open(path).map_err(refused)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(ParseError::new(format!("another process is making the book '{name}'")));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(refused)?;
        let header = parameters.to_string();
        let mut journal = BookJournal { file, name, kept: Vec::new() };
        let is_new = header.starts_with(&text);
        if !is_new {
            // Checked before anything is cut, because the file may be no book at all.
            journal.check_header(&header, &text)?;
        }
        let whole = if is_new { 0 } else { text.rfind('\n').map_or(0, |at| at + 1) };
        text.truncate(whole);
        journal.cut_at(whole).map_err(|error| cannot_use(&journal.name, &error))?;
        match is_new {
            true => journal.append(header.trim_end())?,
            false => journal.kept = lines_after(&header, &text),
        }
        Ok(journal)
    }

    /// Cuts the file at this length, and continues there.
    fn cut_at(&mut self, length: usize) -> io::Result<()> {
        self.file.set_len(length as u64)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Returns an error unless the text begins with this header.
    fn check_header(&self, header: &str, text: &str) -> Result<(), ParseError> {
        let mut lines = text.lines();
        for expected in header.lines() {
            let line = lines.next().unwrap_or_default();
            if line != expected {
                return Err(ParseError::in_file(format!(
                    "'{}': expected '{expected}', got '{line}'; help: choose another --output",
                    self.name
                )));
            }
        }
        Ok(())
    }

    /// The move that the file has for this position, which is the next one.
    fn kept(&mut self, position: &Position) -> Result<Option<Pit>, ParseError> {
        let Some((number, line)) = self.kept.pop() else { return Ok(None) };
        let expected = entry_without_move(position);
        let game = Awele::new(*position.rules());
        let pit = line.strip_prefix(&expected).and_then(|word| game.parse_move(word).ok());
        match pit.filter(|&pit| position.is_legal(pit)) {
            Some(pit) => Ok(Some(pit)),
            None => Err(self.corrupt(number, &format!("{expected}' and a legal pit"), &line)),
        }
    }

    /// The last line, unless it is there.
    fn finish(&mut self, count: usize) -> Result<(), ParseError> {
        let end = format!("end {count}");
        match self.kept.pop() {
            None => self.append(&end),
            Some((_, line)) if line == end && self.kept.is_empty() => Ok(()),
            Some((number, line)) => {
                Err(self.corrupt(number, &format!("{end}' as the last"), &line))
            }
        }
    }

    fn append(&mut self, line: &str) -> Result<(), ParseError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| cannot_use(&self.name, &error))
    }

    fn corrupt(&self, number: usize, expected: &str, line: &dyn Display) -> ParseError {
        let why = format!("expected '{expected}, got '{line}'; help: choose another --output");
        ParseError::in_file(format!("'{}', {}", self.name, at_line(number, why)))
    }
}

/// Returns the numbered lines after the header, the last one first.
fn lines_after(header: &str, text: &str) -> Vec<(usize, String)> {
    let lines = (1..).zip(text.lines()).skip(header.lines().count());
    let mut lines: Vec<(usize, String)> =
        lines.map(|(number, line)| (number, line.to_owned())).collect();
    lines.reverse();
    lines
}

fn cannot_use(name: &str, error: &io::Error) -> ParseError {
    ParseError::in_file(format!("'{name}' cannot be used: {}", io_reason(error)))
}

impl Drop for BookJournal {
    /// Closing the file would leave it locked while a process that is just being started by another
    /// thread still holds it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Tells how far the book has come: on a terminal in one line, elsewhere now and then.
struct BookProgress<'a> {
    out: &'a mut dyn Write,
    begun: Instant,
    told: Instant,
    /// Positions that were searched, and not found in the file.
    searched: usize,
}

impl BookProgress<'_> {
    fn new(out: &mut dyn Write) -> BookProgress<'_> {
        let now = Instant::now();
        BookProgress { out, begun: now, told: now, searched: 0 }
    }

    fn tell(&mut self, done: usize, known: usize) {
        let terminal = io::stderr().is_terminal();
        let pause = Duration::from_millis(if terminal { 200 } else { 10_000 });
        if self.told.elapsed() < pause {
            return;
        }
        self.told = Instant::now();
        let end = if terminal { '\r' } else { '\n' };
        let rate = self.rate();
        // Whether anybody still reads it is no concern of the book.
        let _ =
            write!(self.out, "{done} of {known} positions known so far, {rate:.1} a second{end}");
        let _ = self.out.flush();
    }

    fn finish(&mut self, done: usize) {
        let (searched, seconds) = (self.searched, self.begun.elapsed().as_secs_f64());
        let rate = self.rate();
        let _ = writeln!(
            self.out,
            "{done} positions, {searched} of them searched now in {seconds:.1} s, {rate:.1} a second"
        );
    }

    fn rate(&self) -> f64 {
        self.searched as f64 / self.begun.elapsed().as_secs_f64()
    }
}
