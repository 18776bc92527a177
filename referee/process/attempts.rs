//! Attempts of a program to reach beyond its sandbox.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Numbers of attempts by kind: the name of a system call, or `neighbour`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attempts(BTreeMap<String, u64>);

impl Attempts {
    /// Counts attempts of one kind.
    pub fn count(&mut self, kind: &str, number: u64) {
        let before = self.0.entry(kind.to_owned()).or_default();
        // A file of someone else may have any numbers, and any words.
        *before = before.saturating_add(number);
    }

    /// Counts the attempts of `more`, too.
    pub fn add(&mut self, more: &Attempts) {
        more.0.iter().for_each(|(kind, &number)| self.count(kind, number));
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of all attempts.
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |all, &number| all.saturating_add(number))
    }
}

impl fmt::Display for Attempts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (kind, number)) in self.0.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{number} {}", kind.escape_debug())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts that a forged file names.
    #[test]
    fn any_words_and_numbers_can_be_shown() {
        let text = format!("{{\"a\\u001b[31m\\nb\":{},\"socket\":7}}", u64::MAX);
        let forged: Attempts = serde_json::from_str(&text).unwrap();
        let mut all = forged.clone();
        all.add(&forged);
        assert_eq!(all.total(), u64::MAX);
        let shown = all.to_string();
        assert!(shown.ends_with(", 14 socket") && !shown.contains(char::is_control), "{shown}");
    }
}
