//! A position in a game: who is where, whose turn it is, and who went out when.

use super::grid::{Grid, Shape, CAPACITY};
use super::{CellContent, Direction, Point, Starts, MOST_SEATS};
use crate::game::{IllegalMove, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;

/// What a cell's byte says besides the number of a seat, whose ribbon is there.
const WALL: u8 = MOST_SEATS as u8;
const FREE: u8 = WALL + 1;

/// A position. It holds no pointer, so a copy is a copy of its bytes, 2.7 kB of them.
///
/// The cells of a ribbon keep their bytes when its cycle goes out: such a byte then stands for a
/// free cell, as the mask of what is solid has lost that seat. So a ribbon vanishes at no cost.
#[derive(Clone)]
pub struct Position {
    shape: Shape,
    cells: [u8; CAPACITY],
    /// Bit `b`: cells with byte `b` are occupied. The lowest bits are thus the seats in the game.
    solid: u8,
    seats: u8,
    mover: u8,
    /// The legal moves of the mover as a mask; none once the game is over.
    legal: u8,
    heads: [u16; MOST_SEATS],
    starts: [u16; MOST_SEATS],
    gone: Gone,
    ply: u32,
}

/// Who went out, earliest first, in groups that went out together.
#[derive(Clone, Copy, Default)]
struct Gone {
    groups: [Seats; MOST_SEATS],
    count: u8,
}

impl Gone {
    fn groups(&self) -> &[Seats] {
        &self.groups[..self.count.into()]
    }

    fn push(&mut self, group: Seats) {
        self.groups[usize::from(self.count)] = group;
        self.count += 1;
    }

    /// How many went out before this seat, or at all if it did not.
    fn before(&self, seat: Seat) -> usize {
        let before = self.groups().iter().take_while(|group| !group.contains(seat));
        before.map(|group| group.len()).sum()
    }
}

impl Position {
    /// The position in which everybody is at the start and seat 0 is to move.
    pub(super) fn new(grid: &Grid, starts: &Starts) -> Result<Position, ParseError> {
        let mut position = Position::empty(grid, starts.seats());
        for (seat, &point) in starts.0.iter().enumerate() {
            position.check_start(seat, point)?;
            position.place(Seat::new(seat), point);
        }
        position.settle();
        match position.is_over() {
            true => Err(ParseError::new(
                "expected starts that leave a game to play, not such that nobody can move",
            )),
            false => Ok(position),
        }
    }

    /// A grid on which so many cycles have yet to be placed; all of them are in the game.
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
        let taken = |by: &str| {
            format!("expected seat {seat} to start on a free cell, not on {by} at {point}")
        };
        let message = match self.cell(point) {
            _ if !self.shape.contains(point) => {
                format!(
                    "expected seat {seat} to start on the grid of {width}x{height}, not at {point}"
                )
            }
            CellContent::Free => return Ok(()),
            CellContent::Wall => taken("a wall"),
            CellContent::Trail(other) => taken(&format!("the start of seat {other}")),
        };
        Err(ParseError::new(message))
    }

    /// Puts a cycle on the grid; it has been nowhere else.
    pub(super) fn place(&mut self, seat: Seat, point: Point) {
        self.starts[seat.index()] = self.shape.index(point) as u16;
        self.enter(seat, point);
    }

    /// Makes a cell that of a seat's head, and leaves all else as it is.
    pub(super) fn enter(&mut self, seat: Seat, point: Point) {
        self.heads[seat.index()] = self.shape.index(point) as u16;
        self.mark(seat, point);
    }

    /// Makes a cell part of a seat's ribbon.
    pub(super) fn mark(&mut self, seat: Seat, point: Point) {
        self.cells[self.shape.index(point)] = seat.index() as u8;
    }

    /// Makes a cell a wall.
    pub(super) fn wall(&mut self, point: Point) {
        self.cells[self.shape.index(point)] = WALL;
    }

    /// Gives the turn to a seat, or to the next that can move.
    pub(super) fn turn_to(&mut self, seat: Seat) {
        self.mover = seat.index() as u8;
        self.settle();
    }

    /// How many columns the grid has.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// How many rows the grid has.
    pub fn height(&self) -> usize {
        self.shape.height
    }

    /// How many began the game.
    pub fn seats(&self) -> usize {
        self.seats.into()
    }

    /// Who is still in the game; once it is over, who won.
    pub fn alive(&self) -> Seats {
        (0..self.seats()).map(Seat::new).filter(|&seat| self.is_alive(seat)).collect()
    }

    /// Is this seat still in the game?
    #[inline]
    pub fn is_alive(&self, seat: Seat) -> bool {
        seat.index() < MOST_SEATS && self.solid >> seat.index() & 1 != 0
    }

    /// Whose turn it is, or would be if the game were not over.
    pub fn mover(&self) -> Seat {
        Seat::new(self.mover.into())
    }

    /// The legal moves of the mover as a mask, bit [`Direction::index`]; 0 once the game is over.
    pub fn legal_mask(&self) -> u8 {
        self.legal
    }

    /// How many moves were played, those of all seats counted.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Where a cycle is, while it is in the game.
    pub fn head(&self, seat: Seat) -> Option<Point> {
        self.is_alive(seat).then(|| self.shape.point(self.heads[seat.index()].into()))
    }

    /// Where a cycle's ribbon begins, while it is in the game. A position that was read from text
    /// does not know, and takes it for the head.
    pub fn tail(&self, seat: Seat) -> Option<Point> {
        self.is_alive(seat).then(|| self.shape.point(self.starts[seat.index()].into()))
    }

    /// What is at this place. All beyond the border is wall.
    #[inline]
    pub fn cell(&self, point: Point) -> CellContent {
        match self.shape.contains(point) {
            true => self.content(self.shape.index(point)),
            false => CellContent::Wall,
        }
    }

    /// What is on every cell, row by row.
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

    /// The seats in the game as a mask.
    fn alive_mask(&self) -> u8 {
        self.solid & !(1 << WALL)
    }

    fn is_over(&self) -> bool {
        self.alive_mask().count_ones() <= 1
    }

    /// The directions in which the cell next to a seat's head is free, as a mask.
    #[inline]
    pub fn ways(&self, seat: Seat) -> u8 {
        let head = self.heads[seat.index()].into();
        let bit = |way: Direction| {
            let byte = self.cells[self.shape.step(head, way)];
            u8::from(!self.is_solid(byte)) << way.index()
        };
        Direction::ALL.into_iter().map(bit).sum()
    }

    /// Finds who is to move and how: who has nowhere to go is out without being asked.
    #[inline]
    fn settle(&mut self) {
        self.legal = 0;
        while !self.is_over() {
            if self.is_alive(self.mover()) {
                self.legal = self.ways(self.mover());
                if self.legal != 0 {
                    return;
                }
                self.put_out(Seats::one(self.mover()));
            }
            self.mover = (self.mover + 1) % self.seats;
        }
    }

    /// These seats, all of them in the game, go out together, and their ribbons with them.
    pub(super) fn put_out(&mut self, seats: Seats) {
        seats.iter().for_each(|seat| self.solid &= !(1 << seat.index()));
        self.gone.push(seats);
    }

    /// Returns an error if this move is illegal.
    fn check(&self, seat: Seat, way: Direction) -> Result<(), IllegalMove> {
        let reason = if self.is_over() {
            "the game is over"
        } else if seat != self.mover() {
            "it is another seat's turn"
        } else if self.legal >> way.index() & 1 != 0 {
            return Ok(());
        } else {
            match self.cells[self.shape.step(self.heads[seat.index()].into(), way)] {
                WALL => "there is a wall",
                own if own == self.mover => "its own ribbon is there",
                _ => "another ribbon is there",
            }
        };
        Err(IllegalMove(reason))
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
            // Whoever listens may break off; there is nothing left to do then.
            let _ = Direction::of_mask(self.legal).try_for_each(found);
        }
    }

    fn play(&mut self, seat: Seat, way: Direction) -> Result<(), IllegalMove> {
        self.check(seat, way)?;
        self.play_unchecked(seat, way);
        Ok(())
    }

    #[inline]
    fn play_unchecked(&mut self, seat: Seat, way: Direction) {
        let head = self.shape.step(self.heads[seat.index()].into(), way);
        self.heads[seat.index()] = head as u16;
        self.cells[head] = seat.index() as u8;
        self.ply += 1;
        self.mover = (self.mover + 1) % self.seats;
        self.settle();
    }

    fn forfeit(&mut self, seats: Seats) {
        let seats: Seats = seats.iter().filter(|&seat| self.is_alive(seat)).collect();
        if !self.is_over() && !seats.is_empty() {
            self.put_out(seats);
            self.settle();
        }
    }

    /// A seat's score is the number of those whom it outlasted.
    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let score = |seat| self.gone.before(Seat::new(seat)) as i64;
        let scores = (0..self.seats()).map(score).collect();
        Some(Outcome { scores, out: self.gone.groups().to_vec(), lower_is_better: false })
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to move in {}", self.mover(), super::text::picture(self))
    }
}
