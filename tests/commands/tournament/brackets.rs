//! Brackets of knockouts on the terminal, in Markdown and in documents.

use crate::tournament::harness::{Folder, PLAYERS};
use serde_json::Value;
use std::fs::read_to_string;

/// Returns the lines of the bracket in what a command printed.
fn printed(text: &str) -> Vec<&str> {
    let (_, bracket) = text.split_once("\nbracket:\n").unwrap_or_else(|| panic!("{text}"));
    bracket.lines().take_while(|line| !line.starts_with("kept in ")).collect()
}

/// Plays the tournament of `cup.toml` with these options. Returns the bracket in all its forms.
fn bracket(folder: &Folder, more: &[&str]) -> (Vec<String>, String, Value) {
    let files = ["--output", "s.md", "--output", "s.json"];
    let text = folder.done(&[&["tournament", "cup.toml"], &files[..], more].concat());
    let lines = printed(&text).into_iter().map(str::to_owned).collect();
    let markdown = read_to_string(folder.path("s.md")).unwrap();
    let document: Value =
        serde_json::from_str(&read_to_string(folder.path("s.json")).unwrap()).unwrap();
    (lines, markdown, document)
}

#[test]
fn brackets_have_all_rounds_in_every_form() {
    let folder = Folder::new("brackets");
    let tables = "seats = 4\nrules = \"size=12x9\"";
    for (format, more, rounds, sides) in [
        ("knockout", "", 3, &["main", "final"][..]),
        ("knockout", "third-place = true", 3, &["main", "final", "third-place"]),
        ("double-knockout", "", 6, &["winners", "losers", "final"]),
        ("knockout", tables, 2, &["main", "final"]),
    ] {
        let tron = PLAYERS.map(|(name, _)| (name, "tron random"));
        folder.cup(
            &format!("format = \"{format}\"\n{more}"),
            if more == tables { &tron } else { &PLAYERS },
        );
        if more == tables {
            let text = read_to_string(folder.path("cup.toml")).unwrap();
            folder.file("cup.toml", &text.replace("\"awele\"", "\"tron\""));
        }
        let (lines, markdown, document) = bracket(&folder, &["--db", ":memory:"]);
        let all = document["bracket"]["rounds"].as_array().unwrap();
        assert!(all.len() >= rounds, "{document}");
        let meetings: Vec<&Value> =
            all.iter().flat_map(|round| round["meetings"].as_array().unwrap()).collect();
        for side in sides {
            assert!(meetings.iter().any(|of| of["side"] == **side), "{side}: {document}");
        }
        let first = &document["standings"][0]["name"];
        assert_eq!(&document["bracket"]["winner"], first);
        let winner = format!("winner: {}", first.as_str().unwrap());
        assert_eq!(lines.last(), Some(&winner));
        for meeting in &meetings {
            let seats = meeting["players"].as_array().unwrap();
            assert!(seats
                .windows(2)
                .all(|of| of[0]["advances"].as_bool() >= of[1]["advances"].as_bool()));
            let names: Vec<&str> = seats.iter().map(|of| of["name"].as_str().unwrap()).collect();
            let points: Vec<String> = seats.iter().map(|of| of["points"].to_string()).collect();
            let points: Vec<&str> = points.iter().map(|of| of.trim_end_matches(".0")).collect();
            let row = format!("| {} | {} |", names.join(" - "), points.join(" - "));
            assert!(markdown.contains(&row), "{row}: {markdown}");
            let words: Vec<String> = match names[..] {
                [one, other] => vec![format!("{one} {} - {} {other}", points[0], points[1])],
                _ => names.iter().zip(&points).map(|(name, of)| format!("{name} {of}")).collect(),
            };
            for words in words {
                let is_there = |line: &String| {
                    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
                    line == words || line == format!("{words} goes on")
                };
                assert!(lines.iter().any(is_there), "{words}: {lines:?}");
            }
        }
        let games = meetings.iter().map(|of| of["tie_breaks"].as_u64().unwrap());
        let seats = meetings[0]["players"].as_array().unwrap().len() as u64;
        let played: u64 = games.map(|ties| 4 + seats * ties).sum();
        assert_eq!(document["games"], played, "4 games a meeting, a round for each tie-break");
        let byes = all.iter().flat_map(|round| round["byes"].as_array().unwrap());
        for bye in byes {
            let name = bye["name"].as_str().unwrap();
            assert!(markdown.contains(&format!("| {name} | | bye |")), "{markdown}");
            assert!(lines.iter().any(|of| of.contains("bye:") && of.contains(name)), "{lines:?}");
        }
    }
    folder.cup("format = \"swiss\"\nrounds = 2", &PLAYERS);
    let text = folder.done(&["tournament", "cup.toml", "--output", "s.json"]);
    let document = read_to_string(folder.path("s.json")).unwrap();
    assert!(!text.contains("bracket") && !document.contains("bracket"));
}

/// The lists of tie-breaks and byes fit, too.
#[test]
fn bracket_of_long_names_fits_a_terminal() {
    let folder = Folder::new("wide-bracket");
    let names: Vec<String> =
        (0..29).map(|number| format!("{number:02} a name of 30 characters...")).collect();
    let players: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "awele random")).collect();
    folder.cup("format = \"knockout\"", &players);
    let (lines, ..) = bracket(&folder, &[]);
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", lines.join("\n"));
    let shown = |name: &String| lines.iter().any(|line| line.contains(name.as_str()));
    assert!(names.iter().all(shown), "{}", lines.join("\n"));
    let (hidden, markdown, _) = bracket(&folder, &["--anonymous"]);
    assert!(!hidden.join("\n").contains("a name") && !markdown.contains("a name"));
    assert!(hidden.last().unwrap().starts_with("winner: player "), "{hidden:?}");
}

/// Every run plays a round of games, which is half of a round of the knockout.
#[test]
fn stopped_knockout_shows_the_points_so_far() {
    let folder = Folder::new("stopped-bracket");
    folder.cup("format = \"knockout\"", &PLAYERS[..4]);
    let stop = ["--max-time", "1ms"];
    let (lines, markdown, document) = bracket(&folder, &stop);
    assert_eq!((lines.len(), lines[0].as_str()), (3, "round 1, not complete"), "{lines:?}");
    assert!(lines[1..].iter().all(|line| line.contains(" … ")), "{lines:?}");
    assert!(markdown.contains(" | not complete |"), "{markdown}");
    assert!(document["bracket"]["winner"].is_null());
    for meeting in document["bracket"]["rounds"][0]["meetings"].as_array().unwrap() {
        let players = meeting["players"].as_array().unwrap();
        let points = players.iter().map(|of| of["points"].as_f64().unwrap());
        assert_eq!(points.sum::<f64>(), 2.0, "{meeting}");
        assert!(meeting["decision"].is_null() && players[0]["advances"].is_null(), "{meeting}");
    }
    // The stored games have the same bracket.
    let db = ".arbitre/tournament-cup.toml.db";
    assert_eq!(printed(&folder.done(&["merge", db, "--output", "early.db"])), lines);
    // The winner of a meeting leaves before the next.
    bracket(&folder, &stop);
    folder.cup("format = \"knockout\"", &PLAYERS[1..4]);
    let (lines, markdown, document) = bracket(&folder, &[]);
    assert_eq!(document["bracket"]["rounds"][1]["absent"][0], "ada", "{document}");
    assert!(lines.contains(&"  out, as it was absent: ada".to_owned()), "{lines:?}");
    assert!(markdown.contains("| round 2 | ada | | absent, and out |"), "{markdown}");
    assert!(lines.contains(&"winner: bea".to_owned()), "{lines:?}");
}
