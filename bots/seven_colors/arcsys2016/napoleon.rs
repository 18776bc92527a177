//! The strategy that considers the replies of the opponent.

use super::context::{best, CellContext, Choice, MoveContext};
use super::perimeter::expanding;
use arbitre_games::games::seven_colors::Colour;

/// Default search depth of `napoleon`, in plies. Not tuned. The last ply, the opponent's, changes
/// nothing except at the end of the game.
const DEPTH: u32 = 4;

/// Searches by alpha-beta over colours that gain a cell. Leaves are evaluated as by `hybrid`: own
/// cells and expanding cells (C. Morand, I. Martayan, 2020).
pub fn napoleon(context: &MoveContext, depth: Option<u32>) -> Choice {
    let ground = CellContext::new(context);
    let plies = depth.unwrap_or(DEPTH).max(1);
    let mut most = i32::MIN;
    let mut value = |colour: Colour| {
        let value = least(&ground.after(colour).turned(), plies - 1, most, i32::MAX);
        most = most.max(value);
        value
    };
    let offers = candidates(context).into_iter().map(|colour| (colour, value(colour)));
    let (colour, value) = best(offers);
    (colour, Some(context.lead(value.into())))
}

/// Returns the colours to search: those that gain a cell, or else the first one, as a pass.
fn candidates(context: &MoveContext) -> Vec<Colour> {
    let mut useful = context.useful();
    if useful.is_empty() {
        useful.extend(context.legal().next());
    }
    useful
}

/// Returns the evaluation of `hybrid` for the player to move.
fn value(ground: &CellContext) -> i32 {
    i32::from(ground.context.cells()) + expanding(&ground.own, ground) as i32
}

/// Returns the largest value that the player to move can reach, within (alpha, beta).
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

/// Returns the least value that the opponent can leave, with the opponent to move.
fn least(ground: &CellContext, plies: u32, alpha: i32, mut beta: i32) -> i32 {
    if plies == 0 || ground.context.graph.is_over(&ground.context.node) {
        // The evaluation is for the player to move, so the board is turned to the root player.
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
