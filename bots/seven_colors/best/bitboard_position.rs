//! Bitboard position of the search and its move generator.

use arbitre_games::bitboard::{Bitboard, Cell, Loaded};
use arbitre_games::game::Seat;
use arbitre_games::games::seven_colors::{
    CellState, Colour, ColourRule, Position, Rules, MOST_COLOURS,
};
use arbitre_games::search::hash::BuildFoldHasher;
use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

/// Placeholder where a player has no last colour, or one that bans nothing.
pub const NO_COLOUR: u8 = u8::MAX;

/// Side to move, in the arrays of a node.
pub const MOVER: usize = 0;
/// Opponent of the side to move, in the arrays of a node.
pub const OTHER: usize = 1;

/// Parts of a game that do not change: the rules, and the colours of the board.
pub struct BoardContext<P> {
    /// Rules of the game.
    pub rules: Rules,
    /// Bitboard of all cells.
    pub board: P,
    /// Cells of each colour that were free when the context was made.
    pub colours: [P; MOST_COLOURS],
    /// Initially free cells whose right neighbour has the same colour.
    pub across: P,
    /// Initially free cells whose lower neighbour has the same colour.
    pub down: P,
    /// Whether moves without gain are skipped while another move gains, even where one could be
    /// best.
    pub only_gains: bool,
}

/// A position from the view of the player to move, which is index [`MOVER`] of each array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitboardNode<P> {
    /// Cells of each player.
    pub own: [P; 2],
    /// Number of cells of each player.
    pub cells: [u16; 2],
    /// Colour that each player played last, or [`NO_COLOUR`] where it bans no colour.
    pub last_played: [u8; 2],
    /// Number of plies in a row without a gain.
    pub quiet: u16,
}

/// Hashes the node without `cells`, which follows from `own`.
impl<P: Hash> Hash for BitboardNode<P> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.own.hash(state);
        (u32::from(self.last_played[0]) << 24
            | u32::from(self.last_played[1]) << 16
            | u32::from(self.quiet))
        .hash(state);
    }
}

impl<P: Hash> BitboardNode<P> {
    /// Returns the hash for tables. About one pair of positions in 2⁶⁴ shares a hash.
    #[inline]
    pub fn key(&self) -> u64 {
        BuildFoldHasher::default().hash_one(self)
    }
}

/// A move and the position that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColourMove<P> {
    /// Colour that is played.
    pub colour: u8,
    /// Number of cells gained.
    pub gain: u16,
    /// Position after the move.
    pub node: BitboardNode<P>,
}

impl<P: Bitboard> BoardContext<P> {
    /// Creates the context of a game and the node of `position`.
    pub fn new(position: &Position) -> (BoardContext<P>, BitboardNode<P>) {
        let rules = *position.rules();
        let (mut board, mut colours, mut taken) = (P::NONE, [P::NONE; MOST_COLOURS], [P::NONE; 2]);
        for row in 0..rules.height() {
            for column in 0..rules.width() {
                let cell = Cell::new(column, row);
                board.insert(cell);
                match position.cell(row, column) {
                    CellState::Free(colour) => colours[colour.index()].insert(cell),
                    CellState::Taken(seat) => taken[seat.index()].insert(cell),
                }
            }
        }
        let (mut across, mut down) = (P::NONE, P::NONE);
        for colour in colours {
            across = across.or(colour.and(colour.shift_left()));
            down = down.or(colour.and(colour.shift_up()));
        }
        let seats = [position.mover(), position.mover().other()];
        let node = BitboardNode {
            own: seats.map(|seat| taken[seat.index()]),
            cells: seats.map(|seat| taken[seat.index()].count() as u16),
            last_played: seats.map(|seat| last_played(&rules, position, seat)),
            quiet: position.quiet().try_into().unwrap_or(u16::MAX),
        };
        (BoardContext { rules, board, colours, across, down, only_gains: false }, node)
    }

    /// Returns the cells that neither player has.
    #[inline]
    pub fn free(&self, node: &BitboardNode<P>) -> P {
        self.board.and_not(node.own[0]).and_not(node.own[1])
    }

    /// Returns the result for the player to move if the game is over.
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

    /// Returns the scores under `count_enclosed`: own cells and the free ones the rival cannot
    /// reach.
    fn scores(&self, node: &BitboardNode<P>) -> [u32; 2] {
        let free = self.free(node);
        let beyond = |side: usize| free.and_not(free.flood_fill(node.own[1 - side])).count();
        [MOVER, OTHER].map(|side| u32::from(node.cells[side]) + beyond(side))
    }

    /// Returns `true` if a smaller gain is never better, so that a pass matters only without any
    /// gain.
    ///
    /// Without bans a player with more cells can play as if it had fewer. Only a pass that would
    /// end the game by a stall is different.
    pub fn gaining_is_never_worse(&self, node: &BitboardNode<P>) -> bool {
        self.rules.ban == ColourRule::None && node.quiet + 1 < self.rules.stall
    }

    /// Returns `true` if a player that keeps gaining reaches its goal before passes of the rival
    /// end the game. It gains at every move, or at every other move where each ban lasts one move.
    pub fn passing_is_too_late(&self, node: &BitboardNode<P>) -> bool {
        // Where the runner gains at every move, only a ply of its rival is quiet between two gains.
        // Under `OwnAndOpponent` the runner may have to pass. Five plies cover two passes: rival,
        // runner, rival, runner, rival.
        let passes = if self.rules.ban == ColourRule::OwnAndOpponent { 5 } else { 1 };
        node.quiet + passes < self.rules.stall
    }

    fn is_legal(&self, node: &BitboardNode<P>, colour: u8) -> bool {
        !node.last_played.contains(&colour)
    }
}

/// Returns the last colour of `seat` if it is banned for the player to move, now or later, and
/// [`NO_COLOUR`] otherwise.
fn last_played(rules: &Rules, position: &Position, seat: Seat) -> u8 {
    let is_banned = match rules.ban {
        ColourRule::None => false,
        ColourRule::Opponent => seat != position.mover(),
        ColourRule::OwnAndOpponent => true,
    };
    position
        .last_played(seat)
        .filter(|_| is_banned)
        .map_or(NO_COLOUR, |colour| colour.index() as u8)
}

/// Returns the free cells of all regions beside `cells`. A move takes those of one colour.
#[inline(always)]
pub fn regions_beside<P: Loaded>(context: &BoardContext<P::Stored>, cells: P, free: P) -> P {
    let (across, down) = (P::load(&context.across), P::load(&context.down));
    let mut front = cells.dilate().and(free);
    let mut regions = front;
    while !front.is_empty() {
        front = within(front, across, down).and(free).and_not(regions);
        regions = regions.or(front);
    }
    regions
}

/// Returns the cells beside `cells` that have the same colour.
#[inline(always)]
pub fn within<P: Bitboard>(cells: P, across: P, down: P) -> P {
    let level = cells.shift_left().and(across).or(cells.and(across).shift_right());
    level.or(cells.shift_up().and(down)).or(cells.and(down).shift_down())
}

/// Adds the moves worth searching to `found`, with the positions after them.
///
/// Every gaining move is added. Passes are added unless `only_gains` is set or [a pass is never
/// better](BoardContext::gaining_is_never_worse). If nothing was added, one pass is.
#[inline(always)]
pub fn children<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
    found: &mut Vec<ColourMove<P::Stored>>,
) {
    let (own, other) = (P::load(&node.own[0]), P::load(&node.own[1]));
    let free = P::load(&context.board).and_not(own).and_not(other);
    // One flood serves all colours: a move takes its share of every region beside the own cells.
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
            let left = free.and_not(won);
            won = won.or(left.and_not(left.flood_fill(other)));
        }
        let gain = won.count() as u16;
        let node = BitboardNode {
            own: [node.own[1], own.or(won).store()],
            cells: [node.cells[1], node.cells[0] + gain],
            last_played: context.last_played_after(node, colour),
            quiet: 0,
        };
        found.push(ColourMove { colour, gain, node });
    }
    // A player without a useful move passes with any legal colour; one pass stands for all of them.
    if found.len() == before {
        let colour = (0..context.rules.colours).find(|&colour| context.is_legal(node, colour));
        found.push(context.passed(node, colour.expect("some colour is legal")));
    }
}

impl<P: Bitboard> BoardContext<P> {
    #[inline(always)]
    fn last_played_after(&self, node: &BitboardNode<P>, colour: u8) -> [u8; 2] {
        match self.rules.ban {
            ColourRule::None => [NO_COLOUR; 2],
            ColourRule::Opponent => [NO_COLOUR, colour],
            ColourRule::OwnAndOpponent => [node.last_played[1], colour],
        }
    }

    fn passed(&self, node: &BitboardNode<P>, colour: u8) -> ColourMove<P> {
        let last_played = self.last_played_after(node, colour);
        let [own, other] = node.own;
        let node = BitboardNode {
            own: [other, own],
            cells: [node.cells[1], node.cells[0]],
            last_played,
            quiet: node.quiet + 1,
        };
        ColourMove { colour, gain: 0, node }
    }
}

/// Returns the colour with index `number`.
pub fn colour(number: u8) -> Colour {
    Colour::new(number.into())
}
