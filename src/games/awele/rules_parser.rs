//! Notation of the options, and the lists of their values for help texts.

use super::{GrandSlam, NoMove, PlyLimit, Repetition, Rules, Sharing, ABAPA, AWARI, CODINGAME};
use crate::game::ParseError;
use crate::games::options::{read, words, OptionInfo, SWITCHES};
use crate::text::{value_of, word_of};

/// Named presets; the first is the default.
pub const PRESETS: [(&str, Rules); 3] =
    [("codingame", CODINGAME), ("abapa", ABAPA), ("awari", AWARI)];

/// Options in the order of resolved rules. The last one came later: rules without it are resolved
/// if they name the others.
pub const OPTIONS: [OptionInfo; 6] = [
    OptionInfo {
        name: "grand-slam",
        values: &words(&GRAND_SLAMS),
        meaning: "effect of a move that would capture every opposing seed",
    },
    OptionInfo {
        name: "no-move",
        values: &words(&NO_MOVES),
        meaning: "owner of the seeds on the board when the mover has no legal move",
    },
    OptionInfo {
        name: "repetition",
        values: &words(&REPETITIONS),
        meaning: "repetition that ends the game, and the division of the seeds",
    },
    OptionInfo {
        name: "max-plies",
        values: &["N", "none"],
        meaning: "length in plies after which the captured seeds decide",
    },
    OptionInfo {
        name: "sweep",
        values: &words(&SWITCHES),
        meaning: "whether each side takes the seeds left in its own row after any end",
    },
    OptionInfo {
        name: "limit",
        values: &words(&PLY_LIMITS),
        meaning: "which end counts if the last ply leaves no legal move: none (after) or max-plies",
    },
];

/// Words of the rules on grand slams.
pub const GRAND_SLAMS: [(&str, GrandSlam); 5] = [
    ("nothing", GrandSlam::Nothing),
    ("illegal", GrandSlam::Illegal),
    ("illegal-unless-only", GrandSlam::IllegalUnlessOnly),
    ("take", GrandSlam::Take),
    ("take-but-last", GrandSlam::TakeButLast),
];

/// Words of the rules for a player without a legal move.
const NO_MOVES: [(&str, NoMove); 3] = [
    ("own-row", NoMove::OwnRow),
    ("opponent-all", NoMove::OpponentAll),
    ("mover-all", NoMove::MoverAll),
];

/// Words of the rules on repetition.
const REPETITIONS: [(&str, Option<Repetition>); 7] = [
    ("none", None),
    ("first:own-row", returning(2, Sharing::OwnRow)),
    ("first:split", returning(2, Sharing::Split)),
    ("first:draw", returning(2, Sharing::Draw)),
    ("third:own-row", returning(3, Sharing::OwnRow)),
    ("third:split", returning(3, Sharing::Split)),
    ("third:draw", returning(3, Sharing::Draw)),
];

/// Words of the rules for a last ply that leaves no legal move.
const PLY_LIMITS: [(&str, PlyLimit); 2] =
    [("after-moves", PlyLimit::AfterMoves), ("before-moves", PlyLimit::BeforeMoves)];

const fn returning(occurrence: u8, sharing: Sharing) -> Option<Repetition> {
    Some(Repetition { occurrence, sharing })
}

impl Rules {
    /// Parses rules: an optional preset, then options, separated by commas or blanks. Empty text is
    /// the default preset. Rules that name every option but `limit`, as those of older versions do,
    /// have `limit=after-moves`.
    ///
    /// # Errors
    /// Returns an error if a word is unknown, a preset comes late, or an option comes twice. Rules
    /// without repetition and without a limit of plies are refused as well.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        let written = read(text, &PRESETS.map(|(name, _)| name), &OPTIONS)?;
        let mut rules = written.preset_of(&PRESETS);
        let [others @ .., _] = &OPTIONS;
        let names =
            |option: &OptionInfo| written.pairs.iter().any(|(name, _)| *name == option.name);
        if written.preset.is_none() && others.iter().all(names) {
            rules.limit = PlyLimit::AfterMoves;
        }
        written.pairs.iter().try_for_each(|(name, value)| rules.set(name, value))?;
        rules.check()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "grand-slam" => self.grand_slam = value_of(name, value, &GRAND_SLAMS)?,
            "no-move" => self.no_move = value_of(name, value, &NO_MOVES)?,
            "repetition" => self.repetition = value_of(name, bare_none(value), &REPETITIONS)?,
            "max-plies" => self.max_plies = parse_plies(value)?,
            "sweep" => self.sweep = value_of(name, value, &SWITCHES)?,
            _ => self.limit = value_of(name, value, &PLY_LIMITS)?,
        }
        Ok(())
    }

    /// Rejects rules under which a game might never end.
    fn check(self) -> Result<Rules, ParseError> {
        if self.repetition.is_none() && self.max_plies.is_none() {
            return Err(ParseError::new(
                "expected a limit on the length of games, got repetition=none and max-plies=none; \
                 help: set max-plies=200 or repetition=first:own-row",
            ));
        }
        Ok(self)
    }
}

/// Maps `none:split` and the like to `none`: without a repetition there is nothing to share.
fn bare_none(value: &str) -> &str {
    match value.strip_prefix("none:") {
        Some("own-row" | "split" | "draw") => "none",
        _ => value,
    }
}

fn parse_plies(value: &str) -> Result<Option<u32>, ParseError> {
    match value.parse() {
        _ if value == "none" => Ok(None),
        Ok(plies) if plies > 0 => Ok(Some(plies)),
        _ => Err(ParseError::new(format!(
            "expected max-plies to be none or a number from 1 to {}, got '{value}'",
            u32::MAX
        ))),
    }
}

impl std::fmt::Display for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let max_plies = self.max_plies.map_or("none".into(), |n| n.to_string());
        write!(
            f,
            "grand-slam={} no-move={} repetition={} max-plies={max_plies} sweep={}",
            word_of(self.grand_slam, &GRAND_SLAMS),
            word_of(self.no_move, &NO_MOVES),
            word_of(self.repetition, &REPETITIONS),
            word_of(self.sweep, &SWITCHES),
        )?;
        match self.limit {
            PlyLimit::AfterMoves => Ok(()),
            PlyLimit::BeforeMoves => write!(f, " limit={}", word_of(self.limit, &PLY_LIMITS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value listed by the help is accepted on its own.
    #[test]
    fn listed_values_are_parsed() {
        for option in OPTIONS {
            for value in option.values {
                let value = value.replace('N', "77");
                let text = format!("abapa {}={value}", option.name);
                let rules = Rules::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                let is_written = value != "after-moves";
                assert_eq!(
                    rules.to_string().contains(&text["abapa ".len()..]),
                    is_written,
                    "{rules}"
                );
            }
        }
    }

    #[test]
    fn resolves_presets_as_documented() {
        let resolved = [
            (
                "",
                "grand-slam=nothing no-move=own-row repetition=none max-plies=200 sweep=no \
                 limit=before-moves",
            ),
            (
                "abapa",
                "grand-slam=nothing no-move=own-row repetition=first:own-row max-plies=1000 sweep=yes",
            ),
            (
                "awari",
                "grand-slam=illegal-unless-only no-move=own-row repetition=first:split \
                 max-plies=none sweep=no",
            ),
        ];
        for (text, expected) in resolved {
            let rules = Rules::parse(text).unwrap();
            assert_eq!(rules.to_string(), expected);
            assert_eq!(Rules::parse(expected), Ok(rules), "what is stored is read again");
        }
    }

    /// A file of a version without the option stays what it was, and a user who changes an option
    /// of the arena keeps the others.
    #[test]
    fn limit_is_that_of_the_preset_unless_all_others_are_named() {
        let before = PlyLimit::BeforeMoves;
        let after = PlyLimit::AfterMoves;
        let older = "grand-slam=nothing no-move=own-row repetition=none max-plies=200 sweep=no";
        let cases = [
            (older, after),
            (&format!("codingame {older}"), before),
            (&format!("{older} limit=before-moves"), before),
            (&format!("limit=before-moves {older}"), before),
            ("max-plies=60", before),
            ("codingame limit=after-moves", after),
            ("abapa", after),
            ("awari max-plies=100", after),
        ];
        for (text, limit) in cases {
            assert_eq!(Rules::parse(text).unwrap().limit, limit, "{text}");
        }
    }

    #[test]
    fn no_repetition_rule_shares_nothing() {
        assert_eq!(Rules::parse("repetition=none:split"), Ok(CODINGAME));
        assert!(Rules::parse("repetition=none:most").is_err());
    }

    #[test]
    fn errors_say_what_was_expected() {
        let cases = [
            ("grand-slam=noting", "did you mean nothing?"),
            ("repetition=first", "expected none, first:own-row"),
            ("max-plies=0", "expected max-plies to be none or a number from 1"),
            ("max-plies=-3", "got '-3'"),
            ("sweep=ja", "expected no or yes"),
            ("abappa", "did you mean abapa?"),
            ("max-plies=none", "expected a limit on the length"),
            ("awari repetition=none", "expected a limit on the length"),
        ];
        for (text, part) in cases {
            let error = Rules::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
