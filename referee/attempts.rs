//! Attempts of a player to reach beyond its sandbox.

use arbitre_games::text::join;
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
        *self.0.entry(kind.to_owned()).or_default() += number;
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
        self.0.values().sum()
    }
}

impl fmt::Display for Attempts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join(self.0.iter().map(|(kind, number)| format!("{number} {kind}")), ", "))
    }
}
