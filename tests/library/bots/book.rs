//! Tests of opening books: their contents, and the continuation of an interrupted one.

use arbitre::bots::awele::book::{Book, BookMove, GrownBook, Parameters};
use arbitre::bots::awele::commands::book::make;
use arbitre::bots::awele::commands::grow::{grow, Growth};
use arbitre::bots::options::Options;
use arbitre::game::{Seat, State};
use arbitre::games::awele::{Board, Position, ABAPA, CODINGAME};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn file(name: &str) -> PathBuf {
    let folder = arbitre_test_support::command::scratch().join("books");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

fn words(words: &str) -> Vec<String> {
    words.split_whitespace().map(String::from).collect()
}

fn parameters(text: &str) -> Parameters {
    let mut options = Options::new(&words(text));
    let parameters = Parameters::take(&mut options).unwrap();
    options.finish().unwrap();
    parameters
}

fn make_here(text: &str, path: &Path) -> Result<usize, String> {
    make(&parameters(text), path, &mut std::io::sink()).map_err(|error| error.to_string())
}

/// Visits every position that a seat reaches within `own_moves` own moves by the book, with all
/// replies. Each must be in the book. Returns the number of own turns, transpositions counted
/// again.
fn explore(book: &Book, position: &Position, seat: Seat, own_moves: u32) -> usize {
    if position.end().is_some() || own_moves == 0 {
        return 0;
    }
    let after = |pit| {
        let mut next = position.clone();
        next.play(position.mover(), pit).unwrap();
        next
    };
    if position.mover() == seat {
        let pit = book.look(position).unwrap_or_else(|| panic!("not in the book: {position:?}"));
        return 1 + explore(book, &after(pit), seat, own_moves - 1);
    }
    let replies = position.moves(position.mover()).into_iter();
    replies.map(|pit| explore(book, &after(pit), seat, own_moves)).sum()
}

fn start() -> Position {
    Position::new(CODINGAME, Board::START, Seat::FIRST)
}

fn explore_all(book: &Book) -> usize {
    let own_moves = book.parameters().own_moves;
    let seats = book.parameters().seats.iter();
    seats.map(|seat| explore(book, &start(), seat, own_moves)).sum()
}

#[test]
fn every_position_within_the_own_moves_is_in_the_book() {
    // An upper bound: six replies at each turn, fewer where a side has an empty pit by then.
    let first = 1 + 6 + 36 + 216;
    for (seat, turns) in [("0", first), ("1", 6 * first), ("both", 7 * first)] {
        let path = file(&format!("seat-{seat}.txt"));
        let made = make_here(&format!("--own-moves 4 --depth 2 --seat {seat}"), &path).unwrap();
        let book = Book::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(book.len(), made);
        let met = explore_all(&book);
        assert!(met <= turns && met > turns / 2, "{seat}: {made} {met} of {turns}");
    }
}

/// Deep books reach a position by several orders of moves; a duplicate would be refused.
#[test]
fn transposition_is_in_the_book_once() {
    let path = file("transpositions.txt");
    let made = make_here("--own-moves 6 --depth 1 --seat 0", &path).unwrap();
    let book = Book::parse(&fs::read_to_string(&path).unwrap()).unwrap();
    let met = explore_all(&book);
    assert!(made < met && book.len() == made, "{made} made, {met} met");
}

#[test]
fn shipped_book_is_complete() {
    let book = Book::shipped();
    assert!(explore_all(&book) >= book.len());
    assert!(book.len() > 1000, "{} positions", book.len());
}

/// The moves are those of the search that plays.
#[test]
fn book_holds_the_moves_of_the_search() {
    use arbitre::bots::awele::{AlphaBeta, Heuristic};
    use arbitre::search::budget::Budget;
    let path = file("search.txt");
    make_here("--own-moves 2 --depth 7 --heuristic captures", &path).unwrap();
    let book = Book::parse(&fs::read_to_string(&path).unwrap()).unwrap();
    let engine = AlphaBeta::new(Heuristic::Captures);
    let found = engine.search(&start(), Budget::depth(7)).best;
    assert_eq!(book.look(&start()), Some(found));
    for pit in start().moves(Seat::FIRST) {
        let mut position = start();
        position.play(Seat::FIRST, pit).unwrap();
        let found = engine.search(&position, Budget::depth(7)).best;
        assert_eq!(book.look(&position), Some(found));
    }
}

/// A book cut at any byte is continued to the same bytes.
#[test]
fn truncated_book_is_completed_identically() {
    let words = "--own-moves 2 --depth 3 --heuristic complex --weights 3,1,1,2";
    let whole = file("whole.txt");
    make_here(words, &whole).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let path = file("cut.txt");
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        make_here(words, &path).unwrap_or_else(|error| panic!("cut at {length}: {error}"));
        assert!(fs::read(&path).unwrap() == bytes, "cut at {length}");
    }
}

fn growth(positions: usize, threads: usize) -> Growth {
    Growth { rules: ABAPA, positions, nodes: 300, threads }
}

/// A growth that was killed at any line, or in it, gives the same book, as does one with another
/// number of threads.
#[test]
fn interrupted_growth_is_completed_identically() {
    let path = file("whole.journal");
    let whole = grow(&growth(40, 1), &path).unwrap();
    let journal = fs::read_to_string(&path).unwrap();
    let cut = file("cut.journal");
    for length in (0..=journal.len()).step_by(journal.len() / 4) {
        fs::write(&cut, &journal[..length]).unwrap();
        assert_eq!(grow(&growth(40, 1 + length % 3), &cut).unwrap(), whole, "cut at {length}");
        assert!(fs::read_to_string(&cut).unwrap() == journal, "cut at {length}");
    }
    // A smaller book comes from the same searches, and a larger one needs more.
    let length = |positions: usize| {
        let text = grow(&growth(positions, 1), &path).unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with(&journal));
        GrownBook::parse(&text).unwrap().len()
    };
    assert!((16..24).contains(&length(16)) && fs::read_to_string(&path).unwrap() == journal);
    assert!((60..68).contains(&length(60)));
    let error = grow(&Growth { nodes: 301, ..growth(16, 1) }, &path).unwrap_err().to_string();
    assert!(error.contains("expected 'nodes 301', got 'nodes 300'"), "{error}");
}

/// The score of a position follows from those of the positions after its move, as far as the book
/// has them.
#[test]
fn grown_scores_agree_with_each_other() {
    let text = grow(&growth(200, 2), &file("scores.journal")).unwrap();
    let book = GrownBook::parse(&text).unwrap();
    let mut position = Position::new(ABAPA, Board::START, Seat::FIRST);
    let mut plies = 0;
    while let Some(BookMove { pit, score, depth }) = book.look(&position) {
        position.play(position.mover(), pit).unwrap();
        if let Some(next) = book.look(&position) {
            assert_eq!((next.score, next.depth), (-score, depth - 1));
            plies += 1;
        }
    }
    assert!(plies > 2, "{plies}");
}

#[test]
fn the_command_grows_a_book_for_the_best_bot() {
    let (journal, book) = (file("command.journal"), file("command.txt"));
    let line = "book grow --rules abapa --nodes 300 --positions 40 --journal";
    let mut command = awele(line);
    command.arg(&journal).arg("--output").arg(&book);
    assert!(command.output().unwrap().status.success());
    let grown = fs::read_to_string(&book).unwrap();
    assert_eq!(grown, grow(&growth(40, 1), &file("function.journal")).unwrap());
    let cases = [
        ("book grow --output x", "--journal: expected a file for the searches, got none"),
        ("book grow --journal x", "--output: expected a file for the book, got none"),
        (
            "book grow --journal x --output x",
            "--output: expected another file than that of the searches, got 'x'",
        ),
        ("book grew", "expected grow or options, got 'grew'"),
        ("best --book Cargo.toml", "the book 'Cargo.toml' cannot be read: line 1: expected"),
    ];
    for (line, part) in cases {
        let refused = awele(line).output().unwrap();
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.starts_with(&format!("error: {part}")), "{told}");
        assert!(!refused.status.success());
    }
}

/// Moves in the file are neither searched again nor changed.
#[test]
fn existing_moves_are_kept() {
    let path = file("kept.txt");
    make_here("--own-moves 2 --depth 3 --seat 0", &path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().nth(8).unwrap();
    let (position, pit) = first.split_at(first.len() - 1);
    let other = if pit == "1" { 2 } else { 1 };
    fs::write(&path, text.split_inclusive('\n').take(8).collect::<String>()).unwrap();
    let marked = format!("{position}{other}\n");
    fs::write(&path, fs::read_to_string(&path).unwrap() + &marked).unwrap();
    make_here("--own-moves 2 --depth 3 --seat 0", &path).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains(&marked));
}

#[test]
fn other_book_is_not_overwritten() {
    let path = file("other.txt");
    make_here("--own-moves 1 --depth 3", &path).unwrap();
    let before = fs::read(&path).unwrap();
    let cases = [
        ("--own-moves 2 --depth 3", "expected 'own-moves 2', got 'own-moves 1'"),
        ("--own-moves 1 --depth 4", "expected 'depth 4', got 'depth 3'"),
        ("--own-moves 1 --depth 3 --threshold 30", "got 'threshold 24'"),
        ("--own-moves 1 --depth 3 --heuristic captures", "got 'heuristic rows'"),
        ("--own-moves 1 --depth 3 --seat 1", "expected 'seats 1', got 'seats 0 1'"),
        ("--own-moves 1 --depth 3 --rules abapa", "expected 'rules "),
    ];
    for (words, part) in cases {
        let error = make_here(words, &path).unwrap_err();
        assert!(error.contains(part) && error.contains("choose another file"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before, "{words}");
    }
    // A last line without its end is left alone as well.
    for letter in ["a letter\nto a friend\n", "a letter\nto a friend", "a letter"] {
        fs::write(&path, letter).unwrap();
        assert!(make_here("--own-moves 1 --depth 3", &path).unwrap_err().contains("'a letter'"));
        assert_eq!(fs::read_to_string(&path).unwrap(), letter);
    }
    let cut = &before[..before.len() - 3];
    fs::write(&path, cut).unwrap();
    assert!(make_here("--own-moves 1 --depth 4", &path).is_err());
    assert_eq!(fs::read(&path).unwrap(), cut);
}

#[test]
fn unexpected_line_is_refused_by_number() {
    let path = file("corrupt.txt");
    make_here("--own-moves 2 --depth 3", &path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let cases =
        [(9, "0 4 4", "line 9"), (12, lines[10], "line 12"), (lines.len(), "end 3", "end 3")];
    for (number, line, part) in cases {
        let mut broken = lines.clone();
        broken[number - 1] = line;
        fs::write(&path, broken.join("\n") + "\n").unwrap();
        let error = make_here("--own-moves 2 --depth 3", &path).unwrap_err();
        assert!(error.contains(part) && error.contains("expected '"), "{error}");
    }
    fs::write(&path, text.clone() + "more\n").unwrap();
    assert!(make_here("--own-moves 2 --depth 3", &path).unwrap_err().contains("as the last"));
}

fn awele(text: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_awele"));
    command.args(words(text)).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

/// A book whose making is killed repeatedly still becomes the same file.
#[test]
fn killed_book_is_completed_identically() {
    let (whole, path) = (file("unkilled.txt"), file("killed.txt"));
    let words = "book --own-moves 3 --depth 7 --output";
    let output = awele(words).arg(&whole).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let bytes = fs::read(&whole).unwrap();
    let (mut kills, mut length) = (0, 0);
    for delay in (5..).step_by(10) {
        let mut child = awele(words).arg(&path).spawn().unwrap();
        sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = fs::read(&path).unwrap_or_default();
        assert!(left.len() >= length && bytes.starts_with(&left), "after {kills} kills");
        length = left.len();
        if left == bytes {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 2, "the process was never killed");
    let output = awele(words).arg(&path).output().unwrap();
    assert!(said(&output).contains(", 0 of them searched now"), "{}", said(&output));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn second_process_is_refused() {
    let path = file("two.txt");
    let words = "book --own-moves 8 --depth 30 --output";
    let mut first = awele(words).arg(&path).spawn().unwrap();
    let held = (0..500).any(|_| {
        sleep(Duration::from_millis(10));
        fs::metadata(&path).is_ok_and(|file| file.len() > 0)
    });
    let second = awele(words).arg(&path).output();
    first.kill().unwrap();
    first.wait().unwrap();
    let second = second.unwrap();
    assert!(held && second.status.code() == Some(2));
    assert!(said(&second).contains("another process is making the book"), "{}", said(&second));
}

#[test]
fn bad_arguments_get_one_clear_line() {
    let broken = file("broken.txt");
    make_here("--own-moves 1 --depth 2", &broken).unwrap();
    let text = fs::read_to_string(&broken).unwrap();
    fs::write(&broken, text.replacen("best 0", "best 9", 1)).unwrap();
    let unfinished = file("unfinished.txt");
    fs::write(&unfinished, text.replace("end 7\n", "")).unwrap();
    let cases = [
        ("book", "--output: expected a file for the book"),
        ("book --own-moves 0 --output x", "--own-moves: expected a number from 1, got '0'"),
        ("book --depth deep --output x", "--depth: expected a whole number, got 'deep'"),
        ("book --seat 2 --output x", "expected 0, 1 or both"),
        (
            "book --threshold 23 --output x",
            "--threshold: expected a number from 24 to 48, got '23'",
        ),
        ("book --output no/such/folder/x", "'no/such/folder/x' cannot be used"),
        ("book --own-move 3 --output x", "did you mean --own-moves?"),
        ("alpha-beta --heuristic row", "did you mean rows?"),
        ("alpha-beta --weights 1,1,1,1", "expected --heuristic complex beside --weights"),
        ("alpha-beta --heuristic complex --weights 1,2", "--weights: expected four whole numbers"),
        ("alpha-beta --threshold 49", "--threshold: expected a number from 24 to 48, got '49'"),
        ("alpha-beta --killer yes", "--killer: expected on or off, got 'yes'"),
        ("alpha-beta --maximise 1", "--maximise: expected on or off, got '1'"),
        ("alpha-beta --book no/such/book", "the book 'no/such/book' cannot be read"),
        (&format!("alpha-beta --book {}", broken.display()), "line "),
        (&format!("alpha-beta --book {}", unfinished.display()), "expected a line 'end COUNT'"),
        ("greedy --book none", "got '--book'"),
    ];
    for (words, part) in cases {
        let output = awele(words).output().unwrap();
        let said = said(&output);
        assert!(said.contains(part), "{words}: {said}");
        let (errors, helps) = (lines(&said, "error: "), lines(&said, "help: "));
        assert_eq!((errors, errors + helps), (1, said.lines().count()), "{words}: {said}");
        // A file that cannot be used is no error of the command line.
        let code = if ["broken", "unfinished", "no/such"].iter().any(|file| words.contains(file)) {
            6
        } else {
            2
        };
        assert_eq!(output.status.code(), Some(code), "{words}: {said}");
    }
}
