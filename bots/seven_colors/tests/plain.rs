//! Reference implementation of the counts of the strategies, cell by cell on the plain board.

use arbitre_games::game::{Seat, State};
use arbitre_games::games::seven_colors::{
    Board, CellState, Colour, ColourRule, Position, Rules, MOST_COLOURS,
};

/// A board on which one player plays several moves in a row, or both alternate.
#[derive(Clone)]
pub struct Plain {
    rules: Rules,
    board: Board,
    pub mover: Seat,
    last: [Option<Colour>; 2],
}

impl Plain {
    pub fn new(position: &Position) -> Plain {
        let last = [0, 1].map(|seat| position.last_played(Seat::new(seat)));
        let (rules, board) = (*position.rules(), position.board().clone());
        let plain = Plain { rules, board, mover: position.mover(), last };
        let moves = position.moves(plain.mover);
        assert!(position.outcome().is_some() || plain.legal().eq(moves));
        plain
    }

    pub fn legal(&self) -> impl DoubleEndedIterator<Item = Colour> + '_ {
        let of = |seat: Seat| self.last[seat.index()];
        let banned = match self.rules.ban {
            ColourRule::None => [None; 2],
            ColourRule::Opponent => [None, of(self.mover.other())],
            ColourRule::OwnAndOpponent => [of(self.mover), of(self.mover.other())],
        };
        let colours = Colour::first(self.rules.colours.into());
        colours.filter(move |&colour| !banned.contains(&Some(colour)))
    }

    /// Returns the board after a move, with the same player to move.
    pub fn after(&self, colour: Colour) -> Plain {
        let mut after = self.clone();
        after.board.capture(self.mover, colour);
        if self.rules.capture_enclosed {
            let enclosed = after.board.enclosed(self.mover);
            after.board.take(self.mover, &enclosed);
        }
        after.last[self.mover.index()] = Some(colour);
        after
    }

    pub fn turned(&self) -> Plain {
        Plain { mover: self.mover.other(), ..self.clone() }
    }

    pub fn cells(&self) -> usize {
        self.board.count(self.mover)
    }

    pub fn useful(&self) -> Vec<Colour> {
        self.legal().filter(|&colour| self.after(colour).cells() > self.cells()).collect()
    }

    /// Returns `true` if a player has more than half, or both have half. Stalls are ignored.
    pub fn is_decided(&self) -> bool {
        let score = |seat: Seat| {
            let is_counted = self.rules.count_enclosed;
            let enclosed = if is_counted { self.board.enclosed(seat).len() } else { 0 };
            2 * (self.board.count(seat) + enclosed)
        };
        let (scores, cells) = ([score(Seat::FIRST), score(Seat::new(1))], self.rules.cells());
        scores.iter().any(|&score| score > cells) || scores == [cells; 2]
    }

    fn is(&self, index: usize, wanted: impl Fn(CellState) -> bool) -> bool {
        wanted(self.board.cells()[index])
    }

    fn around(&self, index: usize, wanted: impl Fn(CellState) -> bool) -> usize {
        self.board.neighbours(index).filter(|&next| self.is(next, &wanted)).count()
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.board.cells().len()
    }

    fn own(&self) -> impl Fn(CellState) -> bool + use<> {
        let mover = self.mover;
        move |cell| cell == CellState::Taken(mover)
    }

    /// Returns the free cells beside the own ones.
    pub fn border(&self) -> Vec<usize> {
        let own = self.own();
        self.all().filter(|&i| self.is(i, is_free) && self.around(i, &own) > 0).collect()
    }

    /// Returns the number of border cells from which the other player is reached over free cells.
    pub fn contested(&self) -> usize {
        let other = self.turned().own();
        let reaches_other = |&from: &usize| {
            let component = self.board.flood(vec![from], is_free);
            component.iter().any(|&index| self.around(index, &other) > 0)
        };
        self.border().iter().filter(|&from| reaches_other(from)).count()
    }

    pub fn contacts(&self) -> usize {
        let own = self.own();
        self.border().into_iter().map(|index| self.around(index, &own)).sum()
    }

    /// Returns the number of cells beside own ones that are not own, with at least two neighbours
    /// that were not own before.
    pub fn expanding(&self, before: &Plain) -> usize {
        let own = self.own();
        let others_before = |index: usize| before.around(index, |cell| !own(cell));
        let at_border = |&i: &usize| self.is(i, |cell| !own(cell)) && self.around(i, &own) > 0;
        self.all().filter(at_border).filter(|&index| others_before(index) >= 2).count()
    }

    /// Returns the number of sides of own cells at the edge of the board.
    pub fn edges(&self) -> usize {
        let own = self.own();
        let outside = |index: usize| 4 - self.board.neighbours(index).count();
        self.all().filter(|&index| self.is(index, &own)).map(outside).sum()
    }
}

fn is_free(cell: CellState) -> bool {
    matches!(cell, CellState::Free(_))
}

/// Returns the colour of largest `worth`, the first in the given order among equals.
pub fn most<V: PartialOrd + Copy>(
    colours: impl IntoIterator<Item = Colour>,
    worth: impl Fn(Colour) -> V,
) -> Option<Colour> {
    let mut worths: [Option<V>; MOST_COLOURS] = [None; MOST_COLOURS];
    let colours: Vec<Colour> = colours.into_iter().collect();
    colours.iter().for_each(|&colour| worths[colour.index()] = Some(worth(colour)));
    let of = |colour: &Colour| worths[colour.index()];
    let beaten = |colour: &Colour| colours.iter().any(|other| of(other) > of(colour));
    colours.iter().copied().find(|colour| !beaten(colour))
}
