//! Experiments: claims of source documents, measured again.

use arbitre_test_support::command;

use command::{folder, json, run, stderr, stdout};
use std::fs;

/// A small measurement: the verdict is uncertain, but there must be one.
#[test]
fn claim_gets_a_measurement_and_a_verdict() {
    let page = folder("experiment").join("claims.md");
    let small = ["experiment", "awele", "--games", "20", "--depth", "2", "--json"];
    let claims = ["--claim", "finalist-of-1990", "--claim", "complex-costs-no-time"];
    let written = ["--markdown", &*page.to_string_lossy()];
    let output = run(&[&small[..], &claims, &written].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results: Vec<_> = stdout(&output).lines().map(json).collect();
    assert_eq!(results.len(), 2);
    for result in &results {
        let verdict = result["verdict"].as_str().unwrap();
        assert!(["reproduced", "contradicted", "undecided"].contains(&verdict), "{verdict}");
        assert!(result["measured"].as_str().unwrap().contains("in 20 games at depth 2"));
        assert!(result["words"].as_str().unwrap().contains("heuristique"));
    }
    let table = fs::read_to_string(page).unwrap();
    assert_eq!(table.lines().filter(|line| line.starts_with("| «")).count(), 2, "{table}");
    // The command in the result plays the same match again.
    let how = results[0]["how"].as_str().unwrap();
    let words = shell_words::split(how).unwrap();
    let again = run(&words[1..].iter().map(String::as_str).chain(["--json"]).collect::<Vec<_>>());
    let first = &json(&stdout(&again))["players"][0];
    let percent = format!("{:.1} %", 5.0 * first["points"].as_f64().unwrap());
    let measured = results[0]["measured"].as_str().unwrap();
    assert!(measured.contains(&percent), "{percent} is not in {measured}");
}

#[test]
fn an_unknown_claim_is_refused() {
    for (words, part) in [
        (&["experiment", "awele", "--claim", "simple-win"][..], "did you mean simple-wins?"),
        (&["experiment", "awale"], "did you mean awele?"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}

/// Matches inside the referee, on all three kinds of boards; one of them also between programs.
#[test]
fn claims_about_many_matches_are_measured() {
    let page = folder("experiment").join("seven-colors.md");
    let written = ["--markdown", &*page.to_string_lossy()];
    let small = ["experiment", "seven-colors", "--games", "10", "--json"];
    let names = [
        "greedy-random",
        "mirror-greedy",
        "crossing-the-diagonal",
        "random-gains-nothing",
        "hegemonic-runs-out-of-breath",
        "through-programs",
        "scans",
        "recursion",
        "worst-board-greedy",
        "worst-board-random",
        "plays-of-oracle",
    ];
    let claims: Vec<&str> = names.iter().flat_map(|name| ["--claim", *name]).collect();
    let output = run(&[&small[..], &claims, &written].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results: Vec<_> = stdout(&output).lines().map(json).collect();
    let measured = |at: usize| results[at]["measured"].as_str().unwrap().to_owned();
    assert_eq!(measured(0).matches("10-0 100.0 %").count(), 3, "{}", measured(0));
    assert_eq!(results[0]["verdict"], "reproduced");
    assert!(measured(1).contains("symmetric: ") && measured(1).contains("banned: "));
    assert!(measured(2).starts_with("the starter "), "{}", measured(2));
    assert_eq!(measured(5), "10 of 10 games are the same, move by move");
    assert!(measured(6).starts_with("a spiral takes 240 or 241 scans"), "{}", measured(6));
    assert_eq!(
        (&results[6]["verdict"], &results[7]["verdict"]),
        (&"contradicted".into(), &"reproduced".into())
    );
    assert!(measured(8).starts_with("alone, greedy needs "), "{}", measured(8));
    let table = fs::read_to_string(page).unwrap();
    assert_eq!(table.lines().filter(|line| line.starts_with("| «")).count(), 11, "{table}");
    // A seed gives the same boards at any concurrency.
    let alone = run(&[&small[..], &claims, &["--concurrency", "1"]].concat());
    assert_eq!(stdout(&alone), stdout(&output));
}
