//! The strategies that evaluate the border of their cells.

use super::context::{best, CellContext, MoveContext};
use super::simple::greedy;
use arbitre_games::games::seven_colors::cells::CellSet;
use arbitre_games::games::seven_colors::Colour;

/// Maximises the contested cells at its border, free cells that both players can reach (Q6.1).
/// Among equal useful colours it plays the last one.
///
/// Without any contested cell it plays greedily, which is our ruling. With useless colours allowed
/// it would pass once every gain makes the border shorter: 950 of 1000 mirror games
/// then ended drawn by a stall (2026-11-21).
pub fn hegemonic(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| contested_perimeter(&ground.after(colour));
    let useful = context.useful().into_iter().rev();
    best_or_greedy(context, useful.map(|colour| (colour, value(colour))))
}

/// Returns the best of `offers`, or the greedy move if none has a value above zero.
fn best_or_greedy(context: &MoveContext, offers: impl Iterator<Item = (Colour, u32)>) -> Colour {
    let mut offers = offers.filter(|(_, value)| *value > 0).peekable();
    match offers.peek() {
        Some(_) => best(offers).0,
        None => greedy(context),
    }
}

/// Returns the number of free cells at the border that the other player can reach as well.
fn contested_perimeter(ground: &CellContext) -> u32 {
    let free = ground.free();
    let contested = ground.other.beside(&free).flood(&free);
    ground.own.beside(&contested).count()
}

/// Maximises the pairs of an own cell and a free one beside it, contested or not. If no colour
/// gives more pairs than before, it plays greedily (the remark of Q6.1).
pub fn hegemonic_contact(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let contacts = |ground: &CellContext| ground.own.contacts(&ground.free());
    let value = |colour: Colour| contacts(&ground.after(colour));
    match best(context.legal().map(|colour| (colour, value(colour)))) {
        (colour, most) if most > contacts(&ground) => colour,
        _ => greedy(context),
    }
}

/// Maximises the [`expanding`] cells (C. Morand, I. Martayan, 2020).
///
/// With `with_edges`, sides of own cells at the edge of the board count as well. It plays greedily
/// if every useful colour has the value zero.
pub fn hegemonic_expanding(context: &MoveContext, with_edges: bool) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| {
        let after = ground.after(colour);
        expanding(&ground.own, &after) + if with_edges { edges(&after) } else { 0 }
    };
    best_or_greedy(context, context.useful().into_iter().map(|colour| (colour, value(colour))))
}

/// Returns the number of expanding cells after a move; `before` holds the own cells before it.
///
/// An expanding cell is not own, but beside an own cell. At least two of its neighbours were not
/// own before the move. Cells of the opponent count, as the authors of the strategy take blocking
/// for expansion.
pub fn expanding(before: &CellSet, after: &CellContext) -> u32 {
    let board = after.context.graph.board();
    let (others, others_before) = (board.without(&after.own), board.without(before));
    after.own.beside(&others).and(&others_before.beside_two(&others)).count()
}

/// Returns the number of sides of own cells at the edge of the board.
fn edges(ground: &CellContext) -> u32 {
    let board = ground.context.graph.board();
    // A side that touches no cell of the board lies at its edge.
    4 * ground.own.count() - ground.own.contacts(board)
}

/// Maximises the own cells after the move plus the [`expanding`] ones.
pub fn hybrid(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| {
        let after = ground.after(colour);
        u32::from(after.context.cells()) + expanding(&ground.own, &after)
    };
    best_or_greedy(context, context.useful().into_iter().map(|colour| (colour, value(colour))))
}
