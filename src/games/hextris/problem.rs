//! A problem: a board, its units, and the seeds of its games.

use super::hexes::Cell;
use super::json::Json;
use super::Lcg;
use crate::game::ParseError;
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Boards are at most so wide.
pub const WIDEST: usize = 128;
/// Boards are at most so high.
pub const HIGHEST: usize = 1024;
/// A game has at most so many units.
pub const LONGEST: u32 = 1_000_000;
/// Coordinates of units are no further from 0 than this, so that no turn leaves the range of numbers.
const FARTHEST: i64 = 1_000_000;

/// A unit as a problem has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its cells, no two alike.
    pub members: Vec<Cell>,
    /// What it turns about.
    pub pivot: Cell,
}

/// A problem of the contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Its number.
    pub id: u32,
    /// Columns of the board, 1..=[`WIDEST`].
    pub width: usize,
    /// Rows of the board, 1..=[`HIGHEST`].
    pub height: usize,
    /// The kinds of units; there is one at least.
    pub units: Vec<Unit>,
    /// The cells that are full when a game begins.
    pub filled: Vec<Cell>,
    /// How many units a game has.
    pub source_length: u32,
    /// The seeds, each of which is a game; there is one at least.
    pub source_seeds: Vec<u32>,
}

impl Problem {
    /// Reads the contest's JSON.
    ///
    /// # Errors
    /// If it is no JSON, or something is missing or does not fit: the message names it.
    pub fn parse(text: &str) -> Result<Problem, ParseError> {
        Problem::from_json(&Json::parse(text)?)
    }

    /// Reads the contest's JSON; names that it does not know are passed over.
    ///
    /// # Errors
    /// If something is missing or does not fit: the message names it.
    pub fn from_json(json: &Json) -> Result<Problem, ParseError> {
        if !matches!(json, Json::Object(_)) {
            return Err(wrong("a problem", "an object", json));
        }
        let number = |name: &str, range| integer(field(json, name, "")?, range, || name.into());
        let width = number("width", 1..=WIDEST as i64)? as usize;
        let height = number("height", 1..=HIGHEST as i64)? as usize;
        let on_board = |at: &str, cell: &Json| {
            read_cell(cell, at, 0..=width as i64 - 1, 0..=height as i64 - 1)
        };
        let problem = Problem {
            id: number("id", 0..=u32::MAX.into())? as u32,
            width,
            height,
            units: read_all(json, "units", |at, unit| read_unit(unit, at, (width, height)))?,
            filled: read_all(json, "filled", on_board)?,
            source_length: number("sourceLength", 1..=LONGEST.into())? as u32,
            source_seeds: read_all(json, "sourceSeeds", |at, seed| {
                integer(seed, 0..=u32::MAX.into(), || at.into()).map(|seed| seed as u32)
            })?,
        };
        for (name, is_empty) in
            [("units", problem.units.is_empty()), ("sourceSeeds", problem.source_seeds.is_empty())]
        {
            if is_empty {
                return Err(ParseError::new(format!("{name}: expected one at least, not none")));
            }
        }
        Ok(problem)
    }

    /// Writes the contest's JSON on one line.
    pub fn to_json(&self) -> String {
        let unit = |unit: &Unit| {
            let members = list(&unit.members, cell_json);
            format!("{{\"members\":{members},\"pivot\":{}}}", cell_json(&unit.pivot))
        };
        let mut out = String::new();
        write!(out, "{{\"id\":{},\"units\":{}", self.id, list(&self.units, unit))
            .and_then(|()| write!(out, ",\"width\":{},\"height\":{}", self.width, self.height))
            .and_then(|()| write!(out, ",\"filled\":{}", list(&self.filled, cell_json)))
            .and_then(|()| write!(out, ",\"sourceLength\":{}", self.source_length))
            .and_then(|()| {
                write!(out, ",\"sourceSeeds\":{}}}", list(&self.source_seeds, u32::to_string))
            })
            .expect("a string takes all");
        out
    }

    /// The numbers of the units of a game, in the order in which they come.
    pub fn order(&self, seed: u32) -> impl Iterator<Item = usize> + '_ {
        let length = self.source_length as usize;
        Lcg::new(seed).take(length).map(|number| number as usize % self.units.len())
    }

    /// What the contest gives for the games of this problem: the scores of different seeds, added up and
    /// divided by the number of seeds, rounded down. A seed that is listed twice counts twice in the
    /// divisor alone; of several scores for a seed the best counts.
    pub fn team_score(&self, scores: &[(u32, u64)]) -> u64 {
        let seeds: HashSet<u32> = self.source_seeds.iter().copied().collect();
        let best = |seed: u32| {
            scores.iter().filter(|(of, _)| *of == seed).map(|(_, score)| *score).max().unwrap_or(0)
        };
        seeds.into_iter().map(best).sum::<u64>() / self.source_seeds.len() as u64
    }
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(","))
}

fn cell_json(cell: &Cell) -> String {
    format!("{{\"x\":{},\"y\":{}}}", cell.x, cell.y)
}

/// `AT: expected WHAT, not …`.
pub(super) fn wrong(at: &str, what: &str, found: &Json) -> ParseError {
    ParseError::new(format!("{at}: expected {what}, not {}", found.kind()))
}

/// The value of a name that an object at this place must have.
pub(super) fn field<'j, 'a>(
    json: &'j Json<'a>,
    name: &str,
    at: &str,
) -> Result<&'j Json<'a>, ParseError> {
    json.get(name).ok_or_else(|| {
        let place = if at.is_empty() { "the problem" } else { at };
        ParseError::new(format!("{place}: expected an object with \"{name}\""))
    })
}

/// An integer in a range.
pub(super) fn integer(
    json: &Json,
    range: RangeInclusive<i64>,
    at: impl Fn() -> String,
) -> Result<i64, ParseError> {
    json.integer().filter(|number| range.contains(number)).ok_or_else(|| {
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        wrong(&at(), &what, json)
    })
}

/// The elements of the array of this name, each read with its place.
fn read_all<T>(
    json: &Json,
    name: &str,
    read: impl Fn(&str, &Json) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let value = field(json, name, "")?;
    let elements = value.array().ok_or_else(|| wrong(name, "an array", value))?;
    let numbered = elements.iter().enumerate();
    numbered.map(|(number, element)| read(&format!("{name}[{number}]"), element)).collect()
}

fn read_cell(
    json: &Json,
    at: &str,
    columns: RangeInclusive<i64>,
    rows: RangeInclusive<i64>,
) -> Result<Cell, ParseError> {
    let coordinate = |name: &str, range| {
        integer(field(json, name, at)?, range, || format!("{at}.{name}")).map(|n| n as i32)
    };
    Ok(Cell { x: coordinate("x", columns)?, y: coordinate("y", rows)? })
}

fn read_unit(json: &Json, at: &str, board: (usize, usize)) -> Result<Unit, ParseError> {
    let anywhere = -FARTHEST..=FARTHEST;
    let cell = |at: &str, json: &Json| read_cell(json, at, anywhere.clone(), anywhere.clone());
    let pivot = cell(&format!("{at}.pivot"), field(json, "pivot", at)?)?;
    let members = field(json, "members", at)?;
    let place = format!("{at}.members");
    let elements = members.array().ok_or_else(|| wrong(&place, "an array", members))?;
    let numbered = elements.iter().enumerate();
    let members: Vec<Cell> =
        numbered.map(|(i, json)| cell(&format!("{place}[{i}]"), json)).collect::<Result<_, _>>()?;
    let unit = Unit { members, pivot };
    unit.objection(board).map_or(Ok(unit), |why| Err(ParseError::new(format!("{place}: {why}"))))
}

impl Unit {
    /// Its columns and rows where it appears, and its cells there but for a translation along the row.
    pub(super) fn raised(&self) -> (usize, usize, Vec<Cell>) {
        let top = self.members.iter().map(|cell| cell.y).min().unwrap_or(0);
        let bottom = self.members.iter().map(|cell| cell.y).max().unwrap_or(0);
        let raise = |cell: &Cell| {
            let axial = cell.axial();
            super::AxialCoord { y: axial.y - top, q: axial.q }.cell()
        };
        let cells: Vec<Cell> = self.members.iter().map(raise).collect();
        let columns = cells.iter().map(|cell| cell.x);
        let width = columns.clone().max().unwrap_or(0) - columns.min().unwrap_or(0) + 1;
        (width as usize, (bottom - top) as usize + 1, cells)
    }

    /// Why it is no unit for a board of these columns and rows, if it is none.
    fn objection(&self, (width, height): (usize, usize)) -> Option<String> {
        if self.members.is_empty() {
            return Some("expected one at least, not none".into());
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.members.iter().find(|cell| !seen.insert(**cell)) {
            return Some(format!("expected different cells, not {},{} twice", twice.x, twice.y));
        }
        let (columns, rows, _) = self.raised();
        (columns > width || rows > height).then(|| {
            format!(
                "expected a unit that fits on a board of {width}x{height}, not one of \
                 {columns}x{rows}"
            )
        })
    }
}
