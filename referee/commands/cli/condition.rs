//! Conditions on the result of a match: `--require 'score>=0.9'`.

use arbitre_games::game::ParseError;
use arbitre_games::text::{alternatives, unknown, HELP};
use arbitre_referee::report::summary::{PlayerSummary, Summary};
use std::cmp::Ordering;
use std::fmt;

/// A condition on the result of a match: a quantity, a comparison and a bound.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    /// Player whose quantity is compared; `None` for the first player.
    player: Option<String>,
    quantity: Quantity,
    comparison: Comparison,
    bound: f64,
}

type Comparison = (&'static str, fn(Ordering) -> bool);

/// Comparison operators. Those of two characters come first, so that `>=` is not read as `>`.
const COMPARISONS: [Comparison; 6] = [
    (">=", Ordering::is_ge),
    ("<=", Ordering::is_le),
    ("==", Ordering::is_eq),
    (">", Ordering::is_gt),
    ("<", Ordering::is_lt),
    ("=", Ordering::is_eq),
];

/// Kinds of matches in which a quantity is defined.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Scope {
    Everywhere,
    /// Games of two players, also in a match of more than two.
    TableOfTwo,
    /// Matches of two players.
    MatchOfTwo,
    /// Games with one seat.
    Solo,
}

impl Scope {
    /// Returns why a quantity of this scope is undefined for `players` players at tables of
    /// `seats`.
    fn objection(self, players: usize, seats: usize) -> Option<String> {
        match self {
            Scope::TableOfTwo if seats != 2 => {
                Some(format!("expected games of two, got tables of {seats}"))
            }
            Scope::MatchOfTwo if players != 2 => {
                Some(format!("expected a match of two players, got {players}"))
            }
            Scope::Solo if seats != 1 => {
                Some(format!("expected solo games, got tables of {seats}"))
            }
            _ => None,
        }
    }
}

/// Name, scope and value of a quantity of a player; the value is `None` if the games do not
/// determine it.
type Quantity = (&'static str, Scope, fn(&Summary, usize) -> Option<f64>);

/// Quantity that is 1 for a player that could be started; without a player, all must be.
const STARTED: &str = "started";

/// All quantities that a condition may name.
const QUANTITIES: [Quantity; 15] = [
    ("score", Scope::Everywhere, |summary, i| score(&summary.players[i])),
    ("points", Scope::Everywhere, |summary, i| Some(summary.players[i].points)),
    ("wins", Scope::TableOfTwo, |summary, i| count(summary.players[i].wins)),
    ("draws", Scope::TableOfTwo, |summary, i| count(summary.players[i].draws)),
    ("losses", Scope::TableOfTwo, |summary, i| count(summary.players[i].losses)),
    ("faults", Scope::Everywhere, |summary, i| {
        Some(summary.players[i].faults.values().sum::<u64>() as f64)
    }),
    ("games", Scope::Everywhere, |summary, i| Some(summary.players[i].games as f64)),
    ("elo", Scope::TableOfTwo, |summary, i| summary.players[i].strength.elo),
    ("nelo", Scope::TableOfTwo, |summary, i| summary.players[i].strength.normalized_elo),
    ("rating", Scope::Everywhere, |summary, i| summary.players[i].rating),
    ("los", Scope::MatchOfTwo, |summary, i| {
        Some(if i == 0 { summary.los? } else { 1.0 - summary.los? })
    }),
    ("solved", Scope::Solo, |summary, i| Some(summary.players[i].solo?.solved as f64)),
    ("total", Scope::Solo, |summary, i| Some(summary.players[i].solo?.total as f64)),
    (STARTED, Scope::Everywhere, |summary, i| {
        Some(f64::from(summary.players[i].not_started.is_none()))
    }),
    // The SPRT tests the first player against the second.
    ("llr", Scope::MatchOfTwo, |summary, i| Some(summary.sprt.as_ref().filter(|_| i == 0)?.llr)),
];

fn count(of: Option<u64>) -> Option<f64> {
    of.map(|count| count as f64)
}

fn score(player: &PlayerSummary) -> Option<f64> {
    (player.games > 0).then(|| player.points / player.games as f64)
}

impl Condition {
    /// Parses `score>=0.9`, or `NAME.faults=0` for a named player.
    ///
    /// # Errors
    /// Returns an error if the text does not compare a known quantity with a finite number.
    pub fn parse(text: &str) -> Result<Condition, ParseError> {
        let expected =
            || ParseError::new(format!("expected a condition like score>=0.9, got '{text}'"));
        // The only condition without a number: nothing but a start can be had or not.
        let is_start = text == STARTED || text.ends_with(&format!(".{STARTED}"));
        let whole = if is_start { format!("{text}=1") } else { text.to_owned() };
        let at = whole.find(['<', '>', '=']).ok_or_else(expected)?;
        let (left, right) = whole.split_at(at);
        let comparison = COMPARISONS.into_iter().find(|(sign, _)| right.starts_with(sign));
        let comparison = comparison.ok_or_else(expected)?;
        let bound: f64 = right[comparison.0.len()..].trim().parse().map_err(|_| expected())?;
        // Player names may contain dots, quantities do not.
        let (player, word) = match left.trim().rsplit_once('.') {
            Some((player, word)) => (Some(player.to_owned()), word),
            None => (None, left.trim()),
        };
        let quantity = QUANTITIES.into_iter().find(|(name, ..)| *name == word);
        let names = || QUANTITIES.map(|(name, ..)| name);
        let quantity = quantity.ok_or_else(|| unknown("quantity", word, names()))?;
        // `f64` also parses "inf" and "nan".
        let is_number = bound.is_finite();
        is_number.then_some(()).ok_or_else(expected)?;
        Ok(Condition { text: text.into(), player, quantity, comparison, bound })
    }

    /// Returns why the condition does not hold, or `None` if it holds.
    pub fn failure(&self, summary: &Summary) -> Option<String> {
        let (text, (quantity, _, value_of)) = (&self.text, self.quantity);
        if self.is_about_starts() {
            let names: Vec<&str> = summary
                .not_started
                .keys()
                .map(String::as_str)
                .filter(|name| self.player.as_ref().is_none_or(|player| player == name))
                .collect();
            return (!names.is_empty()).then(|| format!("could not start {}", names.join(", ")));
        }
        let Some(player) = self.player_in(summary) else {
            return Some(format!("expected {text}, got no player of that name"));
        };
        let Some(value) = value_of(summary, player) else {
            return Some(format!("expected {text}, got games that do not determine {quantity}"));
        };
        let holds = value.partial_cmp(&self.bound).is_some_and(self.comparison.1);
        (!holds).then(|| format!("expected {text}, got {quantity} {value}"))
    }

    /// Returns `true` if the condition requires players to start. Then a player has failed, and not
    /// the result.
    pub fn is_about_starts(&self) -> bool {
        self.quantity.0 == STARTED
    }

    /// Returns the index of the player that the condition is about: the first player if it names
    /// none.
    fn player_in(&self, summary: &Summary) -> Option<usize> {
        match &self.player {
            None => Some(0),
            Some(wanted) => summary.players.iter().position(|player| player.name == *wanted),
        }
    }

    /// Returns why the condition can never hold in a match of these players at tables of `seats`.
    pub fn objection(&self, names: &[&str], seats: usize) -> Option<String> {
        let is_there = |wanted: &String| names.contains(&wanted.as_str());
        if !self.player.as_ref().is_none_or(is_there) {
            let names = names.join(", ");
            return Some(format!("expected the name of a player ({names})"));
        }
        let (name, scope, _) = self.quantity;
        let why = scope.objection(names.len(), seats)?;
        let others =
            QUANTITIES.iter().filter(|(_, scope, _)| scope.objection(names.len(), seats).is_none());
        let others: Vec<&str> = others.map(|(name, ..)| *name).collect();
        Some(format!("{why}{HELP}{name} is not defined here; require {}", alternatives(&others)))
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
    fn quantity_must_be_defined_for_the_match() {
        let objection = |text, seats| {
            let objection = Condition::parse(text).unwrap().objection(&["one", "other"], seats);
            objection.unwrap_or_default()
        };
        for text in ["total<=500", "other.solved=20"] {
            assert_eq!(objection(text, 1), "");
            assert!(objection(text, 2).contains("expected solo games, got tables of 2"));
        }
        assert!(
            objection("wins>3", 1).ends_with("games, rating, los, solved, total, started or llr")
        );
    }

    #[test]
    fn malformed_conditions_are_refused() {
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
