//! Adjudication of a running game, from the scores in the comments of its plies.

use crate::config::adjudication::{Adjudication, AdjudicationRule};
use crate::registry::table::{RulesError, Table};
use arbitre_games::game::{Seat, Seats};

/// Counts the plies on which the scores agree, and finds the rule that ends the game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// Comments by ply of a record that is replayed. A replay has none of its own.
    recorded: Option<Vec<Option<&'a str>>>,
    /// Number of plies played.
    plies: usize,
    /// Number of plies in a row with a level score.
    level: u64,
    /// Seat that the last scores see lost, and their number in a row.
    lost: Option<(Seat, u64)>,
}

impl<'a> Adjudicator<'a> {
    /// Creates the adjudicator of a game that begins.
    pub fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { rules, recorded: None, plies: 0, level: 0, lost: None }
    }

    /// Creates the adjudicator of a replay, which takes the `comments` of the record by ply.
    pub fn replaying(
        rules: &'a Adjudication,
        comments: impl IntoIterator<Item = Option<&'a str>>,
    ) -> Adjudicator<'a> {
        let recorded = comments.into_iter().collect();
        Adjudicator { recorded: Some(recorded), ..Adjudicator::new(rules) }
    }

    /// Returns `true` if every game ends after some number of plies.
    pub(super) fn bounds_plies(&self) -> bool {
        self.rules.max_plies.is_some()
    }

    /// Counts a ply of `seat` with its comment.
    pub(super) fn add(&mut self, seat: Seat, comment: Option<&str>) {
        let said = match &self.recorded {
            Some(recorded) => recorded.get(self.plies).copied().flatten(),
            None => comment,
        };
        self.plies += 1;
        if !self.rules.compares_scores() {
            return;
        }
        let score = said.and_then(score_of);
        if let Some(rule) = &self.rules.draw {
            let is_level = score.is_some_and(|score| score.abs() <= rule.score);
            let counts = is_level && self.plies as u64 > rule.from;
            self.level = if counts { self.level + 1 } else { 0 };
        }
        if let Some(rule) = &self.rules.resign {
            // A ply without a score does not agree, so the count begins anew.
            let decided = score.filter(|score| score.abs() >= rule.score);
            let loser = decided.map(|score| if score < 0.0 { seat } else { seat.other() });
            self.lost = loser.map(|loser| match self.lost {
                Some((before, plies)) if before == loser => (loser, plies + 1),
                _ => (loser, 1),
            });
        }
    }

    /// Returns the rule that ends the game here, if one does, and the seats that lose by it
    /// together. Without such seats, the scores so far rank the players.
    pub(super) fn ruling(
        &self,
        table: &dyn Table,
    ) -> Result<Option<(AdjudicationRule, Seats)>, RulesError> {
        let Adjudication { max_plies, draw, resign, majority } = self.rules;
        // First, as it is the only one that cannot change a result.
        if *majority && table.is_decided()? {
            return Ok(Some((AdjudicationRule::Majority, Seats::NONE)));
        }
        if let (Some(rule), Some((loser, plies))) = (resign, self.lost) {
            if plies >= rule.plies {
                return Ok(Some((AdjudicationRule::Resign, Seats::one(loser))));
            }
        }
        if draw.is_some_and(|rule| self.level >= rule.plies) {
            return Ok(Some((AdjudicationRule::Draw, Seats::first(table.seats()))));
        }
        let is_long = max_plies.is_some_and(|most| self.plies as u64 >= most);
        Ok(is_long.then_some((AdjudicationRule::MaxPlies, Seats::NONE)))
    }
}

/// Returns the number after the first word `score` of a comment: the mover's view of the position.
pub fn score_of(comment: &str) -> Option<f64> {
    number_after("score", comment)
}

/// Returns the finite number that follows a word of a comment.
pub fn number_after(word: &str, comment: &str) -> Option<f64> {
    let mut words = comment.split_ascii_whitespace().skip_while(|of| *of != word);
    words.nth(1)?.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_follows_its_word() {
        for (comment, score) in [
            ("score 12 depth 9 nodes 40000 pv 3 1 4", Some(12.0)),
            ("depth 9 score -1.25", Some(-1.25)),
            ("score +3", Some(3.0)),
            ("score", None),
            ("score high", None),
            ("score inf", None),
            ("score nan", None),
            ("my score 5", Some(5.0)),
            ("scores 5", None),
            ("12", None),
        ] {
            assert_eq!(score_of(comment), score, "{comment}");
        }
    }
}
