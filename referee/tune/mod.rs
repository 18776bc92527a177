//! Genetic tuning of the numbers in a bot's command.
//!
//! A [`Template`](gene::Template) is a command with places for numbers, and a *genome* is what stands in
//! them. A [`Scheme`](scheme::Scheme) makes a generation of the one before, a [`Course`](course::Course)
//! is a run of it, and knows neither games nor files: whoever runs it says what each candidate is worth.

pub mod chart;
pub mod course;
pub mod fitness;
pub mod gene;
pub mod scheme;
mod svg;
pub mod trial;
