//! Dialect `codingame`, the protocol of CodinGame's Tron Battle.
//!
//! A turn is a line `N P`, the number of players and the bot's seat, and then a line `X0 Y0 X1 Y1`
//! per player: the first cell of its trail and its head. The line is four times -1 once the player
//! is eliminated. The answer is a direction.
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
//! A turn shows only both ends of a trail, so a bot has to mark each head as it comes. Players
//! after seat 0 get their first turn after others have moved, so the first cells are marked as
//! well.

use super::arena_game::ArenaGame;
use super::{Direction, Point, Position, Tron, MOST_SEATS};
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, Notation, RefereeEnd, Start, Turn,
    CODINGAME_LINE,
};
use crate::game::{ParseError, Seat, Seats};
use std::fmt::Write;

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::CODINGAME;

/// The referee's side of the dialect.
#[derive(Debug, Default)]
pub struct Referee;

impl RefereeEnd<Tron> for Referee {
    fn line_limit(&self) -> usize {
        CODINGAME_LINE
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
}

/// First cell of a trail and its head; `None` once the cycle is eliminated.
type Told = Option<(Point, Point)>;

/// The bot's side of the dialect. It marks only the cells of the turn's lines; the effect of its
/// own move comes with the next turn.
pub struct Bot {
    game: ArenaGame,
    /// Number of players and the bot's seat, until all lines of the turn are read.
    header: Option<(usize, Seat)>,
    told: Vec<Told>,
}

impl Bot {
    /// Creates a bot's side that has received nothing.
    pub fn new(defaults: ArenaDefaults<Tron>) -> Bot {
        Bot { game: ArenaGame::new(defaults), header: None, told: Vec::new() }
    }
}

/// Returns the game before the bot's first turn, of which `told` are the lines.
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

/// Updates the game by the lines of a turn.
fn read_turn(
    mut start: Start<Tron>,
    header: (usize, Seat),
    told: &[Told],
) -> Result<Start<Tron>, ParseError> {
    // The number of players and the own seat never change in a game.
    let Start { seats, seat, .. } = start;
    if (seats, seat) != header {
        return Err(ParseError::new(format!("expected '{seats} {seat}' as on the first turn")));
    }
    mark(&mut start.state, seat, told);
    start.state.turn_to(seat);
    Ok(start)
}

/// Updates a position by the lines of a turn. Newly eliminated players are assumed to have gone out
/// in turn order, from the seat after `you` on.
fn mark(state: &mut Position, you: Seat, told: &[Told]) {
    for (seat, told) in (0..).map(Seat::new).zip(told) {
        if let Some((_, head)) = told {
            state.enter(seat, *head);
        }
    }
    let seats = told.len();
    for seat in (1..=seats).map(|after| Seat::new((you.index() + after) % seats)) {
        // A player out since an earlier turn keeps its place in the order.
        if told[seat.index()].is_none() && state.is_alive(seat) {
            state.eliminate(Seats::one(seat));
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

/// Returns the integers of a line, or `None` unless there are exactly `N`.
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
            "expected the number of players, 2 to {MOST_SEATS}, and your own, like '2 1', got '{line}'"
        ))
    })
}

fn parse_told(line: &str, game: &Tron) -> Result<Told, ParseError> {
    let expected = || {
        let (width, height) = (game.options().width(), game.options().height());
        ParseError::new(format!(
            "expected two cells of a grid of {width}x{height} or four times -1, got '{line}'"
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
