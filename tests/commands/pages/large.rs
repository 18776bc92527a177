//! The largest page, and pictures of all pages.

use super::harness::check_problems;
use super::layout::{MATCHES, SCHEMES, SIZES};
use super::projector;
use super::seats;
use super::texts::check_size;
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::folder;
use arbitre_test_support::pages::{played, report};
use base64::prelude::{Engine, BASE64_STANDARD};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest page of 10,000 games of Awélé, in bytes.
const MOST_BYTES: u64 = 8_000_000;
/// Environment variable with a folder for pictures.
const PICTURES: &str = "PAGE_PICTURES";

#[test]
#[ignore = "it takes a minute without optimisation: .ci/full runs it"]
fn page_of_ten_thousand_games_is_small() {
    let folder = folder("pages-large");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let words = ["--depth", "2", "--games", "10000", "--seed", "3"];
    let db = played(&folder, &[&["awele alpha-beta", "awele alpha-beta"], &words[..]].concat());
    let page = report(&folder, &["--db", &db]);
    let bytes = fs::metadata(&page).unwrap().len();
    for _ in 0..3 {
        browser.visit(&page, "");
        let ready = browser.evaluate("Number(document.documentElement.dataset.ready)");
        println!("page of 10,000 games: {bytes} bytes, ready after {ready} ms");
    }
    check_size(&mut browser);
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    check_problems(&mut browser);
}

/// Takes pictures of what is shown, at all sizes, light and dark.
fn take(browser: &mut Browser, folder: &Path, name: &str) {
    for (width, height) in SIZES {
        browser.resize(width, height);
        for scheme in SCHEMES {
            browser.prefer(scheme);
            let picture = BASE64_STANDARD.decode(browser.screenshot()).unwrap();
            fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), picture).unwrap();
        }
    }
}

#[test]
#[ignore = "it only takes pictures: .ci/full runs it"]
fn pictures_of_pages() {
    let Some(pictures) = env::var_os(PICTURES).map(PathBuf::from) else {
        println!("SKIPPED: {PICTURES} names no folder for pictures");
        return;
    };
    fs::create_dir_all(&pictures).unwrap();
    let folder = folder("pages-pictures");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let browser = &mut browser;
    let page_of = |words: &[&str]| {
        let db = played(&folder, &[words, &["--seed", "4"]].concat());
        report(&folder, &["--db", &db])
    };
    for (bots, rules) in MATCHES {
        let name = bots[0].split(' ').next().unwrap();
        let page = page_of(&[bots, &["--rules", rules, "--games", "4"]].concat());
        browser.visit(&page, "");
        take(browser, &pictures, &format!("{name}-report"));
        // Solo games have one turn of many frames.
        let is_solo = ["taquin", "hextris"].contains(&name);
        let middle = if is_solo { "1&frame=60" } else { "9" };
        for (at, turn) in [("start", "0"), ("middle", middle), ("end", "last")] {
            browser.visit(&page, &format!("game=0&turn={turn}"));
            take(browser, &pictures, &format!("{name}-{at}"));
        }
        if browser.evaluate("!document.getElementById('zones-label').hidden") == true {
            browser.visit(&page, "game=0&turn=30");
            browser.press("z");
            take(browser, &pictures, &format!("{name}-zones"));
        }
    }
    for scores in seats::SCORES {
        let seats = scores.split(' ').count();
        let page = report(&folder, &["--db", &seats::external_match(&folder, scores)]);
        browser.visit(&page, "");
        take(browser, &pictures, &format!("external-{seats}-report"));
        browser.visit(&page, "game=0&turn=last");
        take(browser, &pictures, &format!("external-{seats}-end"));
    }
    let many: Vec<String> = (1..=30).map(|number| format!("p{number}=awele random")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for players in [2, 5, 30] {
        let words = ["--seats", "2", "--games", "4"];
        browser.visit(&page_of(&[&many[..players], &words].concat()), "");
        take(browser, &pictures, &format!("players-{players}"));
    }
    browser.reduce_motion();
    for (name, format) in projector::FORMATS {
        let db = projector::cup(&folder, format, &[]);
        browser.visit(&report(&folder, &["--projector", "--db", &db]), "");
        take(browser, &pictures, &format!("projector-{name}"));
    }
    check_problems(browser);
}
