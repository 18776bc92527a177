//! Tests of Taquin in a match: a solo player's answer is a path, which is played as a whole or not
//! at all.

use arbitre_test_support::answers;
use arbitre_test_support::data;

use answers::Answers;
use arbitre::dialect::{BotEnd, Notation, RefereeEnd};
use arbitre::dialects::arbitre::{ArbitreBot, ArbitreReferee};
use arbitre::game::{Game, Seat, State};
use arbitre::games::taquin::{parse_path, Taquin};
use arbitre::referee::registry::table::RejectedAnswer;
use arbitre::referee::registry::{DynGame, Speech};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

const ARBITRE: [Speech; 1] = [Speech::Dialect(&arbitre::dialects::arbitre::INFO)];

fn hosted(rules: &str) -> Box<dyn DynGame> {
    arbitre::registry().open("taquin", rules).unwrap()
}

/// Returns the table's replies to these answers on this board, and the scores.
fn answers(setup: &str, lines: &[&str]) -> Answers {
    answers::answers("taquin", "eight", setup, lines)
}

#[test]
fn path_is_played_as_a_whole() {
    let (said, scores) = answers("0 1 2 / 3 4 5 / _ 6 7", &["Up Right # there", "DR"]);
    assert_eq!(said, [Ok("UR".into()), Ok("DR".into())]);
    assert_eq!(scores, None, "these four moves do not solve it");
    let (said, scores) = answers("0 1 2 / 3 4 5 / _ 6 7", &["U", "dRR"]);
    assert_eq!((said.len(), scores), (2, Some(vec![4])));
}

/// The first bad move is reported, and nothing is played.
#[test]
fn path_with_a_bad_move_is_rejected() {
    let (said, scores) = answers("0 1 2 / 3 4 5 / _ 6 7", &["RLL", "RRU", "RXR", "", "RR"]);
    let illegal = |why: &str| Err(RejectedAnswer::Illegal(why.into()));
    assert_eq!(said[0], illegal("move 3 of 3, L: the blank is in the first column"));
    assert_eq!(said[1], illegal("move 3 of 3, U: the board is solved"));
    assert!(matches!(&said[2], Err(RejectedAnswer::Invalid(why)) if why.contains("got 'RXR'")));
    assert!(matches!(&said[3], Err(RejectedAnswer::Invalid(_))));
    assert_eq!((&said[4], scores), (&Ok("RR".into()), Some(vec![2])));
}

/// The referee reads what the bot writes, and both keep the same board.
#[test]
fn bot_and_referee_agree_on_a_path() {
    let game = Taquin::from_rules("eight scramble=20").unwrap();
    for (number, setup) in game.setups(1, 0, arbitre::rng::Rng::new(3)).take(50).enumerate() {
        let (mut bot, mut referee) = (ArbitreBot::<Taquin>::new(None), ArbitreReferee::default());
        let board = format!("setup {}", game.setup_text(&setup));
        let rules = format!("game taquin {}", game.rules());
        for line in ["arbitre 1", &rules, "seats 1 you 0", &board, "begin"] {
            bot.hear(line).unwrap();
        }
        let mut state = game.start(&setup).unwrap();
        let way = state.moves(Seat::FIRST)[0];
        let path = [way, way.opposite(), way];
        let mut line = String::new();
        bot.answer_path(&path[..1 + number % 3], "a comment", &mut line);
        let read = referee.read_path(&game, line.trim_end()).unwrap();
        assert_eq!((&read.mv[..], read.comment), (&path[..1 + number % 3], Some("a comment")));
        read.mv.iter().for_each(|&way| state.play(Seat::FIRST, way).unwrap());
        let arbitre::dialect::BotAction::Choose(kept, ..) = bot.hear("go").unwrap() else {
            panic!("the bot must choose a move");
        };
        assert_eq!((kept.board(), kept.made()), (state.board(), state.made()));
    }
}

/// In a record, a path is one ply.
#[test]
fn recorded_path_is_replayed() {
    let game = hosted("eight");
    let mut table = game.table("0 1 2 / 3 4 5 / _ 6 7", &ARBITRE).unwrap();
    table.replay(&[1]);
    assert_eq!(table.hear(Seat::FIRST, "RR").map(|heard| heard.mv), Ok("RR".into()));
    assert_eq!(table.outcome().unwrap().unwrap().scores, [2]);
    assert_eq!(parse_path("RR").unwrap().len(), 2);
}

/// Folder of one test for tables, deleted at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("arbitre-{name}-{}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }

    /// Runs the program. Returns its standard output, its standard error and its exit code.
    fn run(&self, words: &[&str]) -> (String, String, i32) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_taquin"));
        let output = program.args(words).env("XDG_CACHE_HOME", &self.0).output().unwrap();
        let [said, errors] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (said, errors, output.status.code().unwrap())
    }

    /// Returns the table files with their sizes and modification times.
    fn tables(&self) -> Vec<(OsString, u64, SystemTime)> {
        let files = std::fs::read_dir(self.0.join("arbitre")).unwrap().map(Result::unwrap);
        let described = |file: std::fs::DirEntry| {
            let about = file.metadata().unwrap();
            (file.file_name(), about.len(), about.modified().unwrap())
        };
        let mut tables: Vec<_> = files.map(described).collect();
        tables.sort();
        tables
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Several threads solve the boards of a file: easy boards in one thread each, hard ones together.
/// Results keep the order of the boards.
#[test]
fn many_boards_are_solved_in_parallel() {
    let folder = Folder::new("boards");
    std::fs::create_dir_all(&folder.0).unwrap();
    let table = include_str!("../../data/taquin/korf100.txt");
    let line = |number: &str| {
        let is_it = |line: &&str| line.starts_with(&format!("{number} | "));
        let fields: Vec<&str> = table.lines().find(is_it).unwrap().split(" | ").collect();
        (fields[1].to_string(), fields[2].to_string())
    };
    let korf = ["12", "88", "42", "79"].map(line);
    let swapped = "0 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15".to_string();
    let boards = [&korf[0].0, "1 2", &korf[1].0, &korf[2].0, &swapped, &korf[3].0];
    let file = folder.0.join("boards.txt");
    std::fs::write(&file, boards.join("\n") + "\n").unwrap();
    let solved = |threads: &str, more: &[&str]| {
        let file = file.to_str().unwrap();
        let words = ["solve", file, "--json", "--convention", "korf", "--threads", threads];
        let (said, _, code) = folder.run(&[&words, more].concat());
        assert_eq!(code, 6, "{said}");
        let field = |line: &str, name: &str| {
            let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
            Some(rest.split([',', '}']).next()?.to_string())
        };
        said.lines()
            .map(|line| (field(line, "status").unwrap(), field(line, "length")))
            .collect::<Vec<_>>()
    };
    let [status, error, unsolvable] =
        ["solved", "error", "unsolvable"].map(|word| format!("\"{word}\""));
    let length = |at: usize| (status.clone(), Some(korf[at].1.clone()));
    let none = (unsolvable, Some("null".to_string()));
    let expected = [length(0), (error, None), length(1), length(2), none, length(3)];
    for (threads, more) in [("1", &[][..]), ("2", &[]), ("3", &["--nodes", "5000000"])] {
        assert_eq!(solved(threads, more), expected, "{threads}");
    }
}

/// Without a terminal no progress is shown.
#[test]
fn tables_are_built_once_in_advance() {
    let folder = Folder::new("tables");
    let (said, errors, code) = folder.run(&["tables", "pattern-663", "--threads", "2"]);
    assert!(said.starts_with("pattern-663: 3.4 MB in "), "{said}");
    assert_eq!((errors.as_str(), code), ("", 0));
    let made = folder.tables();
    assert_eq!(made.len(), 3);
    let (said, errors, code) = folder.run(&["solve", "cinquante"]);
    assert!(said.starts_with("Longueur 50\n"), "{said}");
    assert_eq!((errors.as_str(), code), ("", 0));
    assert_eq!(folder.tables(), made, "the tables were in the cache");
    let (_, errors, code) = folder.run(&["tables", "manhattan"]);
    assert!(errors.contains("pattern-78") && code == 2, "{errors}");
}

/// The two boards with the fewest published nodes of R. Korf and A. Felner;
/// `scripts/korf 24` solves more.
#[test]
fn easiest_boards_of_5x5_have_the_published_lengths() {
    let skipped = "boards of 5x5 are not solved";
    let Some(table) = data::data("taquin/korf50_24.csv", skipped) else { return };
    let table = std::fs::read_to_string(table).unwrap();
    let fields = table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let mut boards: Vec<(u64, &str, &str)> =
        fields.map(|fields| (fields[3].parse().unwrap(), fields[1], fields[2])).collect();
    boards.sort_unstable();
    let folder = Folder::new("five");
    std::fs::create_dir_all(&folder.0).unwrap();
    let [file, solutions] = ["boards", "solutions"].map(|name| folder.0.join(name));
    std::fs::write(&file, format!("{}\n{}\n", boards[0].1, boards[1].1)).unwrap();
    let [file, solutions] = [&file, &solutions].map(|path| path.to_str().unwrap());
    let words = ["--method", "ida-star", "--heuristic", "pattern-6666", "--threads", "2"];
    let (said, errors, code) =
        folder.run(&[&["solve", file, "--json", "--convention", "korf"], &words[..]].concat());
    assert_eq!((errors.as_str(), code), ("", 0));
    for (line, board) in said.lines().zip(&boards) {
        assert!(line.contains(&format!("\"length\":{},", board.2)), "{line}");
    }
    std::fs::write(solutions, &said).unwrap();
    let verified = ["verify", file, "--convention", "korf", "--solutions", solutions];
    assert_eq!((said.lines().count(), folder.run(&verified).2), (2, 0));
}
