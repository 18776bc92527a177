//! A bot that answers at once with the first move of `legal`.

use std::io::{BufRead, Write};

/// Plays on standard input and output, several games if `again` is set.
pub fn play(again: bool) {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut line, mut first) = (String::new(), String::new());
    loop {
        line.clear();
        if input.read_line(&mut line).is_ok_and(|bytes| bytes == 0) {
            return;
        }
        let (word, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        let answer = match word {
            "begin" if again => "ready instant again",
            "begin" => "ready instant",
            "legal" => {
                first = rest.split(' ').next().unwrap_or_default().into();
                continue;
            }
            "go" => &first,
            _ => continue,
        };
        writeln!(output, "{answer}").expect("the referee listens");
    }
}
