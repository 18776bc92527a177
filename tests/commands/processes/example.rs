//! The example of the process library, as a program of its own.

use std::process::Command;

#[test]
fn example_answers_and_then_is_late() {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--package", "arbitre-process", "--example", "run"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.output().expect("cargo can be started");
    let [text, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}{errors}");
    assert!(lines[0].contains("it answered 'hello, program' and used "), "{text}");
    assert!(lines[1].contains("it did not answer within 100ms, and used "), "{text}");
}
