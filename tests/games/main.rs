//! Games: rules, texts and dialects against their references and published counts.

mod conformance;
mod dialect;
mod golden;
mod perft;
mod play;
mod properties;
