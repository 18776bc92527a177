//! Dialect `google2010`, the protocol of a Tron contest of 2010 for two players.
//!
//! A turn is a line `W H` and then the rows of the map: `#` for an occupied cell, a blank for a
//! free one, `1` for the bot's head and `2` for the opponent's. The answer is a number: 1 north, 2
//! east, 3 south, 4 west.
//!
//! ```text
//! 6 5
//! ######
//! #1   #
//! ##   #
//! #   2#
//! ######
//!                             2
//! ```
//!
//! Maps of that contest had a frame of walls on which bots rely. The map is therefore sent with a
//! frame, and `W` and `H` exceed the grid by two. In the contest both players moved at once; here
//! they move in turn.

use super::arena_game::ArenaGame;
use super::grid::Grid;
use super::{CellContent, Direction, Point, Position, Rules, Starts, Tron};
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, ParsedAnswer, RefereeEnd, Start, Turn,
};
use crate::game::{ParseError, Seat};
use crate::text::word_of;

/// Description of the dialect.
///
/// The example bots of that contest do not expect the end of their input.
pub const INFO: DialectInfo =
    DialectInfo { max_seats: 2, kills_at_end: true, ..DialectInfo::arena("google2010") };

const DIRECTIONS: [(&str, Direction); 4] =
    [("1", Direction::Up), ("2", Direction::Right), ("3", Direction::Down), ("4", Direction::Left)];

/// The referee's side of the dialect.
#[derive(Debug, Default)]
pub struct Referee;

/// Returns the symbol of a cell on the map for the player `you`.
fn symbol(state: &Position, you: Seat, point: Point) -> char {
    match state.cell(point) {
        CellContent::Free => ' ',
        CellContent::Trail(seat) if state.head(seat) == Some(point) => match seat == you {
            true => '1',
            false => '2',
        },
        CellContent::Trail(_) | CellContent::Wall => '#',
    }
}

impl RefereeEnd<Tron> for Referee {
    fn write_turn(&mut self, turn: &Turn<Tron>, out: &mut String) {
        // The frame that bots rely on is not part of the grid.
        let (width, height) = (turn.state.width(), turn.state.height());
        let edge = "#".repeat(width + 2);
        *out += &format!("{} {}\n{edge}\n", width + 2, height + 2);
        for y in 0..height as u8 {
            out.push('#');
            out.extend((0..width as u8).map(|x| symbol(turn.state, turn.seat, Point { x, y })));
            out.push_str("#\n");
        }
        *out += &format!("{edge}\n");
    }

    fn read_move<'l>(
        &mut self,
        _: &Tron,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Direction>, ParseError> {
        let found = DIRECTIONS.iter().find(|(word, _)| *word == line.trim());
        let (_, mv) = found.ok_or_else(|| {
            ParseError::new(format!("expected 1 north, 2 east, 3 south or 4 west, got '{line}'"))
        })?;
        Ok(ParsedAnswer::bare(*mv))
    }
}

/// The bot's side of the dialect. The map gives neither the bot's seat nor the owner of a trail.
/// The bot is therefore seat 0, and all trails are walls.
pub struct Bot {
    game: ArenaGame,
    /// Number of columns and rows of the map, until all its rows are read.
    size: Option<(usize, usize)>,
    rows: Vec<String>,
}

impl Bot {
    /// Creates a bot's side that has received nothing.
    pub fn new(defaults: ArenaDefaults<Tron>) -> Bot {
        Bot { game: ArenaGame::new(defaults), size: None, rows: Vec::new() }
    }
}

/// Returns the map without its frame; unchanged where the frame is incomplete.
fn unframed<'a>(rows: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let is_wall = |row: &[u8]| row.iter().all(|&cell| cell == b'#');
    let is_framed = |row: &&[u8]| row.first() == Some(&b'#') && row.last() == Some(&b'#');
    match rows {
        [first, within @ .., last] if is_wall(first) && is_wall(last) => {
            match within.iter().all(is_framed) {
                true => within.iter().map(|row| &row[1..row.len() - 1]).collect(),
                false => rows.to_vec(),
            }
        }
        _ => rows.to_vec(),
    }
}

/// Returns the position of a map, and the game on its grid.
fn read_map(rows: &[&[u8]]) -> Result<(Tron, Position), ParseError> {
    let (width, height) = (rows.first().map_or(0, |row| row.len()), rows.len());
    let game = Tron::new(Rules::parse(&format!("size={width}x{height}"))?);
    let at = |wanted: u8| {
        let cells = game.grid.shape.points().zip(rows.concat());
        cells.filter(move |&(_, cell)| cell == wanted).map(|(point, _)| point)
    };
    let walls: Vec<Point> = at(b'#').collect();
    let heads: Vec<Point> = at(b'1').chain(at(b'2')).collect();
    let known = walls.len() + at(b' ').count() + heads.len();
    if known != width * height || at(b'1').count() != 1 || at(b'2').count() != 1 {
        return Err(ParseError::new("expected a map of # and blanks with one 1 and one 2"));
    }
    // The bot may be enclosed: the contest asks for a move all the same.
    let position = Position::placed(&Grid::new(width, height, &walls), &Starts(heads))?;
    Ok((game, position))
}

impl BotEnd<Tron> for Bot {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, Tron>, ParseError> {
        let Some((width, height)) = self.size else {
            self.size = Some(parse_size(line)?);
            return Ok(BotAction::Listen);
        };
        if line.len() != width {
            return Err(ParseError::new(format!("expected a row of {width} cells, got '{line}'")));
        }
        self.rows.push(line.into());
        if self.rows.len() < height {
            return Ok(BotAction::Listen);
        }
        self.size = None;
        let rows = std::mem::take(&mut self.rows);
        self.game.at_turn(|defaults, _| {
            let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
            // Each turn brings the whole map, so the earlier position is not needed.
            let (game, state) = read_map(&unframed(&rows))?;
            let ArenaDefaults { clock, seed, .. } = defaults.clone();
            Ok(Start { game, state, seat: Seat::FIRST, seats: 2, clock, seed })
        })
    }

    fn follow_up(&mut self) -> BotAction<'_, Tron> {
        self.game.turn()
    }

    fn answer(&mut self, way: Direction, _: &str, out: &mut String) {
        out.push_str(word_of(way, &DIRECTIONS));
        out.push('\n');
    }
}

fn parse_size(line: &str) -> Result<(usize, usize), ParseError> {
    let mut words = line.split_whitespace().map(str::parse);
    match (words.next(), words.next(), words.next()) {
        (Some(Ok(width)), Some(Ok(height)), None) if height > 0 => Ok((width, height)),
        _ => Err(ParseError::new(format!("expected columns and rows like '17 17', got '{line}'"))),
    }
}
