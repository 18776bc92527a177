//! Filters of the list of games, against counts of the documents of the games.

use super::harness::{check_problems, choose, games, wait_for_address};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, script};
use arbitre_test_support::pages::{played, report};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Bot that plays the first legal move. In some games it crashes or plays an invalid move.
const FAULTY: &str = "#!/bin/sh\nwhile read w r; do case $w in seed) seed=$r;; \
                      legal) m=${r%% *};; begin) echo ready faulty;; \
                      go) n=$((n+1)); [ $n = 6 ] && case $seed in \
                      *[0-4]) exit 3;; *[5-7]) m=x;; esac; echo $m;; esac; done";

/// Filters, as the address names them.
#[derive(Clone, Default)]
struct Filters<'a>(Vec<(&'a str, String)>);

impl Filters<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn address(&self) -> String {
        let parts = self.0.iter().map(|(name, value)| {
            format!("{name}={}", value.replace(' ', "+").replace('#', "%23").replace(';', "%3B"))
        });
        parts.collect::<Vec<_>>().join("&")
    }

    /// Returns the games that pass. `setups` are the different setups in order.
    fn listed<'g>(&self, games: &'g [Value], setups: &[&Value]) -> Vec<&'g Value> {
        games.iter().filter(|game| self.pass(game, setups)).collect()
    }

    fn pass(&self, game: &Value, setups: &[&Value]) -> bool {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let players: Vec<String> = game["players"].as_array().unwrap().iter().map(text).collect();
        let ranks: Vec<u64> =
            game["ranks"].as_array().unwrap().iter().map(|rank| rank.as_u64().unwrap()).collect();
        let is = |name: &str, is: &dyn Fn(&str) -> bool| self.get(name).is_none_or(is);
        let result = |seat: usize| match ranks.iter().filter(|rank| **rank == 1).count() {
            _ if ranks[seat] != 1 => "lost",
            1 => "won",
            _ => "drawn",
        };
        let has_fault = |seat: usize, asked: &str| {
            let mut faults = game["faults"].as_array().unwrap().iter();
            faults.any(|of| of["seat"] == seat && (asked == "any" || of["fault"] == asked))
        };
        let has_seat = (0..players.len()).any(|seat| {
            is("player", &|name| players[seat] == name)
                && is("seat", &|asked| seat.to_string() == asked)
                && is("result", &|asked| result(seat) == asked)
                && is("fault", &|asked| has_fault(seat, asked))
        });
        has_seat
            && is("opponent", &|name| players.iter().any(|player| player == name))
            && is("reason", &|asked| game["ending"] == asked)
            && is("setup", &|asked| match asked.strip_prefix('#') {
                Some(number) => *setups[number.parse::<usize>().unwrap()] == game["setup"],
                None => text(&game["setup"]).contains(asked),
            })
    }
}

/// Plays a match of three players with faults, and returns its games and its page.
fn match_with_faults(folder: &Path) -> (Vec<Value>, PathBuf) {
    let faulty = script(folder, "faulty", FAULTY);
    let faulty = format!("'{}'", faulty.to_string_lossy());
    let words = ["awele random", "awele greedy", "--rules", "max-plies=22", "--games", "10"];
    let limits = ["--seats", "2", "--seed", "7", "--move-time", "30s"];
    let db = played(folder, &[&[&faulty[..]], &words[..], &limits].concat());
    (games(&db), report(folder, &["--db", &db]))
}

/// Returns the setups of games in the order of their first game.
fn setups_of(games: &[Value]) -> Vec<&Value> {
    let mut setups: Vec<&Value> = Vec::new();
    for game in games {
        if !setups.contains(&&game["setup"]) {
            setups.push(&game["setup"]);
        }
    }
    setups
}

/// Opens an address within the page. Returns the number of games that are listed.
fn listed_at(browser: &mut Browser, address: &str) -> Value {
    browser.evaluate(&format!(
        "delete document.documentElement.dataset.listed, void (location.hash = {address:?})"
    ));
    browser.wait_for("document.documentElement.dataset.listed");
    listed(browser)
}

fn listed(browser: &mut Browser) -> Value {
    browser.evaluate("Number(document.documentElement.dataset.listed)")
}

/// Returns the numbers of the first games of the list.
fn first_rows(browser: &mut Browser) -> Value {
    browser.evaluate(
        "[...document.querySelectorAll('#game-rows .number')].slice(0, 5)
             .map((number) => Number(number.textContent))",
    )
}

fn numbers<'g>(games: impl IntoIterator<Item = &'g Value>) -> Vec<&'g Value> {
    games.into_iter().map(|game| &game["game"]).take(5).collect()
}

#[test]
fn filters_list_the_games_that_pass() {
    let folder = folder("pages-filters");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let (games, page) = match_with_faults(&folder);
    let setups = setups_of(&games);
    let setup = setups[1].as_str().unwrap();
    let names = ["faulty", "awele random", "awele greedy"];
    let choices = [
        ("player", &names[..]),
        ("opponent", &names),
        ("seat", &["0", "1"]),
        ("result", &["won", "drawn", "lost"]),
        ("reason", &["rules", "crash", "invalid"]),
        ("fault", &["any", "crash", "invalid"]),
        ("setup", &["#1", "opening", &setup[..setup.len() / 2]]),
    ];
    // Each filter, and each pair of them.
    let mut all = vec![Filters::default()];
    for (name, values) in choices {
        for before in all.clone().iter().filter(|before| before.0.len() < 2) {
            let longer = |value: &&str| [&before.0[..], &[(name, (*value).to_owned())]].concat();
            all.extend(values.iter().map(longer).map(Filters));
        }
    }
    browser.visit(&page, "");
    assert_eq!(listed(browser), games.len());
    let drawn = Filters(vec![("result", "drawn".into())]);
    assert!(!drawn.listed(&games, &setups).is_empty());
    let mut counts = BTreeSet::new();
    for filters in &all[1..] {
        let (address, expected) = (filters.address(), filters.listed(&games, &setups));
        assert_eq!(listed_at(browser, &address), expected.len(), "{address}");
        assert_eq!(first_rows(browser), json!(numbers(expected.clone())), "{address}");
        counts.insert(expected.len());
    }
    assert!(counts.len() > 8, "{counts:?}");

    // What the page does not know is ignored, but no game has a fault that none has.
    for address in ["player=nobody", "opponent=", "result=lucky&seat=x", "order=best&game=99"] {
        assert_eq!(listed_at(browser, address), games.len(), "{address}");
    }
    assert_eq!(listed_at(browser, "fault=timeout"), 0);
    check_problems(browser);
}

/// Returns the number by which an order sorts a game.
fn key(order: &str, game: &Value) -> f64 {
    let number = |value: &Value| value.as_f64().unwrap();
    let moves = game["moves"].as_array().unwrap().len() as f64;
    let longest = game["times_ms"].as_array().unwrap().iter().map(number).fold(0.0, f64::max);
    match order {
        "longest" => -moves,
        "shortest" => moves,
        "closest" => (number(&game["scores"][0]) - number(&game["scores"][1])).abs(),
        // The page has hundredths.
        "slowest" => -(longest * 100.0).round(),
        other => panic!("{other} is no order"),
    }
}

#[test]
fn controls_filter_and_order_the_games() {
    let folder = folder("pages-controls");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let (games, page) = match_with_faults(&folder);
    let setups = setups_of(&games);
    let filters = [("player", "awele random"), ("result", "lost"), ("reason", "rules")];
    let filters = Filters(filters.map(|(name, value)| (name, value.into())).into());
    let expected = filters.listed(&games, &setups);
    assert!(!expected.is_empty());
    browser.visit(&page, &filters.address());
    assert_eq!(listed(browser), expected.len(), "an address opens filtered");
    let chosen = "document.querySelector('#filter-player').selectedOptions[0].textContent";
    assert_eq!(browser.evaluate(chosen), "awele random");
    browser.click("#no-filters");
    assert_eq!(listed(browser), games.len());
    wait_for_address(browser, "");

    // The options of players are their numbers in the match.
    choose(browser, "filter-player", "1");
    choose(browser, "filter-result", "lost");
    choose(browser, "filter-reason", "rules");
    assert_eq!(listed(browser), expected.len());
    assert_eq!(first_rows(browser), json!(numbers(expected)));
    wait_for_address(browser, &format!("#{}", filters.address()));
    choose(browser, "filter-setup", "#2");
    choose(browser, "filter-player", "");
    choose(browser, "filter-result", "");
    choose(browser, "filter-reason", "");
    let third = Filters(vec![("setup", "#2".into())]).listed(&games, &setups).len();
    assert_eq!(listed(browser), third);
    browser.click("#no-filters");

    for order in ["longest", "shortest", "closest", "slowest"] {
        choose(browser, "filter-order", order);
        let mut sorted: Vec<&Value> = games.iter().collect();
        sorted.sort_by(|one, other| key(order, one).total_cmp(&key(order, other)));
        assert_eq!(first_rows(browser), json!(numbers(sorted)), "{order}");
    }
    wait_for_address(browser, "#order=slowest");

    // Players, faults and cells of the table filter, too.
    browser.click("#standings .fault");
    let fault = browser.evaluate("document.querySelector('#standings .fault').textContent");
    let (count, word) = fault.as_str().unwrap().split_once(' ').unwrap();
    assert_eq!(listed(browser), count.parse::<u64>().unwrap());
    wait_for_address(browser, &format!("#player=faulty&fault={word}"));
    browser.click("#cross td[data-row='1'][data-column='2']");
    wait_for_address(browser, "#player=awele+random&opponent=awele+greedy");
    assert_eq!(listed(browser), 10);
    check_problems(browser);
}
