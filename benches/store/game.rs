//! A game without any cost, so that a match of it costs what the referee costs. It has six moves,
//! always legal, and ends after a fixed number of plies. Its players answer without a search.

use arbitre::bots::engine::Engine;
use arbitre::dialect::Notation;
use arbitre::game::{Game, Meta, Outcome, ParseError, Seat, Seats, State};
use arbitre::referee::registry::entry::GameEntry;
use arbitre::referee::registry::GameAdapter;
use arbitre::rng::Rng;
use arbitre::search::budget::Budget;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;

/// Length of a game in plies.
pub const PLIES: u16 = 200;
const MOVES: u8 = 6;

/// Game that counts plies.
#[derive(Clone)]
pub struct Count;

/// The game as the referee uses it.
pub const ROOM: GameAdapter<Count> = GameAdapter(Count);

impl GameEntry for Count {}

/// Number of plies so far, with the scores and the eliminated seats.
#[derive(Clone)]
pub struct Position {
    plies: u16,
    scores: [i64; 2],
    out: Vec<Seats>,
}

impl Game for Count {
    type State = Position;
    type Move = u8;
    /// A number that distinguishes games, because the referee counts identical ones.
    type Setup = u64;

    const META: Meta = Meta::duel("count", "Count", "every move is as good as any other");

    fn start(&self, _: &u64) -> Result<Position, ParseError> {
        Ok(Position { plies: 0, scores: [0; 2], out: Vec::new() })
    }

    fn setups(&self, _: usize, _: usize, _: Rng) -> impl Iterator<Item = u64> + Send + use<> {
        0..u64::MAX
    }
}

impl State for Position {
    type Move = u8;

    fn to_move(&self) -> Seats {
        match self.plies == PLIES || !self.out.is_empty() {
            true => Seats::NONE,
            false => Seats::one(Seat::new(usize::from(self.plies % 2))),
        }
    }

    fn for_each_move(&self, seat: Seat, found: impl FnMut(u8) -> ControlFlow<()>) {
        if self.to_move().contains(seat) {
            let _ = (0..MOVES).try_for_each(found);
        }
    }

    fn play_unchecked(&mut self, seat: Seat, mv: u8) {
        self.plies += 1;
        self.scores[seat.index()] += i64::from(mv);
    }

    fn forfeit(&mut self, seats: Seats) {
        self.out.push(seats);
    }

    fn outcome(&self) -> Option<Outcome> {
        let (scores, out) = (self.scores.to_vec(), self.out.clone());
        self.to_move().is_empty().then_some(Outcome { scores, out, lower_is_better: false })
    }
}

impl Notation for Count {
    fn from_rules(_: &str) -> Result<Count, ParseError> {
        Ok(Count)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        out.push(char::from(b'0' + mv));
    }

    fn parse_move(&self, word: &str) -> Result<u8, ParseError> {
        let mv = word.parse().ok().filter(|mv| *mv < MOVES);
        mv.ok_or_else(|| ParseError::new(format!("expected a digit below {MOVES}, got '{word}'")))
    }

    fn setup_lines(&self, setup: &u64, _: Seat) -> Vec<String> {
        vec![format!("number {setup}")]
    }

    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<u64, ParseError> {
        let number = lines.iter().find_map(|line| line.strip_prefix("number ")?.parse().ok());
        number.ok_or_else(|| ParseError::new("expected 'number N'"))
    }

    fn write_state(&self, state: &Position, _: Seat, out: &mut String) {
        out.push_str(&state.plies.to_string());
    }

    fn parse_state(&self, text: &str, _: Seat) -> Result<Position, ParseError> {
        let plies = text.parse().map_err(|_| ParseError::new("expected a number of plies"))?;
        Ok(Position { plies, scores: [0; 2], out: Vec::new() })
    }
}

/// An engine that plays the first move.
pub struct First;

impl Engine<Count> for First {
    fn choose(&mut self, _: &Position, _: Seat, _: Budget) -> (u8, String) {
        (0, String::new())
    }
}

/// The same engine as a minimal program. It needs neither `state` nor `legal`, and stays for
/// further games.
pub fn serve() {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes == 0) {
            return;
        }
        let answer: &[u8] = match line.get(..2) {
            Some(b"be") => b"ready instant terse again\n",
            Some(b"go") => b"0\n",
            _ => continue,
        };
        output.write_all(answer).expect("the referee listens");
    }
}
