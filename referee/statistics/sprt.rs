//! The sequential probability ratio test (SPRT). H0: the first player is stronger by `elo0`. H1: it
//! is stronger by `elo1`. The test ends as soon as the counts allow, at the requested error rates.
//!
//! The test is the generalised SPRT of Van den Bergh. The hypotheses fix only the strength. Each is
//! therefore represented by the most likely distribution of results with that strength, given the
//! counts. That is the empirical distribution, tilted until a moment of it is 0. "Comparing
//! approximations" derives the tilt for Elo, "Normalized Elo, practical", section 4.1, for
//! normalized Elo.

use crate::statistics::rating::{expected_score, Games, OutcomeCount, Pairs, NORMALIZED_ELO};
use arbitre_games::game::ParseError;
use arbitre_games::games::options::{self, OptionInfo};
use arbitre_games::text::{value_of, word_of};
use serde::{Serialize, Serializer};
use std::fmt;

pub mod as_text;
pub mod evidence;
mod likelihood;

pub use evidence::Repeats;

use evidence::Evidence;
use likelihood::EmpiricalDistribution;

/// Unit of the bounds `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the number of games needed to see it does not depend on the share of draws.
    Normalized,
    /// Elo, as a logistic function of the mean score.
    Logistic,
}

const MODELS: [(&str, Model); 2] =
    [("normalized", Model::Normalized), ("logistic", Model::Logistic)];

impl Model {
    /// Returns the largest distance of a bound from 0.
    ///
    /// Normalized: beyond about 120, the likelihood may have several maxima even where every
    /// outcome occurred. No test checks that the search finds the best of them there. Logistic: an
    /// expected score must differ from 1 by more than rounding leaves.
    fn farthest(self) -> f64 {
        match self {
            Model::Normalized => 100.0,
            Model::Logistic => 1000.0,
        }
    }
}

/// Hypothesis accepted by the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Hypothesis {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
    }
}

/// End of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestEnd {
    /// A hypothesis is accepted.
    Accepted(Hypothesis),
    /// The programs repeat their games, and further ones would say nothing new.
    OpeningsRanOut,
}

/// Sequential test. Only [`Sprt::parse`] and the default create one, so bounds and ratios are
/// finite.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
    /// Pairs that count; `None` for the default, which a stored test may replace.
    #[serde(serialize_with = "resolved")]
    repeats: Option<Repeats>,
    /// Number of rounds after each of which the test may end; `None` for any round.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
}

impl Default for Sprt {
    fn default() -> Sprt {
        let model = Model::Normalized;
        let (repeats, batch) = (None, None);
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model, repeats, batch }
    }
}

/// Options of a test, as help texts show them.
pub const OPTIONS: [OptionInfo; 7] = [
    OptionInfo { name: "elo0", values: &["ELO"], meaning: "the difference under H0" },
    OptionInfo { name: "elo1", values: &["ELO"], meaning: "the difference under H1" },
    OptionInfo { name: "alpha", values: &["P"], meaning: "how often H1 may be accepted wrongly" },
    OptionInfo { name: "beta", values: &["P"], meaning: "how often H0 may be accepted wrongly" },
    OptionInfo {
        name: "model",
        values: &["normalized", "logistic"],
        meaning: "what elo0 and elo1 are differences in",
    },
    OptionInfo {
        name: "repeats",
        values: &["once", "all"],
        meaning: "how often equal pairs of games count",
    },
    OptionInfo {
        name: "batch",
        values: &["ROUNDS"],
        meaning: "rounds after each of which the test may end",
    },
];

/// Largest number of rounds of a batch. Not tuned.
const LARGEST_BATCH: u64 = 1_000_000;

impl Sprt {
    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized,repeats=once`. These are the
    /// defaults of options that are left out.
    ///
    /// # Errors
    /// Returns an error if an option is unknown or repeated, or if a number is invalid or not
    /// finite. `elo0` must be below `elo1`, and both within the range of their model. `alpha` and
    /// `beta` must be above 0 and at most 0.5, and not both 0.5.
    ///
    /// ```
    /// # use arbitre_referee::statistics::sprt::Sprt;
    /// let sprt = Sprt::parse("elo1=10,model=logistic").unwrap();
    /// assert_eq!(sprt.to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic");
    /// ```
    pub fn parse(text: &str) -> Result<Sprt, ParseError> {
        let mut sprt = Sprt::default();
        for (name, value) in options::read(text, &[], &OPTIONS)?.pairs {
            match name {
                "elo0" => sprt.elo0 = number(name, value)?,
                "elo1" => sprt.elo1 = number(name, value)?,
                "alpha" => sprt.alpha = number(name, value)?,
                "beta" => sprt.beta = number(name, value)?,
                "repeats" => sprt.repeats = Some(value_of(name, value, &Repeats::WORDS)?),
                "batch" => sprt.batch = Some(rounds(name, value)?),
                _ => sprt.model = value_of(name, value, &MODELS)?,
            }
        }
        sprt.check_differences()?;
        sprt.check_errors()?;
        Ok(sprt)
    }

    fn check_differences(&self) -> Result<(), ParseError> {
        let Sprt { elo0, elo1, model, .. } = *self;
        if elo0 >= elo1 {
            return Err(ParseError::new(format!(
                "expected elo0 below elo1, got elo0={elo0} and elo1={elo1}"
            )));
        }
        let (word, farthest) = (word_of(model, &MODELS), model.farthest());
        match [("elo0", elo0), ("elo1", elo1)].iter().find(|(_, elo)| elo.abs() > farthest) {
            Some((name, elo)) => Err(ParseError::new(format!(
                "expected {name} between -{farthest} and {farthest} in the {word} model, got {elo}"
            ))),
            None => Ok(()),
        }
    }

    fn check_errors(&self) -> Result<(), ParseError> {
        let Sprt { alpha, beta, .. } = *self;
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if error <= 0.0 || error > 0.5 {
                return Err(ParseError::new(format!(
                    "expected {name} above 0 and at most 0.5, got {error}"
                )));
            }
        }
        if alpha + beta == 1.0 {
            return Err(ParseError::new("expected alpha or beta below 0.5, got 0.5 for both"));
        }
        Ok(())
    }

    /// Returns the natural log-likelihood ratios at or beyond which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = *self;
        // `ln_1p` keeps the digits of a tiny alpha or beta.
        (beta.ln() - (-alpha).ln_1p(), (-beta).ln_1p() - alpha.ln())
    }

    /// Returns the hypothesis that this log-likelihood ratio accepts. `None` while it is between
    /// the bounds, and the match continues.
    pub fn verdict(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        match llr {
            _ if llr <= lower => Some(Hypothesis::H0),
            _ if llr >= upper => Some(Hypothesis::H1),
            _ => None,
        }
    }

    /// Returns the test, with the repeats and the batches of `stored` unless it names its own. A
    /// test that an older version stored thus continues as it began.
    pub fn continuing(self, stored: Sprt) -> Sprt {
        let (repeats, batch) = (self.repeats.or(stored.repeats), self.batch.or(stored.batch));
        Sprt { repeats, batch, ..self }
    }

    /// Returns the number of rounds after each of which the test may end; `None` for any round.
    pub fn batch(self) -> Option<u64> {
        self.batch
    }

    /// Returns the pairs that count.
    fn repeats(&self) -> Repeats {
        self.repeats.unwrap_or(Repeats::Once)
    }

    /// Returns the end of the test after these pairs, or `None` while the match continues. Evidence
    /// in batches ends no test between two of them.
    pub fn end(&self, evidence: &Evidence) -> Option<TestEnd> {
        if !evidence.has_whole_batches() {
            return None;
        }
        let accepted = self.verdict(self.llr_of(evidence)).map(TestEnd::Accepted);
        let has_run_out =
            || evidence.has_run_out(self.repeats()).then_some(TestEnd::OpeningsRanOut);
        accepted.or_else(has_run_out)
    }

    /// Returns the natural log-likelihood ratio of H1 to H0 for the pairs that count.
    pub fn llr_of(&self, evidence: &Evidence) -> f64 {
        self.llr_of_pairs(evidence.pairs(self.repeats()))
    }

    /// Returns the number of pairs that do not count.
    pub fn left_out(&self, evidence: &Evidence) -> u64 {
        evidence.left_out(self.repeats())
    }

    /// Returns the natural log-likelihood ratio of H1 to H0 for these pairs. It is 0 without pairs,
    /// and always finite.
    pub fn llr_of_pairs(&self, pairs: &Pairs) -> f64 {
        self.llr(pairs.categories(), Pairs::GAMES_DEVIATION)
    }

    /// Returns the natural log-likelihood ratio of H1 to H0 for these games. It is 0 without games,
    /// and always finite.
    pub fn llr_of_games(&self, games: &Games) -> f64 {
        self.llr(games.categories(), 1.0)
    }

    /// Returns the text of the test without its option `repeats`.
    fn without_repeats(&self) -> String {
        let Sprt { elo0, elo1, alpha, beta, model, repeats: _, batch } = self;
        let model = word_of(*model, &MODELS);
        let batch = batch.map_or(String::new(), |rounds| format!(",batch={rounds}"));
        format!("elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}{batch}")
    }

    fn llr<const N: usize>(&self, categories: [OutcomeCount; N], games_deviation: f64) -> f64 {
        if categories.iter().all(|&(_, count)| count == 0) {
            return 0.0;
        }
        let observed = EmpiricalDistribution::new(categories);
        let divisors = |elo: f64| match self.model {
            Model::Logistic => observed.with_mean(expected_score(elo)),
            Model::Normalized => observed.with_distance(elo / NORMALIZED_ELO * games_deviation),
        };
        let (under_h0, under_h1) = (divisors(self.elo0), divisors(self.elo1));
        // The empirical shares cancel: only the divisors of the two hypotheses remain.
        let log_ratio = |i: usize| observed.shares[i] * (under_h0[i] / under_h1[i]).ln();
        observed.count * (0..N).map(log_ratio).sum::<f64>()
    }
}

fn resolved<S: Serializer>(repeats: &Option<Repeats>, serializer: S) -> Result<S::Ok, S::Error> {
    repeats.unwrap_or(Repeats::Once).serialize(serializer)
}

fn rounds(name: &str, value: &str) -> Result<u64, ParseError> {
    let rounds = value.parse().ok().filter(|rounds| (1..=LARGEST_BATCH).contains(rounds));
    rounds.ok_or_else(|| {
        ParseError::new(format!(
            "expected {name} to be a number of rounds from 1 to {LARGEST_BATCH}, got '{value}'"
        ))
    })
}

fn number(name: &str, value: &str) -> Result<f64, ParseError> {
    match value.parse() {
        Ok(number) if f64::is_finite(number) => Ok(number),
        _ => Err(ParseError::new(format!("expected {name} to be a finite number, got '{value}'"))),
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_repeats())?;
        match self.repeats() {
            Repeats::Once => Ok(()),
            Repeats::All => write!(f, ",repeats={}", word_of(Repeats::All, &Repeats::WORDS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;
    use proptest::prelude::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.005 + 1e-9, "{value} is not {expected}");
    }

    fn sprt(text: &str) -> Sprt {
        Sprt::parse(text).unwrap()
    }

    fn pairs([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Pairs {
        Pairs { ll, ld, wl, dd, wd, ww }
    }

    /// Values from the tests of fastchess.
    #[test]
    fn agrees_with_published_values() {
        let counts = pairs([365, 16618, 36029, 200, 16974, 390]);
        close(sprt("elo0=0,elo1=2").llr_of_pairs(&counts), 2.25);
        let counts = pairs([127, 4883, 10311, 401, 5150, 104]);
        close(sprt("elo0=-1.75,elo1=0.25").llr_of_pairs(&counts), 3.01);
        let counts = Games { wins: 36433, draws: 68692, losses: 36027 };
        close(sprt("elo0=0,elo1=2").llr_of_games(&counts), 0.92);
        let counts = Games { wins: 21404, draws: 40708, losses: 21184 };
        close(sprt("elo0=0.5,elo1=2.5,model=logistic").llr_of_games(&counts), -1.57);
    }

    #[test]
    fn accepts_at_its_bounds() {
        let uneven = sprt("alpha=0.01,beta=0.2");
        let (lower, upper) = uneven.bounds();
        close(lower, (0.2f64 / 0.99).ln());
        close(upper, (0.8f64 / 0.01).ln());
        assert_eq!(uneven.verdict(lower), Some(Hypothesis::H0));
        assert_eq!(uneven.verdict(upper), Some(Hypothesis::H1));
        assert_eq!(uneven.verdict(lower + 0.01), None);
        assert_eq!(uneven.verdict(upper - 0.01), None);
        assert_eq!(Hypothesis::H0.to_string() + &Hypothesis::H1.to_string(), "H0H1");
    }

    #[test]
    fn invalid_options_are_explained() {
        let cases = [
            (
                "elo2=3",
                "option: expected elo0, elo1, alpha, beta, model, repeats or batch, got 'elo2'; \
                 help: did you mean elo0?",
            ),
            (
                "fast",
                "option: expected elo0, elo1, alpha, beta, model, repeats or batch, got 'fast'",
            ),
            ("batch=0", "expected batch to be a number of rounds from 1 to 1000000, got '0'"),
            ("elo1", "option elo1: expected a value, got none; help: write elo1=ELO"),
            ("alpha=0.1 alpha=0.2", "option alpha: expected once, got 0.1 and 0.2"),
            ("elo1=five", "expected elo1 to be a finite number, got 'five'"),
            ("elo1=inf", "expected elo1 to be a finite number, got 'inf'"),
            ("beta=nan", "expected beta to be a finite number, got 'nan'"),
            ("elo0=5", "expected elo0 below elo1, got elo0=5 and elo1=5"),
            ("elo1=101", "expected elo1 between -100 and 100 in the normalized model, got 101"),
            (
                "elo0=-1001,model=logistic",
                "expected elo0 between -1000 and 1000 in the logistic model, got -1001",
            ),
            ("alpha=0", "expected alpha above 0 and at most 0.5, got 0"),
            ("beta=0.51", "expected beta above 0 and at most 0.5, got 0.51"),
            ("alpha=0.5,beta=0.5", "expected alpha or beta below 0.5, got 0.5 for both"),
            (
                "model=logistc",
                "model: expected normalized or logistic, got 'logistc'; help: did you mean logistic?",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(Sprt::parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn options_have_defaults() {
        assert_eq!(Sprt::parse(""), Ok(Sprt::default()));
        let written = "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized";
        assert_eq!(sprt("elo1=5").to_string(), written);
    }

    /// Bounds that stress finiteness: of every size, and at the edges of the allowed range.
    fn elos(farthest: f64) -> impl Strategy<Value = (f64, f64)> {
        let edges = vec![-farthest, -1e-300, 0.0, 1e-300, 1e-9, 5.0, farthest];
        let elo = prop_oneof![prop::sample::select(edges).boxed(), (-farthest..farthest).boxed()];
        (elo.clone(), elo).prop_filter("one below the other", |(elo0, elo1)| elo0 < elo1)
    }

    fn any_sprt() -> impl Strategy<Value = Sprt> {
        let error = || prop_oneof![Just(5e-324), Just(0.05), 1e-9..0.5];
        let model = prop::sample::select(MODELS.map(|(_, model)| model).to_vec());
        let repeats = prop::sample::select(vec![None, Some(Repeats::All)]);
        let batch = prop::option::of(1..=LARGEST_BATCH);
        let elos = model.prop_flat_map(|model| (Just(model), elos(model.farthest())));
        (elos, error(), error(), repeats, batch).prop_map(
            |((model, (elo0, elo1)), alpha, beta, repeats, batch)| Sprt {
                elo0,
                elo1,
                alpha,
                beta,
                model,
                repeats,
                batch,
            },
        )
    }

    fn any_count() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(1), 0..100u64, 0..1_000_000_000u64, Just(1_000_000_000)]
    }

    proptest! {
        #[test]
        fn written_test_parses(sprt in any_sprt()) {
            prop_assert_eq!(Sprt::parse(&sprt.to_string()), Ok(sprt));
        }

        #[test]
        fn bounds_and_ratios_are_finite(sprt in any_sprt(), counts in prop::array::uniform6(any_count())) {
            let [wins, draws, losses, ..] = counts;
            let (lower, upper) = sprt.bounds();
            prop_assert!(lower < 0.0 && 0.0 < upper && (upper - lower).is_finite());
            prop_assert!(sprt.llr_of_pairs(&pairs(counts)).is_finite());
            let games = Games { wins, draws, losses };
            prop_assert!(sprt.llr_of_games(&games).is_finite());
        }

        /// Exchanging the players exchanges the hypotheses.
        #[test]
        fn players_are_symmetric(sprt in any_sprt(), counts in prop::array::uniform6(0..1000u64)) {
            let [ll, ld, wl, dd, wd, ww] = counts;
            let other = Sprt { elo0: -sprt.elo1, elo1: -sprt.elo0, ..sprt };
            let (llr, mirrored) =
                (sprt.llr_of_pairs(&pairs(counts)), other.llr_of_pairs(&pairs([ww, wd, wl, dd, ld, ll])));
            prop_assert!((llr + mirrored).abs() < 1e-6 * (1.0 + llr.abs()), "{} {}", llr, mirrored);
        }
    }

    #[test]
    fn empty_counts_have_ratio_zero() {
        assert_eq!(Sprt::default().llr_of_games(&Games::default()), 0.0);
        assert_eq!(Sprt::default().llr_of_pairs(&Pairs::default()), 0.0);
    }

    /// All wins, all draws or all losses. Two pairs of a win and a loss equal two pairs of draws.
    #[test]
    fn equal_results_have_a_direction() {
        for text in ["elo1=5", "elo1=100", "elo1=5,model=logistic", "elo1=1000,model=logistic"] {
            for count in [1, 2, 40, 1_000_000_000] {
                let sprt = sprt(text);
                let llr = |ll, dd, ww| sprt.llr_of_pairs(&pairs([ll, 0, 0, dd, 0, ww]));
                assert!(llr(0, 0, count) > 0.0 && llr(0, 0, count).is_finite(), "{text} {count}");
                assert!(llr(count, 0, 0) < 0.0 && llr(count, 0, 0).is_finite(), "{text} {count}");
                assert!(llr(0, count, 0) < 0.0 && llr(0, count, 0).is_finite(), "{text} {count}");
                let decided = sprt.llr_of_pairs(&pairs([0, 0, count, 0, 0, 0]));
                assert_eq!(decided, llr(0, count, 0));
            }
        }
    }

    #[test]
    fn ratio_grows_with_every_win() {
        let mut rng = Rng::new(13);
        for _ in 0..2000 {
            let mut counts = [0; 6].map(|_: u64| 1 + rng.below(50) as u64);
            let before = sprt("elo1=40").llr_of_pairs(&pairs(counts));
            counts[0] -= 1;
            counts[5] += 1;
            assert!(sprt("elo1=40").llr_of_pairs(&pairs(counts)) > before, "{counts:?}");
        }
    }
}
