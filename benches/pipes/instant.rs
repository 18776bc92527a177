//! A bot that answers at once with the first move of `legal`.

use std::io::{BufRead, Write};
use std::path::Path;

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

/// Plays several games on standard input and output. Each line of the file holds the moves of a
/// game and seat.
pub fn play_from(answers: &Path) {
    let text = std::fs::read_to_string(answers).expect("the bench wrote the file");
    let games: Vec<&str> = text.split('\n').collect();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let (mut line, mut moves, mut game) = (String::new(), "".split(' '), 0);
    loop {
        line.clear();
        if input.read_line(&mut line).is_ok_and(|bytes| bytes == 0) {
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            ["seats", seats, "you", seat] => {
                let number = |word: &str| word.parse::<usize>().expect("the dialect sends numbers");
                moves = games[number(seats) * game + number(seat)].split(' ');
                game += 1;
                continue;
            }
            ["begin"] => "ready instant terse again",
            ["go", ..] => moves.next().expect("the same game was played before"),
            _ => continue,
        };
        writeln!(output, "{answer}").expect("the referee listens");
    }
}
