//! The page for a projector: sizes, contrast, the game that plays itself, and gained places.

use super::harness::{check_problems, games, hold_timers};
use super::layout::SCHEMES;
use arbitre::internals::play::viewer::Viewer;
use arbitre::internals::report::output::write_whole;
use arbitre::internals::report::projector::{self, Looks};
use arbitre::internals::store::{Archive, Versions};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, remove_results, run, stderr};
use arbitre_test_support::pages::{hostile_match, played, report};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// Sizes of a phone and of projectors in pixels.
const SIZES: [(u32, u32); 5] = [(400, 800), (800, 600), (1024, 768), (1280, 720), (1920, 1080)];

/// Names of formats, and their settings.
pub const FORMATS: [(&str, &str); 3] = [
    ("swiss", "format = \"swiss\"\nrounds = 2\ngames = 2"),
    ("knockout", "format = \"knockout\"\ngames = 2"),
    ("double-knockout", "format = \"double-knockout\"\ngames = 2"),
];

/// Expression for the texts below 12 pixels.
const SMALL: &str = "[...document.querySelectorAll('.projector *')].filter((element) =>
    !element.closest('svg') && element.checkVisibility() && element.textContent.trim()
    && parseFloat(getComputedStyle(element).fontSize) < 12).map((element) => element.outerHTML)";
/// Expression for the elements beyond the edges of the view, and for whether a wide one scrolls.
const BEYOND: &str = "[...document.querySelectorAll('.projector *')].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return !element.closest('svg') && element.checkVisibility() && (left < 0 || right > innerWidth);
}).map((element) => element.outerHTML).concat(
    document.documentElement.scrollWidth > innerWidth ? ['it scrolls sideways'] : [],
    innerWidth >= 900 && document.documentElement.scrollHeight > innerHeight ? ['it scrolls'] : [])";

fn check_views(browser: &mut Browser, page: &Path, what: &str) {
    for (width, height) in SIZES {
        browser.resize(width, height);
        browser.visit(page, "");
        for expression in [SMALL, BEYOND] {
            assert_eq!(browser.evaluate(expression), json!([]), "{what}, {width} px");
        }
        for scheme in SCHEMES {
            browser.prefer(scheme);
            let faint = browser.evaluate(include_str!("contrast.js"));
            assert_eq!(faint, json!([]), "{what}, {width} px, {scheme}: texts without contrast");
        }
    }
    browser.press("t");
    assert!(browser.evaluate("document.documentElement.dataset.theme").is_string(), "{what}");
    browser.evaluate("sessionStorage.clear()");
    check_problems(browser);
}

/// Plays a tournament of thirty players of long and foreign names.
pub fn cup(folder: &Path, format: &str, more: &[&str]) -> String {
    let names = [
        "ada",
        "مريم بنت عبد الله",
        "😀😀",
        "<b>bold</b>",
        "a name of sixty characters, which is as long as it may get",
    ];
    let player = |number: usize| {
        let name = names[number % names.len()];
        let bot = ["greedy", "random"][number % 2];
        format!("[[player]]\nname = \"{number} {name}\"\ncommand = \"awele {bot}\"\n")
    };
    let players: String = (0..30).map(player).collect();
    let text = format!("[tournament]\ngame = \"awele\"\n{format}\n{players}");
    let [file, db] =
        ["cup.toml", "match.db"].map(|name| folder.join(name).to_string_lossy().into_owned());
    fs::write(&file, text).unwrap();
    remove_results(&db);
    let output = run(&[&["tournament", &file, "--db", &db], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    db
}

#[test]
fn projector_fits_every_view() {
    let folder = folder("pages-projector");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let page =
        |db: &str, more: &[&str]| report(&folder, &[&["--projector", "--db", db], more].concat());
    for (what, words) in [
        ("pits", &["awele greedy", "awele random", "--games", "4"][..]),
        ("tables", &["tron wall-hugger", "tron random", "tron random", "tron random"]),
        ("solo", &["taquin quick", "taquin random", "--games", "2"]),
        ("hex", &["hextris taupe", "hextris random", "--rules", "small", "--games", "1"]),
        ("colours", &["seven-colors greedy", "seven-colors random", "--games", "2"]),
    ] {
        let db = played(&folder, words);
        check_views(browser, &page(&db, &[]), what);
    }
    check_views(browser, &page(&hostile_match(&folder), &[]), "hostile texts");
    assert_eq!(browser.evaluate("document.querySelectorAll('img, .projector script').length"), 0);
    let ended = FORMATS.map(|(_, format)| (format, &[][..]));
    let stopped = [FORMATS[1].1, "format = \"gauntlet\"\ngames = 2"];
    let stopped = stopped.map(|format| (format, &["--max-time", "1ms"][..]));
    for (format, more) in ended.into_iter().chain(stopped) {
        let db = cup(&folder, format, more);
        let what = format!("{format} {more:?}");
        check_views(browser, &page(&db, &[]), &what);
        check_views(browser, &page(&db, &["--anonymous"]), &what);
        if format.contains("gauntlet") {
            let all = format!("0-{}", games(&db).len() - 1);
            assert!(run(&["drop", &all, "--db", &db]).status.success());
            check_views(browser, &page(&db, &[]), "no game yet");
            let listed = "document.querySelectorAll('.place').length";
            assert_eq!(browser.evaluate(listed), 30);
        }
    }
}

/// Writes the page of a match as a referee does that follows it.
fn write(page: &Path, db: &str, is_live: bool, looks: &mut Looks) {
    let registry = arbitre::registry();
    let archive = Archive::open(Path::new(db), &registry).unwrap();
    let viewer = Viewer::new(archive.config(), &registry).unwrap();
    let shown = (Versions::Current, false);
    let text = projector::of(&archive, shown, &viewer, is_live, looks).unwrap();
    write_whole(page, &text).unwrap();
}

/// Loads the page again, as its timer does.
fn load_again(browser: &mut Browser) {
    browser.wait_for("window.due");
    assert_eq!(browser.evaluate("window.pause"), 2000, "milliseconds between two loads");
    browser.evaluate("window.isBefore = true, window.due()");
    browser.wait_for("!window.isBefore && document.documentElement.dataset.ready");
}

fn gained(browser: &mut Browser) -> Value {
    browser.evaluate(
        "[...document.querySelectorAll('.place')].map((row) =>
            row.querySelector('.name').textContent + row.querySelector('.gained').textContent)",
    )
}

fn moment(browser: &mut Browser) -> Value {
    browser.evaluate("document.documentElement.dataset.moment")
}

/// A new game plays once and stays at its end; then the page loads itself again.
#[test]
fn last_game_plays_itself_and_ranks_have_arrows() {
    let folder = folder("pages-projector-live");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let page = folder.join("live.html");
    let mut looks = Looks::default();
    let play = |bots: [&str; 2], count: &str| {
        let words = ["--games", count, "--rules", "max-plies=30", "--seed", "1"];
        played(&folder, &[&bots[..], &words].concat())
    };
    hold_timers(browser, 1000);
    browser.resize(1280, 720);
    let first = ["ada=awele greedy", "bea=awele random"];
    write(&page, &play(first, "4"), true, &mut looks);
    browser.visit(&page, "");
    assert_ne!(moment(browser), "last", "it begins at its start");
    browser.wait_for("Number(document.documentElement.dataset.moment) > 0");
    assert_eq!(browser.evaluate("window.due ?? null"), Value::Null, "the game would be cut off");
    browser.wait_for("document.documentElement.dataset.moment === 'last'");
    assert_eq!(gained(browser), json!(["ada", "bea"]));

    // The other player leads a moment later, in the same game.
    let second = ["ada=awele random", "bea=awele greedy"];
    write(&page, &play(second, "4"), true, &mut looks);
    load_again(browser);
    assert_eq!(gained(browser), json!(["bea▲1", "ada▼1"]));
    assert_eq!(moment(browser), "last", "a game plays once");

    browser.reduce_motion();
    write(&page, &play(second, "6"), true, &mut looks);
    load_again(browser);
    assert_eq!(moment(browser), "last", "no motion is wished");

    write(&page, &play(second, "6"), false, &mut looks);
    load_again(browser);
    assert_eq!(gained(browser), json!(["bea", "ada"]), "arrows would stay");
    assert_eq!(browser.evaluate("document.querySelectorAll('.podium').length"), 2);
    browser.wait_for("document.documentElement.dataset.moment === 'last'");
    assert_eq!(browser.evaluate("window.due ?? null"), Value::Null, "the last page stays");
    check_problems(browser);
}
