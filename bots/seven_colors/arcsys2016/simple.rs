//! The strategies that consider only the gain of the next move.

use super::context::{best, Choice, MoveContext, Strategy};
use arbitre_games::games::seven_colors::Colour;
use arbitre_games::rng::Rng;

/// Plays a random colour, each with the same probability.
pub struct Random {
    rng: Rng,
    /// Whether only colours that gain a cell are played, if there are any.
    useful: bool,
}

impl Random {
    /// Creates a player of any legal colour.
    pub fn any() -> Random {
        Random { rng: Rng::new(0), useful: false }
    }

    /// Creates a player of any legal colour that gains a cell, or of any legal one without such a
    /// colour.
    pub fn useful() -> Random {
        Random { useful: true, ..Random::any() }
    }
}

impl Strategy for Random {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, context: &MoveContext, _: Option<u32>) -> Choice {
        let useful = if self.useful { context.useful() } else { Vec::new() };
        let colours = if useful.is_empty() { context.legal().collect() } else { useful };
        (colours[self.rng.below(colours.len())], None)
    }
}

/// Plays the colour of largest gain, the first among equals (Q5.1).
pub fn greedy(context: &MoveContext) -> Colour {
    let gains = context.gains();
    best(context.legal().map(|colour| (colour, gains[colour.index()]))).0
}
