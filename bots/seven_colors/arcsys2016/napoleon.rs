//! The strategy that considers the replies of the opponent.

use super::context::{CellContext, Choice, MoveContext};
use super::perimeter::expanding;
use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::Colour;
use arbitre_games::search::alpha_beta::{search, SearchPosition};
use arbitre_games::search::budget::Budget;
use std::ops::ControlFlow;

/// Default search depth of `napoleon`, in plies. Not tuned. The last ply, the opponent's, changes
/// nothing except at the end of the game.
const DEPTH: u32 = 4;

/// Searches by alpha-beta over colours that gain a cell. Leaves are evaluated as by `hybrid`: own
/// cells and expanding cells (C. Morand, I. Martayan, 2020).
pub fn napoleon(context: &MoveContext, depth: Option<u32>) -> Choice {
    let root = NapoleonNode { ground: CellContext::new(context), root: context.seat };
    let found = search(&root, [depth.unwrap_or(DEPTH).max(1)], Budget::default());
    (found.best, Some(context.lead(found.value.into())))
}

/// A position of the search.
struct NapoleonNode<'a> {
    /// The position from the side of the player to move.
    ground: CellContext<'a>,
    /// Seat of the player that searches.
    root: Seat,
}

impl SearchPosition for NapoleonNode<'_> {
    type Move = Colour;

    fn terminal_value(&self) -> Option<i32> {
        let MoveContext { graph, node, .. } = &self.ground.context;
        graph.is_over(node).then(|| self.evaluate())
    }

    /// Evaluates the cells of the searching player alone, also on the other's turn.
    fn evaluate(&self) -> i32 {
        let value = |ground: &CellContext| {
            i32::from(ground.context.cells()) + expanding(&ground.own, ground) as i32
        };
        match self.ground.context.seat == self.root {
            true => value(&self.ground),
            false => -value(&self.ground.turned()),
        }
    }

    /// Passes the colours that gain a cell, or else the first one, as a pass.
    fn for_each_child(&self, mut found: impl FnMut(Colour, Self) -> ControlFlow<()>) {
        let mut useful = self.ground.context.useful();
        if useful.is_empty() {
            useful.extend(self.ground.context.legal().next());
        }
        let _ = useful.into_iter().try_for_each(|colour| {
            let ground = self.ground.after(colour).turned();
            found(colour, NapoleonNode { ground, root: self.root })
        });
    }
}
