//! The dialects that serve every game. A game's own dialects live in its room.

pub mod arbitre;
pub mod detect;
pub mod relay;
