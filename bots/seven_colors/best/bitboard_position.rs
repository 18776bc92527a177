//! The board as a search sees it: sets of cells, and what a move takes.

use arbitre_games::bitboard::{Bitboard, Cell, Loaded};
use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::{
    CellState, Colour, ColourRule, Position, Rules, MOST_COLOURS,
};
use arbitre_games::search::hash::BuildFoldHasher;
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

/// In place of a colour: none is held.
pub const NOTHING: u8 = u8::MAX;

/// What does not change during a game.
pub struct BoardContext<P> {
    /// The options.
    pub rules: Rules,
    /// All cells.
    pub board: P,
    /// The cells of each colour that were free when the context was made.
    pub colours: [P; MOST_COLOURS],
    /// The free cells whose neighbour to the right has the same colour.
    pub across: P,
    /// The free cells whose neighbour below has the same colour.
    pub down: P,
    /// Is a move that gains nothing only looked at where none gains, even where it may be the best?
    pub only_gains: bool,
}

/// A position, the player to move first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitboardNode<P> {
    /// The cells of each.
    pub own: [P; 2],
    /// How many there are.
    pub cells: [u16; 2],
    /// What each played last, as far as it may not be played again.
    pub held: [u8; 2],
    /// Plies in a row without a gain.
    pub quiet: u16,
}

/// How many cells there are follows from which they are.
impl<P: Hash> Hash for BitboardNode<P> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.own.hash(state);
        (u32::from(self.held[0]) << 24 | u32::from(self.held[1]) << 16 | u32::from(self.quiet))
            .hash(state);
    }
}

impl<P: Hash> BitboardNode<P> {
    /// Returns the hash for tables: two positions share one about once in 2⁶⁴ pairs.
    #[inline]
    pub fn key(&self) -> u64 {
        BuildFoldHasher::default().hash_one(self)
    }
}

/// A move and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColourMove<P> {
    /// The move.
    pub colour: u8,
    /// How many cells it gains.
    pub gain: u16,
    /// The position after it.
    pub node: BitboardNode<P>,
}

impl<P: Bitboard> BoardContext<P> {
    /// Makes the context of a position, and the node of the position.
    pub fn new(position: &Position) -> (BoardContext<P>, BitboardNode<P>) {
        let rules = *position.rules();
        let (mut board, mut colours, mut taken) = (P::NONE, [P::NONE; MOST_COLOURS], [P::NONE; 2]);
        for row in 0..rules.height() {
            for column in 0..rules.width() {
                let spot = Cell::new(column, row);
                board.insert(spot);
                match position.cell(row, column) {
                    CellState::Free(colour) => colours[colour.index()].insert(spot),
                    CellState::Taken(seat) => taken[seat.index()].insert(spot),
                }
            }
        }
        let (mut across, mut down) = (P::NONE, P::NONE);
        for colour in colours {
            across = across.or(colour.and(colour.right_to_here()));
            down = down.or(colour.and(colour.below_to_here()));
        }
        let seats = [position.mover(), position.mover().other()];
        let node = BitboardNode {
            own: seats.map(|seat| taken[seat.index()]),
            cells: seats.map(|seat| taken[seat.index()].count() as u16),
            held: seats.map(|seat| held(&rules, position, seat)),
            quiet: position.quiet().try_into().unwrap_or(u16::MAX),
        };
        (BoardContext { rules, board, colours, across, down, only_gains: false }, node)
    }

    /// The cells that nobody has.
    #[inline]
    pub fn free(&self, node: &BitboardNode<P>) -> P {
        self.board.without(node.own[0]).without(node.own[1])
    }

    /// Who has won, as the player to move sees it, if the game is over.
    #[inline]
    pub fn verdict(&self, node: &BitboardNode<P>) -> Option<Ordering> {
        let [own, other] = match self.rules.count_enclosed {
            false => node.cells.map(u32::from),
            true => self.scores(node),
        };
        let cells = self.rules.cells() as u32;
        let is_decided = 2 * own > cells || 2 * other > cells || (own == other && own * 2 == cells);
        (is_decided || node.quiet >= self.rules.stall).then(|| own.cmp(&other))
    }

    /// What counts where what is enclosed does.
    fn scores(&self, node: &BitboardNode<P>) -> [u32; 2] {
        let free = self.free(node);
        let beyond = |seat: usize| free.without(free.flood(node.own[1 - seat])).count();
        [0, 1].map(|seat| u32::from(node.cells[seat]) + beyond(seat))
    }

    /// Is a move that gains less never better, so that one that gains nothing is only for who can gain
    /// nothing? Where no colour is closed to anybody, whoever has more cells can play as if it had fewer;
    /// only where it would end the game is a pass another matter.
    pub fn gaining_is_never_worse(&self, node: &BitboardNode<P>) -> bool {
        self.rules.ban == ColourRule::None && node.quiet + 1 < self.rules.stall
    }

    /// Can nobody end the game by passing before who gains at every move, or at every other move where
    /// colours are closed for one move only, has got what he can?
    pub fn passing_is_too_late(&self, node: &BitboardNode<P>) -> bool {
        let passes = if self.rules.ban == ColourRule::OwnAndOpponent { 5 } else { 1 };
        node.quiet + passes < self.rules.stall
    }

    /// May the player to move play this colour?
    fn is_legal(&self, node: &BitboardNode<P>, colour: u8) -> bool {
        !node.held.contains(&colour)
    }
}

/// What a seat holds, as far as that closes a colour to the player to move, now or later.
fn held(rules: &Rules, position: &Position, seat: Seat) -> u8 {
    let closes = match rules.ban {
        ColourRule::None => false,
        ColourRule::Opponent => seat != position.mover(),
        ColourRule::OwnAndOpponent => true,
    };
    position.held(seat).filter(|_| closes).map_or(NOTHING, |colour| colour.index() as u8)
}

/// The free cells of all regions beside these cells: those of a colour are what it takes.
#[inline(always)]
pub fn regions_beside<P: Loaded>(context: &BoardContext<P::Stored>, cells: P, free: P) -> P {
    let (across, down) = (P::load(&context.across), P::load(&context.down));
    let mut front = cells.spread().and(free);
    let mut regions = front;
    while !front.is_empty() {
        front = within(front, across, down).and(free).without(regions);
        regions = regions.or(front);
    }
    regions
}

/// The cells beside some cells that have the same colour.
#[inline(always)]
pub fn within<P: Bitboard>(cells: P, across: P, down: P) -> P {
    let level = cells.right_to_here().and(across).or(cells.and(across).left_to_here());
    level.or(cells.below_to_here().and(down)).or(cells.and(down).above_to_here())
}

/// Finds the moves that are worth looking at, and where they lead: all that gain, and those that gain
/// nothing, or, where [they are never better](BoardContext::gaining_is_never_worse), one for who can gain
/// nothing.
#[inline(always)]
pub fn children<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
    found: &mut Vec<ColourMove<P::Stored>>,
) {
    let (own, other) = (P::load(&node.own[0]), P::load(&node.own[1]));
    let free = P::load(&context.board).without(own).without(other);
    let beside = regions_beside(context, own, free);
    let before = found.len();
    let skips = context.only_gains || context.gaining_is_never_worse(node);
    for colour in 0..context.rules.colours {
        if !context.is_legal(node, colour) {
            continue;
        }
        let mut won = beside.and(P::load(&context.colours[usize::from(colour)]));
        if won.is_empty() {
            if !skips {
                found.push(context.passed(node, colour));
            }
            continue;
        }
        if context.rules.capture_enclosed {
            let left = free.without(won);
            won = won.or(left.without(left.flood(other)));
        }
        let gain = won.count() as u16;
        let node = BitboardNode {
            own: [node.own[1], own.or(won).store()],
            cells: [node.cells[1], node.cells[0] + gain],
            held: context.held_after(node, colour),
            quiet: 0,
        };
        found.push(ColourMove { colour, gain, node });
    }
    if found.len() == before {
        let colour = (0..context.rules.colours).find(|&colour| context.is_legal(node, colour));
        found.push(context.passed(node, colour.expect("some colour can be played")));
    }
}

impl<P: Bitboard> BoardContext<P> {
    #[inline(always)]
    fn held_after(&self, node: &BitboardNode<P>, colour: u8) -> [u8; 2] {
        match self.rules.ban {
            ColourRule::None => [NOTHING; 2],
            ColourRule::Opponent => [NOTHING, colour],
            ColourRule::OwnAndOpponent => [node.held[1], colour],
        }
    }

    fn passed(&self, node: &BitboardNode<P>, colour: u8) -> ColourMove<P> {
        let held = self.held_after(node, colour);
        let [own, other] = node.own;
        let node = BitboardNode {
            own: [other, own],
            cells: [node.cells[1], node.cells[0]],
            held,
            quiet: node.quiet + 1,
        };
        ColourMove { colour, gain: 0, node }
    }
}

/// The colour with this number.
pub fn colour(number: u8) -> Colour {
    Colour::new(number.into())
}
