//! Files of learned evaluations: a first line that names the kind, then numbers between blanks.

use arbitre_games::game::ParseError;

/// Parses the numbers after the first line of a file. There must be `count` of them.
pub fn numbers(text: &str, count: usize) -> Result<Vec<i16>, ParseError> {
    let words: Vec<&str> = text.lines().skip(1).flat_map(str::split_whitespace).collect();
    let numbers: Result<Vec<i16>, _> = words.iter().map(|word| word.parse()).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.len() == count);
    numbers.ok_or_else(|| {
        ParseError::new(format!("expected {count} numbers of 16 bits, got {} words", words.len()))
    })
}

/// Returns a line of numbers.
pub fn line(numbers: &[i16]) -> String {
    let words: Vec<String> = numbers.iter().map(i16::to_string).collect();
    words.join(" ") + "\n"
}
