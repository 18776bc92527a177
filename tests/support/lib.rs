//! What the tests and benches share: running programs, matches in this process, reference data, and
//! measurements.

pub mod answers;
pub mod command;
pub mod data;
pub mod floor;
pub mod matches;
pub mod measure;
pub mod median;
pub mod recorder;
