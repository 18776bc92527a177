//! Genetic tuning of the numbers in a bot's command.
//!
//! A [`CommandTemplate`](gene::CommandTemplate) is a command with placeholders for numbers, and a
//! *genome* holds these numbers. A [`GeneticAlgorithm`](genetic::GeneticAlgorithm) creates a
//! generation from the one before. A [`TuningRun`](run::TuningRun) is one run of it. It knows
//! neither games nor files: its caller supplies the fitness of each candidate.

pub mod evaluation;
pub mod fitness;
pub mod gene;
pub mod genetic;
pub mod plot;
pub mod report;
pub mod run;
