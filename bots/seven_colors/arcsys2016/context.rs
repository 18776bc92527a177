//! The view of a position that the strategies share, and the trait that they implement.

use arbitre_games::bitboard::Bitboard;
use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::graph::{Gains, Graph, GraphNode};
use arbitre_games::games::seven_colors::{CellSet, Colour};

/// A colour to play. Strategies that plan add the value of their plan, less the opponent's cells.
pub type Choice = (Colour, Option<f64>);

/// A strategy: a function of the position, apart from random numbers.
pub trait Strategy: Send {
    /// Starts a game; `seed` is for random choices.
    fn begin(&mut self, _seed: u64) {}

    /// Returns the colour to play. `depth` is the number of moves to plan, for strategies that
    /// plan; `None` means their default.
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Choice;
}

impl<F: Fn(&MoveContext, Option<u32>) -> Choice + Send> Strategy for F {
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Choice {
        self(context, depth)
    }
}

/// A position on its region graph, from the side of the player to move.
#[derive(Clone, Copy)]
pub struct MoveContext<'a> {
    /// Region graph of the board.
    pub graph: &'a Graph,
    /// Regions of each player.
    pub node: GraphNode,
    /// Player to move.
    pub seat: Seat,
}

impl MoveContext<'_> {
    /// Returns the legal colours, in the order of their letters.
    pub fn legal(&self) -> impl DoubleEndedIterator<Item = Colour> + '_ {
        self.graph.legal(&self.node, self.seat)
    }

    /// Returns the number of cells that each colour would gain.
    pub fn gains(&self) -> Gains {
        self.graph.gains(&self.node, self.seat)
    }

    /// Returns the legal colours that gain a cell, in the order of their letters.
    pub fn useful(&self) -> Vec<Colour> {
        let gains = self.gains();
        self.legal().filter(|colour| gains[colour.index()] > 0).collect()
    }

    /// Returns the number of cells of the player to move.
    pub fn cells(&self) -> u16 {
        self.node.cells(self.seat)
    }

    /// Returns the lead over the cells of the other player, for a player with `cells` cells.
    pub fn lead(&self, cells: f64) -> f64 {
        cells - f64::from(self.node.cells(self.seat.other()))
    }

    /// Returns the position after the player's move, with the same player to move again.
    pub fn after(&self, colour: Colour) -> Self {
        let mut after = *self;
        self.graph.play(&mut after.node, self.seat, colour);
        after
    }
}

/// A position with the cells of both players, for strategies that count single cells.
#[derive(Clone, Copy)]
pub struct CellContext<'a> {
    /// Position on its region graph.
    pub context: MoveContext<'a>,
    /// Cells of the player to move.
    pub own: CellSet,
    /// Cells of the other player.
    pub other: CellSet,
}

impl<'a> CellContext<'a> {
    /// Creates the context of a position, with the cells of each player.
    pub fn new(context: &MoveContext<'a>) -> CellContext<'a> {
        let of = |seat| context.graph.area(context.node.taken(seat));
        CellContext { context: *context, own: of(context.seat), other: of(context.seat.other()) }
    }

    /// Returns the cells that neither player has.
    pub fn free(&self) -> CellSet {
        self.context.graph.board().and_not(self.own).and_not(self.other)
    }

    /// Returns the position after the player's move, with the same player to move again.
    pub fn after(&self, colour: Colour) -> Self {
        let mut after = *self;
        let MoveContext { graph, seat, .. } = self.context;
        let won = graph.play(&mut after.context.node, seat, colour);
        after.own = after.own.or(graph.area(&won));
        after
    }

    /// Returns the same position with the other player to move.
    pub fn turned(&self) -> Self {
        let seat = self.context.seat.other();
        CellContext {
            context: MoveContext { seat, ..self.context },
            own: self.other,
            other: self.own,
        }
    }

    /// Returns the number of free cells beside the own cells.
    pub fn perimeter(&self) -> u32 {
        self.own.dilate().and(self.free()).count()
    }
}

/// Returns the best of `offers` and its value, the first among equals.
///
/// # Panics
/// Panics if `offers` is empty; some colour can always be played.
pub fn best<V: PartialOrd>(offers: impl Iterator<Item = (Colour, V)>) -> (Colour, V) {
    let better = |best: (Colour, V), next: (Colour, V)| if next.1 > best.1 { next } else { best };
    offers.reduce(better).expect("some colour is legal")
}
