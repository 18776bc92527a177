//! Opening books: the best move in every position that a seat can reach while it plays by the book.
//!
//! A book is a text file with the parameters in its header. Each position then has a line
//! `SEAT BOARD best PIT`, with the board as in `state` lines of that seat. The last line is
//! `end COUNT`.

pub(crate) mod graph;
mod grown;
pub(crate) mod journal;
mod parameters;

pub use grown::{BookMove, BookSource, GrownBook};
pub(crate) use parameters::at_line;
pub use parameters::Parameters;

use crate::options::Options;
use arbitre_games::dialect::Notation;
use arbitre_games::files;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::awele::{Awele, Board, Pit, Position};
use arbitre_games::text::io_reason;
use std::collections::HashMap;
use std::hash::Hash;

/// Text of the bundled book, the default of the bots.
const SHIPPED: &str = include_str!("shipped.txt");

/// An opening book in memory.
#[derive(Clone, Debug)]
pub struct Book {
    parameters: Parameters,
    moves: HashMap<(Seat, Board), Pit>,
}

impl Book {
    /// Returns the bundled book.
    ///
    /// # Panics
    /// Never panics: a test reads the book.
    pub fn shipped() -> Book {
        Book::parse(SHIPPED).expect("the shipped book can be read")
    }

    /// Returns the book that `--book` names, a file or `none`; without the option, `usual`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a book.
    pub fn take(
        options: &mut Options,
        usual: impl FnOnce() -> Option<Book>,
    ) -> Result<Option<Book>, ParseError> {
        match options.take_text("--book")?.as_deref() {
            None => Ok(usual()),
            Some("none") => Ok(None),
            Some(path) => read(path, Book::parse).map(Some),
        }
    }

    /// Parses a finished book.
    ///
    /// # Errors
    /// Returns an error that names the first invalid line.
    pub fn parse(text: &str) -> Result<Book, ParseError> {
        let mut lines = (1..).zip(text.lines());
        let parameters = Parameters::parse(&mut lines)?;
        let moves = parse_entries(&mut lines, |line| parse_entry(&parameters, line))?;
        Ok(Book { parameters, moves })
    }

    /// Returns the parameters of the book.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns the number of positions in the book.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns `true` if the book has no position.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the move of a position in the book, if the rules fit the searches of the book.
    ///
    /// A board of the other seat counts too: its best move is the same, and in some dialects a bot
    /// does not know its seat.
    pub fn look(&self, position: &Position) -> Option<Pit> {
        let entry = |seat| self.moves.get(&(seat, position.board()));
        let pit = entry(position.mover()).or_else(|| entry(position.mover().other()))?;
        self.parameters.fit(position.rules()).then_some(*pit)
    }
}

/// Reads the book in a file.
/// Parses the entries of a book up to its last line.
fn parse_entries<K: Eq + Hash, V>(
    lines: &mut dyn Iterator<Item = (usize, &str)>,
    parse: impl Fn(&str) -> Result<(K, V), ParseError>,
) -> Result<HashMap<K, V>, ParseError> {
    let mut entries = HashMap::new();
    while let Some((number, line)) = lines.next() {
        if line.starts_with("end ") {
            let end = format!("end {}", entries.len());
            return match (line == end, lines.next()) {
                (false, _) => Err(at_line(number, format!("expected '{end}', got '{line}'"))),
                (true, None) => Ok(entries),
                (true, Some((number, _))) => Err(at_line(number, "expected nothing after the end")),
            };
        }
        let (position, found) = parse(line).map_err(|error| at_line(number, error))?;
        if entries.insert(position, found).is_some() {
            return Err(at_line(number, format!("expected every position once, got '{line}'")));
        }
    }
    Err(ParseError::new(format!(
        "expected a line 'end COUNT' after its {} positions, got the end; help: run the command \
         that makes the book again",
        entries.len()
    )))
}

fn parse_entry(parameters: &Parameters, line: &str) -> Result<((Seat, Board), Pit), ParseError> {
    let expected = || {
        ParseError::new(format!(
            "expected 'SEAT BOARD best PIT' with one of its seats, got '{line}'"
        ))
    };
    let (position, pit) = line.split_once(" best ").ok_or_else(expected)?;
    let (seat, board) = position.split_once(' ').ok_or_else(expected)?;
    let mut seats = parameters.seats.iter();
    let seat = seats.find(|known| known.to_string() == seat).ok_or_else(expected)?;
    let game = Awele::new(parameters.rules);
    let (position, pit) = (game.parse_state(board, seat)?, game.parse_move(pit)?);
    match position.is_legal(pit) {
        true => Ok(((seat, position.board()), pit)),
        false => Err(ParseError::new(format!("expected a legal move, got '{line}'"))),
    }
}

fn read<T>(path: &str, parse: fn(&str) -> Result<T, ParseError>) -> Result<T, ParseError> {
    let refused = |why: &dyn std::fmt::Display| {
        ParseError::in_file(format!("the book '{path}' cannot be read: {why}"))
    };
    let text = files::read_text(path).map_err(|error| refused(&io_reason(&error)))?;
    parse(&text).map_err(|error| refused(&error))
}

/// A position and its move, as a line without its end.
pub(crate) fn entry(position: &Position, pit: Pit) -> String {
    format!("{}{pit}", entry_without_move(position))
}

pub(crate) fn entry_without_move(position: &Position) -> String {
    format!("{} {} best ", position.mover(), position.board())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::awele::{Rules, ABAPA, AWARI, CODINGAME};

    const BOOK: &str = "awele book 1\n\
        rules grand-slam=nothing no-move=own-row repetition=none max-plies=200 sweep=no\n\
        own-moves 1\n\
        depth 8\n\
        heuristic captures\n\
        threshold 24\n\
        maximise off\n\
        seats 0 1\n\
        0 4 4 4 4 4 4 4 4 4 4 4 4 0 0 best 2\n\
        1 5 4 4 4 4 4 4 4 0 5 5 5 0 0 best 5\n\
        end 2\n";

    fn refusal(text: &str) -> String {
        Book::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_book_knows_its_positions_and_seats() {
        let book = Book::parse(BOOK).unwrap();
        let look = |board: &str, seat| {
            let position = Awele::new(CODINGAME).parse_state(board, Seat::new(seat)).unwrap();
            book.look(&position).map(Pit::index)
        };
        assert_eq!(look("4 4 4 4 4 4 4 4 4 4 4 4 0 0", 0), Some(2));
        assert_eq!(look("4 4 4 4 4 4 4 4 4 4 4 4 0 0", 1), Some(2), "whatever the seat is called");
        assert_eq!(look("5 4 4 4 4 4 4 4 0 5 5 5 0 0", 1), Some(5));
        assert_eq!(look("5 5 4 4 4 4 4 4 0 5 5 4 0 0", 1), None);
        assert_eq!(book.len(), 2);
    }

    /// Rules that a search from the book's positions cannot tell apart share it.
    #[test]
    fn a_book_is_for_its_rules() {
        let book = Book::parse(BOOK).unwrap();
        let opens = |rules: Rules| {
            let position = Position::new(rules, Board::START, Seat::FIRST);
            book.look(&position).is_some()
        };
        assert!(opens(CODINGAME) && opens(ABAPA));
        assert!(!opens(AWARI), "grand slams differ");
        assert!(!opens(Rules::parse("no-move=mover-all").unwrap()));
        assert!(opens(Rules::parse("max-plies=11").unwrap()));
        assert!(!opens(Rules::parse("max-plies=10").unwrap()), "a search sees that end");
    }

    #[test]
    fn what_is_no_book_is_refused_by_line() {
        let cases = [
            ("awele book 1", "awele book 2", "line 1: expected 'awele book 1', got 'awele book 2'"),
            ("grand-slam=nothing", "grand-slam=nil", "line 2: grand-slam: expected"),
            ("own-moves 1", "own-moves x", "line 3: expected 'own-moves' and a number from 1"),
            ("depth 8", "dept 8", "line 4: expected 'depth'"),
            ("captures", "complex 1", "line 5: --weights: expected"),
            ("threshold 24", "threshold 23", "line 6: --threshold: expected"),
            ("maximise off", "maximise of", "line 7: expected 'maximise' and on or off"),
            ("seats 0 1", "seats 2", "line 8: expected 'seats' and 0, 1 or 0 1"),
            (
                "seats 0 1",
                "seats 0",
                "line 10: expected 'SEAT BOARD best PIT' with one of its seats",
            ),
            ("4 4 4 0 0 best 2", "4 4 5 0 0 best 2", "line 9: expected seeds and captures to sum"),
            ("best 2", "best 6", "line 9: expected a pit from 0 to 5, got '6'"),
            (
                "0 5 5 5 0 0 best 5",
                "0 5 5 5 0 0 worst 5",
                "line 10: expected 'SEAT BOARD best PIT'",
            ),
            ("1 5 4 4 4 4 4", "1 9 4 4 4 4 0", "line 10: expected a legal move, got '1 9"),
            (
                "1 5 4 4 4 4 4 4 4 0 5 5 5 0 0",
                "0 4 4 4 4 4 4 4 4 4 4 4 4 0 0",
                "line 10: expected every",
            ),
            ("end 2", "end 3", "line 11: expected 'end 2', got 'end 3'"),
            ("end 2\n", "end 2\n\n", "line 12: expected nothing after the end"),
            ("end 2\n", "", "expected a line 'end COUNT' after its 2"),
            (BOOK, "", "line 1: expected 'awele book 1', got the end"),
        ];
        for (sound, broken, part) in cases {
            assert!(BOOK.contains(sound), "{sound}");
            let error = refusal(&BOOK.replacen(sound, broken, 1));
            assert!(error.starts_with(part), "{broken}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn the_shipped_book_opens_for_both_seats() {
        let book = Book::shipped();
        assert_eq!(book.parameters().seats, arbitre_games::game::Seats::first(2));
        assert!(book.look(&Position::new(CODINGAME, Board::START, Seat::FIRST)).is_some());
    }
}
