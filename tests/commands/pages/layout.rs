//! Pages of all games at the sizes of a phone, a laptop and a projector, light and dark.

use super::harness::{check_problems, open_game};
use super::seats::{external_match, SCORES};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::{hostile_match, played, report};
use serde_json::json;
use std::path::Path;

/// Players and rules of a match of each game.
pub const MATCHES: [(&[&str], &str); 5] = [
    (&["awele greedy", "awele random"], ""),
    (&["tron wall-hugger", "tron wall-hugger", "tron random", "tron random"], "size=15x11"),
    (&["seven-colors greedy", "seven-colors random"], ""),
    (&["taquin quick", "taquin random"], ""),
    (&["hextris taupe", "hextris random"], "small"),
];
/// Sizes of the view in pixels.
pub const SIZES: [(u32, u32); 3] = [(400, 800), (1280, 800), (1920, 1080)];
/// Preferred colours.
pub const SCHEMES: [&str; 2] = ["light", "dark"];

/// Expression for the texts of lists that are above or below their row.
const CUT: &str = "[...document.querySelectorAll('.row *')].filter((text) => {
    const [row, own] = [text.closest('.row'), text].map((of) => of.getBoundingClientRect());
    return own.top < row.top - 1 || own.bottom > row.bottom + 1;
}).map((text) => text.textContent)";

/// Expression for the numbers, names and moves that take more than a line.
const WRAPPED: &str =
    "[...document.querySelectorAll('.badge, .seat .name, .points, .score, .rank, .what, .number, .time')]
        .filter((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            const tops = [...range.getClientRects()].map((line) => Math.round(line.top));
            return Math.max(...tops) - Math.min(...tops) > 4;
        })
        .map((text) => text.textContent)";

/// Checks that what is shown fits the view.
pub fn check_view(browser: &mut Browser, what: &str) {
    let width = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
    let width = browser.evaluate(width);
    assert!(width[0].as_u64() <= width[1].as_u64(), "{what}: it scrolls sideways: {width}");
    assert_eq!(browser.evaluate(CUT), json!([]), "{what}: texts beyond their rows");
    // Drawings follow the size of the view with the next frame.
    browser.evaluate("new Promise((then) => requestAnimationFrame(() => setTimeout(then)))");
    let small = browser.evaluate(include_str!("small.js"));
    assert_eq!(small, json!([]), "{what}: small texts");
    assert_eq!(browser.evaluate(WRAPPED), json!([]), "{what}: texts of several lines");
    check_problems(browser);
}

/// Checks that texts have contrast, in both schemes.
pub fn check_contrast(browser: &mut Browser, what: &str) {
    for scheme in SCHEMES {
        browser.prefer(scheme);
        let faint = browser.evaluate(include_str!("contrast.js"));
        assert_eq!(faint, json!([]), "{what}, {scheme}: texts without contrast");
    }
}

/// Checks the report and one game of a page in every view, with all details open.
fn check_page(browser: &mut Browser, page: &Path, what: &str) {
    let open = "document.querySelectorAll('details').forEach((details) => (details.open = true))";
    for (width, height) in SIZES {
        browser.resize(width, height);
        browser.visit(page, "");
        browser.evaluate(open);
        check_view(browser, &format!("{what}, {width} px, report"));
        open_game(browser, 0, "&turn=last");
        browser.evaluate(open);
        check_view(browser, &format!("{what}, {width} px, game"));
    }
    // Colours are the same at all sizes.
    check_contrast(browser, &format!("{what}, game"));
    browser.visit(page, "");
    browser.evaluate(open);
    check_contrast(browser, &format!("{what}, report"));
}

#[test]
fn pages_of_all_games_fit_every_view() {
    let folder = folder("pages-layout");
    let Some(mut browser) = Browser::open(&folder) else { return };
    for (bots, rules) in MATCHES {
        // Names that leave no room.
        let named = |(number, bot)| format!("student-{number}-of-a-large-class={bot}");
        let named: Vec<String> = bots.iter().enumerate().map(named).collect();
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        let words = ["--rules", rules, "--games", "2", "--seed", "4"];
        let db = played(&folder, &[&named[..], &words].concat());
        let page = report(&folder, &["--db", &db]);
        check_page(&mut browser, &page, &format!("{bots:?}"));
    }
    for scores in SCORES {
        let db = external_match(&folder, scores);
        check_page(&mut browser, &report(&folder, &["--db", &db]), &format!("scores {scores}"));
    }
    let db = hostile_match(&folder);
    check_page(&mut browser, &report(&folder, &["--db", &db]), "hostile texts");
}

/// Cells smaller than a letter have none. Colours tell them apart.
#[test]
fn letters_stay_in_their_cells() {
    let folder = folder("pages-letters");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let words = ["--rules", "size=32x32", "--games", "1", "--seed", "4"];
    let bots = ["seven-colors greedy", "seven-colors random"];
    let db = played(&folder, &[&bots[..], &words].concat());
    let page = report(&folder, &["--db", &db]);
    for ((width, height), are_shown) in SIZES.into_iter().zip([false, true, true]) {
        browser.resize(width, height);
        browser.visit(&page, "game=0");
        check_view(&mut browser, &format!("{width} px"));
        let shown = "[...document.querySelectorAll('#board .glyph')]
            .some((letter) => letter.checkVisibility())";
        assert_eq!(browser.evaluate(shown), are_shown, "{width} px");
    }
    // A picture of text that is wider than the view scrolls in its frame.
    let db = external_match(&folder, SCORES[1]);
    browser.resize(400, 800);
    browser.visit(&report(&folder, &["--db", &db]), "game=0&turn=last");
    check_view(&mut browser, "picture");
    let scrolls = "(() => {
        const frame = document.querySelector('.frame');
        frame.focus();
        const options = { key: 'ArrowRight', bubbles: true, cancelable: true };
        return frame === document.activeElement && frame.scrollWidth > frame.clientWidth
            && getComputedStyle(frame).overflowX === 'auto'
            && frame.dispatchEvent(new KeyboardEvent('keydown', options));
    })()";
    assert_eq!(browser.evaluate(scrolls), true);
}
