//! Attempts of a program to reach beyond its sandbox.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    /// Returns each kind and its number. A kind of a forged file may be any text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, &number)| (kind.as_str(), number))
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
