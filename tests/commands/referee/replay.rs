//! Pages that play a game, and games in the terminal.

use arbitre_test_support::command::{folder, run, script, stderr, stdout};
use arbitre_test_support::pages::{self, between, document, played};
use base64::prelude::{Engine, BASE64_STANDARD};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Largest page of one game, in bytes.
const LIMIT: usize = 300_000;

/// Returns the text of each cell after all frames of a document.
fn final_texts(document: &Value) -> Vec<&str> {
    let mut cells = BTreeMap::new();
    let steps = document["steps"].as_array().unwrap().iter();
    let frames = steps.flat_map(|step| step["frames"].as_array().unwrap());
    for frame in [&document["start"]].into_iter().chain(frames) {
        for set in frame["set"].as_array().unwrap() {
            cells.insert(set[0].as_u64().unwrap(), set[1].as_u64().unwrap());
        }
    }
    let text = |kind| document["board"]["kinds"][kind as usize]["text"].as_str().unwrap();
    cells.into_values().map(text).collect()
}

fn replay(folder: &Path, words: &[&str]) -> String {
    fs::read_to_string(pages::replay(folder, words)).unwrap()
}

#[test]
fn page_contains_the_whole_game() {
    let folder = folder("replay");
    for bots in [
        ["awele greedy", "awele random"],
        ["tron random", "tron random"],
        ["seven-colors greedy", "seven-colors random"],
        ["taquin", "taquin"],
        ["hextris taupe", "hextris random"],
    ] {
        let db = played(&folder, &[bots[0], bots[1], "--games", "2", "--seed", "4"]);
        let page = replay(&folder, &["0", "--db", &db]);
        assert!(page.len() < LIMIT, "{bots:?}: {} bytes", page.len());
        let document = document(&page);
        let shown = stdout(&run(&["show", "0", "--json", "--db", &db]));
        let stored: Value = serde_json::from_str(&shown).unwrap();
        for key in ["scores", "ranks", "ending", "setup"] {
            assert_eq!(document[key], stored[key], "{bots:?}: {key}");
        }
        let steps = document["steps"].as_array().unwrap();
        let moves: Vec<&Value> = steps.iter().map(|step| &step["move"]).collect();
        assert_eq!(moves, stored["moves"].as_array().unwrap().iter().collect::<Vec<_>>());
        // Seeds of Awele, tiles of Taquin: the last picture has the same numbers.
        if ["awele greedy", "taquin"].contains(&bots[0]) {
            let last = moves.len().to_string();
            let picture = stdout(&run(&["show", "0", "--ply", &last, "--db", &db]));
            for text in final_texts(&document) {
                assert!(text.is_empty() || text == "0" || picture.contains(text), "{picture}");
            }
        }
    }
}

/// The policy allows this script and this style, and nothing else.
#[test]
fn policy_names_the_script_and_the_style() {
    let folder = folder("replay-policy");
    let bot = "#!/bin/sh\nwhile read w r; do case $w in legal) m=${r%% *};; \
               begin) echo ready x;; go) echo \"$m # </script><script>alert(1)</script>\"; \
               echo '</script><img src=x onerror=alert(1)>' >&2;; esac; done";
    let hostile = script(&folder, "<img src=x onerror=alert(1)>", bot);
    let hostile = hostile.to_string_lossy();
    let db = played(&folder, &[&hostile, "awele random", "--games", "2", "--move-time", "30s"]);
    let page = replay(&folder, &["last", "--db", &db]);
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let style = hash(between(&page, "<style>", "</style>"));
    let code = hash(between(&page, "<script type=\"module\">", "</script>"));
    let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let expected = format!(
        "default-src 'none'; script-src {code}; style-src {style}; img-src data:; base-uri 'none'; \
         form-action 'none'"
    );
    assert_eq!(policy, expected);
    assert_eq!(page.matches("<script").count(), 2, "the code and the data");
    assert!(!page.contains("<img") && !page.contains(" style="), "{page}");
    for address in ["http://", "https://"] {
        let found = page.matches(address).count();
        assert_eq!(
            found,
            page.matches("http://www.w3.org/2000/svg").count() * usize::from(address == "http://")
        );
    }
    let text = document(&page).to_string();
    assert!(text.contains("</script><script>alert(1)</script>"), "comments are kept as they are");
    assert!(text.contains("<img src=x onerror=alert(1)>"), "so is standard error");
}

#[test]
fn pages_that_cannot_be_written_are_refused() {
    let folder = folder("replay-refused");
    let db = played(&folder, &["awele random", "awele random", "--games", "2"]);
    let refused = run(&["replay", "7", "--db", &db]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("expected one of its 2 games, from 0 to 1, got 7"));
    let path = folder.join("missing/game.html").to_string_lossy().into_owned();
    let refused = run(&["replay", "0", "--db", &db, "--output", &path]);
    assert_eq!(refused.status.code(), Some(4), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("game.html: it cannot be written: "));
    let refused = run(&["show", "0", "--db", &db, "--play"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).starts_with("error: --play: expected a terminal"));
}
