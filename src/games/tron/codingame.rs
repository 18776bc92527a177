//! `codingame`, as the arena's Tron Battle is spoken. A turn is a line `N P`, how many play and which
//! of them one is, and then for each a line `X0 Y0 X1 Y1`: where its ribbon begins and where its head
//! is, or four times -1 once it is out. The answer is a direction.
//!
//! ```text
//! 2 1
//! 3 4 4 4
//! 20 10 20 10
//!                             UP
//! 2 1
//! 3 4 4 5
//! 20 10 20 9
//!                             LEFT
//! ```
//!
//! Nobody sees a ribbon whole: a bot marks a head each turn. Players after seat 0 hear for the first
//! time when others have already moved, so that on the first turn the beginning is marked as well.

use super::arena_game::ArenaGame;
use super::{Direction, Point, Position, Tron, MOST_SEATS};
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, GameContext, GameEnd, Init, Notation,
    ParsedAnswer, RefereeEnd, Start, Turn,
};
use crate::game::{ParseError, Seat, Seats};
use std::fmt::Write;

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::arena("codingame");

/// The referee's end.
#[derive(Debug, Default)]
pub struct Referee;

impl RefereeEnd<Tron> for Referee {
    fn open(&mut self, _: &GameContext<Tron>, _: &mut String) -> Init {
        Init::None
    }

    fn write_turn(&mut self, turn: &Turn<Tron>, out: &mut String) {
        let seats = turn.state.seats();
        writeln!(out, "{seats} {}", turn.seat).expect("a string takes every line");
        for seat in (0..seats).map(Seat::new) {
            match (turn.state.tail(seat), turn.state.head(seat)) {
                (Some(tail), Some(head)) => writeln!(out, "{tail} {head}"),
                _ => writeln!(out, "-1 -1 -1 -1"),
            }
            .expect("a string takes every line");
        }
    }

    fn read_move<'l>(
        &mut self,
        game: &Tron,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Direction>, ParseError> {
        Ok(ParsedAnswer { mv: game.parse_move(line.trim())?, comment: None })
    }

    fn close(&mut self, _: &GameEnd<Tron>, _: &mut String) {}
}

/// Where a cycle's ribbon begins and where its head is; nothing once it is out.
type Told = Option<(Point, Point)>;

/// The bot's end. It marks what it is told, and nothing else: what its own move leads to comes with
/// the next turn.
pub struct Bot {
    game: ArenaGame,
    /// Number of players and the bot's seat, while the lines of a turn come in.
    header: Option<(usize, Seat)>,
    told: Vec<Told>,
}

impl Bot {
    /// Creates an end that has received nothing.
    pub fn new(defaults: ArenaDefaults<Tron>) -> Bot {
        Bot { game: ArenaGame::new(defaults), header: None, told: Vec::new() }
    }
}

/// Returns the game before the first turn, in which these lines were told.
fn before_first_turn(
    defaults: &ArenaDefaults<Tron>,
    (seats, seat): (usize, Seat),
    told: &[Told],
) -> Start<Tron> {
    let ArenaDefaults { game, clock, seed } = defaults.clone();
    let mut state = Position::empty(&game.grid, seats);
    for (seat, told) in (0..).map(Seat::new).zip(told) {
        if let Some((tail, _)) = told {
            state.place(seat, *tail);
        }
    }
    Start { game, state, seat, seats, clock, seed }
}

/// Brings the game up to date by the lines of a turn.
fn read_turn(
    mut start: Start<Tron>,
    header: (usize, Seat),
    told: &[Told],
) -> Result<Start<Tron>, ParseError> {
    let Start { seats, seat, .. } = start;
    if (seats, seat) != header {
        return Err(ParseError::new(format!("expected '{seats} {seat}' as on the first turn")));
    }
    mark(&mut start.state, seat, told);
    start.state.turn_to(seat);
    Ok(start)
}

/// Marks what was told to `you`. Who went out did so in the order of the turns since one's own.
fn mark(state: &mut Position, you: Seat, told: &[Told]) {
    for (seat, told) in (0..).map(Seat::new).zip(told) {
        if let Some((_, head)) = told {
            state.enter(seat, *head);
        }
    }
    let seats = told.len();
    for seat in (1..=seats).map(|after| Seat::new((you.index() + after) % seats)) {
        if told[seat.index()].is_none() && state.is_alive(seat) {
            state.put_out(Seats::one(seat));
        }
    }
}

impl BotEnd<Tron> for Bot {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, Tron>, ParseError> {
        let Some(header) = self.header else {
            self.header = Some(parse_header(line)?);
            return Ok(BotAction::Listen);
        };
        self.told.push(parse_told(line, &self.game.defaults.game)?);
        if self.told.len() < header.0 {
            return Ok(BotAction::Listen);
        }
        self.header = None;
        let told = std::mem::take(&mut self.told);
        self.game.at_turn(|defaults, known| {
            let start = known.unwrap_or_else(|| before_first_turn(defaults, header, &told));
            read_turn(start, header, &told)
        })
    }

    fn follow_up(&mut self) -> BotAction<'_, Tron> {
        self.game.turn()
    }

    fn answer(&mut self, way: Direction, _: &str, out: &mut String) {
        self.game.defaults.game.write_move(way, out);
        out.push('\n');
    }
}

/// The whole numbers of a line, if there are so many.
fn numbers<const N: usize>(line: &str) -> Option<[i32; N]> {
    let numbers: Result<Vec<i32>, _> = line.split_whitespace().map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}

fn parse_header(line: &str) -> Result<(usize, Seat), ParseError> {
    let header = || {
        let [seats, you] = numbers(line)?;
        let seats = usize::try_from(seats).ok().filter(|n| (2..=MOST_SEATS).contains(n))?;
        Some((seats, usize::try_from(you).ok().filter(|&you| you < seats).map(Seat::new)?))
    };
    header().ok_or_else(|| {
        ParseError::new(format!(
            "expected how many play, 2 to {MOST_SEATS}, and who one is, like '2 1', not '{line}'"
        ))
    })
}

fn parse_told(line: &str, game: &Tron) -> Result<Told, ParseError> {
    let expected = || {
        let (width, height) = (game.options().width(), game.options().height());
        ParseError::new(format!(
            "expected two cells of a grid of {width}x{height} or four times -1, not '{line}'"
        ))
    };
    let cell = |x: i32, y: i32| {
        let point = Point { x: u8::try_from(x).ok()?, y: u8::try_from(y).ok()? };
        game.grid.shape.contains(point).then_some(point)
    };
    match numbers(line).ok_or_else(expected)? {
        [-1, -1, -1, -1] => Ok(None),
        [x0, y0, x1, y1] => {
            let (tail, head) = (cell(x0, y0), cell(x1, y1));
            tail.zip(head).map(Some).ok_or_else(expected)
        }
    }
}
