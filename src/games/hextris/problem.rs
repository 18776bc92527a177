//! A problem of the contest: a board, its units, and the seeds of its games.

use super::hexes::Cell;
use super::json::{Json, Located};
use crate::game::ParseError;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Most columns of a board, the bits of a row.
pub const WIDEST: usize = 128;
/// Most rows of a board. Not tuned.
pub const HIGHEST: usize = 1024;
/// Most units of a game. Not tuned.
pub const LONGEST: u32 = 1_000_000;
/// Largest coordinate of a unit, in either direction, so that no rotation overflows. Not tuned.
const FARTHEST: i64 = 1_000_000;

/// A unit as written in a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Cells, all different.
    pub members: Vec<Cell>,
    /// Cell about which the unit turns.
    pub pivot: Cell,
}

/// A problem of the contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Number of the problem.
    pub id: u32,
    /// Columns of the board, 1..=[`WIDEST`].
    pub width: usize,
    /// Rows of the board, 1..=[`HIGHEST`].
    pub height: usize,
    /// Kinds of units, at least one.
    pub units: Vec<Unit>,
    /// Cells that are full at the start of a game.
    pub filled: Vec<Cell>,
    /// Number of units of a game.
    pub source_length: u32,
    /// Seeds, at least one. Each is a game.
    pub source_seeds: Vec<u32>,
}

impl Problem {
    /// Parses the contest's JSON.
    ///
    /// # Errors
    /// Returns an error if `text` is not JSON, or a member is missing or invalid; the message names
    /// the member.
    pub fn parse(text: &str) -> Result<Problem, ParseError> {
        Problem::from_json(&Json::parse(text)?)
    }

    /// Reads a problem from the contest's JSON; unknown names are ignored.
    ///
    /// # Errors
    /// Returns an error if a member is missing or invalid; the message names the member.
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
                return Err(ParseError::new(format!("{name}: expected at least one, got none")));
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

    /// Returns the official score of this problem: the sum over different seeds, divided by the
    /// number of seeds and rounded down. A seed listed twice counts twice in the divisor only. Of
    /// several scores for a seed the best counts.
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
    /// Returns the numbers of columns and rows at the spawn, and the cells there up to a
    /// translation along the row.
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

    /// Returns the reason why the unit is invalid on a board of these columns and rows, if it is.
    fn objection(&self, (width, height): (usize, usize)) -> Option<String> {
        if self.members.is_empty() {
            return Some("expected at least one, got none".into());
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.members.iter().find(|cell| !seen.insert(**cell)) {
            return Some(format!("expected different cells, got {},{} twice", twice.x, twice.y));
        }
        let (columns, rows, _) = self.raised();
        (columns > width || rows > height).then(|| {
            format!(
                "expected a unit that fits on a board of {width}x{height}, got one of \
                 {columns}x{rows}"
            )
        })
    }
}
