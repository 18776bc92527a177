//! Arbitre: a referee for programs that play, and bots worth playing against.

pub use arbitre_bots as bots;
pub use arbitre_games::*;
#[cfg(feature = "referee")]
pub use arbitre_referee as referee;
