//! The solvers by name, with their options.

use super::best::{self, Search, Start};
use super::evaluate::Weights;
use super::taupe::{Taupe, SPELLINGS};
use crate::bots::options::Options;
use crate::game::BadText;
use crate::search::budget::Meter;
use crate::text::value_of;

/// A way to play whole games.
pub enum Solver {
    /// The beam search.
    Best(Search),
    /// The solver of the account.
    Taupe(Taupe),
}

impl Solver {
    /// The solver of this name, as the options describe it.
    ///
    /// # Errors
    /// If there is none, or a value is not what the option takes.
    pub fn take(name: &str, options: &mut Options) -> Result<Solver, BadText> {
        let is_best = value_of("solver", name, &[("best", true), ("taupe", false)])?;
        if is_best {
            return Ok(Solver::Best(Search::default()));
        }
        let weights = options.take_text("--weights")?;
        let weights = weights.map_or(Ok(Weights::SUBMITTED), |text| parse_weights(&text))?;
        let spelling = options.take_text("--phrases")?;
        let spelling = spelling.as_deref().unwrap_or(SPELLINGS[0].0);
        let spelling = value_of("way to come by phrases", spelling, &SPELLINGS)?;
        Ok(Solver::Taupe(Taupe { weights, spelling }))
    }

    /// What it calls itself.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Best(_) => "hextris",
            Solver::Taupe(_) => "hextris-taupe",
        }
    }

    /// Plays on to the end, or until the meter says stop. Returns the letters.
    pub fn solve(&self, start: Start, meter: &mut Meter) -> Vec<u8> {
        match self {
            Solver::Best(search) => best::solve(start, search, meter),
            Solver::Taupe(taupe) => taupe.solve(&start, meter),
        }
    }
}

/// Six numbers separated by commas.
fn parse_weights(text: &str) -> Result<Weights, BadText> {
    let number = |word: &str| word.trim().parse().ok().filter(|weight: &f64| weight.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let six = numbers.and_then(|numbers| numbers.try_into().ok());
    six.map(Weights).ok_or_else(|| {
        BadText::new(format!("--weights takes six numbers separated by commas, not '{text}'"))
    })
}
