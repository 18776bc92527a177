//! A position on the plain board, clear and slow. Bots search on the [region graph](super::graph),
//! which tests compare with it.

use super::rules::{ColourRule, Rules};
use super::{Board, CellState, Colour};
use crate::game::{IllegalMove, Misreading, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;

/// Number of players.
pub const SEATS: usize = 2;

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Rules,
    board: Board,
    mover: Seat,
    /// Colour that each seat played last.
    last_played: [Option<Colour>; SEATS],
    scores: [usize; SEATS],
    /// Number of plies since the last gain.
    quiet: u32,
    /// Seats that forfeited.
    gone: Seats,
}

impl Position {
    /// Creates a position with `mover` to move, in which each seat played the colour of
    /// `last_played` last.
    ///
    /// # Errors
    /// Returns an error if a seat has no cell, or the game is over.
    pub(super) fn new(
        rules: Rules,
        board: Board,
        mover: Seat,
        last_played: [Option<Colour>; SEATS],
    ) -> Result<Position, ParseError> {
        let (scores, gone) = ([0; SEATS], Seats::NONE);
        let mut position = Position { rules, board, mover, last_played, scores, quiet: 0, gone };
        if seats().any(|seat| position.board.count(seat) == 0) {
            return Err(ParseError::new("expected a board on which each player has a cell"));
        }
        position.settle();
        match position.is_over() {
            true => Err(ParseError::new("expected a board on which the game is not over yet")),
            false => Ok(position),
        }
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the state of the cell at `row` and `column`.
    pub fn cell(&self, row: usize, column: usize) -> CellState {
        self.board.cells()[self.board.index(row, column)]
    }

    /// Returns the seat to move, or that would move if the game were not over.
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// Returns the colour that a seat played last, if it has played.
    pub fn last_played(&self, seat: Seat) -> Option<Colour> {
        self.last_played[seat.index()]
    }

    /// Returns the scores by seat: its cells and, if an option says so, the free cells it encloses.
    pub fn scores(&self) -> [usize; SEATS] {
        self.scores
    }

    /// Returns the number of plies in a row without a gain.
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// Returns `true` if the rules ban this colour to the player to move.
    pub fn is_banned(&self, colour: Colour) -> bool {
        let [own, other] =
            [self.mover, self.mover.other()].map(|s| self.last_played(s) == Some(colour));
        match self.rules.ban {
            ColourRule::None => false,
            ColourRule::Opponent => other,
            ColourRule::OwnAndOpponent => own || other,
        }
    }

    /// Returns `true` after a majority, half each, a stall or a forfeit.
    fn is_over(&self) -> bool {
        let cells = self.rules.cells();
        let [one, other] = self.scores.map(|score| 2 * score);
        let is_decided = one > cells || other > cells || (one == cells && other == cells);
        is_decided || self.quiet >= self.rules.stall.into() || !self.gone.is_empty()
    }

    /// Takes enclosed cells, if that is the rule, and updates the scores. Returns the number of
    /// cells taken.
    fn settle(&mut self) -> usize {
        let mut taken = 0;
        for seat in seats() {
            let enclosed = match self.rules.capture_enclosed || self.rules.count_enclosed {
                true => self.board.enclosed(seat),
                false => Vec::new(),
            };
            // Correct under both options: cells about to be taken are counted as enclosed here.
            self.scores[seat.index()] = self.board.count(seat) + enclosed.len();
            if self.rules.capture_enclosed {
                taken += self.board.take(seat, &enclosed);
            }
        }
        taken
    }
}

/// Returns both seats.
pub fn seats() -> impl Iterator<Item = Seat> {
    (0..SEATS).map(Seat::new)
}

impl State for Position {
    type Move = Colour;

    fn to_move(&self) -> Seats {
        match self.is_over() {
            false => Seats::one(self.mover),
            true => Seats::NONE,
        }
    }

    /// Visits all colours that are not banned. Colours without a gain are a pass.
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Colour) -> ControlFlow<()>) {
        if self.to_move().contains(seat) {
            let colours = Colour::first(self.rules.colours.into());
            let _ = colours.filter(|&colour| !self.is_banned(colour)).try_for_each(found);
        }
    }

    fn misreading(&self, _seat: Seat, colour: Colour) -> Option<Misreading> {
        self.is_banned(colour).then_some(Misreading::Rule)
    }

    fn check(&self, seat: Seat, colour: Colour) -> Result<(), IllegalMove> {
        let reason = if self.is_over() {
            "the game is over"
        } else if seat != self.mover {
            "it is the other seat's turn"
        } else if colour.index() >= self.rules.colours.into() {
            "there is no such colour"
        } else if self.is_banned(colour) {
            match self.last_played(seat.other()) == Some(colour) {
                true => "the opponent played this colour last",
                false => "one's own last colour may not be played again",
            }
        } else {
            return Ok(());
        };
        Err(IllegalMove(reason))
    }

    fn play_unchecked(&mut self, seat: Seat, colour: Colour) {
        let gained = self.board.capture(seat, colour) + self.settle();
        self.last_played[seat.index()] = Some(colour);
        self.quiet = if gained > 0 { 0 } else { self.quiet + 1 };
        self.mover = seat.other();
    }

    fn forfeit(&mut self, seats: Seats) {
        if !self.is_over() {
            self.gone = seats.iter().filter(|seat| seat.index() < SEATS).collect();
        }
    }

    fn end_reason(&self) -> Option<&'static str> {
        let cells = self.rules.cells();
        if !self.is_over() || !self.gone.is_empty() {
            None
        } else if self.scores.iter().any(|&score| 2 * score > cells) {
            Some("a player has more than half of the cells")
        } else if self.scores.iter().all(|&score| 2 * score == cells) {
            Some("each player has half of the cells")
        } else {
            Some("the largest number of plies without a gain was played")
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_so_far()).flatten()
    }

    fn outcome_so_far(&self) -> Option<Outcome> {
        Some(Outcome {
            scores: self.scores.map(|score| score as i64).to_vec(),
            out: Some(self.gone).filter(|gone| !gone.is_empty()).into_iter().collect(),
            lower_is_better: false,
        })
    }

    /// Returns `true` if a score exceeds the cells that are left to the other seat: all but the
    /// cells of the leader and the free ones that it encloses. Scores never fall.
    fn is_decided(&self) -> bool {
        let secured = |seat| self.board.count(seat) + self.board.enclosed(seat).len();
        seats().any(|seat| self.scores[seat.index()] + secured(seat) > self.rules.cells())
    }
}
