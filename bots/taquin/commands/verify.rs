//! `taquin verify`: checks solutions of boards.

use super::input::{file, standard_input, BoardInput, ParsedBoard};
use crate::options::Options;
use crate::program::{say, Failure, UNMET};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{parse_path, Board, Convention, Direction};

/// Parsed solution: a path with its claimed length, or `None` for a claim that the board is
/// unsolvable.
type ClaimedSolution = Option<(Vec<Direction>, Option<usize>)>;

/// Checks the solutions of `--solutions FILE`, or of standard input, in the order of the boards.
/// Prints a line for each.
///
/// # Errors
/// Returns an error if an option or a file is invalid, and at the end, if a solution is wrong or
/// missing.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let solutions = options.take_text("--solutions")?;
    let input = BoardInput::take(&mut options)?;
    options.finish()?;
    let boards = input.boards()?;
    let text = match solutions {
        Some(name) => file(&name)?,
        None => standard_input()?,
    };
    // Bytes that are not UTF-8 become characters that no solution has.
    let mut claims = claims(&String::from_utf8_lossy(&text)).into_iter();
    let (count, mut wrong) = (boards.len(), 0);
    for (number, board) in (1..).zip(boards) {
        let verdict = match claims.next() {
            None => Err(ParseError::new("there is no solution")),
            Some(claim) => claim.and_then(|claim| check(board, claim)),
        };
        wrong += usize::from(verdict.is_err());
        say(&format!("{number} {}\n", verdict.unwrap_or_else(|why| format!("wrong: {why}"))));
    }
    let more = claims.count();
    match (wrong, more) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::new(UNMET, format!("{more} solutions more than {count} boards"))),
        _ => Err(Failure::new(UNMET, format!("{wrong} of {count} solutions are wrong"))),
    }
}

fn check(board: ParsedBoard, claim: ClaimedSolution) -> Result<String, ParseError> {
    let (board, convention) = board?;
    match claim {
        None if board.is_solvable() => Err(ParseError::new("this board can be solved")),
        None => Ok("unsolvable".into()),
        Some((path, length)) => {
            follow(board, convention, &path)?;
            match length.filter(|&length| length != path.len()) {
                Some(length) => {
                    Err(ParseError::new(format!("expected {length} moves, got {}", path.len())))
                }
                None => Ok(format!("solved in {}", path.len())),
            }
        }
    }
}

/// Returns an error unless this path, in the board's own convention, leads to the goal.
fn follow(mut board: Board, convention: Convention, path: &[Direction]) -> Result<(), ParseError> {
    for (number, &direction) in (1..).zip(path) {
        if !board.slide(convention.direction(direction)) {
            let count = path.len();
            return Err(ParseError::new(format!(
                "move {number} of {count}, {direction}, leaves the board"
            )));
        }
    }
    match board.is_goal() {
        true => Ok(()),
        false => Err(ParseError::new(format!("after its {} moves it is not solved", path.len()))),
    }
}

/// Parses solutions in any format of `taquin solve`.
fn claims(text: &str) -> Vec<Result<ClaimedSolution, ParseError>> {
    let mut claims: Vec<Result<ClaimedSolution, ParseError>> = Vec::new();
    let mut in_words = false;
    for line in text.lines().map(str::trim) {
        if let Some(length) = line.strip_prefix("Longueur ") {
            let number =
                || ParseError::new(format!("expected a length after Longueur, got '{length}'"));
            let length = length.trim().parse().map_err(|_| number());
            claims.push(length.map(|length| Some((Vec::new(), Some(length)))));
            in_words = true;
        } else if line.is_empty() || line.starts_with('#') {
            in_words &= !line.starts_with('#');
        } else if in_words {
            extend(claims.last_mut().expect("a solution starts with its length"), line);
        } else {
            claims.push(claim(line));
        }
    }
    claims
}

fn extend(claim: &mut Result<ClaimedSolution, ParseError>, line: &str) {
    match (parse_path(line), &mut *claim) {
        (Ok(more), Ok(Some((path, _)))) => path.extend(more),
        (Err(why), Ok(_)) => *claim = Err(why),
        _ => {}
    }
}

/// Parses a solution on one line: letters, words, `unsolvable` or a JSON object with `moves`.
fn claim(line: &str) -> Result<ClaimedSolution, ParseError> {
    let text = match line.split_once("\"moves\":") {
        Some((_, rest)) if rest.starts_with("null") && line.contains("unsolvable") => {
            return Ok(None)
        }
        Some((_, rest)) => rest.strip_prefix('"').and_then(|rest| rest.split('"').next()),
        None if line == "unsolvable" => return Ok(None),
        None => Some(line),
    };
    let path = text.map(parse_path).ok_or_else(|| ParseError::new("it tells no moves"))?;
    path.map(|path| Some((path, None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the verdicts on a board whose solution is RR.
    fn verdicts(text: &str) -> Vec<String> {
        let board = || Convention::SEED.read("0 1 2 / 3 4 5 / _ 6 7", None);
        let verdict = |claim: Result<ClaimedSolution, ParseError>| {
            claim.and_then(|claim| check(board(), claim))
        };
        let text_of =
            |verdict: Result<String, ParseError>| verdict.unwrap_or_else(|e| e.to_string());
        claims(text).into_iter().map(verdict).map(text_of).collect()
    }

    #[test]
    fn all_formats_are_read() {
        let text =
            "RR\nRight Right\n{\"length\":2,\"moves\":\"RR\",\"seconds\":0.1}\nLongueur 2\nRight\n\
                    Right\n# generated 2\nRR\n";
        assert_eq!(verdicts(text), ["solved in 2"; 5]);
    }

    #[test]
    fn wrong_solutions_are_explained() {
        let text = "RL\nRRR\nLongueur 3\nRight Right\n# that\nunsolvable\nRX\n{\"moves\":null}\n";
        let parts = [
            "after its 2 moves it is not solved",
            "move 3 of 3, Right, leaves the board",
            "expected 3 moves, got 2",
            "this board can be solved",
            "got 'RX'",
            "it tells no moves",
        ];
        let verdicts = verdicts(text);
        assert_eq!(verdicts.len(), parts.len(), "{verdicts:?}");
        for (verdict, part) in verdicts.iter().zip(parts) {
            assert!(verdict.contains(part), "{verdict}");
        }
    }
}
