//! Seats, scores and places in the list of games and in the view of a game.

use super::every_game::{page_of, RULES};
use super::harness::{check_problems, games, open_game};
use super::layout::MATCHES;
use super::texts::texts;
use arbitre::rng::Rng;
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, json, run, script, stdout};
use arbitre_test_support::pages::{played, report};
use arbitre_test_support::scenes::Moves;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
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
         play) echo played a; echo over {scores};;\npicture) echo 'a picture of one line of sixty-four letters, as wide as a board is';;\n\
         svg|decided) echo unknown;;\nesac; echo .; done"
    );
    let bot =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo a;; esac; done";
    let rules = format!("'{}'", script(folder, "odd", &rules).display());
    let bot = script(folder, "bot", bot);
    let named = |number| format!("student-{number}-of-a-large-class='{}'", bot.display());
    let bots: Vec<String> = (0..seats).map(named).collect();
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
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

/// Number of the last move, and of the eliminations after it.
type Turn = (u64, u64);

/// Returns the turn that is shown.
fn turn(browser: &mut Browser) -> Turn {
    let turn = browser.evaluate("document.documentElement.dataset.turn");
    let turn = turn.as_str().unwrap();
    let (ply, others) = turn.split_once('+').unwrap_or((turn, "0"));
    (ply.parse().unwrap(), others.parse().unwrap())
}

/// Returns the turn with which each seat goes out, from the document of `referee show`.
fn turns_out(game: &Value) -> Vec<Option<Turn>> {
    let mut turns = vec![None; names(&game["players"]).len()];
    for out in game["out"].as_array().unwrap() {
        let is_own = |fault: &&Value| fault["seat"] == out["seat"];
        let faults = game["faults"].as_array().unwrap().iter().filter(is_own).count() as u64;
        let moves = out["moves"].as_u64().expect("no solo game here has a fault");
        turns[out["seat"].as_u64().unwrap() as usize] = Some((moves, faults));
    }
    turns
}

fn ordinal(rank: i64) -> String {
    match rank {
        1 => "1st".into(),
        2 => "2nd".into(),
        3 => "3rd".into(),
        _ => format!("{rank}th"),
    }
}

/// Returns the places of a game of more than two players, the first one first.
fn places(game: &Value) -> Vec<String> {
    let ranks = numbers(&game["ranks"]);
    let mut seats: Vec<usize> = (0..ranks.len()).filter(|_| ranks.len() > 2).collect();
    seats.sort_by_key(|seat| ranks[*seat]);
    let place = |seat: usize| {
        let (name, score) = (game["players"][seat].as_str().unwrap(), &game["scores"][seat]);
        format!("{}{}{name}{score}", ordinal(ranks[seat]), letters(ranks.len())[seat])
    };
    seats.into_iter().map(place).collect()
}

/// A player is out from the turn on with which it goes out, and ranks appear after the last turn.
#[test]
fn ranks_appear_at_the_end() {
    let folder = folder("pages-ranks");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let mut kinds = BTreeSet::new();
    for db in matches(&folder) {
        let shown = run(&["show", "0", "--json", "--allow-rules", "--db", &db]);
        let game = json(&stdout(&shown));
        let ranks = numbers(&game["ranks"]);
        let turns_out = turns_out(&game);
        browser.visit(&report(&folder, &["--db", &db]), "");
        open_game(browser, 0, "");
        assert_eq!(texts(browser, "#result .place"), places(&game));
        browser.press("End");
        let last = turn(browser);
        browser.press("Home");
        loop {
            let now = turn(browser);
            let is_out = |seat: &usize| turns_out[*seat].is_some_and(|turn| turn <= now);
            let rank = |seat: usize| {
                let rank = (now == last && ranks.len() > 1).then(|| ordinal(ranks[seat]));
                let words = [is_out(&seat).then(|| "out".to_owned()), rank];
                words.into_iter().flatten().collect::<Vec<_>>().join(", ")
            };
            let expected: Vec<String> = (0..ranks.len()).map(rank).collect();
            assert_eq!(texts(browser, ".card .rank"), expected, "turn {now:?} of {game}");
            let dim = browser.evaluate(
                "[...document.querySelectorAll('.card')]
                     .flatMap((card, seat) => (card.matches('.is-out') ? [seat] : []))",
            );
            let out: Vec<usize> = (0..ranks.len()).filter(is_out).collect();
            assert_eq!(dim, Value::from(out.clone()), "turn {now:?} of {game}");
            kinds.insert((now == last, now.1 > 0, out.len()));
            if now == last {
                break;
            }
            browser.press("ArrowRight");
        }
    }
    // Players went out before and with the last turn, by the rules and by a fault.
    for kind in [(false, false, 1), (true, false, 3), (false, true, 1)] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    check_problems(browser);
}

/// A move of Seven Colors has the colour of its cells, so its letter is not read as a seat.
#[test]
fn moves_have_the_colour_of_their_cells() {
    let folder = folder("pages-colours");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let (bots, rules) = MATCHES[2];
    let words = ["--rules", rules, "--games", "1", "--seed", "4"];
    let db = played(&folder, &[bots, &words].concat());
    browser.visit(&report(&folder, &["--db", &db]), "game=0");
    let colours = "(() => {
        const fills = new Map([...document.querySelectorAll('#board .glyph')].map((glyph) => {
            const cell = document.querySelector(`#board [data-cell='${glyph.dataset.glyph}']`);
            return [glyph.textContent, getComputedStyle(cell).fill];
        }));
        const moves = [...document.querySelectorAll('#rows .colour')];
        const own = moves.map((move) => getComputedStyle(move).backgroundColor);
        return [own, moves.map((move) => fills.get(move.textContent))];
    })()";
    let colours = browser.evaluate(colours);
    assert!(!colours[0].as_array().unwrap().is_empty());
    assert_eq!(colours[0], colours[1]);
    check_problems(&mut browser);
}

/// A void game has neither places nor scores in its header, and no ranks at its end.
#[test]
fn void_games_have_no_places() {
    let folder = folder("pages-void");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let page = folder.join("void.html");
    for (name, all) in RULES {
        for (rules, seats) in all {
            let game = arbitre::registry().open(name, rules).unwrap();
            let mut moves = Moves { seats: *seats, setup: String::new(), moves: Vec::new() };
            if *seats > 1 {
                moves = Moves::random(&*game, *seats, 4);
            } else {
                // The rules failed before the only move of a solo game.
                let mut setups = game.setups(1, 0, Rng::new(4));
                moves.setup = setups.next().unwrap().unwrap();
            }
            fs::write(&page, page_of(name, rules, &*game, &moves)).unwrap();
            browser.visit(&page, "turn=last");
            assert_eq!(texts(browser, "#result"), ["no result"], "{name}, {rules}");
            let ranks = texts(browser, ".card .rank");
            assert!(ranks.iter().all(|rank| ["", "out"].contains(&rank.as_str())), "{ranks:?}");
            assert_eq!(ranks.len(), *seats);
        }
    }
    check_problems(browser);
}
