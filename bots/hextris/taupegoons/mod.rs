//! The solver of TaupeGoons' account of the contest (ICFP 2015). It places unit by unit, with one
//! of three strategies for phrases.

mod atomic;
pub mod evaluate;
mod path;
mod rewrite;
mod solver;

#[cfg(test)]
mod tests;

pub use solver::{PhraseStrategy, TaupeGoons, PHRASE_STRATEGIES};
