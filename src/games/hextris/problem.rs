//! A problem: a board, its units, and the seeds of its games.

use super::hexes::Cell;
use super::json::{Json, Located};
use crate::game::ParseError;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Boards are at most so wide.
pub const WIDEST: usize = 128;
/// Boards are at most so high.
pub const HIGHEST: usize = 1024;
/// A game has at most so many units.
pub const LONGEST: u32 = 1_000_000;
/// Coordinates of units are no further from 0 than this, so that no turn leaves the range of
/// numbers.
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
            return Err(Located::root(json, "a problem").wrong("an object"));
        }
        let json = Located::root(json, "the problem");
        let count = |name, most| json.member(name)?.integer(1..=most);
        let width = count("width", WIDEST as i64)?;
        let height = count("height", HIGHEST as i64)?;
        let board = (width as usize, height as usize);
        let problem = Problem {
            id: json.member("id")?.u32()?,
            width: board.0,
            height: board.1,
            units: json.member("units")?.each(|unit| read_unit(unit, board))?,
            filled: json
                .member("filled")?
                .each(|cell| read_cell(cell, 0..=width - 1, 0..=height - 1))?,
            source_length: count("sourceLength", LONGEST.into())? as u32,
            source_seeds: json.member("sourceSeeds")?.each(|seed| seed.u32())?,
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
        let Problem { id, width, height, source_length, .. } = self;
        let (units, filled) = (list(&self.units, unit), list(&self.filled, cell_json));
        let seeds = list(&self.source_seeds, u32::to_string);
        format!(
            "{{\"id\":{id},\"units\":{units},\"width\":{width},\"height\":{height},\
             \"filled\":{filled},\"sourceLength\":{source_length},\"sourceSeeds\":{seeds}}}"
        )
    }

    /// Returns the official score of this problem: the scores of different seeds, added up and
    /// divided by the number of seeds, rounded down. A seed that is listed twice counts twice in
    /// the divisor alone; of several scores for a seed the best counts.
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

fn read_cell(
    json: Located,
    columns: RangeInclusive<i64>,
    rows: RangeInclusive<i64>,
) -> Result<Cell, ParseError> {
    let x = json.member("x")?.integer(columns)? as i32;
    let y = json.member("y")?.integer(rows)? as i32;
    Ok(Cell { x, y })
}

fn read_unit(json: Located, board: (usize, usize)) -> Result<Unit, ParseError> {
    let anywhere = -FARTHEST..=FARTHEST;
    let cell = |json: Located| read_cell(json, anywhere.clone(), anywhere.clone());
    let pivot = cell(json.member("pivot")?)?;
    let members = json.member("members")?;
    let unit = Unit { members: members.each(cell)?, pivot };
    unit.objection(board).map_or(Ok(unit), |why| Err(members.error(why)))
}

impl Unit {
    /// Returns its columns and rows where it appears, and its cells there up to a translation along
    /// the row.
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
