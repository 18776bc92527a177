//! The strategies that look at the border of what they have.

use super::context::{best, CellContext, MoveContext};
use super::simple::greedy;
use arbitre_games::games::seven_colors::cells::CellSet;
use arbitre_games::games::seven_colors::Colour;

/// Wants many contested cells at its border: free ones that both players can reach (Q6.1). Of several
/// useful colours it plays the last; where all leave none, it plays greedily, which is our ruling. With
/// useless colours allowed it would pass as soon as every gain makes the border shorter.
pub fn hegemonic(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| contested_perimeter(&ground.after(colour));
    let useful = context.useful().into_iter().rev();
    best_or_greedy(context, useful.map(|colour| (colour, value(colour))))
}

/// The best of what is offered; the greedy move where none of it is worth anything.
fn best_or_greedy(context: &MoveContext, offers: impl Iterator<Item = (Colour, u32)>) -> Colour {
    let mut offers = offers.filter(|(_, value)| *value > 0).peekable();
    match offers.peek() {
        Some(_) => best(offers).0,
        None => greedy(context),
    }
}

/// The free cells at one's border that the other player can reach as well.
fn contested_perimeter(ground: &CellContext) -> u32 {
    let free = ground.free();
    let contested = ground.other.beside(&free).flood(&free);
    ground.own.beside(&contested).count()
}

/// Wants many points of contact, pairs of an own cell and a free one beside it, contested or not; where
/// no colour gives more of them than there are, it plays greedily (the remark of Q6.1).
pub fn hegemonic_contact(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let contacts = |ground: &CellContext| ground.own.contacts(&ground.free());
    let value = |colour: Colour| contacts(&ground.after(colour));
    match best(context.legal().map(|colour| (colour, value(colour)))) {
        (colour, most) if most > contacts(&ground) => colour,
        _ => greedy(context),
    }
}

/// Wants a border that leads on: many expanding cells (C. Morand, I. Martayan, 2020). With
/// `with_edges`, sides of own cells at the edge of the board count as well. It plays greedily where
/// no useful colour gives any.
pub fn hegemonic_expanding(context: &MoveContext, with_edges: bool) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| {
        let after = ground.after(colour);
        expanding(&ground.own, &after) + if with_edges { edges(&after) } else { 0 }
    };
    best_or_greedy(context, context.useful().into_iter().map(|colour| (colour, value(colour))))
}

/// The expanding cells: those beside one's own after a move that are not one's own, and of whose
/// neighbours at least two were not before it; `before` were one's own then. Cells of the opponent
/// count, as its authors take blocking for expansion.
pub fn expanding(before: &CellSet, after: &CellContext) -> u32 {
    let board = after.context.graph.board();
    let (others, others_before) = (board.without(&after.own), board.without(before));
    after.own.beside(&others).and(&others_before.beside_two(&others)).count()
}

/// How many sides own cells have at the edge of the board.
fn edges(ground: &CellContext) -> u32 {
    let board = ground.context.graph.board();
    4 * ground.own.count() - ground.own.contacts(board)
}

/// Wants cells and a border that leads on: own cells after the move, and expanding ones.
pub fn hybrid(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let value = |colour: Colour| {
        let after = ground.after(colour);
        u32::from(after.context.cells()) + expanding(&ground.own, &after)
    };
    best_or_greedy(context, context.useful().into_iter().map(|colour| (colour, value(colour))))
}
