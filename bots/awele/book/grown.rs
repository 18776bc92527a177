//! Books that the engine grows: for each position the best move, its score and its depth.
//!
//! A book is a text file. Its header names the rules and the nodes of a search. Each position then
//! has a line `BOARD best PIT score SCORE depth DEPTH`, and the last line is `end COUNT`.

use super::{at_line, parse_entries, read};
use crate::options::Options;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::games::awele::{Awele, Board, Pit, Position, Rules, ABAPA, CODINGAME};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// First line of every book.
const MAGIC: &str = "awele grown book 1";

/// Move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// Best move.
    pub pit: Pit,
    /// Value of the position for the player to move, as a search gives it.
    pub score: i32,
    /// Plies of the book behind the move, and those of the search that ends them.
    pub depth: u32,
}

/// Texts of the bundled books for the presets `codingame` and `abapa`.
const SHIPPED: [&str; 2] = [include_str!("codingame.txt"), include_str!("abapa.txt")];

/// Books among which the rules choose.
#[derive(Clone)]
pub enum BookSource {
    /// No book.
    None,
    /// The book that this function has for the rules, if it has one.
    Rules(fn(&Rules) -> Option<GrownBook>),
    /// This book.
    Fixed(Arc<GrownBook>),
}

impl BookSource {
    /// Takes the option `--book`: a file or `none`; without it the bundled books.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a grown book.
    pub fn take(options: &mut Options) -> Result<BookSource, ParseError> {
        match options.take_text("--book")?.as_deref() {
            None => Ok(BookSource::Rules(GrownBook::shipped)),
            Some("none") => Ok(BookSource::None),
            Some(path) => read(path, GrownBook::parse).map(Arc::new).map(BookSource::Fixed),
        }
    }

    /// Returns the book for these rules.
    pub fn book(&self, rules: &Rules) -> Option<Arc<GrownBook>> {
        match self {
            BookSource::None => None,
            BookSource::Fixed(book) => Some(book.clone()),
            BookSource::Rules(book) => book(rules).map(Arc::new),
        }
    }
}

/// A grown book in memory.
#[derive(Clone, Debug)]
pub struct GrownBook {
    rules: Rules,
    moves: HashMap<Board, BookMove>,
}

impl GrownBook {
    /// Returns the bundled book for these rules, if there is one.
    ///
    /// # Panics
    /// Never panics: a test reads the bundled books.
    pub fn shipped(rules: &Rules) -> Option<GrownBook> {
        let mut presets = [CODINGAME, ABAPA].iter().zip(SHIPPED);
        let (_, text) = presets.find(|(preset, _)| same(preset, rules))?;
        Some(GrownBook::parse(text).expect("bundled books can be read"))
    }

    /// Parses a book.
    ///
    /// # Errors
    /// Returns an error that names the first invalid line.
    pub fn parse(text: &str) -> Result<GrownBook, ParseError> {
        let mut lines = (1..).zip(text.lines());
        let mut header = |start: &str| match lines.next() {
            Some((number, line)) => line
                .strip_prefix(start)
                .map(|rest| (number, rest))
                .ok_or_else(|| at_line(number, format!("expected '{start}', got '{line}'"))),
            None => Err(ParseError::new(format!("expected '{start}', got the end"))),
        };
        header(MAGIC).map_err(|error| {
            ParseError::new(format!("{error}; help: awele book grow makes books for best"))
        })?;
        let (number, rules) = header("rules ")?;
        let rules = Rules::parse(rules).map_err(|error| at_line(number, error))?;
        header("nodes ")?;
        let game = Awele::new(rules);
        let moves = parse_entries(&mut lines, |line| parse_entry(&game, line))?;
        Ok(GrownBook { rules, moves })
    }

    /// Returns the text of a book with these positions.
    pub fn text(rules: &Rules, nodes: u64, entries: &[(Board, BookMove)]) -> String {
        let mut text = format!("{MAGIC}\nrules {rules}\nnodes {nodes}\n");
        for (board, BookMove { pit, score, depth }) in entries {
            let _ = writeln!(text, "{board} best {pit} score {score} depth {depth}");
        }
        let _ = writeln!(text, "end {}", entries.len());
        text
    }

    /// Returns the move of a position in the book, if its rules are those of the book.
    pub fn look(&self, position: &Position) -> Option<BookMove> {
        let found = self.moves.get(&position.board()).copied()?;
        self.fits(position.rules()).then_some(found)
    }

    /// Returns `true` if the rules are those of the book.
    pub fn fits(&self, rules: &Rules) -> bool {
        same(rules, &self.rules)
    }

    /// Returns the number of positions in the book.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns `true` if the book has no position.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

/// Compares rules. The end of a game changes no move of its opening, so the sweep and the end at
/// the limit do not matter.
fn same(one: &Rules, other: &Rules) -> bool {
    Rules { sweep: other.sweep, limit: other.limit, ..*one } == *other
}

fn parse_entry(game: &Awele, line: &str) -> Result<(Board, BookMove), ParseError> {
    let expected = || {
        ParseError::new(format!("expected 'BOARD best PIT score SCORE depth DEPTH', got '{line}'"))
    };
    let (board, found) = line.split_once(" best ").ok_or_else(expected)?;
    let mut words = found.split(' ');
    let words: [Option<&str>; 6] = std::array::from_fn(|_| words.next());
    let [Some(pit), Some("score"), Some(score), Some("depth"), Some(depth), None] = words else {
        return Err(expected());
    };
    let position = game.parse_state(board, Seat::FIRST)?;
    let pit = game.parse_move(pit)?;
    let score = score.parse().map_err(|_| expected())?;
    let depth = depth.parse().map_err(|_| expected())?;
    match position.is_legal(pit) {
        true => Ok((position.board(), BookMove { pit, score, depth })),
        false => Err(ParseError::new(format!("expected a legal move, got '{line}'"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::State;
    use arbitre_games::games::awele::AWARI;

    const BOOK: &str = "awele grown book 1\n\
        rules grand-slam=nothing no-move=own-row repetition=none max-plies=200 sweep=no\n\
        nodes 1000\n\
        4 4 4 4 4 4 4 4 4 4 4 4 0 0 best 2 score -7 depth 12\n\
        5 4 4 4 4 4 4 4 0 5 5 5 0 0 best 5 score 40 depth 11\n\
        end 2\n";

    #[test]
    fn a_book_is_for_its_rules() {
        let book = GrownBook::parse(BOOK).unwrap();
        let look = |rules| book.look(&Position::new(rules, Board::START, Seat::FIRST));
        let first = BookMove { pit: Pit::new(2).unwrap(), score: -7, depth: 12 };
        assert_eq!(look(CODINGAME), Some(first));
        assert_eq!(look(Rules { sweep: true, ..CODINGAME }), Some(first));
        assert_eq!([look(ABAPA), look(AWARI)], [None, None]);
        assert_eq!(book.len(), 2);
        let entries: Vec<(Board, BookMove)> = book.moves.into_iter().collect();
        assert_eq!(GrownBook::parse(&GrownBook::text(&CODINGAME, 5, &entries)).unwrap().len(), 2);
    }

    #[test]
    fn bundled_books_open_for_both_seats() {
        for rules in [ABAPA, CODINGAME] {
            let book = GrownBook::shipped(&rules).unwrap();
            assert!(book.len() > 5_000, "{}", book.len());
            let mut position = Position::new(rules, Board::START, Seat::FIRST);
            for _ in 0..2 {
                let found = book.look(&position).unwrap();
                position.play_unchecked(position.mover(), found.pit);
            }
        }
        assert!(GrownBook::shipped(&AWARI).is_none());
        assert!(SHIPPED.iter().map(|text| text.len()).sum::<usize>() < 3_000_000);
    }

    #[test]
    fn what_is_no_book_is_refused_by_line() {
        let cases = [
            ("book 1", "book 2", "line 1: expected 'awele grown book 1'"),
            ("awele grown", "awele", "line 1: expected 'awele grown book 1', got 'awele book 1'"),
            ("grand-slam=nothing", "grand-slam=nil", "line 2: grand-slam: expected"),
            ("nodes 1000", "node", "line 3: expected 'nodes ', got 'node'"),
            ("score -7", "score x", "line 4: expected 'BOARD best PIT score SCORE depth DEPTH'"),
            ("best 2", "best 6", "line 4: expected a pit from 0 to 5, got '6'"),
            ("4 4 4 0 5 5 5 0 0", "0 4 4 4 5 5 5 0 0", "line 5: expected a legal move, got '5"),
            ("5 4 4 4 4 4 4 4 0 5 5 5", "4 4 4 4 4 4 4 4 4 4 4 4", "line 5: expected every"),
            ("end 2", "end 3", "line 6: expected 'end 2', got 'end 3'"),
            ("end 2\n", "end 2\n\n", "line 7: expected nothing after the end"),
            ("end 2\n", "", "expected a line 'end COUNT' after its 2 positions"),
            (BOOK, "", "expected 'awele grown book 1', got the end"),
        ];
        for (sound, broken, part) in cases {
            assert!(BOOK.contains(sound), "{sound}");
            let error = GrownBook::parse(&BOOK.replacen(sound, broken, 1)).unwrap_err().to_string();
            assert!(error.starts_with(part), "{broken}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
