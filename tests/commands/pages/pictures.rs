//! Pictures of games whose rules run in another process.

use super::harness::{check_problems, open_game};
use arbitre_test_support::browser::Browser;
use arbitre_test_support::command::{folder, run, script, stderr};
use arbitre_test_support::pages::report;
use serde_json::json;

/// Text is shown as lines, and an SVG document as an image, in which nothing runs.
#[test]
fn pictures_of_other_rules_are_shown() {
    let folder = folder("pages-pictures");
    let Some(mut browser) = Browser::open(&folder) else { return };
    let bot =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo a;; esac; done";
    let bot = format!("'{}'", script(&folder, "bot", bot).display());
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    for (name, picture) in [
        ("text", "picture) echo 'a<b>bold</b>'; echo '  second';;"),
        ("image", &format!("svg) echo '{svg}';;")),
    ] {
        let rules = format!(
            "#!/bin/sh\nwhile read w r; do case $w in\n{picture}\nrules) echo game odd; echo seats 2 \
             2;;\ndraw) echo setup x;;\nstart) echo turn 0;;\nask|state) echo state x;;\nplay) echo \
             played a; echo over 1 0;;\npicture|svg|decided) echo unknown;;\nesac; echo .; done"
        );
        let rules = format!("'{}'", script(&folder, name, &rules).display());
        let db = folder.join("match.db").to_string_lossy().into_owned();
        arbitre_test_support::command::remove_results(&db);
        let words = ["--external", &rules, "--games", "2", "--db", &db];
        let output = run(&[&[&bot[..], &bot], &words[..]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        browser.visit(&report(&folder, &["--db", &db]), "");
        open_game(&mut browser, 0, "&turn=1");
        let lines = browser.evaluate(
            "[...document.querySelectorAll('#board text')].map((line) => line.textContent)",
        );
        let image = browser.evaluate("document.querySelector('#board image')?.href.baseVal ?? ''");
        let image = image.as_str().unwrap();
        match name {
            "text" => {
                assert_eq!((lines, image), (json!(["a<b>bold</b>", "  second"]), ""));
            }
            _ => assert!(lines == json!([]) && image.starts_with("data:image/svg+xml,%3Csvg")),
        }
        assert_eq!(browser.evaluate("document.querySelectorAll('#board b').length"), 0);
        browser.visit(&report(&folder, &["--projector", "--db", &db]), "");
        let drawn =
            browser.evaluate("document.querySelector('#board text, #board image') !== null");
        assert_eq!(drawn, true, "{name}: the projector draws it, too");
        check_problems(&mut browser);
    }
}
