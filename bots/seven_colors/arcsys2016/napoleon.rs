//! The strategy that thinks of the opponent.

use super::context::{best, CellContext, MoveContext};
use super::perimeter::expanding;
use arbitre_games::games::seven_colors::Colour;

/// How many plies `napoleon` looks ahead where nobody says.
const DEPTH: u32 = 4;

/// Plays by minimax over colours that gain something. Leaves are evaluated as by `hybrid`: own
/// cells and a border that leads on (C. Morand, I. Martayan, 2020).
pub fn napoleon(context: &MoveContext, depth: Option<u32>) -> Colour {
    let ground = CellContext::new(context);
    let plies = depth.unwrap_or(DEPTH).max(1);
    let mut most = i32::MIN;
    let mut value = |colour: Colour| {
        let value = least(&ground.after(colour).turned(), plies - 1, most, i32::MAX);
        most = most.max(value);
        value
    };
    best(candidates(context).into_iter().map(|colour| (colour, value(colour)))).0
}

/// The colours that are looked at: those that gain something, or else the first, as a pass.
fn candidates(context: &MoveContext) -> Vec<Colour> {
    let mut useful = context.useful();
    if useful.is_empty() {
        useful.extend(context.legal().next());
    }
    useful
}

/// What `hybrid` sees in a ground.
fn value(ground: &CellContext) -> i32 {
    i32::from(ground.context.cells()) + expanding(&ground.own, ground) as i32
}

/// The most that the player can reach who is to move, within these bounds.
fn most(ground: &CellContext, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    if plies == 0 || ground.context.graph.is_over(&ground.context.node) {
        return value(ground);
    }
    let mut found = i32::MIN;
    for colour in candidates(&ground.context) {
        found = found.max(least(&ground.after(colour).turned(), plies - 1, alpha, beta));
        alpha = alpha.max(found);
        if alpha >= beta {
            break;
        }
    }
    found
}

/// The least that the opponent can leave to that player, when the opponent is to move.
fn least(ground: &CellContext, plies: u32, alpha: i32, mut beta: i32) -> i32 {
    if plies == 0 || ground.context.graph.is_over(&ground.context.node) {
        return value(&ground.turned());
    }
    let mut found = i32::MAX;
    for colour in candidates(&ground.context) {
        found = found.min(most(&ground.after(colour).turned(), plies - 1, alpha, beta));
        beta = beta.min(found);
        if alpha >= beta {
            break;
        }
    }
    found
}
