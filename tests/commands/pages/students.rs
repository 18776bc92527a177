//! Pages of the players of a tournament, and their index.

use super::harness::{check_problems, wait_for_game};
use super::layout::{check_contrast, check_view, SIZES};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{cleared, folder, run, script, stderr, SHELL_BOT};
use arbitre_test_support::pages::HOSTILE;
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

/// Expression for the texts in view that are smaller than 12 pixels.
const SMALL: &str = "(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small = [];
    while (walker.nextNode()) {
        const { parentElement: element, data } = walker.currentNode;
        const isShown = element.checkVisibility() && !element.closest('svg, script, noscript');
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (isShown && data.trim() && size < 12) small.push(`${size}: ${data}`);
    }
    return small;
})()";

/// Plays a tournament of players of several kinds, and copies the pages alone into a new folder.
fn pages(folder: &Path, game: &[&str]) -> std::path::PathBuf {
    let class = cleared(folder.join("class"));
    let faulty = |answer: &str| {
        let answer =
            format!("if [ $((n += 1)) = 4 ]; then {answer}; else echo \"$move # <b>x</b>\"; fi");
        SHELL_BOT.replace("echo \"$move\"", &answer)
    };
    for (name, bot) in [
        (HOSTILE.replace('/', "-"), faulty("printf '</script><script>alert(1)</script>\\n'")),
        ("crash".into(), faulty("printf '[PDATA] key = </script>\\n' >&2; exit 1")),
        ("honest".into(), SHELL_BOT.into()),
        ("unstarted".into(), "#!/bin/sh\nprintf '%0300d</script>' 1 >&2\n".into()),
    ] {
        fs::create_dir_all(class.join(&name)).unwrap();
        script(&class.join(name), "bot", &bot);
    }
    let [db, pages] = ["cup.db", "pages"].map(|name| folder.join(name));
    arbitre_test_support::command::remove_results(&db);
    let _ = fs::remove_dir_all(&pages);
    let [class, db] = [&class, &db].map(|path| path.to_str().unwrap());
    let words = ["tournament", class, "--db", db, "--games", "2", "--no-sandbox", "--seed", "3"];
    let more = ["--move-time", "30s", "--per-player", pages.to_str().unwrap()];
    let output = run(&[&words[..], &more, game].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let copied = cleared(folder.join("sent"));
    fs::rename(pages, &copied).unwrap();
    copied
}

/// Returns the addresses of the links of a page.
fn links(browser: &mut Browser) -> Vec<String> {
    let links = "[...document.querySelectorAll('#report a')].map((of) => of.getAttribute('href'))";
    serde_json::from_value(browser.evaluate(links)).unwrap()
}

/// Every page fits every view, is readable in both schemes, and leads to its games and back.
#[test]
fn pages_of_players_fit_every_view() {
    for (name, game) in [
        ("tron", &["--game", "tron", "--rules", "size=9x9"][..]),
        ("taquin", &["--game", "taquin", "--rules", "eight"]),
    ] {
        let folder = folder(&format!("pages-students-{name}"));
        let Some(mut browser) = Browser::open(&folder) else { return };
        let browser = &mut browser;
        let pages = pages(&folder, game);
        browser.visit(&pages.join("index.html"), "");
        let files: Vec<String> = links(browser);
        assert_eq!(files.len(), 4);
        let names = "[...document.querySelectorAll('#roster a')].map((of) => of.textContent)";
        let names = browser.evaluate(names).to_string();
        assert!(names.contains("=1+1<img src=x onerror=alert(1)>"), "{names}");
        let mut opened = 0;
        for (at, file) in std::iter::once("index.html".to_owned()).chain(files).enumerate() {
            let file = browser.evaluate(&format!("decodeURIComponent({file:?})"));
            let file = pages.join(file.as_str().unwrap());
            for (width, height) in SIZES {
                let what = format!("{name}, {}, {width} px", file.display());
                browser.resize(width, height);
                browser.visit(&file, "");
                browser.evaluate(
                    "document.querySelectorAll('details').forEach((of) => of.open = true)",
                );
                check_view(browser, &what);
                assert_eq!(browser.evaluate(SMALL), json!([]), "{what}: small texts");
            }
            check_contrast(browser, &file.display().to_string());
            assert_eq!(browser.evaluate("document.querySelectorAll('img, #report b').length"), 0);
            if at > 0 {
                opened += check_games(browser, &file);
            }
        }
        assert!(opened >= 4, "{name}: {opened} links to games");
        check_problems(browser);
    }
}

/// Opens each game of a page by its link. Returns the number of links.
fn check_games(browser: &mut Browser, file: &Path) -> usize {
    browser.visit(file, "");
    let links = links(browser);
    let what = file.display();
    for (at, link) in links.iter().enumerate() {
        browser.evaluate(&format!("document.querySelectorAll('#report a')[{at}].click()"));
        let number = link.trim_start_matches("#game=").split('&').next().unwrap();
        wait_for_game(browser, number.parse().unwrap());
        let own = "document.querySelectorAll('.card.own .status').length";
        assert_eq!(browser.evaluate(own), 1, "{what}: {link}");
        let name = browser.evaluate("document.querySelector('.card.own .name').textContent");
        let title = browser.evaluate("document.getElementById('name').textContent");
        assert_eq!(name, title, "{what}: {link}");
        if let Some((_, turn)) = link.split_once("turn=") {
            browser.wait_for(&format!("document.documentElement.dataset.turn === '{turn}'"));
        }
        assert_eq!(browser.evaluate(SMALL), json!([]), "{what}: {link}: small texts");
        // The button and the key lead back.
        match at % 2 {
            0 => browser.click("[data-do=list]"),
            _ => browser.press("Escape"),
        }
        browser.wait_for("!document.getElementById('report').hidden");
        assert_eq!(browser.evaluate("location.hash"), Value::from(""), "{what}: {link}");
    }
    links.len()
}
