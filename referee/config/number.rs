//! Numbers and words as values of options.

use arbitre_games::game::ParseError;
use arbitre_games::text::{parse_number, value_of};
use std::ops::RangeInclusive;

/// Returns a parser of whole numbers of this range, which must fit into the type.
pub fn number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, ParseError> + Clone {
    move |text| {
        let number = parse_number(text, range.clone())?;
        // Only `usize` may be narrower than the range, on a machine of 32 bits.
        T::try_from(number).map_err(|_| ParseError::new(format!("expected less, got '{text}'")))
    }
}

/// Returns a parser of the words of a table. `kind` names the kind of word in its errors.
pub fn word<T: Copy>(
    kind: &'static str,
    table: &'static [(&'static str, T)],
) -> impl Fn(&str) -> Result<T, ParseError> + Clone {
    move |word| value_of(kind, word, table)
}
