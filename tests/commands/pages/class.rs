//! Pages of matches and tournaments of every kind: columns, reasons, brackets, charts and sizes.

use super::harness::{check_problems, choose};
use super::layout::{SCHEMES, SIZES};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, run, stderr};
use arbitre_test_support::pages::{played, report};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// Contest of a page.
struct Kind {
    name: &'static str,
    source: Source,
    /// Heads of the columns at 400 pixels.
    narrow: &'static [&'static str],
    /// Number of rounds in the bracket, with the column of the winner.
    rounds: usize,
}

enum Source {
    /// Words of a match.
    Words(&'static [&'static str]),
    /// Settings of a tournament, the bundled bot of its players, their number, and that of others
    /// that cannot be started.
    File(&'static str, &'static str, usize, usize),
}

const POINTS: &[&str] = &["#", "player", "points", "%"];
const SOLVED: &[&str] = &["#", "player", "solved", "total"];
const MARKS: &[&str] = &["#", "player", "mark of 20", "points", "%"];
const TABLES: &str = "seats = 4\nrules = \"size=9x9\"\n";

/// Returns a kind of page for each format, at each number of seats that it has.
fn kinds() -> Vec<Kind> {
    use Source::{File, Words};
    let kind = |name, source, narrow, rounds| Kind { name, source, narrow, rounds };
    let graded = "format = \"graded\"\ngames = 2\n[[grade]]\nbot = \"awele random\"\npoints = 20\n";
    vec![
        kind("match", Words(&["awele greedy", "awele random", "--games", "12"]), POINTS, 0),
        kind(
            "sprt",
            Words(&["awele greedy", "awele random", "--sprt", "elo0=0,elo1=90", "--games", "20"]),
            POINTS,
            0,
        ),
        kind(
            "field",
            Words(&["awele greedy", "awele random", "awele random", "--seats", "2"]),
            POINTS,
            0,
        ),
        kind("solo", Words(&["taquin quick", "taquin random", "--games", "3"]), SOLVED, 0),
        kind("round-robin", File("games = 2", "awele random", 4, 2), POINTS, 0),
        kind(
            "round-robin of tables",
            File("format = \"round-robin\"", "tron random", 5, 1),
            POINTS,
            0,
        ),
        kind("gauntlet", File("format = \"gauntlet\"", "awele random", 4, 0), POINTS, 0),
        kind("swiss", File("format = \"swiss\"\nrounds = 2", "awele random", 6, 1), POINTS, 0),
        kind("ladder", File("format = \"ladder\"\nmax-games = 8", "awele random", 4, 0), POINTS, 0),
        kind(
            "knockout",
            File("format = \"knockout\"\nthird-place = true", "awele random", 6, 1),
            POINTS,
            4,
        ),
        kind(
            "double-knockout",
            File("format = \"double-knockout\"", "awele random", 4, 0),
            POINTS,
            6,
        ),
        kind("knockout of tables", File("format = \"knockout\"", "tron random", 8, 0), POINTS, 3),
        kind(
            "balanced",
            File("format = \"balanced\"\ngames-per-player = 16", "tron random", 17, 10),
            POINTS,
            0,
        ),
        kind("graded", File(graded, "awele greedy", 3, 1), MARKS, 0),
    ]
}

impl Kind {
    /// Plays the contest, and returns its page.
    fn page(&self, folder: &Path) -> PathBuf {
        self.page_after(folder, &[])
    }

    /// Plays a part of the contest, and returns its page.
    fn page_after(&self, folder: &Path, limits: &[&str]) -> PathBuf {
        let (settings, bot, players, broken) = match self.source {
            Source::Words(words) => {
                let db = played(folder, &[words, &["--seed", "4"]].concat());
                return report(folder, &["--db", &db]);
            }
            Source::File(settings, bot, players, broken) => (settings, bot, players, broken),
        };
        let tables = if bot.starts_with("tron") { TABLES } else { "" };
        let mut file = format!("[tournament]\nseed = 4\n{tables}{settings}\n");
        for number in 0..players + broken {
            let command = if number < players { bot } else { "sh -c 'echo no >&2; exit 1'" };
            file += &format!(
                "[[player]]\nname = \"a player with number {number}\"\ncommand = \"{command}\"\n"
            );
        }
        let (source, page) = (folder.join("cup.toml"), folder.join("cup.html"));
        fs::write(&source, file).unwrap();
        let words = ["tournament", source.to_str().unwrap(), "--db", ":memory:", "--output"];
        let output = run(&[&words[..], &[page.to_str().unwrap()], limits].concat());
        assert!(page.exists(), "{}: {}", self.name, stderr(&output));
        page
    }
}

/// Expression for the heads of the columns in view.
const HEADS: &str = "[...document.querySelectorAll('#standings th')]
    .filter((head) => head.checkVisibility()).map((head) => head.textContent)";
/// Expression for the reasons that are not below the name of their player, in view.
const REASONS: &str = "[...document.querySelectorAll('#standings .reason')].filter((reason) => {
    const own = reason.getBoundingClientRect();
    const player = reason.closest('tr').previousSibling.getBoundingClientRect();
    return own.right > innerWidth || own.left < 0 || own.top < player.bottom - 1;
}).length";
/// Expression for the open cards of charts in a row that differ in height by more than a pixel.
const HOLES: &str = "(() => {
    const rows = Map.groupBy(document.querySelectorAll('.charts > section:not([hidden])'),
        (card) => Math.round(card.getBoundingClientRect().top));
    const heights = (cards) => cards.map((card) => card.getBoundingClientRect().height);
    return [...rows.values()].map(heights)
        .filter((of) => Math.max(...of) - Math.min(...of) > 1).length;
})()";

/// Checks a page at all sizes, with all details open.
fn check_sizes(browser: &mut Browser, page: &Path, kind: &Kind) {
    for (width, height) in SIZES {
        let what = format!("{}, {width} px", kind.name);
        browser.resize(width, height);
        browser.visit(page, "");
        browser.evaluate("sessionStorage.clear()");
        browser.visit(page, "");
        if width == 400 {
            assert_eq!(browser.evaluate(HEADS), json!(kind.narrow), "{what}");
        }
        assert_eq!(browser.evaluate(REASONS), 0, "{what}: reasons out of place");
        browser.evaluate(
            "document.querySelectorAll('details').forEach((details) => (details.open = true))",
        );
        for is_whole in [false, true] {
            let pressed = browser.evaluate("document.getElementById('columns').ariaPressed");
            if pressed != is_whole.to_string()[..] {
                browser.click("#columns");
            }
            let widths = "[document.documentElement.scrollWidth, innerWidth]";
            let widths = browser.evaluate(widths);
            assert!(
                widths[0].as_u64() <= widths[1].as_u64(),
                "{what}: it scrolls sideways {widths}"
            );
            assert_eq!(browser.evaluate(include_str!("small.js")), json!([]), "{what}");
            assert_eq!(browser.evaluate(REASONS), 0, "{what}: reasons out of place");
        }
        assert_eq!(browser.evaluate(HOLES), 0, "{what}: holes between the charts");
        check_problems(browser);
    }
    for scheme in SCHEMES {
        browser.prefer(scheme);
        let faint = browser.evaluate(include_str!("contrast.js"));
        assert_eq!(faint, json!([]), "{}, {scheme}: texts without contrast", kind.name);
    }
}

/// Returns the number of elements in view.
fn shown(browser: &mut Browser, selector: &str) -> Value {
    browser.evaluate(&format!(
        "[...document.querySelectorAll({selector:?})].filter((of) => of.checkVisibility()).length"
    ))
}

#[test]
fn pages_of_all_kinds_fit_every_view() {
    let folder = folder("pages-class");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    for kind in kinds() {
        let page = kind.page(&folder);
        check_sizes(browser, &page, &kind);
        let (players, broken) = match kind.source {
            Source::Words(_) => (0, 0),
            Source::File(_, _, players, broken) => (players + broken, broken),
        };
        browser.visit(&page, "");
        assert_eq!(shown(browser, ".reason"), broken, "{}", kind.name);
        assert_eq!(browser.evaluate("document.getElementById('notes').open"), false);
        let is_open = browser.evaluate("document.getElementById('charts').open");
        assert_eq!(is_open, players <= 12, "{}", kind.name);
        let rounds = browser.evaluate(
            "new Set([...document.querySelectorAll('.round')]
                 .map((of) => of.style.getPropertyValue('--round'))).size",
        );
        assert_eq!(rounds, kind.rounds, "{}", kind.name);
        assert_eq!(shown(browser, "#bracket-section"), u64::from(kind.rounds > 0), "{}", kind.name);
        assert_ne!(browser.evaluate("document.getElementById('lead').textContent"), "");
    }
}

/// The cross table keeps its names in view, and says that it goes on.
#[test]
fn cross_table_of_a_class_keeps_its_names_in_view() {
    let folder = folder("pages-cross");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let kind = kinds().into_iter().find(|kind| kind.name == "balanced").unwrap();
    let page = kind.page(&folder);
    browser.resize(400, 800);
    browser.visit(&page, "");
    browser.click("#charts > summary");
    // Players without games have neither row nor column.
    assert_eq!(shown(browser, "#cross tbody tr"), 17);
    let goes_on = "document.querySelector('#cross-section .scroll').classList.contains('goes-on')";
    browser.wait_for(goes_on);
    let note = "getComputedStyle(document.getElementById('cross-note'), '::before').content";
    assert_eq!(browser.evaluate(note), "\"It goes on to the right. \"");
    let names = "(() => {
        const box = document.querySelector('#cross-section .scroll');
        box.scrollTo(9999, 200);
        const edges = box.getBoundingClientRect();
        const place = (selector) => document.querySelector(selector).getBoundingClientRect();
        return [place('#cross tbody th').left - edges.left, place('#cross thead th').top - edges.top];
    })()";
    assert_eq!(browser.evaluate(names), json!([0, 0]));
    browser.wait_for(&format!("!({goes_on})"));
    check_problems(browser);
}

/// A card of the bracket lists the games of its players.
#[test]
fn cards_of_the_bracket_list_their_games() {
    let folder = folder("pages-bracket");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let kind = kinds().into_iter().find(|kind| kind.name == "knockout").unwrap();
    browser.visit(&kind.page(&folder), "");
    browser.click(".meeting");
    let counts = browser.evaluate(
        "[...document.querySelectorAll('.meeting:first-of-type .points')]
             .map((points) => parseFloat(points.textContent))",
    );
    let listed = browser.evaluate("Number(document.documentElement.dataset.listed)");
    let points = counts[0].as_f64().unwrap() + counts[1].as_f64().unwrap();
    // Each game of two players has one point.
    assert_eq!(listed.as_f64(), Some(points));
    choose(browser, "filter-opponent", "");
    check_problems(browser);
}

/// Before its first game a player has neither rank nor points: in the first round of this knockout
/// two have a bye.
#[test]
fn players_without_a_game_have_no_figures() {
    let folder = folder("pages-byes");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let source = Source::File("format = \"knockout\"", "awele random", 6, 0);
    let kind = Kind { name: "byes", source, narrow: POINTS, rounds: 1 };
    browser.visit(&kind.page_after(&folder, &["--max-time", "1ms"]), "");
    let figures = "[...document.querySelectorAll('#standings tbody tr')].map((row) =>
        [0, 2, 3, 5].map((at) => row.cells[at].textContent).filter((text) => text === '–').length)";
    let mut figures: Vec<u64> = serde_json::from_value(browser.evaluate(figures)).unwrap();
    figures.sort_unstable();
    assert_eq!(figures, [0, 0, 0, 0, 4, 4]);
    assert_eq!(shown(browser, ".winner"), 0);
    check_problems(browser);
}
