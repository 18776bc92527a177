//! The strategy that thinks of the opponent.

use super::field::{best, Field, Ground, Strategy};
use super::perimeter::expanding;
use arbitre_games::games::seven_colors::Colour;

/// How many plies `napoleon` looks ahead where nobody says.
const DEPTH: u32 = 4;

/// Minimax over colours that gain something; what it wants at the end is what `hybrid` wants: its own
/// cells and a border that leads on (C. Morand, I. Martayan, 2020).
pub struct Napoleon;

impl Strategy for Napoleon {
    fn choose(&mut self, field: &Field, depth: Option<u32>) -> Colour {
        let ground = Ground::new(field);
        let plies = depth.unwrap_or(DEPTH).max(1);
        let mut most = i32::MIN;
        let mut worth = |colour: Colour| {
            let value = least(&ground.after(colour).turned(), plies - 1, most, i32::MAX);
            most = most.max(value);
            value
        };
        best(candidates(field).into_iter().map(|colour| (colour, worth(colour)))).0
    }
}

/// The colours that are looked at: those that gain something, or else the first, as a pass.
fn candidates(field: &Field) -> Vec<Colour> {
    let mut useful = field.useful();
    if useful.is_empty() {
        useful.extend(field.legal().next());
    }
    useful
}

/// What `hybrid` sees in a ground.
fn value(ground: &Ground) -> i32 {
    i32::from(ground.field.cells()) + expanding(&ground.own, ground) as i32
}

/// The most that the player can reach who is to move, within these bounds.
fn most(ground: &Ground, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    if plies == 0 || ground.field.graph.is_over(&ground.field.node) {
        return value(ground);
    }
    let mut found = i32::MIN;
    for colour in candidates(&ground.field) {
        found = found.max(least(&ground.after(colour).turned(), plies - 1, alpha, beta));
        alpha = alpha.max(found);
        if alpha >= beta {
            break;
        }
    }
    found
}

/// The least that the opponent can leave to that player, when the opponent is to move.
fn least(ground: &Ground, plies: u32, alpha: i32, mut beta: i32) -> i32 {
    if plies == 0 || ground.field.graph.is_over(&ground.field.node) {
        return value(&ground.turned());
    }
    let mut found = i32::MAX;
    for colour in candidates(&ground.field) {
        found = found.min(most(&ground.after(colour).turned(), plies - 1, alpha, beta));
        beta = beta.min(found);
        if alpha >= beta {
            break;
        }
    }
    found
}
