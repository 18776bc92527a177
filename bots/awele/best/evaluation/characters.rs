//! Numbers as characters, for networks: one of the Chinese characters from U+4E00 on for each
//! number. Arenas limit the characters of a bot, not its bytes.

use arbitre_games::game::ParseError;
use std::ops::RangeInclusive;

/// Numbers that have a character.
pub const NUMBERS: RangeInclusive<i16> = -2048..=2047;
/// Character of the least number.
const FIRST: u32 = 0x4E00;

/// Parses the lines after the first one. There must be `count` numbers.
pub fn numbers(text: &str, count: usize) -> Result<Vec<i16>, ParseError> {
    let characters: Vec<char> = text.lines().skip(1).flat_map(str::chars).collect();
    let number = |character: &char| {
        let place = u32::from(*character).checked_sub(FIRST)?;
        let number = i16::try_from(place).ok()?.checked_add(*NUMBERS.start())?;
        NUMBERS.contains(&number).then_some(number)
    };
    let numbers: Option<Vec<i16>> = characters.iter().map(number).collect();
    numbers.filter(|numbers| numbers.len() == count).ok_or_else(|| {
        let got = characters.len();
        ParseError::new(format!(
            "expected {count} characters from U+4E00 to U+5DFF, got {got} characters"
        ))
    })
}

/// Returns a line of numbers. Those without a character become the nearest that have one.
pub fn line(numbers: &[i16]) -> String {
    let characters = numbers.iter().map(|number| {
        let place = number.clamp(NUMBERS.start(), NUMBERS.end()) - NUMBERS.start();
        char::from_u32(FIRST + place as u32).expect("all characters from there on exist")
    });
    characters.chain(['\n']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_survives_its_character() {
        let all: Vec<i16> = NUMBERS.collect();
        let text = all.chunks(100).map(line).collect::<String>();
        assert_eq!(numbers(&format!("first line\n{text}"), all.len()).unwrap(), all);
        assert_eq!(line(&[i16::MIN, i16::MAX, 0]), "\u{4E00}\u{5DFF}\u{5600}\n");
        let refused = |text: &str| numbers(text, 2).unwrap_err().to_string();
        for text in ["\u{4E00}", "\u{4E00}\u{5E00}", "\u{4E00}a", "\u{4E00}\u{4E00}\n\u{4E00}"] {
            assert!(refused(&format!("x\n{text}")).starts_with("expected 2 characters"), "{text}");
        }
    }
}
