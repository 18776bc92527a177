//! Seats, scores and places in the list of games and in the view of a game.

use super::harness::{check_problems, games, open_game};
use super::layout::MATCHES;
use super::texts::texts;
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, script};
use arbitre_test_support::pages::{played, report};
use serde_json::Value;
use std::path::Path;

/// Scores of games whose rules run elsewhere: a draw, a shared win, and shared places behind it.
pub const SCORES: [&str; 5] = ["7", "2 1", "3 3", "5 0 5 1", "0 1 2 3 69 5 6 69"];

/// Plays a match with rules in another process, which end the game after a move with `scores`.
/// Returns its file.
pub fn external_match(folder: &Path, scores: &str) -> String {
    let seats = scores.split(' ').count();
    let rules = format!(
        "#!/bin/sh\nwhile read w r; do case $w in\nrules) echo game odd; echo seats {seats} \
         {seats};;\ndraw) echo setup x;;\nstart) echo turn 0;;\nask|state) echo state x;;\n\
         play) echo played a; echo over {scores};;\npicture) echo 'a picture';;\n\
         svg|decided) echo unknown;;\nesac; echo .; done"
    );
    let bot =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo a;; esac; done";
    let rules = format!("'{}'", script(folder, "odd", &rules).display());
    let bot = format!("'{}'", script(folder, "bot", bot).display());
    let bots = vec![&bot[..]; seats];
    played(folder, &[&bots[..], &["--external", &rules, "--games", "1"]].concat())
}

/// Plays a match of Tron in which one of four bots crashes at its third move. Returns its file.
fn match_with_a_crash(folder: &Path) -> String {
    let bot = "#!/bin/sh\nwhile read w r; do case $w in legal) m=${r%% *};; begin) echo ready x;; \
               go) n=$((n+1)); [ $n = 3 ] && exit 3; echo $m;; esac; done";
    let bot = format!("'{}'", script(folder, "crash", bot).display());
    let others = ["tron random", "tron wall-hugger", "tron random"];
    let words = ["--rules", "size=15x11", "--games", "4", "--seed", "4", "--move-time", "30s"];
    played(folder, &[&[&bot[..]], &others[..], &words[..]].concat())
}

/// Returns the files of matches of all games and of 1, 2, 4 and 8 seats, each played when it is
/// asked for.
fn matches(folder: &Path) -> impl Iterator<Item = String> + '_ {
    let bundled = MATCHES.iter().map(move |(bots, rules)| {
        played(folder, &[*bots, &["--rules", rules, "--games", "4", "--seed", "4"]].concat())
    });
    let external = SCORES.iter().map(move |scores| external_match(folder, scores));
    let crash = std::iter::once_with(move || match_with_a_crash(folder));
    bundled.chain(external).chain(crash)
}

/// Returns the letters of seats.
fn letters(seats: usize) -> Vec<String> {
    ('A'..).take(seats).map(String::from).collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// Each player has its letter and its score beside its name, in the list and in the game.
#[test]
fn players_have_a_letter_and_a_score() {
    let folder = folder("pages-seats");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    for db in matches(&folder) {
        browser.visit(&report(&folder, &["--db", &db]), "");
        for (number, game) in games(&db).iter().enumerate() {
            let names = names(&game["players"]);
            let (scores, ranks) = (numbers(&game["scores"]), numbers(&game["ranks"]));
            let seats = names.len();
            let letters = if seats == 1 { Vec::new() } else { letters(seats) };
            let row = format!("#game-rows [data-row='{number}']");
            assert_eq!(texts(browser, &format!("{row} .badge")), letters, "{names:?}");
            let mut expected = Vec::new();
            for (seat, name) in names.iter().enumerate() {
                let letter = letters.get(seat).map_or("", String::as_str);
                expected.push(format!("{letter}{name}{}", scores[seat]));
            }
            assert_eq!(texts(browser, &format!("{row} .seat")), expected, "{names:?}");
            let is_first = |seat: &usize| ranks[*seat] == 1 && ranks.iter().any(|rank| *rank > 1);
            let first: Vec<&String> = (0..seats).filter(is_first).map(|at| &expected[at]).collect();
            let bold = texts(browser, &format!("{row} .first"));
            assert_eq!(bold.iter().collect::<Vec<_>>(), first, "{names:?}");
            let faults = game["faults"].as_array().unwrap().iter().map(|fault| {
                let letter = &letters[fault["seat"].as_u64().unwrap() as usize];
                format!("{letter}: {}", fault["fault"].as_str().unwrap())
            });
            let faults: Vec<String> = faults.collect();
            assert_eq!(texts(browser, &format!("{row} .fault")).concat(), faults.join(", "));
        }
        let seats = games(&db)[0]["players"].as_array().unwrap().len();
        let options = texts(browser, "#filter-seat option");
        let letter = |(seat, letter): (usize, String)| format!("{letter} (seat {seat})");
        let mut expected: Vec<String> =
            letters(seats).into_iter().enumerate().map(letter).collect();
        expected.insert(0, "any".into());
        assert_eq!(options, if seats == 1 { Vec::new() } else { expected });

        open_game(browser, 0, "");
        let letters = if seats == 1 { Vec::new() } else { letters(seats) };
        assert_eq!(texts(browser, ".card .badge"), letters);
        // The heads of a board have the letters of their seats.
        let heads = texts(browser, "#board .glyph.head");
        let has_heads = !heads.is_empty();
        let mut sorted = heads;
        sorted.sort();
        assert!(!has_heads || sorted == letters, "{sorted:?}");
    }
    check_problems(browser);
}
