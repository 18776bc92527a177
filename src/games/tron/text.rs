//! Text notation of moves, setups and positions.

use super::{CellContent, Direction, Point, Position, Rules, Starts, Tron, MOST_SEATS};
use crate::dialect::Notation;
use crate::game::{ParseError, Seat, Seats, State};
use crate::text::word_of;

const DIRECTIONS: [(&str, Direction); 4] = [
    ("UP", Direction::Up),
    ("RIGHT", Direction::Right),
    ("DOWN", Direction::Down),
    ("LEFT", Direction::Left),
];

impl Notation for Tron {
    fn from_rules(text: &str) -> Result<Tron, ParseError> {
        Rules::parse(text).map(Tron::new)
    }

    fn rules(&self) -> String {
        self.options().to_string()
    }

    fn write_move(&self, way: Direction, out: &mut String) {
        out.push_str(word_of(way, &DIRECTIONS));
    }

    fn parse_move(&self, word: &str) -> Result<Direction, ParseError> {
        let found = DIRECTIONS.iter().find(|(known, _)| *known == word);
        found.map(|(_, way)| *way).ok_or_else(|| {
            ParseError::new(format!("expected UP, RIGHT, DOWN or LEFT, got '{word}'"))
        })
    }

    fn setup_lines(&self, setup: &Starts, _: Seat) -> Vec<String> {
        let mut lines = vec![self.size_line()];
        lines.extend(self.walls_line());
        let start = |(seat, point)| format!("start {seat} {point}");
        lines.extend(setup.0.iter().enumerate().map(start));
        lines
    }

    /// Parses a setup. The lines `size` and `walls` are optional, as the rules define both.
    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<Starts, ParseError> {
        let mut starts = Vec::new();
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["start", seat, x, y] => starts.push(parse_start(seat, x, y)?),
                ["size", ..] => same(&words, &self.size_line())?,
                ["walls", ..] => same(&words, &self.walls_line().unwrap_or_default())?,
                _ => {
                    return Err(ParseError::new(format!(
                        "expected 'start SEAT X Y', got '{line}'"
                    )));
                }
            }
        }
        in_order_of_seats(starts)
    }

    /// Writes the whole position, as nothing is hidden from a player.
    fn write_state(&self, state: &Position, _: Seat, out: &mut String) {
        out.push_str(&picture(state));
    }

    /// Parses a position with `seat` to move. The text has the cells of a trail but not their
    /// order. The ply count starts at 0. A seat without a head, below the highest seat with one,
    /// counts as eliminated earlier.
    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        let (width, height) = (self.options().width(), self.options().height());
        let rows: Vec<&str> = text.trim().split('/').collect();
        if rows.len() != height || rows.iter().any(|row| row.len() != width) {
            return Err(ParseError::new(format!(
                "expected {height} rows of {width} cells, joined by /, got {} rows: {text}",
                rows.len()
            )));
        }
        let cells = self.grid.shape.points().zip(rows.concat().into_bytes());
        Drawing::read(cells.collect())?.position(self, seat)
    }
}

impl Tron {
    fn size_line(&self) -> String {
        format!("size {} {}", self.options().width(), self.options().height())
    }

    fn walls_line(&self) -> Option<String> {
        let walls = self.options().walls();
        let cells: Vec<String> = walls.iter().map(Point::to_string).collect();
        (!cells.is_empty()).then(|| format!("walls {}", cells.join(" ")))
    }
}

/// Returns the position as rows joined by `/`.
pub(super) fn picture(state: &Position) -> String {
    let mut text = String::with_capacity(state.height() * (state.width() + 1));
    for (i, cell) in state.cells().enumerate() {
        if i > 0 && i % state.width() == 0 {
            text.push('/');
        }
        let (x, y) = ((i % state.width()) as u8, (i / state.width()) as u8);
        text.push(match cell {
            CellContent::Free => '.',
            CellContent::Wall => '#',
            CellContent::Trail(seat) if state.head(seat) == Some(Point { x, y }) => {
                char::from(b'A' + seat.index() as u8)
            }
            CellContent::Trail(seat) => char::from(b'0' + seat.index() as u8),
        });
    }
    text
}

fn parse_start(seat: &str, x: &str, y: &str) -> Result<(usize, Point), ParseError> {
    let start = || {
        let seat = seat.parse().ok().filter(|&seat| seat < MOST_SEATS)?;
        Some((seat, Point { x: x.parse().ok()?, y: y.parse().ok()? }))
    };
    start().ok_or_else(|| {
        let last = MOST_SEATS - 1;
        ParseError::new(format!(
            "expected 'start SEAT X Y' with a seat from 0 to {last}, got 'start {seat} {x} {y}'"
        ))
    })
}

/// Returns an error if a line of a setup does not match the rules.
fn same(words: &[&str], expected: &str) -> Result<(), ParseError> {
    let written = words.join(" ");
    if written == expected {
        return Ok(());
    }
    let expected = if expected.is_empty() { "no walls" } else { expected };
    Err(ParseError::new(format!("expected {expected}, as the rules say, got '{written}'")))
}

fn in_order_of_seats(mut starts: Vec<(usize, Point)>) -> Result<Starts, ParseError> {
    // Lines may come in any order.
    starts.sort_by_key(|(seat, _)| *seat);
    let seats: Vec<usize> = starts.iter().map(|(seat, _)| *seat).collect();
    if seats.len() < 2 || seats.iter().enumerate().any(|(i, &seat)| i != seat) {
        return Err(ParseError::new(format!(
            "expected a line 'start SEAT X Y' for each of 2 to {MOST_SEATS} seats from 0 on, got \
             seats {seats:?}"
        )));
    }
    Ok(Starts(starts.into_iter().map(|(_, point)| point).collect()))
}

/// Content of a position's text.
#[derive(Default)]
struct Drawing {
    walls: Vec<Point>,
    trails: Vec<(Seat, Point)>,
    heads: [Option<Point>; MOST_SEATS],
}

impl Drawing {
    fn read(cells: Vec<(Point, u8)>) -> Result<Drawing, ParseError> {
        let mut drawing = Drawing::default();
        for (point, byte) in cells {
            match byte {
                b'.' => {}
                b'#' => drawing.walls.push(point),
                b'0'..=b'3' => drawing.trails.push((Seat::new((byte - b'0').into()), point)),
                b'A'..=b'D' => drawing.set_head(usize::from(byte - b'A'), point)?,
                other => {
                    let cell = char::from(other);
                    return Err(ParseError::new(format!(
                        "expected cells . or #, 0 to 3 for trails and A to D for heads, got '{cell}'"
                    )));
                }
            }
        }
        drawing.check()
    }

    fn set_head(&mut self, seat: usize, point: Point) -> Result<(), ParseError> {
        match self.heads[seat].replace(point) {
            None => Ok(()),
            Some(_) => Err(ParseError::new(format!("expected one head of seat {seat}, got two"))),
        }
    }

    fn check(self) -> Result<Drawing, ParseError> {
        let headless = self.trails.iter().find(|(seat, _)| self.heads[seat.index()].is_none());
        if let Some((seat, _)) = headless {
            return Err(ParseError::new(format!("expected a head for the trail of seat {seat}")));
        }
        let heads = self.heads.iter().flatten().count();
        if heads < 2 {
            return Err(ParseError::new(format!(
                "expected the heads of two seats or more, got {heads}"
            )));
        }
        Ok(self)
    }

    fn position(&self, game: &Tron, seat: Seat) -> Result<Position, ParseError> {
        let seats = self.heads.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut position = Position::empty(&game.grid, seats);
        self.walls.iter().for_each(|&point| position.wall(point));
        self.trails.iter().for_each(|&(seat, point)| position.mark(seat, point));
        // Their order of elimination is not in the text, so all absent seats share one group.
        let mut absent = Seats::NONE;
        for (seat, head) in (0..seats).map(Seat::new).zip(self.heads) {
            match head {
                Some(point) => position.place(seat, point),
                None => absent.insert(seat),
            }
        }
        if !absent.is_empty() {
            position.eliminate(absent);
        }
        if !position.is_alive(seat) {
            return Err(ParseError::new(format!(
                "expected seat {seat} to move, but it has no head"
            )));
        }
        // `turn_to` skips a seat that cannot move, which would silently change the turn.
        position.turn_to(seat);
        match position.to_move() == Seats::one(seat) {
            true => Ok(position),
            false => Err(ParseError::new(format!(
                "expected seat {seat} to move, but it has nowhere to go"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn game(rules: &str) -> Tron {
        Tron::from_rules(rules).unwrap()
    }

    fn refusal<T: std::fmt::Debug>(result: Result<T, ParseError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn setup_lists_size_walls_and_starts() {
        let walled = game("size=5x4 walls=1:1/2:3");
        let setup = walled.parse_setup(&["start 1 4 3", "start 0 0 2"], Seat::FIRST).unwrap();
        let lines = ["size 5 4", "walls 1 1 2 3", "start 0 0 2", "start 1 4 3"];
        assert_eq!(walled.setup_lines(&setup, Seat::FIRST), lines);
        assert_eq!(walled.parse_setup(&lines, Seat::FIRST), Ok(setup));
        assert_eq!(
            walled.setup_text(&walled.parse_setup_text("start 0 0 0; start 1 1 0").unwrap()),
            "size 5 4; walls 1 1 2 3; start 0 0 0; start 1 1 0"
        );
    }

    #[test]
    fn setup_errors_name_the_fault() {
        let game = game("size=5x4 walls=1:1");
        let cases = [
            ("", "expected 'start SEAT X Y', got ''"),
            ("start 0 0 0", "for each of 2 to 4 seats from 0 on, got seats [0]"),
            ("start 0 0 0; start 2 1 0", "got seats [0, 2]"),
            ("start 0 0 0; start 0 1 0", "got seats [0, 0]"),
            ("start 4 0 0; start 0 1 0", "with a seat from 0 to 3, got 'start 4 0 0'"),
            ("start 0 0; start 1 1 0", "expected 'start SEAT X Y', got 'start 0 0'"),
            ("size 5 5; start 0 0 0", "expected size 5 4, as the rules say, got 'size 5 5'"),
            ("walls 2 2", "expected walls 1 1, as the rules say, got 'walls 2 2'"),
        ];
        for (text, part) in cases {
            let message = refusal(game.parse_setup_text(text));
            assert!(message.contains(part), "{text}: {message}");
        }
        let starts = [
            ("start 0 0 0; start 1 5 0", "seat 1 to start on the grid of 5x4, got 5 0"),
            ("start 0 0 0; start 1 1 1", "seat 1 to start on a free cell, got a wall at 1 1"),
            ("start 0 2 2; start 1 2 2", "got the start of seat 0 at 2 2"),
        ];
        for (text, part) in starts {
            let message = refusal(game.start(&game.parse_setup_text(text).unwrap()));
            assert!(message.contains(part), "{text}: {message}");
        }
        let box_in = self::game("size=3x3 walls=1:0/0:1/1:1/2:1/1:2");
        let corners = box_in.parse_setup_text("start 0 0 0; start 1 2 2").unwrap();
        assert!(refusal(box_in.start(&corners)).contains("leave a game to play"));
    }

    #[test]
    fn positions_round_trip_as_pictures() {
        let game = game("size=4x3");
        let text = "00A./#.../.D33";
        let position = game.parse_state(text, Seat::new(3)).unwrap();
        assert_eq!(picture(&position), text);
        assert_eq!((position.seats(), position.alive().len()), (4, 2));
        assert_eq!(position.head(Seat::new(3)), Some(Point { x: 1, y: 2 }));
        assert_eq!(position.moves(Seat::new(3)), [Direction::Up, Direction::Left]);
        let mut over = position.clone();
        over.forfeit(Seats::one(Seat::new(3)));
        assert_eq!(picture(&over), "00A./#.../....");
        assert_eq!(over.outcome().unwrap().scores, [3, 0, 0, 2]);
    }

    #[test]
    fn position_errors_name_the_fault() {
        let game = game("size=4x3");
        let cases = [
            (".../.../...", "expected 3 rows of 4 cells, joined by /, got 3 rows"),
            ("A..B/....", "got 2 rows"),
            ("A..B/..x./....", "A to D for heads, got 'x'"),
            ("A..B/..A./....", "one head of seat 0, got two"),
            ("A..B/..2./....", "a head for the trail of seat 2"),
            ("A.../..../....", "heads of two seats or more, got 1"),
            ("C..B/..../....", "seat 0 to move, but it has no head"),
            ("A#.B/#.../....", "seat 0 to move, but it has nowhere to go"),
        ];
        for (text, part) in cases {
            let message = refusal(game.parse_state(text, Seat::FIRST));
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
