//! Serialisation of an optional test as its text, which is parsed and checked when it is read.

use super::Sprt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the text of a test.
///
/// # Errors
/// Returns the error of the serialiser.
pub fn serialize<S: Serializer>(sprt: &Option<Sprt>, serializer: S) -> Result<S::Ok, S::Error> {
    sprt.map(|sprt| sprt.to_string()).serialize(serializer)
}

/// Reads the text of a test.
///
/// # Errors
/// Returns an error if the text is no test.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sprt>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| Sprt::parse(&text)).transpose().map_err(serde::de::Error::custom)
}
