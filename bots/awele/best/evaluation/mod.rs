//! Evaluation: an estimate of a position's value, in hundredths of a unit of log-odds of a win.

pub(crate) mod characters;
mod features;
mod linear;
mod network;
mod text;

pub use features::{features, phase, FEATURES, PHASES};
pub use linear::Linear;
pub use network::{Network, Row, HIDDEN, ONE, ONE_OUT};

use crate::options::Options;
use arbitre_games::files;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, Rules, PITS, ROW};
use arbitre_games::text::io_reason;
use std::fmt::Display;

/// Largest absolute value of an estimate; wins have larger ones.
pub const LARGEST: i32 = 5_000;

/// An evaluation.
#[derive(Clone)]
pub enum Evaluation {
    /// Captured seeds, mover's less opponent's.
    Captures,
    /// Four terms by hand.
    Terms,
    /// A sum of learned numbers.
    Linear(Linear),
    /// A small learned network.
    Network(Box<Network>),
}

impl Evaluation {
    /// Returns the estimate, from the view of the player to move.
    #[inline]
    pub fn evaluate(&self, board: Board) -> i32 {
        let value = match self {
            Evaluation::Captures => {
                let [own, other] = board.captures();
                25 * (i32::from(own) - i32::from(other))
            }
            Evaluation::Terms => terms(board),
            Evaluation::Linear(linear) => linear.evaluate(board),
            Evaluation::Network(network) => network.evaluate(board),
        };
        value.clamp(-LARGEST, LARGEST)
    }
}

/// Returns the evaluation by four terms, those of the engine Aalina.
fn terms(board: Board) -> i32 {
    let [own, other] = board.captures();
    let term = |seeds: u8| match seeds {
        0 => -54,
        1 | 2 => -36,
        13.. => 28,
        _ => 0,
    };
    let pits = board.pits();
    let row = |from: usize| pits[from..from + ROW].iter().map(|&seeds| term(seeds)).sum::<i32>();
    25 * (i32::from(own) - i32::from(other)) + row(0) - row(PITS - ROW)
}

impl Evaluation {
    /// Returns the network that was trained for rules like these.
    ///
    /// # Panics
    /// Never panics: a test reads all bundled evaluations.
    pub fn network(rules: &Rules) -> Evaluation {
        match rules.repetition {
            Some(_) => Evaluation::bundled_network(include_str!("abapa-network.txt")),
            None => Evaluation::codingame_network(),
        }
    }

    /// Returns the network that was trained for the preset `codingame`.
    pub fn codingame_network() -> Evaluation {
        Evaluation::bundled_network(include_str!("codingame-network.txt"))
    }

    fn bundled_network(text: &str) -> Evaluation {
        Evaluation::Network(Box::new(Network::parse(text).expect("a bundled network is valid")))
    }

    /// Returns the linear evaluation that was trained for rules like these.
    ///
    /// # Panics
    /// Never panics: a test reads all bundled evaluations.
    pub fn linear(rules: &Rules) -> Evaluation {
        let text = match rules.repetition {
            Some(_) => include_str!("abapa-linear.txt"),
            None => include_str!("codingame-linear.txt"),
        };
        Evaluation::Linear(Linear::parse(text).expect("a bundled evaluation is valid"))
    }

    /// Parses the file of a learned evaluation.
    ///
    /// # Errors
    /// Returns an error if it is invalid.
    pub fn parse(text: &str) -> Result<Evaluation, ParseError> {
        match text.lines().next() {
            Some(linear::HEADER) => Linear::parse(text).map(Evaluation::Linear),
            Some(network::HEADER) => {
                let network = Network::parse(text)?;
                Ok(Evaluation::Network(Box::new(network)))
            }
            _ => Err(ParseError::new(format!(
                "expected the first line '{}' or '{}'",
                linear::HEADER,
                network::HEADER
            ))),
        }
    }

    /// Returns the file of a learned evaluation, or the name of one by hand.
    pub fn text(&self) -> String {
        match self {
            Evaluation::Captures => "captures".into(),
            Evaluation::Terms => "terms".into(),
            Evaluation::Linear(linear) => linear.text(),
            Evaluation::Network(network) => network.text(),
        }
    }

    /// Returns a number that distinguishes evaluations.
    pub fn fingerprint(&self) -> u64 {
        // The hash function FNV-1a.
        self.text().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}

/// Source of a game's evaluation.
pub enum EvaluationSource {
    /// The bundled one that was trained for rules like those of the game.
    Rules(fn(&Rules) -> Evaluation),
    /// This one, whatever the rules.
    Fixed(Evaluation),
}

impl EvaluationSource {
    /// Takes the option `--evaluation`: the name of a bundled evaluation, or a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is invalid.
    pub fn take(options: &mut Options) -> Result<EvaluationSource, ParseError> {
        let text = options.take_text("--evaluation")?;
        Ok(match text.as_deref() {
            None | Some("network") => EvaluationSource::Rules(Evaluation::network),
            Some("linear") => EvaluationSource::Rules(Evaluation::linear),
            Some("terms") => EvaluationSource::Fixed(Evaluation::Terms),
            Some("captures") => EvaluationSource::Fixed(Evaluation::Captures),
            Some(path) => {
                let refused = |why: &dyn Display| {
                    ParseError::in_file(format!(
                        "--evaluation: expected network, linear, terms, captures or a file, got \
                         '{path}': {why}"
                    ))
                };
                let text = files::read_text(path).map_err(|error| refused(&io_reason(&error)))?;
                EvaluationSource::Fixed(Evaluation::parse(&text).map_err(|error| refused(&error))?)
            }
        })
    }

    /// Returns the evaluation of a game under these rules.
    pub fn evaluation(&self, rules: &Rules) -> Evaluation {
        match self {
            EvaluationSource::Rules(of_rules) => of_rules(rules),
            EvaluationSource::Fixed(evaluation) => evaluation.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::commands::bench::positions;
    use arbitre_games::games::awele::{ABAPA, CODINGAME};

    #[test]
    fn bundled_evaluations_survive_their_text() {
        for rules in [&ABAPA, &CODINGAME] {
            for of_rules in [Evaluation::network, Evaluation::linear] {
                let evaluation = of_rules(rules);
                let parsed = Evaluation::parse(&evaluation.text()).unwrap();
                assert_eq!(parsed.fingerprint(), evaluation.fingerprint());
                for position in positions() {
                    let board = position.board();
                    assert_eq!(parsed.evaluate(board), evaluation.evaluate(board));
                }
            }
        }
    }

    /// More captures are better in every evaluation, and the sides are treated alike by hand.
    #[test]
    fn evaluations_prefer_captures() {
        let sources = [Evaluation::network, Evaluation::linear, |_: &Rules| Evaluation::Terms];
        for evaluation in sources.map(|of_rules| of_rules(&ABAPA)) {
            let value = |own, other| evaluation.evaluate(Board::new([2; PITS], [own, other]));
            assert!(value(16, 8) > value(12, 12) && value(12, 12) > value(8, 16));
        }
        let board = Board::new([0, 1, 2, 3, 13, 4, 4, 4, 4, 4, 4, 4], [1, 0]);
        assert_eq!(Evaluation::Terms.evaluate(board), 25 - 54 - 36 - 36 + 28);
        assert_eq!(Evaluation::Terms.evaluate(board.exchanged()), -(25 - 54 - 36 - 36 + 28));
        assert_eq!(Evaluation::Captures.evaluate(board), 25);
    }

    #[test]
    fn bad_files_are_refused() {
        let refused =
            |text: &str| Evaluation::parse(text).err().expect("it is refused").to_string();
        assert_eq!(refused("x"), "expected the first line 'awele-linear 1' or 'awele-network 2'");
        let short = refused("awele-linear 1\n1 2 3\n");
        assert_eq!(short, "expected 339 numbers of 16 bits, got 3 words");
        let large = format!("awele-linear 1\n{}40000\n", "0 ".repeat(338));
        assert_eq!(refused(&large), "expected 339 numbers of 16 bits, got 339 words");
    }
}
