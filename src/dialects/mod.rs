//! The dialects of every game. Each game's module holds the dialects of that game only.

pub mod arbitre;
pub mod detect;
pub mod relay;
