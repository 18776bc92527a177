//! The strategies that plan several moves of their own, as if the opponent did nothing.

use super::context::{best, CellContext, MoveContext, Strategy};
use super::simple::greedy;
use arbitre_games::games::seven_colors::graph::Gains;
use arbitre_games::games::seven_colors::{Colour, ColourRule};

/// How many moves `oracle` plans where nobody says.
pub const ORACLE_DEPTH: u32 = 4;
/// A plan of so many moves takes seconds already: each more takes eight times as long.
const DEEPEST: u32 = 9;

/// Plans two moves, the second of them greedy (Q6.2).
pub struct TwoPlyPlanner;

impl Strategy for TwoPlyPlanner {
    fn choose(&mut self, context: &MoveContext, _: Option<u32>) -> Colour {
        plan(context, 2)
    }
}

/// Plans so many moves: it tries each colour, goes on as the oracle of a move less would, that one's
/// move played, and so on down to the foreseeing and the greedy player (Q6.2).
pub struct Oracle;

impl Strategy for Oracle {
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Colour {
        plan(context, depth.unwrap_or(ORACLE_DEPTH).clamp(1, DEEPEST))
    }
}

/// The first move of the best plan of so many. Of plans that come to the same, the one that gains more
/// at once is played: else what can be had later might be put off for ever.
///
/// The oracle of a move less plays on to where its own best plan leads, so what a colour is worth is the
/// most that any moves after it come to, and nothing need be planned twice.
pub fn plan(context: &MoveContext, moves: u32) -> Colour {
    if moves <= 1 {
        return greedy(context);
    }
    let gains = context.gains();
    let value =
        |colour: Colour| (most_cells(context, &gains, colour, moves), gains[colour.index()]);
    best(candidates(context, &gains).map(|colour| (colour, value(colour)))).0
}

/// The most cells that so many moves come to, two at least, of which this colour is the first; `gains` are
/// those in the field.
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

/// Plans several moves for cells and perimeter, both counted at the end (Q7.2); where the greedy move
/// ends the game, it plays that.
pub struct Mix {
    weight: f64,
}

/// How many moves `mix` plans where nobody says.
const MIX_DEPTH: u32 = 2;

impl Mix {
    /// What a cell of the perimeter is worth where nobody says.
    pub const WEIGHT: f64 = 0.5;

    /// A cell of the perimeter counts as so much of a cell of its own.
    pub fn new(weight: f64) -> Mix {
        Mix { weight }
    }

    /// What the best of so many moves leads to.
    fn value(&self, ground: &CellContext, moves: u32) -> f64 {
        if moves == 0 {
            let cells = f64::from(ground.context.cells());
            return cells + self.weight * f64::from(ground.perimeter());
        }
        let after = |colour| self.value(&ground.after(colour), moves - 1);
        best(ground.context.legal().map(|colour| (colour, after(colour)))).1
    }
}

impl Strategy for Mix {
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Colour {
        let last = greedy(context);
        if context.graph.is_over(&context.after(last).node) {
            return last;
        }
        let ground = CellContext::new(context);
        let moves = depth.unwrap_or(MIX_DEPTH).clamp(1, DEEPEST);
        let value = |colour: Colour| self.value(&ground.after(colour), moves - 1);
        best(context.legal().map(|colour| (colour, value(colour)))).0
    }
}
