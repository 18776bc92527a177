//! Formats of tournaments: properties on random fields, optima by brute force, and simulated
//! players of known strength.

mod balanced;
mod bracket;
mod counts;
mod field;
mod knockout;
mod ladder;
mod planted;
mod properties;
mod round_robin;
mod swiss;
mod tested_gauntlet;
