//! The claim about a parser, and its check.

use crate::parsers::allocation::measure;
use crate::parsers::mutation::{inputs, Input};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Cases per parser without `PARSER_CASES`.
const USUAL_CASES: u32 = 800;

/// Returns the number of cases that `PARSER_CASES` sets.
fn chosen_cases() -> Option<u32> {
    let text = std::env::var("PARSER_CASES").ok()?;
    Some(text.parse().expect("PARSER_CASES is a number"))
}

/// Returns a runner for a share of the usual cases: one of `divisor`.
pub fn runner(divisor: u32) -> TestRunner {
    let chosen = chosen_cases();
    let cases = (chosen.unwrap_or(USUAL_CASES) / divisor).max(1);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    match chosen {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

/// Claim about a parser.
pub struct Claim<F> {
    /// Name of the parser.
    pub name: &'static str,
    /// Valid inputs, which are mutated.
    pub valid: Vec<Vec<u8>>,
    /// Most bytes of memory per byte of input.
    pub factor: usize,
    /// Most bytes of memory beside that.
    pub constant: usize,
    /// The parser. Returns its error, if there is one.
    pub parse: F,
}

impl<F: Fn(&[u8]) -> Result<(), String>> Claim<F> {
    /// Checks the claim on the valid inputs, which must be accepted, and on random ones.
    pub fn check(&self) {
        for input in &self.valid {
            let text = String::from_utf8_lossy(input);
            assert_eq!((self.parse)(input), Ok(()), "{}: {text}", self.name);
            self.check_input(input).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        }
        let checked = |Input(input)| self.check_input(&input);
        if let Err(why) = runner(1).run(&inputs(self.valid.clone()), checked) {
            panic!("{}: {why}", self.name);
        }
    }

    fn check_input(&self, input: &[u8]) -> Result<(), TestCaseError> {
        let (result, peak) = measure(|| (self.parse)(input));
        let most = self.factor * input.len() + self.constant;
        prop_assert!(peak <= most, "{peak} bytes for {} of input, {most} allowed", input.len());
        if let Err(why) = result {
            prop_assert!(why.contains("expected"), "the error names no expectation: {why}");
        }
        Ok(())
    }
}

/// Returns inputs from text.
pub fn valid(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Returns a parser of bytes from one of text. Other bytes than UTF-8 are replaced.
pub fn of_text<T, E: ToString>(
    parse: impl Fn(&str) -> Result<T, E>,
) -> impl Fn(&[u8]) -> Result<(), String> {
    move |bytes| match parse(&String::from_utf8_lossy(bytes)) {
        Ok(_) => Ok(()),
        Err(why) => Err(why.to_string()),
    }
}
