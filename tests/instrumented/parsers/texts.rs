//! Parsers of single texts: rules, setups, positions, boards, contest documents and small values.

use crate::parsers::claim::{of_text, valid, Claim};
use arbitre::clock::{Clock, Go};
use arbitre::dialects::arbitre::Message;
use arbitre::games::hextris::{score, Phrases, Problem, Solution, Terrain};
use arbitre::games::taquin::{parse_path, parse_size, Convention};
use arbitre::internals::formats::openings::read_setups;
use arbitre::referee::registry::DynGame;
use arbitre::text::parse_duration;

/// Problem of the contest with two seeds.
pub const PROBLEM: &str = "{\"id\":3,\"width\":5,\"height\":3,\"filled\":[{\"x\":4,\"y\":2}],\
    \"units\":[{\"members\":[{\"x\":0,\"y\":0},{\"x\":1,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],\
    \"sourceLength\":4,\"sourceSeeds\":[0,7]}";

/// Bytes that a game takes beside its text. A game of Hextris may have a board of 128x1024,
/// whatever the length of the text.
pub fn constant_of(game: &str) -> usize {
    if game == "hextris" {
        5_000_000
    } else {
        50_000
    }
}

/// Returns the problem with the largest board.
fn large_problem() -> String {
    PROBLEM.replace("5,\"height\":3", "128,\"height\":1024")
}

fn game(name: &str, rules: &str) -> Box<dyn DynGame> {
    arbitre::registry().open(name, rules).unwrap()
}

/// Rules of each game, as `--rules` takes them.
const RULES: [(&str, &[&str]); 5] = [
    ("awele", &["codingame", "awari,max-plies=30", "abapa grand-slam=take repetition=third:split"]),
    ("tron", &["", "size=12x9 walls=1:1/3:4 tolerance=20%"]),
    ("seven-colors", &["filler", "gamos size=9x9", "size=8x8 colours=5 count-enclosed=yes"]),
    ("taquin", &["eight", "size=4x5 scramble=30 max-moves=99"]),
    ("hextris", &["small phrases=ei!+ia!_ia!", "size=9x9 length=12"]),
];

#[test]
fn rules_hold_their_claim() {
    for (name, texts) in RULES {
        let registry = arbitre::registry();
        let parse = of_text(|text| registry.open(name, text));
        // Phrases become an automaton with a node for each letter.
        let (factor, constant) = if name == "hextris" { (800, 150_000) } else { (20, 10_000) };
        Claim { name, valid: valid(texts), factor, constant, parse }.check();
    }
}

/// Openings of each game: lines of the file of `--openings`, with the rules and the seats.
const OPENINGS: [(&str, &str, usize, &[&str]); 5] = [
    ("awele", "", 2, &["opening 2 5 0", "2 5\n# nothing\nopening 3\n"]),
    ("tron", "size=9x7", 3, &["start 0 0 0; start 1 3 1; start 2 8 6\n"]),
    ("seven-colors", "size=3x2 colours=3 symmetric=no", 2, &["AB.; *CA\nCB.; *BA\n"]),
    ("taquin", "eight", 1, &["0 1 2 / 3 4 5 / _ 6 7\n1 2 3\n"]),
    ("hextris", "", 1, &[]),
];

#[test]
fn opening_files_hold_their_claim() {
    for (name, rules, seats, texts) in OPENINGS {
        let game = game(name, rules);
        let mut valid = valid(texts);
        if name == "taquin" {
            valid = vec![b"0 1 2 / 3 4 5 / _ 6 7\n0 1 2 / 3 4 5 / 6 _ 7\n".to_vec()];
        }
        if name == "hextris" {
            let large = large_problem();
            let texts = [PROBLEM, &large].map(|problem| format!("problem {problem}; seed 7\n"));
            valid = texts.map(String::into_bytes).to_vec();
        }
        let parse = of_text(|text| read_setups(&*game, seats, text));
        Claim { name, valid, factor: 60, constant: constant_of(name), parse }.check();
    }
}

#[test]
fn positions_hold_their_claim() {
    let hextris = format!("{{\"seed\":7,\"played\":\"ei!\",\"problem\":{PROBLEM}}}");
    let cases: [(&str, &str, &[&str]); 5] = [
        ("awele", "", &["4 4 4 4 4 4 4 4 4 4 4 4 0 0", "0 1 2 3 0 0 9 1 1 0 0 5 20 6"]),
        ("tron", "size=4x3", &[".A0./#.../.B11"]),
        ("seven-colors", "size=3x2 colours=3 symmetric=no ban=opponent", &["AB./*CA A B"]),
        ("taquin", "size=4x4", &["0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 _ 14 after 7"]),
        ("hextris", "", &[&hextris]),
    ];
    for (name, rules, texts) in cases {
        let game = game(name, rules);
        let parse = of_text(|text| game.perft(Some(text), 0));
        Claim { name, valid: valid(texts), factor: 60, constant: constant_of(name), parse }.check();
    }
}

#[test]
fn boards_of_taquin_hold_their_claim() {
    let eleven: Vec<String> = (0..121).map(|tile| tile.to_string()).collect();
    let side = format!("11 {}", eleven.join(" "));
    assert!(Convention::SEED.read(&side, None).is_err(), "the side is above the largest");
    for size in [None, Some((4, 4)), Some((2, 3))] {
        let texts = match size {
            None => valid(&["3\n0\n3\n8\n4\n1\n7\n2\n6\n5\n", "0 1 2 _", "1 2 3\n4 0 5\n6 7 8"]),
            Some((4, 4)) => valid(&[
                "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 _",
                "0,1,2,3;4,5,6,7;8,9,10,11;12,13,.,14",
            ]),
            Some(_) => valid(&["0 1 2 / 3 _ 4", "1 2 3 4 5 0"]),
        };
        let parse = of_text(|text| Convention::KORF.read(text, size));
        Claim { name: "board", valid: texts, factor: 30, constant: 20_000, parse }.check();
    }
}

#[test]
fn contest_documents_hold_their_claim() {
    let problem = |text: &str| Problem::parse(text);
    let valid_problems = valid(&[PROBLEM, &large_problem()]);
    Claim {
        name: "problem",
        valid: valid_problems.clone(),
        factor: 60,
        constant: 20_000,
        parse: of_text(problem),
    }
    .check();
    // A board has at most 128 columns and 1024 rows, which bounds what is derived from a problem.
    Claim {
        name: "terrain",
        valid: valid_problems,
        factor: 60,
        constant: 200_000,
        parse: of_text(|text| Problem::parse(text).map(Terrain::new)),
    }
    .check();
    let solutions = "[{\"problemId\":3,\"seed\":0,\"tag\":\"a \\u00e9\",\"solution\":\"ei!\\n\"},\
        {\"problemId\":3,\"seed\":7,\"tag\":null,\"solution\":\"\"}]";
    Claim {
        name: "solutions",
        valid: valid(&[solutions, "[]"]),
        factor: 60,
        constant: 20_000,
        parse: of_text(|text| Solution::parse_all(text).map(|_| ())),
    }
    .check();
}

/// Any text is a solution of some score.
#[test]
fn solutions_of_any_text_are_scored() {
    let terrain = Terrain::new(Problem::parse(PROBLEM).unwrap());
    let phrases = Phrases::official();
    Claim {
        name: "score",
        valid: valid(&["ei!palb", "llaaa", "Ei! ia! \tp"]),
        factor: 10,
        constant: 20_000,
        parse: of_text(|text| {
            let scored = score(&terrain, 7, text, &phrases);
            if scored.total() < 1 << 40 {
                Ok(())
            } else {
                Err("expected a small score")
            }
        }),
    }
    .check();
    Claim {
        name: "phrases",
        valid: valid(&["ei!\nia! ia!\nr'lyeh"]),
        factor: 800,
        constant: 150_000,
        parse: of_text(|text| Phrases::new(&text.lines().collect::<Vec<_>>())),
    }
    .check();
}

#[test]
fn small_values_hold_their_claim() {
    let claim = |name, texts: &[&str], parse: &dyn Fn(&[u8]) -> Result<(), String>| {
        Claim { name, valid: valid(texts), factor: 20, constant: 10_000, parse }.check();
    };
    claim("clock", &["wall init 60000 game 600000 increment 0", "nodes 5"], &of_text(Clock::parse));
    claim("go", &["100", "60000 100", ""], &of_text(Go::parse));
    claim("duration", &["100ms", "1.5s", "2min"], &of_text(parse_duration));
    claim("size", &["4x4", "10x2"], &of_text(parse_size));
    claim("path", &["Up,left D", "UDLR"], &of_text(parse_path));
    claim("convention", &["korf", "web,blank=."], &of_text(Convention::named));
    claim(
        "message",
        &[
            "seats 2 you 1",
            "go 60000 100",
            "moved 3 UP",
            "result 25 23",
            "clock wall move 9",
            "seed 7",
        ],
        &of_text(|text| Message::parse(text).map(|_| ())),
    );
}
