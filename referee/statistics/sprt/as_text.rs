//! Serialisation of an optional test as its text, which is parsed and checked when it is read.
//!
//! Versions that counted all pairs wrote nothing about repeats. A text without `repeats` therefore
//! counts all of them, so that a stored test ends where it ended.

use super::{Repeats, Sprt};
use arbitre_games::game::ParseError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Option that the text of a stored test has unless all pairs count.
const ONCE: &str = ",repeats=once";

/// Writes the text of a test.
///
/// # Errors
/// Returns the error of the serialiser.
pub fn serialize<S: Serializer>(sprt: &Option<Sprt>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = sprt.map(|sprt| match sprt.repeats() {
        Repeats::Once => format!("{sprt}{ONCE}"),
        Repeats::All => sprt.without_repeats(),
    });
    text.serialize(serializer)
}

/// Reads the text of a test.
///
/// # Errors
/// Returns an error if the text is no test.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sprt>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| parse_stored(&text)).transpose().map_err(serde::de::Error::custom)
}

fn parse_stored(text: &str) -> Result<Sprt, ParseError> {
    let sprt = Sprt::parse(text)?;
    // The default needs no word.
    let is_once = sprt.repeats == Some(Repeats::Once);
    Ok(Sprt { repeats: (!is_once).then_some(Repeats::All), ..sprt })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Stored(#[serde(with = "super")] Option<Sprt>);

    #[test]
    fn stored_test_counts_what_it_counted() {
        let base = "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized";
        for (typed, stored) in [
            ("elo1=5", format!("\"{base},repeats=once\"")),
            ("elo1=5,repeats=once", format!("\"{base},repeats=once\"")),
            ("elo1=5,repeats=all", format!("\"{base}\"")),
        ] {
            let test = Stored(Some(Sprt::parse(typed).unwrap()));
            assert_eq!(serde_json::to_string(&test).unwrap(), stored);
            let Stored(read) = serde_json::from_str::<Stored>(&stored).unwrap();
            assert_eq!(read.map(|of| of.to_string()), test.0.map(|of| of.to_string()));
        }
        assert_eq!(serde_json::from_str::<Stored>("null").unwrap(), Stored(None));
        assert!(serde_json::from_str::<Stored>("\"elo2=5\"").is_err());
    }
}
