//! Search: the parts shared by several bots.

pub mod alpha_beta;
pub mod budget;
pub mod cpu_time;
pub mod deepening;
pub mod hash;
pub mod prefetch;
pub mod transposition;
