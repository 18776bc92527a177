//! Texts of players, and games without positions.

use super::harness::{check_problems, games, open_game, wait_for_turn};
use super::layout::{check_view, SIZES};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::{hostile_match, played, replay, report, HOSTILE};
use serde_json::{json, Value};
use std::collections::BTreeSet;

/// Largest number of elements of a page.
const MOST_ELEMENTS: u64 = 3000;

/// Expression for the selected row.
const SELECTED: &str = "document.querySelector('#game-rows [aria-selected=true]').dataset.row";

/// Returns the texts of all elements of a kind.
pub fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let texts = browser.evaluate(&format!(
        "[...document.querySelectorAll({selector:?})].map((element) => element.textContent)"
    ));
    serde_json::from_value(texts).unwrap()
}

/// Checks that the page has elements of its own only.
fn check_elements(browser: &mut Browser, scripts: usize) {
    let known = "html, head, meta, link, title, style, body, template, noscript, script, header, \
                 main, section, nav, h1, h2, h3, p, span, b, bdi, a, ul, li, table, thead, tbody, tr, \
                 th, td, div, details, summary, pre, button, label, select, option, input, \
                 output, dialog, kbd, form, svg, svg *";
    let others = browser.evaluate(&format!(
        "[...document.querySelectorAll(':not({known})')].map((element) => element.outerHTML)"
    ));
    assert_eq!(others, json!([]));
    assert_eq!(texts(browser, "script").len(), scripts);
    let bold = texts(browser, "b").concat();
    assert!(bold.chars().all(|c| !c.is_alphabetic()), "scores, not {bold}");
}

/// A text of a player is shown as it is, with control characters escaped, and does nothing.
#[test]
fn hostile_texts_stay_texts() {
    let folder = folder("pages-hostile");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let db = hostile_match(&folder);
    // A name has no blanks.
    let markup = "<img_src=x_onerror=alert(1)>\"'&";
    assert!(HOSTILE.replace(' ', "_").contains(markup));
    let has_name = |texts: Vec<String>| texts.iter().any(|text| text.contains(markup));
    browser.visit(&report(&folder, &["--db", &db]), "");
    for selector in ["#standings button", "#game-rows .name", "#filters option", "#faults .name"] {
        assert!(has_name(texts(browser, selector)), "{selector}");
    }
    let fault = texts(browser, "#faults .box").concat();
    assert!(fault.contains("<script>alert(2)</script>\\u{1b}[2J"), "{fault}");
    check_elements(browser, 4);

    browser.visit(&replay(&folder, &["0", "--db", &db]), "");
    assert!(has_name(texts(browser, ".card .name")));
    let mut comments = 0;
    for turn in 1..=games(&db)[0]["moves"].as_array().unwrap().len() {
        browser.press("ArrowRight");
        wait_for_turn(browser, turn);
        let comment = "</script><script>alert(1)</script> =cmd() \\u{202e}";
        if texts(browser, ".moved .comment") == [comment] {
            comments += 1;
            assert!(texts(browser, ".moved .stderr").concat().starts_with("<<<<"));
            // The end of a long text is shown on request.
            browser.click(".moved .more");
            let output = texts(browser, ".moved .stderr").concat();
            assert!(output.ends_with("<<<<</script>\\u{1b}[31m\\r\n"), "{output}");
        }
        check_elements(browser, 2);
    }
    assert_eq!(comments, 8);
    browser.press("End");
    let reasons = texts(browser, "#reasons").concat();
    assert!(reasons.contains("alert(2)"), "{reasons}");
    check_elements(browser, 2);
    check_problems(browser);
}

/// Checks the number of elements of a page.
pub fn check_size(browser: &mut Browser) {
    let count = browser.evaluate("document.querySelectorAll('*').length");
    assert!(count.as_u64() <= Some(MOST_ELEMENTS), "{count} elements");
}

/// A game beyond the room of the page, and the size of the page with many games.
#[test]
fn games_without_positions_have_their_moves_and_a_command() {
    let folder = folder("pages-texts");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let words = ["--games", "1010", "--seed", "8", "--rules", "max-plies=20"];
    let db = played(&folder, &[&["awele random", "awele random"], &words[..]].concat());
    let page = report(&folder, &["--db", &db]);
    browser.visit(&page, "");
    check_size(browser);

    // The page marks the games that it can play.
    browser.evaluate("document.getElementById('games').focus()");
    let mut told = BTreeSet::new();
    let mut selected = Value::Null;
    while told.len() < 11 && browser.evaluate(SELECTED) != selected {
        selected = browser.evaluate(SELECTED);
        let numbers = texts(browser, "#game-rows .moves .number");
        told.extend(numbers.iter().map(|number| number.parse::<usize>().unwrap()));
        browser.press("PageDown");
    }
    assert_eq!((told.len(), selected), (10, json!("1009")));
    let games = games(&db);
    for &number in &told {
        open_game(browser, number, "");
        let boxes = texts(browser, "#viewer .box");
        let [command, moves] = &boxes[..] else { panic!("{boxes:?}") };
        let lines: Vec<&str> = moves.lines().collect();
        let stored = games[number]["moves"].as_array().unwrap();
        assert_eq!(lines.len(), stored.len());
        for (at, (line, mv)) in lines.iter().zip(stored).enumerate() {
            let letter = ["A", "B"][at % 2];
            let expected = format!("{}. {letter}: {}  ", at + 1, mv.as_str().unwrap());
            assert!(line.starts_with(&expected), "{line}, expected {expected}");
        }
        let scores: Vec<String> =
            games[number]["scores"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(texts(browser, "#viewer .seats .badge"), ["A", "B"]);
        assert_eq!(texts(browser, "#viewer .seats .points"), scores);
        let words = shell_words::split(command).unwrap();
        assert_eq!(words, ["referee", "replay", &number.to_string(), "--db", &db]);
    }
    for (width, height) in SIZES {
        browser.resize(width, height);
        check_view(browser, &format!("moves as text, {width} px"));
    }
}
