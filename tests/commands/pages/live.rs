//! The page of a match that is being played.

use super::harness::{check_problems, choose, hold_timers, open_game};
use arbitre::internals::play::viewer::Viewer;
use arbitre::internals::report::match_page::{self, Extent};
use arbitre::internals::report::output::write_whole;
use arbitre::internals::report::results::Results;
use arbitre::internals::store::{Archive, Versions};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::played;
use serde_json::{json, Value};
use std::path::Path;

/// Writes the page of a match as a referee does that plays it.
fn write(page: &Path, db: &str, extent: Extent) {
    let registry = arbitre::registry();
    let archive = Archive::open(Path::new(db), &registry).unwrap();
    let results = Results::read(&archive, Versions::Current).unwrap();
    let viewer = Viewer::new(&results.view.config, &registry).unwrap();
    let text = match_page::of(&archive, &results, &viewer, extent).unwrap();
    write_whole(page, &text).unwrap();
}

/// Waits until the page is loaded again, and lists a number of games.
fn load_again(browser: &mut Browser, count: usize) {
    assert_eq!(browser.evaluate("window.pause"), 2000, "milliseconds between two loads");
    browser.evaluate("window.isBefore = true, window.due()");
    browser.wait_for("!window.isBefore && document.documentElement.dataset.ready");
    assert_eq!(browser.evaluate("document.documentElement.dataset.listed"), count.to_string());
}

/// Returns what a reader would lose if the page began anew.
fn place(browser: &mut Browser) -> Value {
    browser.evaluate(
        "[location.hash, scrollY, document.getElementById('games').scrollTop,
          document.documentElement.dataset.theme, document.activeElement.id]",
    )
}

#[test]
fn live_page_keeps_the_place_of_the_reader() {
    let folder = folder("pages-live");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let words = ["awele random", "awele greedy", "--games", "80", "--rules", "max-plies=12"];
    let db = played(&folder, &words);
    let page = folder.join("live.html");
    write(&page, &db, Extent::Last(40));
    hold_timers(browser, 1000);
    browser.resize(1280, 700);
    browser.prefer("light");
    browser.visit(&page, "player=awele+greedy");
    browser.press("t");
    choose(browser, "filter-order", "longest");
    browser.evaluate(
        "scrollTo(0, 250), document.getElementById('games').scrollTop = 130,
         document.getElementById('games').focus({ preventScroll: true })",
    );
    write(&page, &db, Extent::Last(60));
    load_again(browser, 60);
    // The filter, too, although it was chosen a moment before.
    let expected = json!(["#player=awele+greedy&order=longest", 250, 130, "dark", "games"]);
    assert_eq!(place(browser), expected);
    assert_eq!(browser.evaluate("getComputedStyle(document.body).colorScheme"), "dark");

    // A game that is open stays.
    open_game(browser, 79, "&turn=2");
    let waits_again = "(({ due }) => (delete window.due, due(), Boolean(window.due)))(window)";
    assert_eq!(browser.evaluate(waits_again), true);
    write(&page, &db, Extent::Whole);
    browser.press("Escape");
    browser.wait_for("!document.getElementById('report').hidden");
    load_again(browser, 80);
    assert_eq!(browser.evaluate("document.getElementById('live').hidden"), true);
    assert_eq!(browser.evaluate("window.due ?? null"), Value::Null, "the last page stays");
    check_problems(browser);
}
