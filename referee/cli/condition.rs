//! What must hold in the end: `--require 'score>=0.9'`.

use crate::game::BadText;
use crate::referee::report::summary::{PlayerSummary, Summary};
use crate::text::unknown;
use std::cmp::Ordering;
use std::fmt;

/// A condition on the result of a match: a quantity, how it compares, and with what.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    text: String,
    /// The player whose quantity it is; the first one where it was not said.
    player: Option<String>,
    quantity: &'static str,
    comparison: Comparison,
    bound: f64,
}

type Comparison = (&'static str, fn(Ordering) -> bool);

/// Those of two characters come first, so that they are not read as one.
const COMPARISONS: [Comparison; 6] = [
    (">=", Ordering::is_ge),
    ("<=", Ordering::is_le),
    ("==", Ordering::is_eq),
    (">", Ordering::is_gt),
    ("<", Ordering::is_lt),
    ("=", Ordering::is_eq),
];

/// A quantity of a player, or nothing where the games do not determine it.
type Quantity = (&'static str, fn(&Summary, usize) -> Option<f64>);

const QUANTITIES: [Quantity; 11] = [
    ("score", |summary, i| score(&summary.players[i])),
    ("points", |summary, i| Some(summary.players[i].points)),
    ("wins", |summary, i| Some(summary.players[i].wins as f64)),
    ("draws", |summary, i| Some(summary.players[i].draws as f64)),
    ("losses", |summary, i| Some(summary.players[i].losses as f64)),
    ("faults", |summary, i| Some(summary.players[i].faults.values().sum::<u64>() as f64)),
    ("games", |summary, i| Some(games(&summary.players[i]) as f64)),
    ("elo", |summary, i| summary.players[i].elo),
    ("nelo", |summary, i| summary.players[i].normalized_elo),
    ("los", |summary, i| Some(if i == 0 { summary.los? } else { 1.0 - summary.los? })),
    // A test is of the first player against the second.
    ("llr", |summary, i| Some(summary.sprt.as_ref().filter(|_| i == 0)?.llr)),
];

fn games(player: &PlayerSummary) -> u64 {
    player.wins + player.draws + player.losses
}

fn score(player: &PlayerSummary) -> Option<f64> {
    (games(player) > 0).then(|| player.points / games(player) as f64)
}

impl Condition {
    /// Reads `score>=0.9`, or `NAME.faults=0` for a player by its name.
    ///
    /// # Errors
    /// If it does not compare a quantity that is known with a number.
    pub fn parse(text: &str) -> Result<Condition, BadText> {
        let expected =
            || BadText::new(format!("expected a condition like score>=0.9, not '{text}'"));
        let at = text.find(['<', '>', '=']).ok_or_else(expected)?;
        let (left, right) = text.split_at(at);
        let comparison = COMPARISONS.into_iter().find(|(sign, _)| right.starts_with(sign));
        let comparison = comparison.ok_or_else(expected)?;
        let bound: f64 = right[comparison.0.len()..].trim().parse().map_err(|_| expected())?;
        let (player, word) = match left.trim().rsplit_once('.') {
            Some((player, word)) => (Some(player.to_owned()), word),
            None => (None, left.trim()),
        };
        let names = QUANTITIES.map(|(name, _)| name);
        let quantity = names.into_iter().find(|name| *name == word);
        let quantity = quantity.ok_or_else(|| unknown("quantity", word, names))?;
        let is_number = bound.is_finite();
        is_number.then_some(()).ok_or_else(expected)?;
        Ok(Condition { text: text.into(), player, quantity, comparison, bound })
    }

    /// Why it does not hold, if it does not.
    pub fn failure(&self, summary: &Summary) -> Option<String> {
        let text = &self.text;
        let quantity = self.quantity;
        let Some(player) = self.player_in(summary) else {
            return Some(format!("{text} was required, but nobody has that name"));
        };
        let (_, of) = QUANTITIES.iter().find(|(name, _)| *name == quantity)?;
        let Some(value) = of(summary, player) else {
            return Some(format!("{text} was required, but the games do not determine {quantity}"));
        };
        let holds = value.partial_cmp(&self.bound).is_some_and(self.comparison.1);
        (!holds).then(|| format!("{text} was required, but {quantity} is {value}"))
    }

    /// The player it is about, among so many names; the first where it names none.
    fn player_in(&self, summary: &Summary) -> Option<usize> {
        match &self.player {
            None => Some(0),
            Some(wanted) => summary.players.iter().position(|player| player.name == *wanted),
        }
    }

    /// Is there somebody of the name that it says?
    pub fn fits(&self, names: &[&str]) -> bool {
        self.player.as_ref().is_none_or(|wanted| names.contains(&wanted.as_str()))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_no_condition() {
        for (text, part) in [
            ("score", "like score>=0.9"),
            ("score>=", "like score>=0.9"),
            ("score>=high", "like score>=0.9"),
            ("score>=inf", "like score>=0.9"),
            ("scor>=1", "did you mean score?"),
            ("me.scor>=1", "did you mean score?"),
        ] {
            let error = Condition::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
