//! A position of a game: the occupied cells, the heads, the player to move and the order of
//! eliminations.

use super::grid::{Grid, Shape, CAPACITY};
use super::{CellContent, Direction, Point, Starts, MOST_SEATS};
use crate::game::{IllegalMove, LossReason, Misreading, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;

/// Byte of a wall cell. Smaller bytes are seats, whose trail covers the cell.
const WALL: u8 = MOST_SEATS as u8;
/// Byte of a free cell.
const FREE: u8 = WALL + 1;

/// A position. It holds no pointer, so a clone copies its 2.7 kB of bytes.
///
/// Trail cells keep their byte when their cycle is eliminated. Such a byte then means a free cell,
/// as the mask `solid` has lost that seat. Removing a trail thus takes constant time.
#[derive(Clone)]
pub struct Position {
    shape: Shape,
    cells: [u8; CAPACITY],
    /// Mask of the bytes that mean an occupied cell. The lowest bits are thus the seats in the
    /// game.
    solid: u8,
    seats: u8,
    mover: u8,
    /// Mask of the mover's legal moves; 0 once the game is over.
    legal: u8,
    heads: [u16; MOST_SEATS],
    starts: [u16; MOST_SEATS],
    gone: Gone,
    ply: u32,
}

/// Eliminated seats, earliest first, in groups eliminated together.
#[derive(Clone, Copy, Default)]
struct Gone {
    groups: [Seats; MOST_SEATS],
    count: u8,
    /// Number of groups that were eliminated before the last move or forfeit.
    earlier: u8,
}

impl Gone {
    fn groups(&self) -> &[Seats] {
        &self.groups[..self.count.into()]
    }

    /// Returns the seats eliminated by the last move or forfeit.
    fn last(&self) -> Seats {
        self.groups()[self.earlier.into()..].iter().flat_map(|group| group.iter()).collect()
    }

    fn push(&mut self, group: Seats) {
        self.groups[usize::from(self.count)] = group;
        self.count += 1;
    }

    /// Returns the number of seats eliminated before `seat`, or all eliminated seats if `seat` is
    /// in the game.
    fn before(&self, seat: Seat) -> usize {
        let before = self.groups().iter().take_while(|group| !group.contains(seat));
        before.map(|group| group.len()).sum()
    }
}

impl Position {
    /// Creates the first position, with seat 0 to move.
    pub(super) fn new(grid: &Grid, starts: &Starts) -> Result<Position, ParseError> {
        let position = Position::placed(grid, starts)?;
        match position.is_over() {
            true => Err(ParseError::new(
                "expected starts that leave a game to play, got some from which no player can move",
            )),
            false => Ok(position),
        }
    }

    /// Creates the first position like [`Position::new`], even if the game is over in it.
    pub(super) fn placed(grid: &Grid, starts: &Starts) -> Result<Position, ParseError> {
        let mut position = Position::empty(grid, starts.seats());
        for (seat, &point) in starts.0.iter().enumerate() {
            position.check_start(seat, point)?;
            position.place(Seat::new(seat), point);
        }
        // Seat 0 may be walled in at its start, so the turn is settled before the first move.
        position.settle();
        Ok(position)
    }

    /// Creates a grid for `seats` cycles, all of them in the game and yet to be placed.
    pub(super) fn empty(grid: &Grid, seats: usize) -> Position {
        Position {
            shape: grid.shape,
            cells: grid.walls.map(|wall| if wall { WALL } else { FREE }),
            solid: 1 << WALL | ((1 << seats) - 1),
            seats: seats as u8,
            mover: 0,
            legal: 0,
            heads: [0; MOST_SEATS],
            starts: [0; MOST_SEATS],
            gone: Gone::default(),
            ply: 0,
        }
    }

    fn check_start(&self, seat: usize, point: Point) -> Result<(), ParseError> {
        let Shape { width, height } = self.shape;
        let taken =
            |by: &str| format!("expected seat {seat} to start on a free cell, got {by} at {point}");
        let message = match self.cell(point) {
            // Off the grid `cell` returns a wall, so this case comes first.
            _ if !self.shape.contains(point) => {
                format!(
                    "expected seat {seat} to start on the grid of {width}x{height}, got {point}"
                )
            }
            CellContent::Free => return Ok(()),
            CellContent::Wall => taken("a wall"),
            CellContent::Trail(other) => taken(&format!("the start of seat {other}")),
        };
        Err(ParseError::new(message))
    }

    /// Places a cycle whose trail is one cell.
    pub(super) fn place(&mut self, seat: Seat, point: Point) {
        self.starts[seat.index()] = self.shape.index(point) as u16;
        self.enter(seat, point);
    }

    /// Moves the head of `seat` to `point` and extends its trail. The turn does not change.
    pub(super) fn enter(&mut self, seat: Seat, point: Point) {
        self.heads[seat.index()] = self.shape.index(point) as u16;
        self.mark(seat, point);
    }

    /// Adds a cell to the trail of `seat`.
    pub(super) fn mark(&mut self, seat: Seat, point: Point) {
        self.cells[self.shape.index(point)] = seat.index() as u8;
    }

    /// Turns a cell into a wall.
    pub(super) fn wall(&mut self, point: Point) {
        self.cells[self.shape.index(point)] = WALL;
    }

    /// Passes the turn to `seat`, or to the next seat that can move.
    pub(super) fn turn_to(&mut self, seat: Seat) {
        self.mover = seat.index() as u8;
        self.settle();
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.shape.height
    }

    /// Returns the number of players at the start of the game.
    pub fn seats(&self) -> usize {
        self.seats.into()
    }

    /// Returns the seats still in the game; once it is over, the winner if there is one.
    pub fn alive(&self) -> Seats {
        (0..self.seats()).map(Seat::new).filter(|&seat| self.is_alive(seat)).collect()
    }

    /// Returns `true` if this seat is still in the game.
    #[inline]
    pub fn is_alive(&self, seat: Seat) -> bool {
        seat.index() < MOST_SEATS && self.solid >> seat.index() & 1 != 0
    }

    /// Returns the seat to move; once the game is over, the seat that would be next.
    pub fn mover(&self) -> Seat {
        Seat::new(self.mover.into())
    }

    /// Returns the mask of the mover's legal moves, bit [`Direction::index`]; 0 once the game is
    /// over.
    pub fn legal_mask(&self) -> u8 {
        self.legal
    }

    /// Returns the number of moves played by all seats.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the head of a cycle, or `None` once it is eliminated.
    pub fn head(&self, seat: Seat) -> Option<Point> {
        self.is_alive(seat).then(|| self.shape.point(self.heads[seat.index()].into()))
    }

    /// Returns the first cell of a trail, or `None` once its cycle is eliminated. In a position
    /// parsed from text the first cell is not known; this then returns the head.
    pub fn tail(&self, seat: Seat) -> Option<Point> {
        self.is_alive(seat).then(|| self.shape.point(self.starts[seat.index()].into()))
    }

    /// Returns the content of a cell; every point off the grid is a wall.
    #[inline]
    pub fn cell(&self, point: Point) -> CellContent {
        match self.shape.contains(point) {
            true => self.content(self.shape.index(point)),
            false => CellContent::Wall,
        }
    }

    /// Returns the seat whose trail covered this cell when it was eliminated, and whether the cell
    /// was its head. `None` before the end of the game, and for trails of the seats eliminated
    /// before the last move or forfeit.
    pub fn remains(&self, point: Point) -> Option<(Seat, bool)> {
        let last = if self.is_over() { self.gone.last() } else { Seats::NONE };
        // No move follows these eliminations, so the cells still hold the bytes of the trails.
        let index = self.shape.index(point);
        let seat = last.iter().find(|seat| self.cells[index] == seat.index() as u8)?;
        Some((seat, usize::from(self.heads[seat.index()]) == index))
    }

    /// Returns the content of every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = CellContent> + '_ {
        self.shape.points().map(|point| self.content(self.shape.index(point)))
    }

    fn content(&self, index: usize) -> CellContent {
        match self.cells[index] {
            WALL => CellContent::Wall,
            byte if self.is_solid(byte) => CellContent::Trail(Seat::new(byte.into())),
            _ => CellContent::Free,
        }
    }

    #[inline]
    fn is_solid(&self, byte: u8) -> bool {
        self.solid >> byte & 1 != 0
    }

    /// Returns the mask of the seats in the game.
    fn alive_mask(&self) -> u8 {
        self.solid & !(1 << WALL)
    }

    fn is_over(&self) -> bool {
        self.alive_mask().count_ones() <= 1
    }

    /// Returns the mask of the directions in which the cell next to a seat's head is free.
    #[inline]
    pub fn ways(&self, seat: Seat) -> u8 {
        let head = self.heads[seat.index()].into();
        // The border of walls makes bounds checks unnecessary here.
        let bit = |way: Direction| {
            let byte = self.cells[self.shape.step(head, way)];
            u8::from(!self.is_solid(byte)) << way.index()
        };
        Direction::ALL.into_iter().map(bit).sum()
    }

    /// Finds the seat to move and its legal moves; eliminates seats without a legal move on their
    /// turn.
    #[inline]
    fn settle(&mut self) {
        self.legal = 0;
        while !self.is_over() {
            if self.is_alive(self.mover()) {
                self.legal = self.ways(self.mover());
                if self.legal != 0 {
                    return;
                }
                self.eliminate(Seats::one(self.mover()));
            }
            self.mover = (self.mover + 1) % self.seats;
        }
    }

    /// Eliminates these seats together. All of them must be in the game.
    pub(super) fn eliminate(&mut self, seats: Seats) {
        // The cells keep their bytes; clearing the bit frees them all.
        seats.iter().for_each(|seat| self.solid &= !(1 << seat.index()));
        self.gone.push(seats);
    }
}

impl State for Position {
    type Move = Direction;

    fn to_move(&self) -> Seats {
        match self.is_over() {
            false => Seats::one(self.mover()),
            true => Seats::NONE,
        }
    }

    #[inline]
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Direction) -> ControlFlow<()>) {
        if seat == self.mover() {
            // Whether the caller stopped early makes no difference, as nothing follows.
            let _ = Direction::of_mask(self.legal).try_for_each(found);
        }
    }

    fn check(&self, seat: Seat, way: Direction) -> Result<(), IllegalMove> {
        // The mask of legal moves decides; the reason is found only for the error message.
        let reason = if self.is_over() {
            "the game is over"
        } else if seat != self.mover() {
            "it is another seat's turn"
        } else if self.legal >> way.index() & 1 != 0 {
            return Ok(());
        } else {
            match self.cells[self.shape.step(self.heads[seat.index()].into(), way)] {
                WALL => "there is a wall",
                own if own == self.mover => "its own trail is there",
                _ => "another trail is there",
            }
        };
        Err(IllegalMove(reason))
    }

    #[inline]
    fn play_unchecked(&mut self, seat: Seat, way: Direction) {
        let head = self.shape.step(self.heads[seat.index()].into(), way);
        self.heads[seat.index()] = head as u16;
        self.cells[head] = seat.index() as u8;
        self.ply += 1;
        self.gone.earlier = self.gone.count;
        self.mover = (self.mover + 1) % self.seats;
        self.settle();
    }

    fn forfeit(&mut self, seats: Seats) {
        let seats: Seats = seats.iter().filter(|&seat| self.is_alive(seat)).collect();
        if !self.is_over() && !seats.is_empty() {
            self.gone.earlier = self.gone.count;
            self.eliminate(seats);
            self.settle();
        }
    }

    /// Returns the final scores: each seat's is the number of players that it outlasted.
    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let score = |seat| self.gone.before(Seat::new(seat)) as i64;
        let scores = (0..self.seats()).map(score).collect();
        Some(Outcome { scores, out: self.gone.groups().to_vec(), lower_is_better: false })
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.is_over().then_some(match self.alive().is_empty() {
            true => "no player is left",
            false => "one player is left",
        })
    }

    fn elimination(&self, seat: Seat) -> Option<LossReason> {
        (!self.is_alive(seat)).then_some(LossReason::plain("walled in"))
    }

    fn collision(&self, seat: Seat, way: Direction) -> Option<LossReason> {
        if !self.is_alive(seat) {
            return None;
        }
        let next = self.shape.step(self.heads[seat.index()].into(), way);
        let other = match self.cells[next] {
            WALL => return Some(LossReason::plain("hit a wall")),
            byte if !self.is_solid(byte) => return None,
            byte => Seat::new(byte.into()),
        };
        let is_head = usize::from(self.heads[other.index()]) == next;
        Some(match (other == seat, is_head) {
            (true, _) => LossReason::plain("hit its own trail"),
            (false, true) => LossReason { text: "ran head-on into", other: Some(other) },
            (false, false) => LossReason { text: "hit the trail of", other: Some(other) },
        })
    }

    fn misreading(&self, seat: Seat, way: Direction) -> Option<Misreading> {
        let Point { x, y } = self.head(seat)?;
        let next = self.shape.step(self.heads[seat.index()].into(), way);
        let is_off = match way {
            Direction::Up => y == 0,
            Direction::Left => x == 0,
            Direction::Down => usize::from(y) + 1 == self.shape.height,
            Direction::Right => usize::from(x) + 1 == self.shape.width,
        };
        Some(Misreading::Board(match self.cells[next] {
            WALL if is_off => "it leaves the grid: test first that the next cell is on it",
            WALL => "some cells are walls from the start: mark those that the rules name",
            byte if !self.is_solid(byte) => return None,
            byte if usize::from(self.starts[usize::from(byte)]) == next => {
                "it enters the cell in which a trail begins: mark the first cell of each trail as \
                 well as its head"
            }
            byte if usize::from(byte) == seat.index() => {
                "it enters its own trail: mark its own head in each turn"
            }
            _ => "it enters the trail of another player: mark all heads in each turn",
        }))
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to move in {}", self.mover(), super::text::picture(self))
    }
}
