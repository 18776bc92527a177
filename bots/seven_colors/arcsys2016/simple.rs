//! The strategies that look no further than at what a move gains.

use super::context::{best, MoveContext, Strategy};
use arbitre_games::games::seven_colors::Colour;
use arbitre_games::rng::Rng;

/// Plays any colour, each equally likely.
pub struct Random {
    rng: Rng,
    /// Only colours that gain something, where any does.
    useful: bool,
}

impl Random {
    /// Any colour at all, useful or not.
    pub fn any() -> Random {
        Random { rng: Rng::new(0), useful: false }
    }

    /// Any colour that gains something; any at all where none does.
    pub fn useful() -> Random {
        Random { useful: true, ..Random::any() }
    }
}

impl Strategy for Random {
    fn begin(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, context: &MoveContext, _: Option<u32>) -> Colour {
        let useful = if self.useful { context.useful() } else { Vec::new() };
        let colours = if useful.is_empty() { context.legal().collect() } else { useful };
        colours[self.rng.below(colours.len())]
    }
}

/// Plays the colour that gains most (Q5.1), the first of several.
pub fn greedy(context: &MoveContext) -> Colour {
    let gains = context.gains();
    best(context.legal().map(|colour| (colour, gains[colour.index()]))).0
}
