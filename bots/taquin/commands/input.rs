//! Input of boards from files and standard input, in any layout.

use crate::options::Options;
use crate::program::{Failure, DATA};
use arbitre_games::files;
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
    /// Convention of all boards; none if each is detected.
    convention: Option<Convention>,
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
        let convention = options.take_text("--convention")?;
        let convention = convention.map(|text| Convention::named(&text)).transpose()?;
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
            return Ok(self.parse("", &standard_input()?));
        }
        let mut boards = Vec::new();
        for name in &self.names {
            match EXAMPLES.iter().find(|(known, ..)| known == name) {
                Some((_, text, _)) => boards.push(Convention::SEED.read(text, None)),
                None => boards.extend(self.parse(&format!("{name}: "), &file(name)?)),
            }
        }
        Ok(boards)
    }

    /// Parses the boards of a text. A block of lines between empty ones is one board, or one board
    /// per line. Text after a `#` is ignored. Errors begin with `place` and the number of the line.
    fn parse(&self, place: &str, text: &[u8]) -> Vec<ParsedBoard> {
        let mut boards = Vec::new();
        let mut block = Vec::new();
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n').chain([&b""[..]])) {
            let Ok(line) = std::str::from_utf8(line) else {
                block.push(NumberedLine { number, text: None });
                continue;
            };
            // A line with only a comment does not end a block.
            let is_comment = line.trim_start().starts_with('#');
            let line = line.split('#').next().unwrap_or_default().trim();
            match line.is_empty() {
                true if !is_comment => {
                    boards.extend(self.parse_block(place, &std::mem::take(&mut block)));
                }
                true => {}
                false => block.push(NumberedLine { number, text: Some(line) }),
            }
        }
        boards
    }

    fn parse_block(&self, place: &str, lines: &[NumberedLine]) -> Vec<ParsedBoard> {
        let read = |number: usize, text: Option<&str>| {
            let text = text.ok_or_else(|| ParseError::new("expected UTF-8 text, got other bytes"));
            let board = text.and_then(|text| match self.convention {
                Some(convention) => convention.read(text, self.size),
                None => Convention::detect(text, self.size),
            });
            board.map_err(|why| ParseError::new(format!("{place}line {number}: {why}")))
        };
        let Some(first) = lines.first() else { return Vec::new() };
        // A block is read as one board first; if that fails, each line may be a board.
        let texts: Option<Vec<&str>> = lines.iter().map(|line| line.text).collect();
        let whole = texts.map(|texts| read(first.number, Some(&texts.join("\n"))));
        if let Some(Ok(board)) = whole {
            return vec![Ok(board)];
        }
        let each: Vec<ParsedBoard> =
            lines.iter().map(|line| read(line.number, line.text)).collect();
        match (each.iter().any(Result::is_ok), whole) {
            (false, Some(whole)) => vec![whole],
            _ => each,
        }
    }
}

/// A line of a text, which is `None` if it is not UTF-8.
struct NumberedLine<'l> {
    number: usize,
    text: Option<&'l str>,
}

/// Reads all of standard input, as [`files::plain`] gives it.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(DATA, format!("standard input: {}", io_reason(&error))))?;
    Ok(files::plain(bytes))
}

/// Reads a whole file, as [`files::plain`] gives it.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn file(name: &str) -> Result<Vec<u8>, Failure> {
    let read = files::read(name).map(files::plain);
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
        let input = BoardInput { convention: None, size: None, names: vec![] };
        let written = |(board, convention): (Board, Convention)| {
            convention.write(&board, arbitre_games::games::taquin::Layout::Slashes)
        };
        input
            .parse("", text.as_bytes())
            .into_iter()
            .map(|b| b.map(written).map_err(|e| e.to_string()))
            .collect()
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
    fn line_of_other_bytes_does_not_affect_the_others() {
        let input = BoardInput { convention: None, size: None, names: vec![] };
        let read = input.parse("boards.txt: ", b"# one\n0 1 2 _\n0 \xff 2 _\n0 1\n\n0 1 _ 2\n");
        let errors: Vec<_> = read.iter().filter_map(|board| board.as_ref().err()).collect();
        let errors: Vec<String> = errors.into_iter().map(ToString::to_string).collect();
        assert_eq!(read.len(), 4);
        assert_eq!(errors[0], "boards.txt: line 3: expected UTF-8 text, got other bytes");
        assert!(errors[1].starts_with("boards.txt: line 4: expected a square"), "{}", errors[1]);
        assert!(read[0].is_ok() && read[3].is_ok());
    }

    #[test]
    fn bad_board_does_not_affect_the_others() {
        let read = parse("0 1 2 _\n0 1 1 _\n0 1 _ 2\n\n0 1\n_ 1\n\n0 _ / 1 2\n");
        assert_eq!(read.len(), 5);
        assert!(read[1].as_ref().unwrap_err().contains("1 comes twice"));
        assert!(read[3].as_ref().unwrap_err().starts_with("line 5: expected every tile once"));
        assert!([0, 2, 4].iter().all(|&at| read[at].is_ok()));
    }
}
