//! The strategies that evaluate the border of their cells.

use super::context::{best, CellContext, MoveContext};
use super::simple::greedy;
use arbitre_games::bitboard::Bitboard;
use arbitre_games::games::seven_colors::{CellSet, Colour};

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
    let contested = free.flood_fill(ground.other.dilate().and(free));
    ground.own.dilate().and(contested).count()
}

/// Maximises the pairs of an own cell and a free one beside it, contested or not. If no colour
/// gives more pairs than before, it plays greedily (the remark of Q6.1).
pub fn hegemonic_contact(context: &MoveContext) -> Colour {
    let ground = CellContext::new(context);
    let contacts = |ground: &CellContext| contacts(ground.own, ground.free());
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
    let others = board.and_not(after.own);
    let [up, left, right, down] = shifted(board.and_not(*before));
    let vertical = up.and(down).or(up.or(down).and(left.or(right)));
    let two = vertical.or(left.and(right));
    after.own.dilate().and(others).and(two).count()
}

/// Returns the number of sides of own cells at the edge of the board.
fn edges(ground: &CellContext) -> u32 {
    let board = ground.context.graph.board();
    // A side that touches no cell of the board lies at its edge.
    4 * ground.own.count() - contacts(ground.own, *board)
}

/// Returns the cells that have one of `cells` below, to the right, to the left and above.
fn shifted(cells: CellSet) -> [CellSet; 4] {
    [cells.shift_up(), cells.shift_left(), cells.shift_right(), cells.shift_down()]
}

/// Returns the number of pairs of neighbours, one of `cells` and one of `others`.
fn contacts(cells: CellSet, others: CellSet) -> u32 {
    shifted(cells).into_iter().map(|shifted| shifted.and(others).count()).sum()
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
