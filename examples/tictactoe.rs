//! A sixth game and a bot for it, in Rust. Everything that `referee` does works with them:
//!
//! ```text
//! cargo run --release --example tictactoe -- tictactoe tictactoe --games 20
//! ```

use arbitre::bots::{console::Session, engine::Engine, BotProgram};
use arbitre::dialect::Notation;
use arbitre::game::{Game, Meta, Outcome, ParseError, Seat, Seats, State};
use arbitre::referee::registry::{entry::GameEntry, GameInfo};
use arbitre::{rng::Rng, search::budget::Budget};
use std::ops::ControlFlow;

/// The rules, which have no options.
#[derive(Clone)]
struct TicTacToe;

/// Cells of each seat as bits, row by row, and the seats that lost by a fault.
#[derive(Clone, Default)]
struct Position {
    cells: [u16; 2],
    out: Vec<Seats>,
}

impl Position {
    fn has_line(&self, seat: Seat) -> bool {
        let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        lines.iter().any(|line| self.cells[seat.index()] & line == *line)
    }

    fn free(&self) -> impl Iterator<Item = u8> {
        let taken = self.cells[0] | self.cells[1];
        (0..9).filter(move |cell| taken >> cell & 1 == 0)
    }
}

impl Game for TicTacToe {
    type State = Position;
    type Move = u8;
    /// The first cell that seat 0 takes.
    type Setup = u8;
    const META: Meta = Meta::duel("tictactoe", "Tic-tac-toe", "three cells in a row win");

    fn start(&self, first: &u8) -> Result<Position, ParseError> {
        Ok(Position::default().after(Seat::FIRST, *first))
    }

    fn setups(&self, _: usize, _: usize, rng: Rng) -> impl Iterator<Item = u8> + Send + use<> {
        let turn = Rng::below(&mut { rng }, 9) as u8;
        (0..9).map(move |cell| (cell + turn) % 9)
    }
}

impl State for Position {
    type Move = u8;

    fn to_move(&self) -> Seats {
        let is_won = Seats::first(2).iter().any(|seat| self.has_line(seat));
        match self.free().count() {
            0 => Seats::NONE,
            _ if is_won || !self.out.is_empty() => Seats::NONE,
            free => Seats::one(Seat::new((9 - free) % 2)),
        }
    }

    fn for_each_move(&self, seat: Seat, found: impl FnMut(u8) -> ControlFlow<()>) {
        if self.to_move().contains(seat) {
            let _ = self.free().try_for_each(found);
        }
    }

    fn play_unchecked(&mut self, seat: Seat, mv: u8) {
        self.cells[seat.index()] |= 1 << mv;
    }

    fn forfeit(&mut self, seats: Seats) {
        self.out.push(seats);
    }

    fn outcome(&self) -> Option<Outcome> {
        let scores = Seats::first(2).iter().map(|seat| self.has_line(seat).into()).collect();
        let out = self.out.clone();
        self.to_move().is_empty().then_some(Outcome { scores, out, lower_is_better: false })
    }
}

impl Notation for TicTacToe {
    fn from_rules(text: &str) -> Result<TicTacToe, ParseError> {
        arbitre::games::options::read(text, &["standard"], &[]).map(|_| TicTacToe)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        *out += &mv.to_string();
    }

    fn parse_move(&self, word: &str) -> Result<u8, ParseError> {
        let cell = word.parse().ok().filter(|cell| *cell < 9);
        cell.ok_or_else(|| ParseError::new(format!("expected a cell from 0 to 8, got '{word}'")))
    }

    fn setup_lines(&self, first: &u8, _: Seat) -> Vec<String> {
        vec![first.to_string()]
    }

    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<u8, ParseError> {
        self.parse_move(&lines.concat())
    }

    fn write_state(&self, state: &Position, _: Seat, out: &mut String) {
        let of = |seat: usize, cell: usize| usize::from(state.cells[seat] >> cell & 1);
        out.extend((0..9).map(|cell| ['.', 'x', 'o'][of(0, cell) + 2 * of(1, cell)]));
    }

    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        let cells = || text.chars().take(9).zip(0..);
        let bits = |sign| cells().map(|(of, cell)| u16::from(of == sign) << cell).sum();
        let state = Position { cells: ['x', 'o'].map(bits), out: Vec::new() };
        let expected = || ParseError::new(format!("expected nine of x, o and ., got '{text}'"));
        (self.state_text(&state, seat) == text).then_some(state).ok_or_else(expected)
    }
}

// Drawings are optional: a position is shown as its text.
impl GameEntry for TicTacToe {}

/// A bot that completes a line, or prevents one, or takes the first free cell.
struct Careful;

impl Engine<TicTacToe> for Careful {
    fn choose(&mut self, state: &Position, seat: Seat, _: Budget) -> (u8, String) {
        let completes = |of: Seat| state.free().find(|cell| state.after(of, *cell).has_line(of));
        let best = completes(seat).or(completes(seat.other())).or(state.free().next());
        (best.expect("the game is not over"), String::new())
    }
}

static BOT: BotProgram = BotProgram {
    name: "tictactoe",
    signature: 1,
    strategies: &[("careful", "complete a line, or prevent one")],
    commands: &[],
    options: &[],
    open: |_, options| Ok(Box::new(Session::new("tictactoe", Careful, options, &[])?)),
};

fn main() -> std::process::ExitCode {
    let mut registry = arbitre::registry().with(GameInfo::of::<TicTacToe>());
    registry.bots.push(&BOT);
    arbitre::referee::main(&registry, arbitre::server())
}
