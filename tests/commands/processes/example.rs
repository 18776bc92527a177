//! The example of the process library, as a program of its own.

use arbitre_test_support::command::program;
use std::process::Command;

#[test]
fn example_answers_and_then_is_late() {
    let example = program("referee").with_file_name("examples").join("run");
    let output = Command::new(example).output().expect("the example is built");
    let [text, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}{errors}");
    assert!(lines[0].contains("it answered 'hello, program' and used "), "{text}");
    assert!(lines[1].contains("it did not answer within 100ms, and used "), "{text}");
}
