//! The strategies that plan several of their own moves and ignore the opponent.

use super::context::{best, CellContext, Choice, MoveContext};
use super::simple::greedy;
use arbitre_games::games::seven_colors::graph::Gains;
use arbitre_games::games::seven_colors::{Colour, ColourRule};

/// Number of moves that `oracle` plans unless `--depth` sets it. Not tuned.
const ORACLE_DEPTH: u32 = 4;
/// Largest number of moves in a plan. Nine moves take seconds already, and each further move takes
/// eight times as long.
const DEEPEST: u32 = 9;

/// Plans two moves, the second of them greedy (Q6.2).
pub fn foreseeing(context: &MoveContext) -> Choice {
    plan(context, 2)
}

/// Plans `depth` moves (Q6.2). It tries each colour, then plays on as the oracle of one move less.
/// Down the line these are the foreseeing and the greedy player.
pub fn oracle(context: &MoveContext, depth: Option<u32>) -> Choice {
    plan(context, depth.unwrap_or(ORACLE_DEPTH).clamp(1, DEEPEST))
}

/// Returns the first move of the best plan of `moves` moves, and the cells of the plan.
///
/// The oracle of one move less plays on to the end of its own best plan. The value of a colour is
/// therefore the most cells that any moves after it reach, and no move is planned twice.
fn plan(context: &MoveContext, moves: u32) -> Choice {
    if moves <= 1 {
        return (greedy(context), None);
    }
    // Among equal plans the largest first gain wins, or a gain might be put off for ever. At depth
    // 3, `oracle` then scores 763 of 1000 against `foreseeing`, not 719 (published: 777).
    let gains = context.gains();
    let value =
        |colour: Colour| (most_cells(context, &gains, colour, moves), gains[colour.index()]);
    let offers = candidates(context, &gains).map(|colour| (colour, value(colour)));
    let (colour, (cells, _)) = best(offers);
    (colour, Some(context.lead(cells.into())))
}

/// Returns the most cells after `moves` moves, at least two, of which `first` is the first. `gains`
/// are the gains in the position.
fn most_cells(context: &MoveContext, gains: &Gains, first: Colour, moves: u32) -> u16 {
    let MoveContext { graph, node, seat } = context;
    let next = graph.gains_after(node, *seat, gains, first);
    if moves == 2 {
        // The colour just played gains nothing now, so a ban on it changes nothing.
        let closed =
            node.last_played(seat.other()).filter(|_| graph.rules().ban != ColourRule::None);
        let open = Colour::first(graph.rules().colours.into()).filter(|&c| Some(c) != closed);
        let most = open.map(|colour| next[colour.index()]).max();
        return context.cells() + gains[first.index()] + most.unwrap_or(0);
    }
    let after = context.after(first);
    let most = candidates(&after, &next).map(|colour| most_cells(&after, &next, colour, moves - 1));
    most.max().expect("some colour is legal")
}

/// Returns the colours that a plan may begin with: those that gain a cell, if there are any.
///
/// A pass never helps: after a gain, everything that the pass would leave is still in reach. Where
/// no colour may be played twice in a row, its gain after the pass has been made by then.
fn candidates<'a>(context: &'a MoveContext, gains: &'a Gains) -> impl Iterator<Item = Colour> + 'a {
    let is_useful = |colour: &Colour| gains[colour.index()] > 0;
    let any = context.legal().any(|colour| is_useful(&colour));
    context.legal().filter(move |colour| !any || is_useful(colour))
}

/// Number of moves that `mix` plans unless `--depth` sets it. Not tuned.
const MIX_DEPTH: u32 = 2;
/// Value of a perimeter cell to `mix`, in own cells, unless `--weight` sets it. Not tuned.
pub const MIX_WEIGHT: f64 = 0.5;

/// Plans `depth` moves for cells and perimeter, both counted at the end (Q7.2). A perimeter cell
/// counts as `weight` own cells. A greedy move that ends the game is played at once.
pub fn mix(context: &MoveContext, depth: Option<u32>, weight: f64) -> Choice {
    let last = greedy(context);
    if context.graph.is_over(&context.after(last).node) {
        return (last, None);
    }
    let moves = depth.unwrap_or(MIX_DEPTH).clamp(1, DEEPEST);
    let (colour, value) = best_mix(&CellContext::new(context), moves, weight);
    (colour, Some(context.lead(value)))
}

/// Returns the first move of the best plan of `moves` moves, and its value.
fn best_mix(ground: &CellContext, moves: u32, weight: f64) -> (Colour, f64) {
    let value = |after: CellContext| match moves {
        1 => f64::from(after.context.cells()) + weight * f64::from(after.perimeter()),
        _ => best_mix(&after, moves - 1, weight).1,
    };
    best(ground.context.legal().map(|colour| (colour, value(ground.after(colour)))))
}
