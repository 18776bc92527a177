//! Steps through the games of a report.

use super::harness::{
    check_problems, choose, games, hold_timers, open_game, wait_for_address, wait_for_game,
    wait_for_turn,
};
use super::{drawn, layout};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::{played, report};
use arbitre_test_support::scenes::{check_scene, Moves};
use serde_json::json;
use std::time::Duration;

/// Expression for the action of the button that plays a game.
const PLAY: &str = "document.getElementById('play').getAttribute('aria-label')";

/// Expression for whether the list of turns shows the present one.
const IS_TURN_IN_VIEW: &str = "(() => {
    const list = document.getElementById('turns');
    const turn = list.querySelector('[aria-selected=true]');
    if (!turn) return false;
    const [outer, inner] = [list, turn].map((element) => element.getBoundingClientRect());
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
})()";

/// The last position of a game of each kind, reached by its address, by keys, and anew.
#[test]
fn last_position_is_drawn() {
    let folder = folder("pages-last");
    let Some(mut browser) = Browser::open(&folder) else { return };
    for (bots, rules) in layout::MATCHES {
        let words = ["--rules", rules, "--games", "2", "--seed", "4"];
        let db = played(&folder, &[bots, &words].concat());
        browser.visit(&report(&folder, &["--db", &db]), "");
        let name = bots[0].split(' ').next().unwrap();
        let game = arbitre::registry().open(name, rules).unwrap();
        for (number, document) in games(&db).iter().enumerate() {
            let moves = Moves::of_document(document);
            let (scenes, seats) = (moves.scenes(&*game), moves.seats);
            let last = scenes.steps.last().unwrap().last().unwrap();
            let what = format!("game {number} of {bots:?}");
            open_game(&mut browser, number, "&turn=9999");
            drawn::check(&mut browser, seats, last, &what);
            let (positions, pictures) = (moves.positions(&*game), moves.pictures(&*game));
            let (position, picture) = (positions.last().unwrap(), pictures.last().unwrap());
            check_scene(name, &drawn::scene(&mut browser, seats), position, picture);
            drawn::check_places(&mut browser, &scenes.board, last);
            browser.press("Home");
            drawn::check(&mut browser, seats, &scenes.start, &what);
            drawn::check_zones(&mut browser, &scenes.start);
            browser.press("End");
            drawn::check(&mut browser, seats, last, &what);
        }
        check_problems(&mut browser);
    }
}

#[test]
fn keys_clicks_and_addresses_lead_to_turns() {
    let folder = folder("pages-steps");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let db = played(&folder, &["awele greedy", "awele random", "--games", "4", "--seed", "4"]);
    let page = report(&folder, &["--db", &db]);
    let game = arbitre::registry().open("awele", "").unwrap();
    let moves = Moves::of_document(&games(&db)[1]);
    let scenes = moves.scenes(&*game);
    let turns = scenes.steps.len();
    browser.resize(1280, 800);
    browser.visit(&page, "");
    // A row of the list, then every turn.
    browser.click("#game-rows [data-row='1']");
    wait_for_turn(&mut browser, 0);
    let browser = &mut browser;
    drawn::check(browser, 2, &scenes.start, "start");
    for (turn, step) in (1..).zip(&scenes.steps) {
        browser.press("ArrowRight");
        wait_for_turn(browser, turn);
        drawn::check(browser, 2, step.last().unwrap(), &format!("turn {turn}"));
    }
    wait_for_address(browser, &format!("#game=1&turn={turns}"));
    browser.press("ArrowRight");
    browser.press("ArrowLeft");
    wait_for_turn(browser, turns - 1);
    drawn::check(browser, 2, scenes.steps[turns - 2].last().unwrap(), "one turn back");
    // The frames of a turn, which sow seed by seed.
    for (frame, scene) in scenes.steps[turns - 1].iter().enumerate() {
        browser.press("ArrowDown");
        drawn::check(browser, 2, scene, &format!("frame {frame} of the last turn"));
    }
    let frames = scenes.steps[turns - 1].len();
    browser.press("ArrowUp");
    drawn::check(browser, 2, &scenes.steps[turns - 1][frames - 2], "one frame back");
    wait_for_address(browser, &format!("#game=1&turn={turns}&frame={}", frames - 1));
    browser.press("Home");
    drawn::check(browser, 2, &scenes.start, "start again");
    browser.press("End");
    wait_for_turn(browser, turns);

    // Turns are equally wide in the timeline.
    let across = |turn: usize| (turn as f64 - 0.5) / turns as f64;
    for turn in [3, turns, 1, turns / 2] {
        browser.click_at("#timeline svg", across(turn), 0.5);
        wait_for_turn(browser, turn);
        drawn::check(browser, 2, scenes.steps[turn - 1].last().unwrap(), "click");
        wait_for_address(browser, &format!("#game=1&turn={turn}"));
    }
    browser.press("Home");
    browser.click("#rows [data-row='5']");
    wait_for_turn(browser, 5);
    drawn::check(browser, 2, scenes.steps[4].last().unwrap(), "turn of the list");
    wait_for_address(browser, "#game=1&turn=5");
    browser.evaluate("void history.back()");
    browser.wait_for("!document.getElementById('report').hidden");
    assert_eq!(browser.evaluate("document.getElementById('viewer').hidden"), json!(true));

    browser.visit(&page, "game=1&turn=7");
    wait_for_turn(browser, 7);
    drawn::check(browser, 2, scenes.steps[6].last().unwrap(), "address");

    // The turn stays in view when the list changes its size.
    browser.press("End");
    for (width, height) in layout::SIZES {
        browser.resize(width, height);
        browser.wait_for(&format!("innerWidth === {width} && {IS_TURN_IN_VIEW}"));
    }
    check_problems(browser);
}

#[test]
fn keys_lead_to_other_games_and_play() {
    let folder = folder("pages-play");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let words = ["awele greedy", "awele random", "--games", "4", "--rules", "max-plies=17"];
    let db = played(&folder, &words);
    browser.visit(&report(&folder, &["--db", &db]), "");
    let browser = &mut browser;
    browser.evaluate("document.getElementById('games').focus()");
    for key in ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"] {
        browser.press(key);
    }
    wait_for_game(browser, 1);
    for (key, game) in [("n", 2), ("n", 3), ("n", 3), ("p", 2), ("p", 1)] {
        browser.press(key);
        wait_for_game(browser, game);
    }
    browser.press("Escape");
    browser.wait_for("!document.getElementById('report').hidden");
    wait_for_address(browser, "");
    let selected = browser.evaluate("document.querySelector('[aria-selected=true]').dataset.row");
    assert_eq!(selected, "1", "the game that was open");

    open_game(browser, 1, "");
    choose(browser, "speed", "15");
    browser.press(" ");
    browser.wait_for("document.documentElement.dataset.turn > 0");
    assert_eq!(browser.evaluate(PLAY), "Pause");
    browser.press(" ");
    let turn = browser.evaluate("document.documentElement.dataset.turn");
    assert_eq!(browser.evaluate(PLAY), "Play");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(browser.evaluate("document.documentElement.dataset.turn"), turn, "it stands still");
    choose(browser, "speed", "60");
    browser.click("#play");
    browser.click("#rows [data-row='2']");
    browser
        .wait_for(&format!("document.documentElement.dataset.turn === '2' && {PLAY} === 'Play'"));
    browser.click("#play");
    wait_for_turn(browser, 9);
    browser.wait_for(&format!("{PLAY} === 'Play'"));
    check_problems(browser);
}

/// The address is written after a moment. One that is opened meanwhile is not overwritten.
#[test]
fn late_addresses_are_not_written() {
    let folder = folder("pages-late");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let db = played(&folder, &["awele greedy", "awele random", "--games", "4"]);
    hold_timers(browser, 200);
    browser.visit(&report(&folder, &["--db", &db]), "");
    // The list would write its filters, and a game its turn.
    for game in [2, 3] {
        browser.evaluate(&format!("location.hash = 'game={game}', window.due()"));
        wait_for_game(browser, game);
        browser.press("End");
    }
    assert_eq!(browser.evaluate("location.hash"), "#game=3");
    browser.evaluate("window.due()");
    let turns = games(&db)[3]["moves"].as_array().unwrap().len();
    assert_eq!(browser.evaluate("location.hash"), format!("#game=3&turn={turns}"));
    check_problems(browser);
}
