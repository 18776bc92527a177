//! The strategies that plan several moves of their own, as if the opponent did nothing.

use super::context::{best, CellContext, MoveContext};
use super::simple::greedy;
use arbitre_games::games::seven_colors::graph::Gains;
use arbitre_games::games::seven_colors::{Colour, ColourRule};

/// Number of moves that `oracle` plans unless `--depth` sets it.
const ORACLE_DEPTH: u32 = 4;
/// A plan of so many moves takes seconds already: each more takes eight times as long.
const DEEPEST: u32 = 9;

/// Plans two moves, the second of them greedy (Q6.2).
pub fn foreseeing(context: &MoveContext) -> Colour {
    plan(context, 2)
}

/// Plans `depth` moves: it tries each colour, goes on as the oracle of a move less would, that
/// one's move played, and so on down to the foreseeing and the greedy player (Q6.2).
pub fn oracle(context: &MoveContext, depth: Option<u32>) -> Colour {
    plan(context, depth.unwrap_or(ORACLE_DEPTH).clamp(1, DEEPEST))
}

/// The first move of the best plan of so many. Of plans that come to the same, the one that gains more
/// at once is played: else what can be had later might be put off for ever.
///
/// The oracle of a move less plays on to where its own best plan leads, so what a colour is worth is the
/// most that any moves after it come to, and nothing need be planned twice.
fn plan(context: &MoveContext, moves: u32) -> Colour {
    if moves <= 1 {
        return greedy(context);
    }
    let gains = context.gains();
    let value =
        |colour: Colour| (most_cells(context, &gains, colour, moves), gains[colour.index()]);
    best(candidates(context, &gains).map(|colour| (colour, value(colour)))).0
}

/// The most cells that so many moves come to, two at least, of which this colour is the first; `gains` are
/// those in the position.
fn most_cells(context: &MoveContext, gains: &Gains, first: Colour, moves: u32) -> u16 {
    let MoveContext { graph, node, seat } = context;
    let next = graph.gains_after(node, *seat, gains, first);
    if moves == 2 {
        // What was just played gains nothing, so it does not matter whether it may be played again.
        let closed = node.held(seat.other()).filter(|_| graph.rules().ban != ColourRule::None);
        let open = Colour::first(graph.rules().colours.into()).filter(|&c| Some(c) != closed);
        let most = open.map(|colour| next[colour.index()]).max();
        return context.cells() + gains[first.index()] + most.unwrap_or(0);
    }
    let after = context.after(first);
    let most = candidates(&after, &next).map(|colour| most_cells(&after, &next, colour, moves - 1));
    most.max().expect("some colour can be played")
}

/// The colours that a plan may begin with: those that gain something, if there are any. Who takes more now
/// can take all that could be had after a pass; where a colour may not be played twice in a row, what it
/// would have gained after the pass it has gained by then.
fn candidates<'a>(context: &'a MoveContext, gains: &'a Gains) -> impl Iterator<Item = Colour> + 'a {
    let is_useful = |colour: &Colour| gains[colour.index()] > 0;
    let any = context.legal().any(|colour| is_useful(&colour));
    context.legal().filter(move |colour| !any || is_useful(colour))
}

/// Number of moves that `mix` plans unless `--depth` sets it.
const MIX_DEPTH: u32 = 2;
/// Value of a cell of the perimeter to `mix`, in own cells, unless `--weight` sets it.
pub const MIX_WEIGHT: f64 = 0.5;

/// Plans several moves for cells and perimeter, both counted at the end (Q7.2): a cell of the
/// perimeter counts as `weight` own cells. Where the greedy move ends the game, it plays that.
pub fn mix(context: &MoveContext, depth: Option<u32>, weight: f64) -> Colour {
    let last = greedy(context);
    if context.graph.is_over(&context.after(last).node) {
        return last;
    }
    let moves = depth.unwrap_or(MIX_DEPTH).clamp(1, DEEPEST);
    best_mix(&CellContext::new(context), moves, weight).0
}

/// Returns the first of the best `moves` moves, and the value that they lead to.
fn best_mix(ground: &CellContext, moves: u32, weight: f64) -> (Colour, f64) {
    let value = |after: CellContext| match moves {
        1 => f64::from(after.context.cells()) + weight * f64::from(after.perimeter()),
        _ => best_mix(&after, moves - 1, weight).1,
    };
    best(ground.context.legal().map(|colour| (colour, value(ground.after(colour)))))
}
