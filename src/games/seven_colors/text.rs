//! Notation of moves, boards and positions.

use super::rules::{ColourRule, Rules};
use super::state::{seats, SEATS};
use super::{generate, Board, CellState, Colour, Position, SevenColors};
use crate::dialect::Notation;
use crate::game::{ParseError, Seat};

/// Letter of a cell of the player that sees the board.
const OWN: char = '.';
/// Letter of a cell of its opponent.
const OTHER: char = '*';
/// Word for the colour of a player that has not moved yet.
const NO_COLOUR: &str = "-";

impl Notation for SevenColors {
    fn from_rules(text: &str) -> Result<SevenColors, ParseError> {
        Rules::parse(text).map(SevenColors::new)
    }

    fn rules(&self) -> String {
        self.options().to_string()
    }

    fn write_move(&self, colour: Colour, out: &mut String) {
        out.push(colour.letter());
    }

    fn parse_move(&self, word: &str) -> Result<Colour, ParseError> {
        self.colour(word).ok_or_else(|| {
            let last = Colour::new(usize::from(self.options().colours) - 1);
            ParseError::new(format!("expected a colour from A to {last}, got '{word}'"))
        })
    }

    /// Returns rows of letters, with `.` at the corner of `seat` and `*` at that of its opponent.
    fn setup_lines(&self, setup: &Board, seat: Seat) -> Vec<String> {
        rows(setup, seat)
    }

    fn parse_setup(&self, lines: &[&str], seat: Seat) -> Result<Board, ParseError> {
        let board = self.parse_rows(lines, seat)?;
        generate::check(self.options(), &board)?;
        Ok(board)
    }

    fn relayed_size(&self) -> Option<(usize, usize)> {
        Some((self.options().height(), self.options().width()))
    }

    /// Writes the rows, joined by `/`. Where colours are banned, the last colours of the seat and
    /// of its opponent follow. The count of plies without a gain is not written.
    fn write_state(&self, state: &Position, seat: Seat, out: &mut String) {
        out.push_str(&rows(state.board(), seat).join("/"));
        if self.options().ban != ColourRule::None {
            for seat in [seat, seat.other()] {
                out.push(' ');
                let last_played = state.last_played(seat).map(Colour::letter).map(String::from);
                out.push_str(last_played.as_deref().unwrap_or(NO_COLOUR));
            }
        }
    }

    /// Without last colours, neither player has moved yet.
    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let bans = self.options().ban != ColourRule::None;
        let (board, last_played) = match words[..] {
            [board] => (board, [None; SEATS]),
            [board, own, other] if bans => {
                (board, [self.parse_last_played(own)?, self.parse_last_played(other)?])
            }
            _ => {
                let last_played = if bans { ", and both players' last colours" } else { "" };
                return Err(ParseError::new(format!(
                    "expected rows of letters joined by /{last_played}, got '{text}'"
                )));
            }
        };
        let rows: Vec<&str> = board.split('/').collect();
        let board = self.parse_rows(&rows, seat)?;
        let mut by_seat = last_played;
        // The text has the last colour of `seat` first, a position that of seat 0.
        seats()
            .zip([seat, seat.other()])
            .for_each(|(i, of)| by_seat[of.index()] = last_played[i.index()]);
        Position::new(*self.options(), board, seat, by_seat)
    }
}

impl SevenColors {
    fn colour(&self, word: &str) -> Option<Colour> {
        let mut letters = word.chars();
        let colour = letters.next().and_then(Colour::of_letter)?;
        let is_one = letters.next().is_none() && colour.index() < self.options().colours.into();
        is_one.then_some(colour)
    }

    fn parse_last_played(&self, word: &str) -> Result<Option<Colour>, ParseError> {
        match word {
            NO_COLOUR => Ok(None),
            _ => self.parse_move(word).map(Some),
        }
    }

    /// Parses a board as `seat` sees it.
    fn parse_rows(&self, rows: &[&str], seat: Seat) -> Result<Board, ParseError> {
        let (height, width) = (self.options().height(), self.options().width());
        if rows.len() != height {
            let found = rows.len();
            return Err(ParseError::new(format!("expected {height} rows of letters, got {found}")));
        }
        let mut cells = Vec::with_capacity(height * width);
        for row in rows {
            cells.extend(row.chars().map(|letter| match letter {
                OWN => Some(CellState::Taken(seat)),
                OTHER => Some(CellState::Taken(seat.other())),
                _ => self.colour(letter.encode_utf8(&mut [0; 4])).map(CellState::Free),
            }));
            if row.chars().count() != width || cells.contains(&None) {
                let last = Colour::new(usize::from(self.options().colours) - 1);
                return Err(ParseError::new(format!(
                    "expected a row of {width} letters from A to {last}, or {OWN} for one's own \
                     cells and {OTHER} for the other's, got '{row}'"
                )));
            }
        }
        Ok(Board::new(width, cells.into_iter().flatten().collect()))
    }
}

/// Returns the rows of a board as `seat` sees them.
pub(super) fn rows(board: &Board, seat: Seat) -> Vec<String> {
    let letter = |cell: &CellState| match *cell {
        CellState::Free(colour) => colour.letter(),
        CellState::Taken(owner) if owner == seat => OWN,
        CellState::Taken(_) => OTHER,
    };
    board.cells().chunks(board.width()).map(|row| row.iter().map(letter).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, State};

    fn game(rules: &str) -> SevenColors {
        SevenColors::from_rules(rules).unwrap()
    }

    fn refusal<T>(result: Result<T, ParseError>) -> String {
        result.err().expect("the text is rejected").to_string()
    }

    /// Own and other are swapped between the seats, for cells and for last colours.
    #[test]
    fn each_seat_sees_its_own_board() {
        let game = game("size=3x3 colours=4 ban=opponent");
        let setup = game.parse_setup(&["AB.", "BCA", "*AD"], Seat::FIRST).unwrap();
        assert_eq!(game.setup_lines(&setup, Seat::new(1)), ["AB*", "BCA", ".AD"]);
        let mut position = game.start(&setup).unwrap();
        position.play(Seat::FIRST, Colour::new(1)).unwrap();
        let view = |position: &Position, seat| {
            let mut text = String::new();
            game.write_state(position, Seat::new(seat), &mut text);
            text
        };
        assert_eq!(view(&position, 0), "A../BCA/*AD B -");
        assert_eq!(view(&position, 1), "A**/BCA/.AD - B");
        let read = game.parse_state("A**/BCA/.AD - B", Seat::new(1)).unwrap();
        assert_eq!((view(&read, 0), view(&read, 1)), (view(&position, 0), view(&position, 1)));
        assert_eq!(read.moves(Seat::new(1)).len(), 3, "B is banned");
    }

    #[test]
    fn board_errors_say_what_is_wrong() {
        let game = game("size=3x2 colours=3 symmetric=no");
        let cases = [
            ("AB.", "expected 2 rows of letters, got 1"),
            (
                "AB.; *C",
                "expected a row of 3 letters from A to C, or . for one's own cells and * for",
            ),
            ("AB.; *CD", "from A to C, or . for one's own cells and * for the other's, got '*CD'"),
            ("ABC; *CA", "expected the players in the upper right and the lower left corner"),
            ("A..; *CA", "and nowhere else"),
            (".AB; CA*", "in the upper right and the lower left corner"),
        ];
        for (text, part) in cases {
            let message = refusal(game.parse_setup_text(text));
            assert!(message.contains(part), "{text}: {message}");
        }
        let board = Board::new(2, vec![CellState::Free(Colour::new(0)); 4]);
        assert!(refusal(game.start(&board)).contains("expected a board of 3x2, got 2x2"));
        let four = self::game("size=3x2 colours=4 symmetric=no");
        let board = four.parse_setup_text("AB.; *CD").unwrap();
        assert!(refusal(game.start(&board)).contains("expected colours from A to C, got D"));
    }

    #[test]
    fn position_errors_say_what_is_wrong() {
        let free = game("size=3x2 colours=3 symmetric=no");
        let banning = game("size=3x2 colours=3 symmetric=no ban=opponent");
        let cases = [
            (&free, "AB./*CA A B", "expected rows of letters joined by /, got"),
            (&banning, "AB./*CA A", "joined by /, and both players' last colours, got"),
            (&banning, "AB./*CA A D", "expected a colour from A to C, got 'D'"),
            (&free, "ABC/*CA", "expected a board on which each player has a cell"),
            (&free, ".../*C.", "expected a board on which the game is not over yet"),
            (&free, ".../***", "on which the game is not over yet"),
        ];
        for (game, text, part) in cases {
            let message = refusal(game.parse_state(text, Seat::FIRST));
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
