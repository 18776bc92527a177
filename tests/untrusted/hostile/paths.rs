//! Programs whose paths mean something to a shell, a terminal or a file format.

use arbitre_test_support::command::{folder, run, script, stderr, SHELL_BOT};
use std::fs;
use std::path::Path;

/// Names of folders. The word `planted` is a file that no command may create.
const NAMES: [&str; 7] = [
    "line\nbreak",
    "quotes'\"",
    "semi;touch planted;",
    "$(touch planted) `touch planted`",
    "--db=planted",
    "\u{1b}[31m tab\t\\",
    "* ? [a] {b} ~ # % & | < > !",
];

#[test]
fn paths_are_data() {
    let root = folder("paths");
    for name in NAMES {
        let place = root.join(name);
        fs::create_dir_all(&place).unwrap();
        check(&script(&place, "bot", SHELL_BOT));
    }
    let planted = |folder: &Path| folder.join("planted").exists();
    assert!(!planted(&root) && !planted(&arbitre_test_support::command::scratch()));
}

/// The system accepts 4095 bytes.
#[test]
fn long_paths_work_up_to_the_limit() {
    let mut place = folder("long-paths");
    while place.as_os_str().len() + 201 < 4000 {
        place.push("x".repeat(200));
    }
    fs::create_dir_all(&place).unwrap();
    check(&script(&place, "bot", SHELL_BOT));
    let output = run(&[&command(&place.join("x".repeat(250))), "awele random", "--game=awele"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("error: expected a program, got "), "{text}");
}

fn command(path: &Path) -> String {
    format!("hostile={}", shell_words::quote(path.to_str().unwrap()))
}

/// Plays two games with the program at this path.
fn check(path: &Path) {
    let words = [&command(path), "awele random", "--game=awele", "--games=2", "--db=:memory:"];
    let output = run(&words);
    let text = format!("{}{}", arbitre_test_support::command::stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
}
