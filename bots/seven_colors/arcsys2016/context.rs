//! What strategies look at and how they say what they choose.

use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::cells::CellSet;
use arbitre_games::games::seven_colors::graph::{Gains, Graph, GraphNode};
use arbitre_games::games::seven_colors::Colour;

/// A strategy: a function of the position. Only random numbers are kept from move to move.
pub trait Strategy: Send {
    /// A game begins; the seed is for its random choices.
    fn begin(&mut self, _seed: u64) {}

    /// The colour to play. `depth` is how many moves to look ahead, for those who look ahead and where
    /// anybody says so.
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Colour;
}

impl<F: Fn(&MoveContext, Option<u32>) -> Colour + Send> Strategy for F {
    fn choose(&mut self, context: &MoveContext, depth: Option<u32>) -> Colour {
        self(context, depth)
    }
}

/// A position as one player sees it: on its graph, with that player to move.
#[derive(Clone, Copy)]
pub struct MoveContext<'a> {
    /// The board.
    pub graph: &'a Graph,
    /// Who has what.
    pub node: GraphNode,
    /// Whose move it is.
    pub seat: Seat,
}

impl MoveContext<'_> {
    /// The colours that may be played, the first letter first.
    pub fn legal(&self) -> impl DoubleEndedIterator<Item = Colour> + '_ {
        self.graph.legal(&self.node, self.seat)
    }

    /// How many cells each colour would gain.
    pub fn gains(&self) -> Gains {
        self.graph.gains(&self.node, self.seat)
    }

    /// The colours that may be played and gain something, the first letter first.
    pub fn useful(&self) -> Vec<Colour> {
        let gains = self.gains();
        self.legal().filter(|colour| gains[colour.index()] > 0).collect()
    }

    /// How many cells the player has.
    pub fn cells(&self) -> u16 {
        self.node.cells(self.seat)
    }

    /// Returns the position after the player's move, with the same player to move again.
    pub fn after(&self, colour: Colour) -> Self {
        let mut after = *self;
        self.graph.play(&mut after.node, self.seat, colour);
        after
    }
}

/// A position with the cells that each player has, for what must be counted in cells.
#[derive(Clone, Copy)]
pub struct CellContext<'a> {
    /// The position on its graph.
    pub context: MoveContext<'a>,
    /// The cells of the player to move.
    pub own: CellSet,
    /// The other player's cells.
    pub other: CellSet,
}

impl<'a> CellContext<'a> {
    /// Finds the cells of each player in a position.
    pub fn new(context: &MoveContext<'a>) -> CellContext<'a> {
        let of = |seat| context.graph.area(context.node.taken(seat));
        CellContext { context: *context, own: of(context.seat), other: of(context.seat.other()) }
    }

    /// The cells that nobody has.
    pub fn free(&self) -> CellSet {
        self.context.graph.board().without(&self.own).without(&self.other)
    }

    /// Returns the position after the player's move, with the same player to move again.
    pub fn after(&self, colour: Colour) -> Self {
        let mut after = *self;
        let MoveContext { graph, seat, .. } = self.context;
        let won = graph.play(&mut after.context.node, seat, colour);
        after.own = after.own.or(&graph.area(&won));
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

    /// The free cells beside one's own.
    pub fn perimeter(&self) -> u32 {
        self.own.beside(&self.free()).count()
    }
}

/// The best of what is offered, with what it is worth: of equals the first.
///
/// # Panics
/// If nothing is offered: some colour can always be played.
pub fn best<V: PartialOrd>(offers: impl Iterator<Item = (Colour, V)>) -> (Colour, V) {
    let better = |best: (Colour, V), next: (Colour, V)| if next.1 > best.1 { next } else { best };
    offers.reduce(better).expect("some colour can be played")
}
