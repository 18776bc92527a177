//! Attempts of a player to reach its neighbours and the network: who is named for them, and where.

use crate::tournament::class::BOT;
use crate::tournament::harness::{names, player, Folder, REFEREE};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::probe::probe;
use arbitre_test_support::command::stderr;
use arbitre_test_support::pages::document;
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// Lines of Python that look for other players.
const CURIOUS: &str = "\
import os, socket
for name in os.listdir('..'):
    if name != 'eve':
        os.listdir('../' + name)
try:
    socket.socket()
except OSError:
    pass
";

/// Plays `game` at tables of `seats`. Eve looks for the others.
fn class(folder: &Folder, game: &str, seats: &str, more: &[&str]) -> Value {
    let bot = BOT.replace("PLACE", "0");
    for name in ["ada", "bob", "dan"] {
        folder.file(&format!("class/{name}/main.py"), &bot);
    }
    folder.file("class/eve/main.py", &format!("{CURIOUS}{bot}"));
    let words = ["tournament", "class", "--game", game, "--seats", seats, "--seed", "3", "--json"];
    let output = folder.run(&[&words, more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn curious_player_is_named_at_every_table() {
    if probe(Path::new(REFEREE)).level < Level::Full {
        eprintln!("SKIPPED: neighbours are seen at the level full only");
        return;
    }
    for (game, seats, more) in [
        ("awele", "2", &["--games", "2"][..]),
        ("awele", "2", &["--games", "2", "--profile", "mine"]),
        ("tron", "2", &["--format", "swiss", "--rounds", "2", "--games", "2"]),
        ("tron", "2", &["--format", "knockout", "--games", "2"]),
        ("tron", "4", &["--format", "balanced", "--games-per-player", "16"]),
        ("taquin", "1", &["--games", "2", "--rules", "size=3x3"]),
    ] {
        let folder = Folder::new("curious");
        let files = ["--output", "s.csv", "--output", "s.md", "--output", "s.html"];
        let standings = class(&folder, game, seats, &[more, &files].concat());
        let row = format!("{game} {more:?}: {standings}");
        assert_eq!(names(&standings).len(), 4, "{row}");
        for name in ["ada", "bob", "dan"] {
            assert_eq!(player(&standings, name).get("attempts"), None, "{row}");
        }
        let attempts = &player(&standings, "eve")["attempts"];
        let number = |of: &str| attempts[of].as_u64().unwrap_or_default();
        // Each start is one look at three others.
        assert!(number("socket") > 0 && number("neighbour") == 3 * number("socket"), "{row}");
        let line = format!("{} neighbour, {} socket", number("neighbour"), number("socket"));
        let read = |file: &str| fs::read_to_string(folder.path(file)).unwrap();
        for file in ["s.csv", "s.md"] {
            assert_eq!(read(file).matches(&line).count(), 1, "{file} of {row}: {}", read(file));
        }
        // The stored file tells the same as the run.
        let db = ".arbitre/tournament-class.db";
        folder.done(&["report", "--db", db, "--output", "stored.html"]);
        for file in ["s.html", "stored.html"] {
            let page = document(&read(file));
            let players = page["summary"]["players"].as_array().unwrap();
            let told = players.iter().filter_map(|of| of.get("attempts"));
            assert_eq!(told.collect::<Vec<_>>(), [attempts], "{file} of {row}");
        }
        let text = folder.done(&[&["tournament", "class", "--game", game][..], more].concat());
        assert!(text.contains(&format!("attempts of eve: {line}; ")), "{row}: {text}");
        folder.done(&["verify", "--db", db]);
    }
}

/// A match of programs that the user trusts hides their folders from each other, too.
#[test]
fn neighbour_is_seen_in_a_match() {
    if probe(Path::new(REFEREE)).level < Level::Full {
        eprintln!("SKIPPED: neighbours are seen at the level full only");
        return;
    }
    let folder = Folder::new("neighbours");
    let bot = BOT.replace("PLACE", "0");
    folder.file("ada/main.py", &bot);
    folder.file("eve/main.py", &format!("import os\nos.listdir('ada')\n{bot}"));
    for profile in ["mine", "class"] {
        // At profile class a program starts in its own folder.
        let look = if profile == "mine" { "ada" } else { "../ada" };
        folder.file("eve/main.py", &format!("import os\nos.listdir('{look}')\n{bot}"));
        let players = ["python3 eve/main.py", "python3 ada/main.py"];
        let words = ["--game", "awele", "--games", "2", "--profile", profile, "--json"];
        let summary: Value =
            serde_json::from_str(&folder.done(&[&players, &words[..]].concat())).unwrap();
        assert_eq!(summary["players"][0]["attempts"], json!({"neighbour": 2}), "{summary}");
        assert_eq!(summary["players"][1].get("attempts"), None, "{summary}");
        let db = summary["db"].as_str().unwrap();
        let game = folder.done(&["show", "1", "--db", db]);
        assert!(game.contains("its sandbox refused: 1 neighbour"), "{game}");
    }
}

/// Each kind of run shows attempts, and so do the files of shards together.
#[test]
fn every_kind_of_run_shows_attempts() {
    if probe(Path::new(REFEREE)).level < Level::Partial {
        eprintln!("SKIPPED: no attempt is seen without a filter of system calls");
        return;
    }
    let folder = Folder::new("kinds of attempts");
    let line = "import socket\ntry: socket.socket()\nexcept OSError: pass\n";
    folder.file("eve/main.py", &format!("{line}{}", BOT.replace("PLACE", "0")));
    let eve = "eve=python3 eve/main.py";
    let rules = format!("{REFEREE} arena step awele");
    for (kind, words) in [
        ("match", &["--game", "awele", "--games", "4"][..]),
        ("test", &["--game", "awele", "--sprt", "elo0=0,elo1=100", "--games", "4"]),
        ("external", &["--external", &rules, "--games", "4"]),
        ("shard", &["--game", "awele", "--games", "4", "--shard", "1/2", "--db", "1.db"]),
        ("shard", &["--game", "awele", "--games", "4", "--shard", "2/2", "--db", "2.db"]),
    ] {
        let seed: &[&str] = &["--seed", "5"];
        let text = folder.done(&[&[eve, "awele random"], words, seed].concat());
        let count = if kind == "shard" { 2 } else { 4 };
        let expected = format!("attempts of eve: {count} socket; ");
        assert!(text.contains(&expected), "{kind}: {text}");
    }
    let merged = folder.done(&["merge", "1.db", "2.db", "--output", "whole.db"]);
    assert!(merged.contains("attempts of eve: 4 socket; "), "{merged}");
    let open = [eve, "awele random", "--game", "awele", "--games", "2", "--no-sandbox"];
    let text = folder.done(&open);
    assert!(!text.contains("attempts"), "nothing sees them: {text}");
}
