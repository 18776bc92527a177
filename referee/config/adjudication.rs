//! Adjudication: ends of a game that the rules do not know.

use arbitre_games::game::ParseError;
use arbitre_games::games::options::{self, OptionInfo, SWITCHES};
use arbitre_games::text::{parse_number, value_of, word_of};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Score within which a position counts as level, unless the user says otherwise. Units differ by
/// bot, and zero is the same in all of them.
const DRAW_SCORE: f64 = 0.0;
/// Number of plies at the start of a game that do not count for a draw. Not tuned.
const DRAW_FROM: u64 = 40;
/// Fewest plies on which the scores must agree: one of each seat.
const FEWEST: u64 = 2;

/// Rules by which the referee ends a game early. At least one is on.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Adjudication {
    /// Number of plies after which a game ends, without those of its opening.
    pub max_plies: Option<u64>,
    /// Draw by agreement of the scores.
    pub draw: Option<DrawRule>,
    /// Loss by agreement of the scores.
    pub resign: Option<ResignRule>,
    /// Whether a game ends once no continuation can change the ranking.
    pub majority: bool,
}

/// Draw after a number of plies in a row with scores close to zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawRule {
    /// Number of plies in a row.
    pub plies: u64,
    /// Largest distance of a score from zero, in units of the bots.
    pub score: f64,
    /// Number of plies at the start of a game that do not count.
    pub from: u64,
}

/// Loss after a number of plies in a row with scores that see the same seat lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResignRule {
    /// Number of plies in a row.
    pub plies: u64,
    /// Least distance of a score from zero, in units of the bots.
    pub score: f64,
}

/// Rule of adjudication that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdjudicationRule {
    /// See [`Adjudication::max_plies`].
    MaxPlies,
    /// See [`Adjudication::draw`].
    Draw,
    /// See [`Adjudication::resign`].
    Resign,
    /// See [`Adjudication::majority`].
    Majority,
}

impl AdjudicationRule {
    /// Words of the rules, as they are stored.
    pub const WORDS: [(&'static str, AdjudicationRule); 4] = [
        ("max-plies", AdjudicationRule::MaxPlies),
        ("draw", AdjudicationRule::Draw),
        ("resign", AdjudicationRule::Resign),
        ("majority", AdjudicationRule::Majority),
    ];

    /// Returns the rule with this word.
    pub fn of_word(word: &str) -> Option<AdjudicationRule> {
        AdjudicationRule::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, rule)| rule)
    }

    /// Returns the word of the rule.
    pub fn word(self) -> &'static str {
        word_of(self, &AdjudicationRule::WORDS)
    }
}

/// Options of adjudication.
const OPTIONS: [OptionInfo; 7] = [
    OptionInfo { name: "max-plies", values: &["N"], meaning: "plies after which a game ends" },
    OptionInfo { name: "draw", values: &["N"], meaning: "plies in a row with level scores" },
    OptionInfo { name: "draw-score", values: &["S"], meaning: "largest level score" },
    OptionInfo { name: "draw-from", values: &["N"], meaning: "plies that do not count for a draw" },
    OptionInfo { name: "resign", values: &["N"], meaning: "plies in a row with a lost seat" },
    OptionInfo { name: "resign-score", values: &["S"], meaning: "least score of a lost seat" },
    OptionInfo {
        name: "majority",
        values: &options::words(&SWITCHES),
        meaning: "whether a game ends once its ranking is decided",
    },
];

impl Adjudication {
    /// Parses `max-plies=400,draw=8,draw-score=0,draw-from=40,resign=6,resign-score=24,majority`.
    /// `majority` alone is `majority=yes`.
    ///
    /// # Errors
    /// Returns an error if an option is unknown, repeated or invalid, or lacks the one that it
    /// completes. At least one rule must be on. A score that loses must be above one that draws.
    ///
    /// ```
    /// # use arbitre_referee::config::adjudication::Adjudication;
    /// let rules = Adjudication::parse("majority,draw=8").unwrap();
    /// assert_eq!(rules.to_string(), "draw=8,draw-score=0,draw-from=40,majority");
    /// assert_eq!(Adjudication::parse(&rules.to_string()), Ok(rules));
    /// ```
    pub fn parse(text: &str) -> Result<Adjudication, ParseError> {
        let complete = |word: &str| match word.trim() {
            "majority" => "majority=yes".to_owned(),
            word => word.to_owned(),
        };
        let words: Vec<String> = text.split(',').map(complete).collect();
        let text = words.join(",");
        let pairs = options::read(&text, &[], &OPTIONS)?.pairs;
        let value = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|pair| pair.1);
        let count = |name: &str, least: u64| {
            let parsed = value(name).map(|text| parse_number(text, least..=u64::MAX));
            parsed.transpose().map_err(|why| ParseError::new(format!("{name}: {why}")))
        };
        let score = |name: &str| value(name).map(|text| parse_score(name, text)).transpose();
        let draw = match (count("draw", FEWEST)?, score("draw-score")?, count("draw-from", 0)?) {
            (Some(plies), score, from) => Some(DrawRule {
                plies,
                score: score.unwrap_or(DRAW_SCORE),
                from: from.unwrap_or(DRAW_FROM),
            }),
            (None, Some(_), _) => return Err(alone("draw-score", "draw")),
            (None, _, Some(_)) => return Err(alone("draw-from", "draw")),
            (None, None, None) => None,
        };
        let resign = match (count("resign", FEWEST)?, score("resign-score")?) {
            (Some(plies), Some(score)) => Some(ResignRule { plies, score }),
            (None, None) => None,
            // Units differ by bot, so no score would do for all.
            (Some(_), None) => return Err(alone("resign", "resign-score")),
            (None, Some(_)) => return Err(alone("resign-score", "resign")),
        };
        let level = draw.map_or(0.0, |rule| rule.score);
        if let Some(ResignRule { score, .. }) = resign.filter(|rule| rule.score <= level) {
            return Err(ParseError::new(format!(
                "expected resign-score above {level}, got {score}"
            )));
        }
        let max_plies = count("max-plies", 1)?;
        let majority = value("majority").map(|word| value_of("majority", word, &SWITCHES));
        let majority = majority.transpose()?.unwrap_or(false);
        if max_plies.is_none() && draw.is_none() && resign.is_none() && !majority {
            return Err(ParseError::new("expected max-plies, draw, resign or majority, got none"));
        }
        Ok(Adjudication { max_plies, draw, resign, majority })
    }

    /// Returns `true` if a rule compares the scores of two seats.
    pub fn compares_scores(&self) -> bool {
        self.draw.is_some() || self.resign.is_some()
    }
}

fn parse_score(name: &str, text: &str) -> Result<f64, ParseError> {
    let score = text.parse().ok().filter(|score: &f64| score.is_finite() && *score >= 0.0);
    score.ok_or_else(|| ParseError::new(format!("{name}: expected a score from 0, got '{text}'")))
}

fn alone(name: &str, missing: &str) -> ParseError {
    ParseError::new(format!("{name}: expected {missing} beside it, got none"))
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        words.extend(self.max_plies.map(|plies| format!("max-plies={plies}")));
        words.extend(self.draw.map(|DrawRule { plies, score, from }| {
            format!("draw={plies},draw-score={score},draw-from={from}")
        }));
        words.extend(
            self.resign
                .map(|ResignRule { plies, score }| format!("resign={plies},resign-score={score}")),
        );
        words.extend(self.majority.then(|| "majority".into()));
        f.write_str(&words.join(","))
    }
}

impl From<Adjudication> for String {
    fn from(adjudication: Adjudication) -> String {
        adjudication.to_string()
    }
}

impl TryFrom<String> for Adjudication {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Adjudication, ParseError> {
        Adjudication::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_is_written() {
        for text in [
            "max-plies=400",
            "draw=8,draw-score=0.5,draw-from=0",
            "resign=6,resign-score=24",
            "majority",
            "max-plies=1,draw=2,draw-score=1,draw-from=9,resign=3,resign-score=1.5,majority",
        ] {
            let rules = Adjudication::parse(text).unwrap();
            assert_eq!(rules.to_string(), text);
            let stored = serde_json::to_string(&rules).unwrap();
            assert_eq!(stored, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Adjudication>(&stored).unwrap(), rules);
        }
    }

    #[test]
    fn mistakes_have_one_clear_error() {
        for (text, part) in [
            ("", "expected max-plies, draw, resign or majority, got none"),
            ("majority=no", "expected max-plies, draw, resign or majority, got none"),
            ("max-plys=4", "did you mean max-plies?"),
            ("max-plies", "max-plies"),
            ("max-plies=0", "max-plies: expected a number from 1, got '0'"),
            ("draw=1", "draw: expected a number from 2, got '1'"),
            ("draw=8,draw=9", "expected once"),
            ("draw=8,draw-score=-1", "draw-score: expected a score from 0, got '-1'"),
            ("draw=8,draw-score=nan", "draw-score: expected a score from 0, got 'nan'"),
            ("draw-score=1", "draw-score: expected draw beside it, got none"),
            ("draw-from=1", "draw-from: expected draw beside it, got none"),
            ("resign=4", "resign: expected resign-score beside it, got none"),
            ("resign-score=4", "resign-score: expected resign beside it, got none"),
            ("resign=4,resign-score=0", "expected resign-score above 0, got 0"),
            ("draw=4,draw-score=9,resign=4,resign-score=9", "above 9, got 9"),
            ("majority=maybe", "majority"),
        ] {
            let error = Adjudication::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
