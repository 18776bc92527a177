//! Inputs other than results: texts of users, of the contest, of learning, and of other programs.

use super::chance::Chance;
use super::done;
use crate::parsers::texts::PROBLEM;
use arbitre_test_support::data::data;
use std::fs;
use std::path::Path;

/// Files with the commands that read them. One file of them is mutated.
pub struct Input {
    files: Vec<(String, Vec<u8>)>,
    commands: Vec<String>,
}

impl Input {
    fn new(files: &[(&str, &[u8])], commands: &[&str]) -> Input {
        let files = files.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect();
        Input { files, commands: commands.iter().map(|&command| command.into()).collect() }
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

pub fn case(inputs: &[Input], chance: &mut Chance, folder: &Path) -> Vec<String> {
    let input = chance.pick(inputs);
    input.files.iter().for_each(|(name, bytes)| write(folder, name, bytes));
    let (name, bytes) = chance.pick(&input.files);
    write(folder, name, &chance.mutated(bytes));
    vec![chance.pick(&input.commands).clone()]
}

/// Runs every command on its valid files, so that a mutation is what makes it fail.
pub fn check(inputs: &[Input], folder: &Path) {
    for input in inputs {
        for command in &input.commands {
            input.files.iter().for_each(|(name, bytes)| write(folder, name, bytes));
            done(folder, command);
        }
    }
}

/// Tournament with most of the keys.
const RICH: &str = r#"# A file with most of the keys.
[tournament]
name = "Tron 2026"
game = "tron"
rules = "size=12x9"
format = "swiss"
rounds = 3
games = 4
seats = 2
seed = 42
move-time = "20ms"
first-move-time = "1s"
memory = "256MiB"
concurrency = 2
adjudicate = "max-plies=50"
env = ["A=b", "C=d"]

[players]
from = "../class"
reference = ["tron breadth"]

[[player]]
name = "teacher"
command = "tron wall-hugger"
move-time = "10ms"
"#;

/// Returns tournaments of each format, and one with players in folders.
pub fn tournaments(folder: &Path) -> Vec<Input> {
    let dry =
        ["referee tournament cup.toml --dry-run", "referee tournament --dry-run cup.toml --json"];
    let bot: &[u8] = b"#!/bin/sh\nexec referee bot tron random\n";
    let mut inputs = Vec::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format2");
    for format in ["balanced", "double-knockout", "gauntlet", "ladder", "tested-gauntlet", "swiss"]
    {
        let text = fs::read(data.join(format).with_extension("toml")).unwrap();
        inputs.push(Input::new(&[("cup.toml", &text)], &dry));
    }
    let players = [("class/ada/main.py", bot), ("class/bob/main.py", b"pass")];
    players.iter().for_each(|(name, bytes)| write(folder, name, bytes));
    for _ in 0..4 {
        inputs.push(Input::new(&[("cup.toml", RICH.as_bytes())], &dry));
    }
    inputs
}

/// Match by rules in another process, whose answers pass through `sed`.
pub struct Rules {
    command: String,
    /// Lines of the answers without a mutation.
    answers: Vec<Vec<u8>>,
}

/// Returns matches with the lines of the answers. The file `edits` has the changes to the lines.
pub fn rules(folder: &Path) -> Vec<Rules> {
    let games = [
        ("awele", "'awele random' 'awele greedy'"),
        ("tron", "'tron random' 'tron fixed' 'tron random' --seats 3"),
        ("seven-colors", "'seven-colors greedy' 'seven-colors random'"),
        ("taquin", "'taquin random'"),
    ];
    let played = |(game, players): (&str, &str)| {
        fs::write(folder.join("edits"), "w answers\n").unwrap();
        let rules = format!("sh -c \"referee arena step {game} | sed -u -f edits\"");
        let rest = "--games 2 --seed 1 --no-sandbox --concurrency 1 --db r.db";
        let command = format!("referee {players} --external '{rules}' {rest}");
        done(folder, &command);
        fs::remove_file(folder.join("r.db")).unwrap();
        let answers = fs::read(folder.join("answers")).unwrap();
        let answers = answers.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        Rules { command, answers }
    };
    games.map(played).into()
}

pub fn external(rules: &[Rules], chance: &mut Chance, folder: &Path) -> Vec<String> {
    let Rules { command, answers } = chance.pick(rules);
    let mut edits = Vec::new();
    for _ in 0..=chance.below(2) {
        // Most mistakes matter at the start, where the game is described.
        let most = if chance.below(2) == 0 { 30 } else { answers.len() };
        let line = chance.below(most.min(answers.len()));
        // Without the end of an answer the referee waits for ten seconds.
        if answers[line] == b"." {
            continue;
        }
        edits.extend(format!("{}c\\\n", line + 1).into_bytes());
        for byte in chance.mutated(&answers[line]) {
            match byte {
                b'\n' => edits.extend(b"\\\n"),
                b'\\' => edits.extend(b"\\\\"),
                byte => edits.push(byte),
            }
        }
        edits.push(b'\n');
    }
    fs::write(folder.join("edits"), edits).unwrap();
    let after = ["show last --json", "export --times", "verify", "replay last --output g.html"];
    vec![command.clone(), format!("referee {} --db r.db", chance.pick(&after))]
}

/// Returns requests to the rules of the referee, in both languages.
pub fn requests() -> Vec<Input> {
    let words = b"rules 1 awari\ndraw 2 8 \
        000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 0\n\
        check 2 opening 2 5\nstart 2 opening 2 5\nlegal 0\nask 0\nplay 0 3\nturn\nstate 1\n\
        svg 0\npicture 1\nout timeout 1\nended 0 1\ndecided\nclose 0\n";
    let json = b"{\"reset\":{\"games\":2,\"seats\":2,\"plies\":4,\"seed\":7}}\n\
        {\"legal\":[[0,0],[1,0]]}\n{\"step\":[[0,0,\"3\"],[1,0,\"9\"]]}\n\
        {\"state\":[[0,1]]}\n{\"clone\":[0,0]}\n{\"drop\":[1]}\n\
        {\"reset\":{\"setups\":[\"opening 1\"]}}\n";
    vec![
        Input::new(&[("r.txt", words)], &["referee arena step awele < r.txt"]),
        Input::new(&[("r.txt", json)], &["referee arena step awele --json < r.txt"]),
    ]
}

/// Returns openings of each game.
pub fn openings() -> Vec<Input> {
    let problem = format!("problem {PROBLEM}; seed 7\n");
    let rest = "--games 2 --db :memory: --openings o.txt --no-sandbox";
    let cases = [
        ("'awele random' 'awele greedy'", "opening 2 5 0\n# nothing\nopening 3\n"),
        (
            "'tron random' 'tron fixed' 'tron random' --seats 3 --rules size=9x7",
            "start 0 0 0; start 1 3 1; start 2 8 6\n",
        ),
        (
            "'seven-colors random' 'seven-colors greedy' --rules 'size=3x2 colours=3 symmetric=no'",
            "AB.; *CA\nCB.; *BA\n",
        ),
        ("'taquin random' --rules eight", "0 1 2 / 3 4 5 / _ 6 7\n0 1 2 / 3 4 5 / 6 _ 7\n"),
        ("'hextris random'", &problem),
    ];
    let input = |(players, text): (&str, &str)| {
        let command = format!("referee {players} {rest}");
        Input::new(&[("o.txt", text.as_bytes())], &[&command])
    };
    cases.map(input).into()
}

/// Returns problems and solutions of the contest of 2015.
pub fn contest() -> Vec<Input> {
    let commands = [
        "hextris score problems/p.json s.json",
        "hextris score --json problems/p.json s.json",
        "hextris contest -f problems/p.json -t 1 -p ei!",
        "hextris contest taupe -f problems/p.json -t 1",
        "hextris solve-all problems --nodes 50",
        "play_icfp2015 -f problems/p.json -t 1 -m 64 -p 'ia! ia!'",
    ];
    let input = |id: usize, problem: &[u8]| {
        let solution = format!(
            "[{{\"problemId\":{id},\"seed\":0,\"tag\":\"a \\u00e9\",\"solution\":\"ei!\\npalb\"}}]"
        );
        Input::new(&[("problems/p.json", problem), ("s.json", solution.as_bytes())], &commands)
    };
    let mut inputs = vec![input(3, PROBLEM.as_bytes())];
    if let Some(folder) = data("icfp2015/problems", "mutations of the problems of the contest") {
        let read = |id: usize| fs::read(folder.join(format!("problem_{id}.json"))).unwrap();
        inputs.extend([0, 6, 15].map(|id| input(id, &read(id))));
    }
    inputs
}

/// Returns books, a journal, an evaluation and endgame tables of Awélé.
pub fn books(folder: &Path) -> Vec<Input> {
    let grow =
        "awele book grow --rules abapa --nodes 100 --positions 8 --threads 1 --journal journal.txt";
    let make = "awele book --own-moves 1 --depth 2 --output book.txt";
    for line in [make, &format!("{grow} --output grown.txt"), "awele tables --seeds 4 tables"] {
        done(folder, line);
    }
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let evaluation = include_bytes!("../../../../bots/awele/best/evaluation/abapa-linear.txt");
    let game = "'awele random' --rules abapa --games 2 --openings 0 --db :memory:";
    let grown = format!("referee 'awele best --book grown.txt --tables none --nodes 50' {game}");
    let grow = format!("{grow} --output new.txt");
    let names: Vec<String> = (0..=4).map(|seeds| format!("tables/oware_n{seeds:02}.lh")).collect();
    let tables: Vec<(&str, Vec<u8>)> = names.iter().map(|name| (&name[..], read(name))).collect();
    let tables: Vec<(&str, &[u8])> =
        tables.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    let bot = "awele --book grown.txt --tables none";
    let older = "referee 'awele alpha-beta --book book.txt --depth 2' 'awele random' --games 2";
    let older = format!("{older} --db :memory:");
    vec![
        Input::new(
            &[("book.txt", &read("book.txt"))],
            &[make, "awele alpha-beta --book book.txt", &older],
        ),
        Input::new(&[("grown.txt", &read("grown.txt"))], &[bot, &grown]),
        Input::new(&[("journal.txt", &read("journal.txt"))], &[&grow]),
        Input::new(&[("e.txt", evaluation)], &["awele --evaluation e.txt --tables none"]),
        Input::new(
            &tables,
            &[
                "awele probe --tables tables 0 0 1 0 0 1 1 0 0 0 1 0 23 21",
                "awele best --tables tables",
            ],
        ),
    ]
}
