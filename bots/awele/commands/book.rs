//! `awele book`: makes an opening book. Its positions are visited in a fixed order, and the file
//! gets a line for each. Positions already in the file are not searched again.

use crate::awele::book::journal::BookJournal;
use crate::awele::book::{entry, entry_without_move, Parameters};
use crate::awele::ifips2005::search;
use crate::options::Options;
use crate::program::Failure;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat, State};
use arbitre_games::games::awele::{Awele, Board, Pit, Position, Rules};
use arbitre_games::search::budget::Budget;
use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs the command `awele book`.
///
/// # Errors
/// Returns an error if an option is invalid, or the file cannot be written or has other contents.
pub fn run(mut options: Options) -> Result<(), Failure> {
    match options.take_word().as_deref() {
        None => {}
        Some("grow") => return super::grow::run(options),
        Some(word) => {
            return Err(ParseError::new(format!("expected grow or options, got '{word}'")).into());
        }
    }
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
    let journal = BookJournal::open(path, &parameters.to_string())?;
    let mut maker = Maker { parameters, journal, progress: BookProgress::new(progress), done: 0 };
    for seat in parameters.seats.iter() {
        maker.walk(seat)?;
    }
    maker.journal.finish(&format!("end {}", maker.done))?;
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
                    let replies = after_replies(&position.after(position.mover(), pit)).into_iter();
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
        let game = Awele::new(*position.rules());
        let parse = |word: &str| game.parse_move(word).ok().filter(|&pit| position.is_legal(pit));
        if let Some(pit) = self.journal.kept(&entry_without_move(position), "a legal pit", parse)? {
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
    let mover = position.mover();
    let all = position.moves(mover).into_iter().map(|pit| position.after(mover, pit));
    all.filter(|next| next.end().is_none()).collect()
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
