//! Lanes of time per move in the timeline of a game.

use super::harness::{check_problems, games, open_game};
use super::layout::SIZES;
use super::texts::texts;
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::{played, report};
use serde_json::{json, Value};

/// Limits of the first move and of each later one, in milliseconds.
const LIMITS: [f64; 2] = [3000.0, 200.0];

/// Returns a time as the page writes it.
fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms > 0.0 && ms < 0.1 => format!("{:.0} µs", ms * 1000.0),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        _ => format!("{ms:.0} ms"),
    }
}

/// Returns the times of a seat with their limits.
fn times(game: &Value, seat: usize, has_limits: bool) -> Vec<(f64, Option<f64>)> {
    let movers = game["movers"].as_array().unwrap().iter();
    let all = movers.zip(game["times_ms"].as_array().unwrap());
    let own = all.filter(|(mover, _)| **mover == seat).map(|(_, ms)| ms.as_f64().unwrap());
    own.enumerate().map(|(at, ms)| (ms, has_limits.then_some(LIMITS[at.min(1)]))).collect()
}

/// A lane has the name of its player, its longest move and the limit, and a bar of full height.
#[test]
fn times_have_a_scale_and_a_limit() {
    let folder = folder("pages-timeline");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let limited = ["--first-move-time", "3s", "--move-time", "200ms"];
    let unlimited = ["--game-time", "60s"];
    let four = ["tron random", "tron wall-hugger", "tron random", "tron random"];
    for (bots, limits) in [
        (&["awele greedy", "awele random"][..], &limited[..]),
        (&["awele greedy", "awele random"], &unlimited),
        (&four, &limited),
        (&four, &unlimited),
        // Paths of solo games are one move.
        (&["taquin quick"], &limited),
    ] {
        let db = played(&folder, &[bots, limits, &["--games", "1", "--seed", "4"]].concat());
        let game = &games(&db)[0];
        let share = |(ms, limit): &(f64, Option<f64>)| ms / limit.unwrap_or(1.0);
        let scale = |seat| {
            let times = times(game, seat, limits.len() > 2);
            let longest = times.iter().max_by(|one, other| share(one).total_cmp(&share(other)));
            let (ms, limit) = longest.unwrap();
            let limit = limit.map_or(String::new(), |limit| format!(" of {}", milliseconds(limit)));
            format!("max {}{limit}", milliseconds(*ms))
        };
        let scales: Vec<String> = (0..bots.len()).filter(|_| bots.len() > 1).map(scale).collect();
        browser.visit(&report(&folder, &["--db", &db]), "");
        open_game(browser, 0, "");
        for (width, height) in SIZES {
            browser.resize(width, height);
            assert_eq!(texts(browser, ".clock .scale"), scales, "{bots:?}");
            let names: Vec<&str> = scales.iter().zip(bots).map(|(_, name)| *name).collect();
            let shown = texts(browser, ".clock .name");
            assert!(shown.iter().zip(names).all(|(shown, name)| shown.starts_with(name)));
            assert_eq!(shown.len(), scales.len());
            let cut = "[...document.querySelectorAll('.lane-name, .scale')]
                .filter((text) => !text.checkVisibility() || text.scrollWidth > text.clientWidth)
                .map((text) => text.textContent)";
            assert_eq!(browser.evaluate(cut), json!([]), "{bots:?}, {width} px");
        }
        let heights = "[...document.querySelectorAll('.clock .bar')]
            .flatMap((bars) => [...bars.getAttribute('d').matchAll(/v-([\\d.]+)/g)])
            .map(([, height]) => Number(height))";
        let tallest = browser.evaluate(&format!("Math.max(0, ...{heights})"));
        assert_eq!(tallest, if scales.is_empty() { 0 } else { 100 }, "{bots:?}");
        check_problems(browser);
    }
}
