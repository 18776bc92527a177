//! Helpers shared by the tests and benches: programs, in-process matches, reference data and
//! measurements.

pub mod answers;
pub mod bots;
pub mod browser;
pub mod class;
pub mod command;
pub mod data;
pub mod floor;
pub mod golden;
pub mod matches;
pub mod measure;
pub mod median;
pub mod pages;
pub mod recorder;
pub mod scenes;
pub mod zips;
