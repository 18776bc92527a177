//! The vocabulary: what every game, every bot and the referee mean by the same words.
//!
//! A *seat* is a chair at the table, neither a colour nor a process. A [`Game`] is a set of rules
//! with its options resolved; a [`State`] is a position in one of its games. Rules know no lines,
//! no clocks, no threads and no logs, and use the standard library alone.

use std::fmt;
use std::ops::ControlFlow;

/// A chair at the table, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The first seat, which most games let move first.
    pub const FIRST: Seat = Seat(0);

    /// The seat with this number.
    ///
    /// # Panics
    /// From [`Seats::CAPACITY`] on: no table is that large.
    pub fn new(number: usize) -> Seat {
        assert!(number < Seats::CAPACITY, "seat {number} is beyond the largest table");
        Seat(number as u8)
    }

    /// Its number, to index what is kept per seat.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The other seat of a table for two.
    pub fn other(self) -> Seat {
        debug_assert!(self.0 < 2);
        Seat(self.0 ^ 1)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats: who must speak now. None: the game is over; one: it is that seat's turn;
/// several: they answer at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Seats(u16);

impl Seats {
    /// How many seats a table can have.
    pub const CAPACITY: usize = 16;
    /// Nobody.
    pub const NONE: Seats = Seats(0);

    /// One seat alone.
    pub fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// The first `count` seats.
    pub fn first(count: usize) -> Seats {
        (0..count).map(Seat::new).collect()
    }

    /// Is this seat among them?
    pub fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 != 0
    }

    /// Adds a seat.
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Is nobody here?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Seats::CAPACITY).map(Seat::new).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        let mut set = Seats::NONE;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// How a game ended: the scores, and who went out before the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Points by seat, as the game counts them.
    pub scores: Vec<i64>,
    /// Who went out by a fault or by the rules, earliest first; seats of one group went out together.
    pub out: Vec<Seats>,
    /// Is the smaller score the better one?
    pub lower_is_better: bool,
}

impl Outcome {
    /// The place of each seat, counted from 0; equal places are shared.
    ///
    /// Whoever went out stands behind everyone who did not, and the earlier the further behind.
    /// Those who stayed to the end are ordered by score.
    ///
    /// ```
    /// use arbitre_games::game::{Outcome, Seat, Seats};
    /// let forfeit = vec![Seats::one(Seat::new(0))];
    /// let outcome = Outcome { scores: vec![20, 3, 9], out: forfeit, lower_is_better: false };
    /// assert_eq!(outcome.places(), [2, 1, 0]);
    /// ```
    pub fn places(&self) -> Vec<usize> {
        let standing: Vec<_> =
            (0..self.scores.len()).map(|i| self.standing(Seat::new(i))).collect();
        places(&standing)
    }

    /// What seats are compared by: when they went out (never is best), then the score.
    fn standing(&self, seat: Seat) -> (usize, i64) {
        match self.out.iter().position(|group| group.contains(seat)) {
            Some(when) => (when, 0),
            None => {
                let score = self.scores[seat.index()];
                (usize::MAX, if self.lower_is_better { -score } else { score })
            }
        }
    }
}

/// Returns the place of each standing, counted from 0: how many are greater. Equal ones share it.
pub fn places<T: PartialOrd>(standings: &[T]) -> Vec<usize> {
    let place = |mine: &T| standings.iter().filter(|theirs| *theirs > mine).count();
    standings.iter().map(place).collect()
}

/// Why a move was refused; the position is untouched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub &'static str);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// What is known of a game before its options are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// The word for it on the command line and in protocols: lower case, no blanks.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The rules in one line.
    pub summary: &'static str,
    /// The fewest and the most seats.
    pub seats: (usize, usize),
    /// Is the smaller score the better one?
    pub lower_is_better: bool,
}

impl Meta {
    /// Does everyone play alone? Then an answer is a path: several moves, played one after the other.
    pub const fn is_solo(&self) -> bool {
        self.seats.1 == 1
    }
}

/// A game with its options resolved.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position.
    type State: State<Move = Self::Move> + Send;
    /// A move.
    type Move: Copy + Eq + fmt::Debug + Send;
    /// What a particular game starts from: an opening, a board, a fair start.
    type Setup: Clone + PartialEq + fmt::Debug + Send;

    /// What is known of the game whatever its options.
    const META: Meta;

    /// The position in which the game of this setup starts. The same setup gives the same game.
    ///
    /// # Errors
    /// If the setup does not fit the rules; the message names what does not.
    fn start(&self, setup: &Self::Setup) -> Result<Self::State, ParseError>;

    /// How many sit at a table that starts from this setup.
    fn seats(&self, _setup: &Self::Setup) -> usize {
        Self::META.seats.0
    }

    /// Fair setups for so many seats, in an order drawn from `rng`, no two of which start the same
    /// game. It ends when there are no more; `plies` is the length of an opening, in games that have
    /// openings.
    fn setups(
        &self,
        seats: usize,
        plies: usize,
        rng: crate::rng::Rng,
    ) -> impl Iterator<Item = Self::Setup> + Send + use<Self>;
}

/// A position.
pub trait State: Clone {
    /// A move.
    type Move: Copy + Eq;

    /// Who must speak now; nobody once the game is over.
    fn to_move(&self) -> Seats;

    /// Hands each legal move of `seat` to `found`, until it breaks. There are none when it is not
    /// that seat's turn.
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Self::Move) -> ControlFlow<()>);

    /// Plays a move that may be illegal.
    ///
    /// # Errors
    /// The reason of a refusal, and then the position is what it was.
    fn play(&mut self, seat: Seat, mv: Self::Move) -> Result<(), IllegalMove>;

    /// Plays a move that is known to be legal: the fast door, for search. With any other move the
    /// position that results is meaningless.
    fn play_unchecked(&mut self, seat: Seat, mv: Self::Move);

    /// Returns the position after a move that is known to be legal.
    fn after(&self, seat: Seat, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.play_unchecked(seat, mv);
        after
    }

    /// These seats give up together, by a fault or of their own will; the others play on.
    fn forfeit(&mut self, seats: Seats);

    /// How the game ended, once it is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves of a seat, in the game's order.
    fn moves(&self, seat: Seat) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(seat, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }
}

/// A text that is not what it should be: what was expected and what came, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(String);

impl ParseError {
    /// The message: "expected …, not …".
    pub fn new(message: impl Into<String>) -> ParseError {
        ParseError(message.into())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}
