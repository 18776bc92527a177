//! Input of boards from files and standard input, in any layout.

use crate::options::Options;
use crate::program::{Failure, DATA};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{parse_size, Board, Convention, Size};
use arbitre_games::text::io_reason;
use std::io::Read;

/// Named boards and the moves they need: the sheet's tests. The last is the one that the sheet
/// shows; the others are chosen by this project.
pub const EXAMPLES: [(&str, &str, usize); 4] = [
    ("ten", "0 1 3 6 / 4 _ 2 7 / 8 5 9 10 / 12 13 14 11", 10),
    ("twenty", "4 3 2 6 / 1 0 9 7 / 8 5 14 10 / 12 13 11 _", 20),
    ("thirty", "12 1 _ 3 / 0 10 2 7 / 6 4 5 14 / 8 9 11 13", 30),
    ("cinquante", "2 3 1 6 / 14 5 8 4 / _ 12 7 9 / 10 13 11 0", 50),
];

/// A parsed board, or the reason why it is invalid.
pub type ParsedBoard = Result<(Board, Convention), ParseError>;

/// Source and format of the boards.
pub struct BoardInput {
    convention: Convention,
    size: Option<Size>,
    /// Names of files or examples; none for standard input.
    names: Vec<String>,
}

impl BoardInput {
    /// Takes `--convention`, `--size` and the remaining words.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid.
    pub fn take(options: &mut Options) -> Result<BoardInput, ParseError> {
        let convention = options.take_text("--convention")?.unwrap_or_default();
        let convention = Convention::named(&convention)?;
        let size = options.take_text("--size")?.map(|text| parse_size(&text)).transpose()?;
        let size = size.map(|(rows, columns)| (rows.into(), columns.into()));
        let names = std::iter::from_fn(|| options.take_word()).collect();
        Ok(BoardInput { convention, size, names })
    }

    /// Returns all boards, in order.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn boards(&self) -> Result<Vec<ParsedBoard>, Failure> {
        if self.names.is_empty() {
            return Ok(self.parse(&standard_input()?));
        }
        let mut boards = Vec::new();
        for name in &self.names {
            match EXAMPLES.iter().find(|(known, ..)| known == name) {
                Some((_, text, _)) => boards.push(Convention::SEED.read(text, None)),
                None => boards.extend(self.parse(&file(name)?)),
            }
        }
        Ok(boards)
    }

    /// Parses the boards of a text. A block of lines between empty ones is one board, or one board
    /// per line. Text after a `#` is ignored.
    fn parse(&self, text: &str) -> Vec<ParsedBoard> {
        let mut boards = Vec::new();
        let mut block = Vec::new();
        for line in text.lines().chain([""]) {
            // A line with only a comment does not end a block.
            let is_comment = line.trim_start().starts_with('#');
            let line = line.split('#').next().unwrap_or_default().trim();
            match line.is_empty() {
                true if !is_comment => boards.extend(self.parse_block(&std::mem::take(&mut block))),
                true => {}
                false => block.push(line),
            }
        }
        boards
    }

    fn parse_block(&self, lines: &[&str]) -> Vec<ParsedBoard> {
        let read = |text: &str| self.convention.read(text, self.size);
        if lines.is_empty() {
            return Vec::new();
        }
        // A block is read as one board first; if that fails, each line may be a board.
        let whole = read(&lines.join("\n"));
        if whole.is_ok() {
            return vec![whole];
        }
        let each: Vec<ParsedBoard> = lines.iter().map(|line| read(line)).collect();
        match each.iter().any(Result::is_ok) {
            true => each,
            false => vec![whole],
        }
    }
}

/// Reads all of standard input.
///
/// # Errors
/// Returns an error if it cannot be read or is not text.
pub fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|error| Failure::new(DATA, format!("standard input: {}", io_reason(&error))))?;
    Ok(text)
}

/// Reads a whole file.
///
/// # Errors
/// Returns an error if it cannot be read or is not text.
pub fn file(name: &str) -> Result<String, Failure> {
    let read = std::fs::read_to_string(name);
    read.map_err(|error| Failure::new(DATA, format!("{name}: {}", io_reason(&error))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::heuristic_choice::HeuristicKind;
    use crate::taquin::solver::{Method, TaquinSolver};
    use arbitre_games::search::budget::{Budget, Limiter};

    #[test]
    fn examples_need_the_stated_moves() {
        let mut solver =
            TaquinSolver::new(Method::IdaStar, Some(HeuristicKind::WalkingDistance), 0);
        for (name, text, length) in EXAMPLES {
            let (board, _) = Convention::SEED.read(text, None).unwrap();
            let solution = solver.solve(&board, &mut Limiter::new(Budget::default())).unwrap();
            assert_eq!(solution.path.map(|path| path.len()), Some(length), "{name}");
        }
    }

    fn parse(text: &str) -> Vec<Result<String, String>> {
        let input = BoardInput { convention: Convention::SEED, size: None, names: vec![] };
        let written = |(board, convention): (Board, Convention)| {
            convention.write(&board, arbitre_games::games::taquin::Layout::Slashes)
        };
        input.parse(text).into_iter().map(|b| b.map(written).map_err(|e| e.to_string())).collect()
    }

    #[test]
    fn boards_are_read_in_order() {
        let text =
            "# a comment\n0 1 / _ 2\n\n 0 1\n _ 2 # a grid\n\n2\n0\n3\n2\n1\n\n0 1 2 _\n_ 1 2 0\n";
        let read: Vec<String> = parse(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(read, ["0 1 / _ 2", "0 1 / _ 2", "0 3 / 2 1", "0 1 / 2 _", "_ 1 / 2 0"]);
        assert_eq!(parse("\n\n# nothing\n"), []);
    }

    #[test]
    fn bad_board_does_not_affect_the_others() {
        let read = parse("0 1 2 _\n0 1 1 _\n0 1 _ 2\n\n0 1\n_ 1\n\n0 _ / 1 2\n");
        assert_eq!(read.len(), 5);
        assert!(read[1].as_ref().unwrap_err().contains("1 comes twice"));
        assert!(read[3].as_ref().unwrap_err().contains("1 comes twice"));
        assert!([0, 2, 4].iter().all(|&at| read[at].is_ok()));
    }
}
