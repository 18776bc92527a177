//! Genetic tuning of the numbers in a bot's command.
//!
//! A [`CommandTemplate`](gene::CommandTemplate) is a command with places for numbers, and a *genome* is what stands in
//! them. A [`GeneticAlgorithm`](genetic::GeneticAlgorithm) makes a generation of the one before, a [`TuningRun`](run::TuningRun)
//! is a run of it, and knows neither games nor files: whoever runs it says what each candidate is worth.

pub mod evaluation;
pub mod fitness;
pub mod gene;
pub mod genetic;
pub mod plot;
pub mod run;
mod svg;
