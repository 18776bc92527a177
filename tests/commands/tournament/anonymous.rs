//! `--anonymous`: nothing that is written tells a player's name, or says what it printed.

use crate::tournament::harness::Folder;
use arbitre_test_support::command::{stderr, stdout};
use arbitre_test_support::pages::{document, unpacked};
use std::fs::read_to_string;
use std::path::Path;

/// Text in the names of all players, and in all that they print.
const SECRET: &str = "secret";

/// Player that prints the text everywhere, and plays to the end.
const HONEST: &str = "import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'begin': print('ready secret', flush=True)
    if word == 'legal': legal = rest
    if word == 'go':
        print('secret', file=sys.stderr, flush=True)
        print(legal[0], '# score 3 secret', flush=True)
";

/// Returns the program of a player by its number: honest, with a fault of some kind, or broken.
fn program(number: usize) -> String {
    match number {
        2 => HONEST.replace("legal[0], '# score 3 secret'", "'secret'"),
        3 => HONEST.replace("print(legal[0], '# score 3 secret', flush=True)", "exit('secret')"),
        4 => format!("raise SystemExit('{SECRET}')\n"),
        _ => HONEST.into(),
    }
}

/// Returns all texts of a file, with those of the packed documents in it.
fn texts(path: &Path) -> String {
    let text = read_to_string(path).unwrap();
    if path.extension().is_none_or(|extension| extension != "html") {
        return text;
    }
    let packed = text.split("<script type=\"text/plain\"").skip(1);
    let packed = packed.flat_map(|part| {
        let part = part.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
        part.split_whitespace().map(unpacked).map(|document| document.to_string())
    });
    let packed: Vec<String> = packed.collect();
    assert!(packed.len() >= 2, "a summary, and games");
    text + &packed.concat()
}

#[test]
fn hidden_players_have_no_name_in_any_file() {
    let (tables, solo) = (["--game", "tron", "--seats", "4"], ["--game", "taquin"]);
    let rules = ["--rules", "size=7x7"];
    for (name, words) in [
        ("round-robin", &["--game", "awele", "--games", "2"][..]),
        ("knockout", &["--game", "awele", "--format", "knockout"]),
        ("swiss", &["--game", "awele", "--format", "swiss", "--rounds", "2"]),
        ("tables", &[&tables[..], &rules].concat()),
        ("tables-knockout", &[&tables[..], &rules, &["--format", "knockout"]].concat()),
        ("solo", &[&solo[..], &["--games", "2"]].concat()),
    ] {
        let folder = Folder::new(&format!("anonymous-{name}"));
        for number in 0..6 {
            let program = program(number);
            folder.file(&format!("class/{SECRET}{number}/main.py"), &program);
        }
        let files = ["t.html", "t.md", "t.csv", "t.json"];
        let outputs = files.iter().flat_map(|file| ["--output", file]);
        let start = ["tournament", "class", "--anonymous", "--db", "t.db", "--no-sandbox"];
        let words: Vec<&str> =
            start.into_iter().chain(words.iter().copied()).chain(outputs).collect();
        let run = folder.run(&words);
        folder.file("printed.md", &stdout(&run));
        assert!(folder.path("t.html").exists(), "{name}: {}", stderr(&run));
        folder.done(&["report", "--db", "t.db", "--anonymous", "--output", "r.html"]);
        for file in files.iter().chain(&["r.html", "printed.md"]) {
            let text = texts(&folder.path(file));
            assert!(text.contains("player 6"), "{name}, {file}: {text}");
            let found = text.find(SECRET).map(|at| &text[at.saturating_sub(200)..at + 20]);
            assert_eq!(found, None, "{name}, {file}");
        }
        let pages = ["t.html", "r.html"].map(|file| {
            let page = document(&read_to_string(folder.path(file)).unwrap());
            assert_eq!(page["summary"]["db"], "FILE", "{name}: its path may have names");
            let players = page["summary"]["players"].as_array().unwrap().iter();
            players.map(|of| (of["name"].clone(), of["points"].clone())).collect::<Vec<_>>()
        });
        assert_eq!(pages[0], pages[1], "{name}: numbers are the same in the run and later");
        // The order of the folder would tell the names.
        let names: Vec<&str> = pages[0].iter().map(|(name, _)| name.as_str().unwrap()).collect();
        let expected = ["player 1", "player 2", "player 3", "player 4", "player 5", "player 6"];
        assert_eq!(names, expected, "{name}");
    }
}
