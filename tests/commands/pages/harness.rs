//! Steps that several tests take in a browser.

use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{json, run, stdout};
use serde_json::Value;

/// Returns the documents of the games of a match.
pub fn games(db: &str) -> Vec<Value> {
    stdout(&run(&["list", "--games", "--json", "--db", db])).lines().map(json).collect()
}

/// Holds timers of `least` milliseconds and more on pages that are opened from now on. The last one
/// ends when `window.due` is called; `window.pause` is its time.
pub fn hold_timers(browser: &mut Browser, least: u32) {
    browser.run_first(&format!(
        "const {{ setTimeout: wait }} = window;
         window.setTimeout = (then, ms) =>
             ms < {least} ? wait(then, ms) : void (window.due = then, window.pause = ms);"
    ));
}

/// Opens a game of the report that is shown, at an address within the game.
pub fn open_game(browser: &mut Browser, game: usize, at: &str) {
    browser.evaluate(&format!("void (location.hash = 'game={game}{at}')"));
    wait_for_game(browser, game);
}

/// Waits until a game is shown.
pub fn wait_for_game(browser: &mut Browser, game: usize) {
    browser.wait_for(&format!("document.documentElement.dataset.shown === '{game}'"));
}

/// Chooses a value of a control, as a person does who opens it.
pub fn choose(browser: &mut Browser, control: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{
            const control = document.getElementById({control:?});
            control.value = {value:?};
            control.dispatchEvent(new Event(control.localName === 'input' ? 'input' : 'change'));
        }})()"
    ));
}

/// Waits until the game is at a turn.
pub fn wait_for_turn(browser: &mut Browser, turn: usize) {
    browser.wait_for(&format!("document.documentElement.dataset.turn === '{turn}'"));
}

/// Waits for an address within the page, which follows the turn after a moment.
pub fn wait_for_address(browser: &mut Browser, address: &str) {
    browser.wait_for(&format!("location.hash === '{address}'"));
}

/// Checks that nothing went wrong in the browser.
pub fn check_problems(browser: &mut Browser) {
    let problems = browser.problems();
    assert!(problems.is_empty(), "{problems:#?}");
}
