//! The vocabulary of games, shared by the rules, the bots and the referee.
//!
//! A *seat* is a place at the table, neither a colour nor a process. A [`Game`] is a set of rules
//! with its options resolved; a [`State`] is a position in one of its games. Rules use the standard
//! library alone: no lines, clocks, threads or logs.

use std::fmt;
use std::ops::ControlFlow;

/// A place at the table, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The first seat, which moves first in most games.
    pub const FIRST: Seat = Seat(0);

    /// Returns the seat with this number.
    ///
    /// # Panics
    /// Panics if `number` is [`Seats::CAPACITY`] or more.
    #[inline]
    pub fn new(number: usize) -> Seat {
        assert!(number < Seats::CAPACITY, "seat {number} is beyond the largest table");
        Seat(number as u8)
    }

    /// Returns the number of the seat, an index into data kept per seat.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Returns the other seat of a table for two.
    #[inline]
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

/// A set of seats, for example the seats to move or those eliminated at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Seats(u16);

impl Seats {
    /// Largest number of seats of a table.
    pub const CAPACITY: usize = 16;
    /// The empty set.
    pub const NONE: Seats = Seats(0);

    /// Returns the set of one seat.
    #[inline]
    pub fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// Returns the set of the first `count` seats.
    pub fn first(count: usize) -> Seats {
        (0..count).map(Seat::new).collect()
    }

    /// Returns `true` if `seat` is in the set.
    #[inline]
    pub fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 != 0
    }

    /// Adds a seat.
    #[inline]
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of seats in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the seats in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = Seat(left.trailing_zeros() as u8);
            (left != 0).then(|| {
                left &= left - 1;
                seat
            })
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        let mut set = Seats::NONE;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// Result of a game: the scores, and the seats eliminated before the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Points by seat, as the game counts them.
    pub scores: Vec<i64>,
    /// Seats eliminated by a fault or by the rules, earliest first; the seats of one group at once.
    pub out: Vec<Seats>,
    /// Whether the smaller score is better.
    pub lower_is_better: bool,
}

impl Outcome {
    /// Returns the place of each seat, counted from 0; equal seats share a place.
    ///
    /// An eliminated seat ranks below all seats still in the game, and below seats eliminated
    /// later. Seats that stayed to the end are ordered by score.
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

    /// Returns the sort key of a seat, greater for a better rank: the time of its elimination, then
    /// the score of a seat still in the game. The time of a seat that was never eliminated is
    /// greatest. Seats eliminated together have equal keys.
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

/// Returns the place of each standing: the number of greater ones. Equal standings share a place.
pub fn places<T: PartialOrd>(standings: &[T]) -> Vec<usize> {
    let place = |mine: &T| standings.iter().filter(|theirs| *theirs > mine).count();
    standings.iter().map(place).collect()
}

/// Reason why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub &'static str);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// Mistake of a program that chooses an illegal move, as far as the position shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misreading {
    /// Break of a rule on the right board. The reason of [`IllegalMove`] names the rule.
    Rule,
    /// Cell of the board that it takes for free. The text says which, and how to fix it.
    Board(&'static str),
}

/// Reason why a seat is out, as a phrase about its player: "walled in".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LossReason {
    /// The phrase. The name of `other` follows it, if there is one.
    pub text: &'static str,
    /// Seat that the reason is about besides its own, for example the owner of a trail.
    pub other: Option<Seat>,
}

impl LossReason {
    /// Creates a reason that is about no other seat.
    pub const fn plain(text: &'static str) -> LossReason {
        LossReason { text, other: None }
    }
}

/// Properties of a game that do not depend on its options.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// Name on the command line and in protocols: lower case, no blanks.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// Rules in one line.
    pub summary: &'static str,
    /// Smallest and largest number of seats.
    pub seats: (usize, usize),
    /// Whether the smaller score is better.
    pub lower_is_better: bool,
}

impl Meta {
    /// Describes a game for two in which more points are better.
    pub const fn duel(name: &'static str, title: &'static str, summary: &'static str) -> Meta {
        Meta { name, title, summary, seats: (2, 2), lower_is_better: false }
    }

    /// Returns `true` if every player plays alone. An answer is then a path: several moves in
    /// order.
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
    /// Start of a particular game: an opening, a board or a fair start.
    type Setup: Clone + PartialEq + fmt::Debug + Send;

    /// Properties of the game that do not depend on its options.
    const META: Meta;

    /// Returns the first position of a game with this setup. The same setup gives the same game.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules; the message names the conflict.
    fn start(&self, setup: &Self::Setup) -> Result<Self::State, ParseError>;

    /// Returns the number of seats of a game with this setup.
    fn seats(&self, _setup: &Self::Setup) -> usize {
        Self::META.seats.0
    }

    /// Returns fair setups for `seats` seats in an order drawn from `rng`, no two of which start
    /// the same game. The iterator ends when none is left. `plies` is the length of the openings,
    /// in games that have them.
    fn setups(
        &self,
        seats: usize,
        plies: usize,
        rng: crate::rng::Rng,
    ) -> impl Iterator<Item = Self::Setup> + Send + use<Self>;

    /// Returns [`State::leaves`]. Games define it next to their rules: instantiated in another
    /// crate, the generic function cannot inline them.
    fn perft(&self, state: &Self::State, depth: u32) -> u64 {
        state.leaves(depth)
    }
}

/// A position.
pub trait State: Clone {
    /// A move.
    type Move: Copy + Eq;

    /// Returns the seats to move; none once the game is over. In every game so far one seat moves
    /// at a time.
    fn to_move(&self) -> Seats;

    /// Passes each legal move of `seat` to `found` until `found` breaks. There are none if it is
    /// not the seat's turn.
    fn for_each_move(&self, seat: Seat, found: impl FnMut(Self::Move) -> ControlFlow<()>);

    /// Checks a move. By default it is compared with all legal ones.
    ///
    /// # Errors
    /// Returns an error with the reason if the move is illegal.
    fn check(&self, seat: Seat, mv: Self::Move) -> Result<(), IllegalMove> {
        match self.moves(seat).contains(&mv) {
            true => Ok(()),
            false => Err(IllegalMove("not a legal move")),
        }
    }

    /// Plays a move that may be illegal.
    ///
    /// # Errors
    /// Returns an error with the reason if the move is illegal; the position is then unchanged.
    fn play(&mut self, seat: Seat, mv: Self::Move) -> Result<(), IllegalMove> {
        self.check(seat, mv)?;
        self.play_unchecked(seat, mv);
        Ok(())
    }

    /// Plays a move that is known to be legal, without checks, for search. Any other move leaves a
    /// meaningless position.
    fn play_unchecked(&mut self, seat: Seat, mv: Self::Move);

    /// Returns the position after a move that is known to be legal.
    #[inline]
    fn after(&self, seat: Seat, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.play_unchecked(seat, mv);
        after
    }

    /// Returns the number of ways to play `depth` plies from here, without those that end earlier.
    /// The last ply is counted without being played.
    fn leaves(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for seat in self.to_move().iter() {
            // Two loops: one for both would be too large to be inlined where it only counts.
            if depth == 1 {
                self.for_each_move(seat, |_| {
                    leaves += 1;
                    ControlFlow::Continue(())
                });
            } else {
                self.for_each_move(seat, |mv| {
                    leaves += self.after(seat, mv).leaves(depth - 1);
                    ControlFlow::Continue(())
                });
            }
        }
        leaves
    }

    /// Eliminates `seats` at once, by a fault or by resignation; the others play on.
    fn forfeit(&mut self, seats: Seats);

    /// Returns the result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the rule that ended the game, as a sentence without its full stop. `None` before the
    /// end, or if the game does not say. Unspecified after a forfeit that ended the game.
    fn end_reason(&self) -> Option<&'static str> {
        None
    }

    /// Returns why the rules eliminated `seat`. `None` if it is in the game, or the game does not
    /// say. The result is unspecified for a seat that forfeited.
    fn elimination(&self, _seat: Seat) -> Option<LossReason> {
        None
    }

    /// Returns what the illegal move `mv` of `seat` would do in the game, for games in which an
    /// illegal move is a way to lose. `None` if the reason of [`State::play`] says it.
    fn collision(&self, _seat: Seat, _mv: Self::Move) -> Option<LossReason> {
        None
    }

    /// Returns the mistake behind the illegal move `mv` of `seat`, as advice to the author of a
    /// program that makes it each time. `None` if the position does not show it.
    fn misreading(&self, _seat: Seat, _mv: Self::Move) -> Option<Misreading> {
        None
    }

    /// Returns the result by the scores so far, for a game that is ended here. `None` if the game
    /// has no scores before its end.
    fn outcome_so_far(&self) -> Option<Outcome> {
        None
    }

    /// Returns `true` if no continuation without a forfeit can change the ranking of
    /// [`outcome_so_far`](State::outcome_so_far), however badly the players move. `false` if the
    /// game does not know.
    fn is_decided(&self) -> bool {
        false
    }

    /// Returns the legal moves of a seat, in the game's order.
    fn moves(&self, seat: Seat) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(seat, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }
}

/// Error of a parser: one line with the expected and the actual text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    message: String,
    cause: Cause,
}

/// Cause of an error, which decides the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Text that the user wrote, as on the command line.
    Text,
    /// A file that cannot be read or holds bad data.
    File,
    /// A machine that does not give what the text asks for.
    Machine,
    /// A move that the rules forbid, found where it was read.
    Move,
}

impl ParseError {
    /// Creates an error with a message of the form "expected …, got …". A remedy may follow after
    /// [`HELP`](crate::text::HELP).
    pub fn new(message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), cause: Cause::Text }
    }

    /// Creates an error of a file that cannot be read or holds bad data. Its exit code is
    /// [`DATA`](crate::exit_code::DATA), not that of wrong usage.
    pub fn in_file(message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), cause: Cause::File }
    }

    /// Creates an error of a machine without the resources for a valid text. Its exit code is
    /// [`UNAVAILABLE`](crate::exit_code::UNAVAILABLE).
    pub fn of_machine(message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), cause: Cause::Machine }
    }

    /// Creates an error of a text that is a move which the rules forbid. An answer is then illegal,
    /// not invalid.
    pub fn of_move(message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), cause: Cause::Move }
    }

    /// Returns the cause.
    pub fn cause(&self) -> Cause {
        self.cause
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}
