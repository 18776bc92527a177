//! Steps that several tests take in a browser.

use arbitre_test_support::browser::Browser;

/// Opens a game of the report that is shown, at an address within the game.
pub fn open_game(browser: &mut Browser, game: usize, at: &str) {
    browser.evaluate(&format!("void (location.hash = 'game={game}{at}')"));
    browser.wait_for(&format!("document.documentElement.dataset.shown === '{game}'"));
}
