//! `referee doctor`, on this machine as it is and without a layer of the sandbox.

use crate::sandbox::harness::REFEREE;
use crate::sandbox::levels::{is_full, without};
use arbitre_test_support::command::{folder, json, stderr, stdout};
use std::process::{Command, Output};

const SECTIONS: [&str; 6] = ["clock", "files", "memory", "processors", "runtimes", "sandbox"];

fn doctor(arguments: &[&str]) -> Output {
    let mut command = Command::new(REFEREE);
    command.arg("doctor").args(arguments).current_dir(folder("doctor"));
    command.output().unwrap()
}

#[test]
fn text_and_document_tell_the_same() {
    let text = stdout(&doctor(&[]));
    let document = json(&stdout(&doctor(&["--json"])));
    let sections: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(sections, SECTIONS);
    for name in SECTIONS {
        assert!(text.lines().any(|line| line == name), "{text}");
        let findings = document[name]["findings"].as_array().unwrap();
        assert!(!findings.is_empty() && document[name]["facts"].is_object(), "{document}");
        for finding in findings {
            let (status, first) = (&finding["status"], finding["text"].as_str().unwrap());
            let first = first.split(' ').next().unwrap();
            let begins = |line: &str| {
                let words: Vec<&str> = line.split_whitespace().take(2).collect();
                words == [status.as_str().unwrap(), first]
            };
            // The status of a measurement may differ between two runs.
            let is_measured = ["clock", "processors"].contains(&name);
            assert!(is_measured || text.lines().any(begins), "{finding} in {text}");
        }
    }
    assert!(text.lines().any(|line| line.starts_with("  ok       level full")) || !is_full());
}

#[test]
fn runtimes_are_started_under_both_profiles() {
    let document = json(&stdout(&doctor(&["--json"])));
    let found = document["runtimes"]["facts"]["found"].as_array().unwrap();
    for runtime in found {
        let trials = runtime["trials"].as_array().unwrap();
        let profiles: Vec<_> = trials.iter().map(|trial| &trial["profile"]).collect();
        assert_eq!(profiles, ["mine", "class"], "{runtime}");
        let is_told = |trial: &serde_json::Value| {
            trial["version"].is_string() != trial["failure"].is_string()
        };
        assert!(trials.iter().all(is_told), "{runtime}");
    }
    if found.is_empty() {
        eprintln!("SKIPPED: no runtime is in PATH");
    }
}

#[test]
fn missing_layer_is_reported_and_can_be_refused() {
    if !is_full() {
        return;
    }
    let needs_full = ["--require-sandbox", "full"];
    assert!(doctor(&needs_full).status.success());
    let masked = |arguments: &'static [&'static str]| {
        let flag = Some(libc::CLONE_NEWUSER);
        without(libc::SYS_clone, flag, libc::EPERM, move || doctor(arguments))
    };
    let refused = masked(&["--require-sandbox", "full"]);
    assert_eq!(refused.status.code(), Some(5));
    let expected = "error: --require-sandbox full: expected a machine that gives it, got partial\n";
    assert_eq!(stderr(&refused), expected);
    let text = stdout(&refused);
    assert!(text.contains("\n  ok       level partial: "), "{text}");
    assert!(text.contains("\n  missing  level full: "), "{text}");
    let document = json(&stdout(&masked(&["--require-sandbox", "partial", "--json"])));
    assert_eq!(document["sandbox"]["facts"]["level"], "partial");
}
