//! A position in a game: the plain board, clear and slow. What bots search on is the
//! [region graph](super::graph), which tests compare with this.

use super::rules::{ColourRule, Rules};
use super::{Board, CellState, Colour};
use crate::game::{IllegalMove, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;

/// How many play.
pub const SEATS: usize = 2;

/// A position.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Rules,
    board: Board,
    mover: Seat,
    /// What each seat played last.
    held: [Option<Colour>; SEATS],
    scores: [usize; SEATS],
    /// Plies without a gain since the last one with a gain.
    quiet: u32,
    /// Who gave up.
    gone: Seats,
}

impl Position {
    /// The position on this board, with a seat to move, after each seat played these colours last.
    ///
    /// # Errors
    /// If somebody has no cell, or the game is over there.
    pub(super) fn new(
        rules: Rules,
        board: Board,
        mover: Seat,
        held: [Option<Colour>; SEATS],
    ) -> Result<Position, ParseError> {
        let (scores, gone) = ([0; SEATS], Seats::NONE);
        let mut position = Position { rules, board, mover, held, scores, quiet: 0, gone };
        if seats().any(|seat| position.board.count(seat) == 0) {
            return Err(ParseError::new("expected a board on which each player has a cell"));
        }
        position.settle();
        match position.is_over() {
            true => Err(ParseError::new("expected a board on which the game is not over yet")),
            false => Ok(position),
        }
    }

    /// The options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What is on each cell.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What is in this row and column.
    pub fn cell(&self, row: usize, column: usize) -> CellState {
        self.board.cells()[self.board.index(row, column)]
    }

    /// Whose turn it is, or would be if the game were not over.
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// What a seat played last, if it has played.
    pub fn held(&self, seat: Seat) -> Option<Colour> {
        self.held[seat.index()]
    }

    /// What counts towards the majority, by seat: the cells that it has and, where that is an option
    /// that was chosen, those that it alone encloses.
    pub fn scores(&self) -> [usize; SEATS] {
        self.scores
    }

    /// How many plies in a row brought no gain.
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// May the mover play no such colour, because somebody holds it?
    pub fn is_banned(&self, colour: Colour) -> bool {
        let [own, other] = [self.mover, self.mover.other()].map(|s| self.held(s) == Some(colour));
        match self.rules.ban {
            ColourRule::None => false,
            ColourRule::Opponent => other,
            ColourRule::OwnAndOpponent => own || other,
        }
    }

    /// Somebody has more than half of the cells, or both have half, or nothing is gained any more.
    fn is_over(&self) -> bool {
        let cells = self.rules.cells();
        let [one, other] = self.scores.map(|score| 2 * score);
        let is_decided = one > cells || other > cells || (one == cells && other == cells);
        is_decided || self.quiet >= self.rules.stall.into() || !self.gone.is_empty()
    }

    /// Takes what is enclosed, where that is the rule, and counts. Returns how many cells were taken.
    fn settle(&mut self) -> usize {
        let mut taken = 0;
        for seat in seats() {
            let enclosed = match self.rules.capture_enclosed || self.rules.count_enclosed {
                true => self.board.enclosed(seat),
                false => Vec::new(),
            };
            self.scores[seat.index()] = self.board.count(seat) + enclosed.len();
            if self.rules.capture_enclosed {
                taken += self.board.take(seat, &enclosed);
            }
        }
        taken
    }

    /// Why this move would be refused, if it would.
    fn objection(&self, seat: Seat, colour: Colour) -> Option<IllegalMove> {
        let reason = if self.is_over() {
            "the game is over"
        } else if seat != self.mover {
            "it is the other seat's turn"
        } else if colour.index() >= self.rules.colours.into() {
            "there is no such colour"
        } else if self.is_banned(colour) {
            match self.held(seat.other()) == Some(colour) {
                true => "the opponent played this colour last",
                false => "one's own last colour may not be played again",
            }
        } else {
            return None;
        };
        Some(IllegalMove(reason))
    }
}

/// Both seats.
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

    /// All colours that are not banned, also those that gain nothing: these are a pass.
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Colour) -> ControlFlow<()>) {
        if self.to_move().contains(seat) {
            let colours = Colour::first(self.rules.colours.into());
            let _ = colours.filter(|&colour| !self.is_banned(colour)).try_for_each(found);
        }
    }

    fn play(&mut self, seat: Seat, colour: Colour) -> Result<(), IllegalMove> {
        match self.objection(seat, colour) {
            Some(reason) => Err(reason),
            None => {
                self.play_unchecked(seat, colour);
                Ok(())
            }
        }
    }

    fn play_unchecked(&mut self, seat: Seat, colour: Colour) {
        let gained = self.board.capture(seat, colour) + self.settle();
        self.held[seat.index()] = Some(colour);
        self.quiet = if gained > 0 { 0 } else { self.quiet + 1 };
        self.mover = seat.other();
    }

    fn forfeit(&mut self, seats: Seats) {
        if !self.is_over() {
            self.gone = seats.iter().filter(|seat| seat.index() < SEATS).collect();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome {
            scores: self.scores.map(|score| score as i64).to_vec(),
            out: Some(self.gone).filter(|gone| !gone.is_empty()).into_iter().collect(),
            lower_is_better: false,
        })
    }
}
