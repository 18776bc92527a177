//! Games: rules, notation and dialects compared with references and published counts.

mod adjudication;
mod conformance;
mod dialect;
mod golden;
mod perft;
mod play;
mod properties;
mod quota;
