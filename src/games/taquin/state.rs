//! Game state: a board and the number of moves played.

use super::rules::Rules;
use super::{Board, Direction};
use crate::game::{IllegalMove, LossReason, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;

/// A board with the rules it is played by and the moves made so far.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Rules,
    board: Board,
    moves: u32,
    gave_up: bool,
}

impl Position {
    /// Creates the position with this board after `moves` moves.
    ///
    /// # Errors
    /// Returns an error if the board has another size, is solved or unsolvable, or no moves remain.
    pub(super) fn new(rules: Rules, board: Board, moves: u32) -> Result<Position, ParseError> {
        let size = |rows, columns| format!("{rows}x{columns}");
        let asked = size(rules.rows(), rules.columns());
        let given = size(board.rows(), board.columns());
        if asked != given {
            return Err(ParseError::new(format!("expected a board of {asked}, got {given}")));
        }
        if !board.is_solvable() {
            return Err(ParseError::new(
                "expected a board that can be solved: this one is unsolvable",
            ));
        }
        let position = Position { rules, board, moves, gave_up: false };
        match position.is_over() {
            true => {
                Err(ParseError::new("expected a board that is not solved yet, and moves to play"))
            }
            false => Ok(position),
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the number of moves played.
    pub fn made(&self) -> u32 {
        self.moves
    }

    fn is_over(&self) -> bool {
        self.gave_up || self.moves >= self.rules.max_moves || self.board.is_goal()
    }
}

impl State for Position {
    type Move = Direction;

    fn to_move(&self) -> Seats {
        match self.is_over() {
            false => Seats::one(Seat::FIRST),
            true => Seats::NONE,
        }
    }

    fn for_each_move(&self, seat: Seat, found: impl FnMut(Direction) -> ControlFlow<()>) {
        if self.to_move().contains(seat) {
            // The callback may stop the iteration early; nothing is left to do then.
            let _ = self.board.ways().try_for_each(found);
        }
    }

    fn check(&self, seat: Seat, way: Direction) -> Result<(), IllegalMove> {
        let reason = if self.board.is_goal() {
            "the board is solved"
        } else if self.is_over() {
            "the game is over"
        } else if seat != Seat::FIRST {
            "there is but one seat"
        } else if self.board.target(way).is_some() {
            return Ok(());
        } else {
            match way {
                Direction::Down => "the blank is in the last row",
                Direction::Right => "the blank is in the last column",
                Direction::Left => "the blank is in the first column",
                Direction::Up => "the blank is in the first row",
            }
        };
        Err(IllegalMove(reason))
    }

    fn play_unchecked(&mut self, _seat: Seat, way: Direction) {
        self.board.slide(way);
        self.moves += 1;
    }

    fn forfeit(&mut self, seats: Seats) {
        self.gave_up |= !self.is_over() && seats.contains(Seat::FIRST);
    }

    fn end_reason(&self) -> Option<&'static str> {
        match (self.board.is_goal(), self.is_over() && !self.gave_up) {
            (true, _) => Some("the board is solved"),
            (false, true) => Some("the largest number of moves was played"),
            (false, false) => None,
        }
    }

    fn elimination(&self, _seat: Seat) -> Option<LossReason> {
        let is_unsolved = self.is_over() && !self.board.is_goal();
        is_unsolved.then_some(LossReason::plain("did not solve the board"))
    }

    /// Returns the number of moves as the score. A player that did not solve the board is
    /// eliminated.
    fn outcome(&self) -> Option<Outcome> {
        let unsolved = Some(Seats::one(Seat::FIRST)).filter(|_| !self.board.is_goal());
        self.is_over().then(|| Outcome {
            scores: vec![self.moves.into()],
            out: unsolved.into_iter().collect(),
            lower_is_better: true,
        })
    }
}
