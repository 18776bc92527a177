//! A unit preprocessed for a board: its positions, and the effect of commands.
//!
//! The *anchor* of a unit is the leftmost cell of its topmost row. A position is the rotation and
//! the cell of the anchor. So the positions on the board have contiguous indices, however far away
//! the pivot is. The rules consider two positions equal if the pivot and the set of cells are. As
//! rotations of a symmetric unit are counted modulo their period, that holds exactly for equal
//! positions.

use super::board::{Board, Row};
use super::hexes::AxialCoord;
use super::{Command, Problem, Unit};

/// Position of a unit: its rotation and the cell of its anchor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitPosition {
    /// Sixths of a turn clockwise, below the period.
    pub rotation: u8,
    /// The row of the anchor, the first row of the unit.
    pub row: u16,
    /// The column of the anchor.
    pub column: u16,
}

/// A unit on boards of one size.
#[derive(Clone, Debug)]
pub struct Piece {
    size: u32,
    width: usize,
    height: usize,
    spawn: UnitPosition,
    rotated_units: Vec<RotatedUnit>,
    /// Offset of the anchor from the pivot, by rotation.
    anchors: Vec<AxialCoord>,
}

/// A unit in one of its rotations.
#[derive(Clone, Debug)]
struct RotatedUnit {
    /// The last row in which the anchor can be.
    last_row: i32,
    /// Outlines with the anchor in an even and in an odd row.
    outlines: [Outline; 2],
    /// Shift of the anchor by each command.
    shifts: [CommandShift; 6],
}

/// Cells of a rotated unit, for one parity of the anchor's row.
#[derive(Clone, Debug)]
struct Outline {
    /// The first and the last column in which the anchor can be.
    columns: (i32, i32),
    /// The rows as bitboards, with the leftmost cell in column 0.
    rows: Box<[Row]>,
    /// The cells as columns and rows from the anchor.
    cells: Box<[(i32, usize)]>,
}

/// Shift of the anchor by a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandShift {
    /// Rotation after the command.
    pub rotation: u8,
    /// Rows down.
    pub rows: i32,
    /// Columns to the right, from an even and from an odd row.
    pub columns: [i32; 2],
}

/// Widest board, in columns, of which `fits` compares half the bits of a row. Part of a change that
/// raised scoring from 47 to 82 million commands a second (2026-11-22, `bots/hextris/diary.md`).
const NARROW: usize = u64::BITS as usize;

impl Piece {
    /// Preprocesses a unit of a problem.
    pub fn new(unit: &Unit, problem: &Problem) -> Piece {
        let (width, height) = (problem.width, problem.height);
        let turned = rotations(unit);
        let anchors: Vec<AxialCoord> = turned.iter().map(|cells| cells[0]).collect();
        let rotated = |(rotation, cells): (usize, &Vec<AxialCoord>)| RotatedUnit {
            last_row: height as i32 - 1 - (cells[cells.len() - 1].y - cells[0].y),
            outlines: [0, 1].map(|parity| Outline::new(cells, parity, width)),
            shifts: Command::ALL.map(|command| CommandShift::new(&anchors, rotation, command)),
        };
        let rotated_units = turned.iter().enumerate().map(rotated).collect();
        let spawn = spawn(unit, width);
        Piece { size: unit.members.len() as u32, width, height, spawn, rotated_units, anchors }
    }

    /// Returns the number of cells.
    #[inline]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the number of columns of the board.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows of the board.
    #[inline]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of rotations: 1, 2, 3 or 6.
    #[inline]
    pub fn period(&self) -> usize {
        self.rotated_units.len()
    }

    /// Returns the bound of the position indices, which are below it.
    #[inline]
    pub fn positions(&self) -> usize {
        self.rotated_units.len() * self.width * self.height
    }

    /// Returns the index of a position.
    #[inline]
    pub fn index(&self, at: UnitPosition) -> usize {
        (usize::from(at.rotation) * self.height + usize::from(at.row)) * self.width
            + usize::from(at.column)
    }

    /// Returns the position of an index.
    #[inline]
    pub fn position(&self, index: usize) -> UnitPosition {
        let (line, column) = (index / self.width, index % self.width);
        let (rotation, row) = (line / self.height, line % self.height);
        UnitPosition { rotation: rotation as u8, row: row as u16, column: column as u16 }
    }

    /// Returns the spawn position.
    #[inline]
    pub fn spawn(&self) -> UnitPosition {
        self.spawn
    }

    /// Returns the shift of the anchor by a command in a rotation, regardless of the board.
    #[inline]
    pub fn shift(&self, rotation: usize, command: Command) -> CommandShift {
        self.rotated_units[rotation].shifts[command.index()]
    }

    /// Returns the row of the anchor in a rotation relative to the pivot, negative if above.
    #[inline]
    pub fn rise(&self, rotation: usize) -> i32 {
        self.anchors[rotation].y
    }

    /// Returns the row of the pivot. No command moves the pivot up.
    #[inline]
    pub fn pivot_row(&self, at: UnitPosition) -> i32 {
        i32::from(at.row) - self.anchors[usize::from(at.rotation)].y
    }

    /// Returns the axial column of the pivot with the anchor in column 0 of a row, on the board or
    /// not.
    #[inline]
    pub fn offset(&self, rotation: usize, row: i32) -> i32 {
        super::Cell { x: 0, y: row }.axial().q - self.anchors[rotation].q
    }

    /// Returns the position after a command on an empty board, or `None` if it is off the board.
    #[inline]
    pub fn step(&self, at: UnitPosition, command: Command) -> Option<UnitPosition> {
        let shift = &self.rotated_units[usize::from(at.rotation)].shifts[command.index()];
        let row = i32::from(at.row) + shift.rows;
        let column = i32::from(at.column) + shift.columns[usize::from(at.row & 1)];
        let rotated = &self.rotated_units[usize::from(shift.rotation)];
        if row < 0 || row > rotated.last_row {
            return None;
        }
        let (first, last) = rotated.outlines[row as usize & 1].columns;
        if column < first || column > last {
            return None;
        }
        Some(UnitPosition { rotation: shift.rotation, row: row as u16, column: column as u16 })
    }

    /// Returns `true` if the cells of the unit are free.
    #[inline]
    pub fn fits(&self, board: &Board, at: UnitPosition) -> bool {
        let below = &board.rows()[usize::from(at.row)..];
        if self.width > NARROW {
            return self.rows(at).zip(below).all(|(cells, row)| cells & row == 0);
        }
        let (outline, column_shift) = (self.outline(at), self.column_shift(at));
        let mut pairs = outline.rows.iter().zip(below);
        pairs.all(|(&cells, &row)| (cells as u64) << column_shift & row as u64 == 0)
    }

    /// Returns the position after a command, or `None` if the command locks the unit.
    #[inline]
    pub fn advance(
        &self,
        board: &Board,
        at: UnitPosition,
        command: Command,
    ) -> Option<UnitPosition> {
        self.step(at, command).filter(|&next| self.fits(board, next))
    }

    /// Returns the cells as bitboards of rows, from the row of the anchor on.
    #[inline]
    pub fn rows(&self, at: UnitPosition) -> impl Iterator<Item = Row> + '_ {
        let column_shift = self.column_shift(at);
        self.outline(at).rows.iter().map(move |row| row << column_shift)
    }

    /// Returns the row after the last row of the unit.
    #[inline]
    pub(super) fn end_row(&self, at: UnitPosition) -> usize {
        usize::from(at.row) + self.outline(at).rows.len()
    }

    /// Returns the shift of the outline's rows to the right.
    #[inline]
    fn column_shift(&self, at: UnitPosition) -> i32 {
        i32::from(at.column) - self.outline(at).columns.0
    }

    /// Returns the cells as columns and rows of the board.
    #[inline]
    pub fn cells(&self, at: UnitPosition) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (column, row) = (i32::from(at.column), usize::from(at.row));
        let cells = self.outline(at).cells.iter();
        cells.map(move |&(x, y)| ((column + x) as usize, row + y))
    }

    #[inline]
    fn outline(&self, at: UnitPosition) -> &Outline {
        &self.rotated_units[usize::from(at.rotation)].outlines[usize::from(at.row & 1)]
    }

    /// Finds all positions in which the unit fits: bit `c` of element `rotation * height + row`
    /// stands for the anchor in column `c`. Each cell of the unit is tested once for a whole row of
    /// positions.
    #[inline]
    pub fn free(&self, board: &Board, free: &mut Vec<Row>) {
        free.clear();
        for rotated in &self.rotated_units {
            for row in 0..self.height {
                let outline = &rotated.outlines[row & 1];
                let is_inside =
                    row as i32 <= rotated.last_row && outline.columns.0 <= outline.columns.1;
                free.push(if is_inside { outline.free(&board.rows()[row..]) } else { 0 });
            }
        }
    }
}

/// Returns the cells of each rotation relative to the pivot, sorted from the top and from the left.
fn rotations(unit: &Unit) -> Vec<Vec<AxialCoord>> {
    let pivot = unit.pivot.axial();
    let mut cells: Vec<AxialCoord> =
        unit.members.iter().map(|cell| cell.axial().from(pivot)).collect();
    cells.sort_unstable();
    let mut turned = vec![cells];
    loop {
        let mut next: Vec<AxialCoord> =
            turned[turned.len() - 1].iter().map(|cell| cell.clockwise()).collect();
        next.sort_unstable();
        // A symmetric unit is back at its first rotation after fewer than six turns.
        if next == turned[0] {
            return turned;
        }
        turned.push(next);
    }
}

/// Returns the spawn position: in the topmost row, centred, rounded to the left.
fn spawn(unit: &Unit, width: usize) -> UnitPosition {
    let (columns, _, cells) = unit.raised();
    let leftmost = cells.iter().map(|cell| cell.x).min().unwrap_or(0);
    let anchor = cells.iter().filter(|cell| cell.y == 0).map(|cell| cell.x).min().unwrap_or(0);
    let column = anchor - leftmost + ((width - columns) / 2) as i32;
    UnitPosition { rotation: 0, row: 0, column: column as u16 }
}

impl Outline {
    fn new(cells: &[AxialCoord], parity: i32, width: usize) -> Outline {
        let anchor = AxialCoord { y: parity, q: 0 };
        let at_anchor: Vec<_> =
            cells.iter().map(|cell| anchor.plus(cell.from(cells[0])).cell()).collect();
        let cells: Box<[(i32, usize)]> =
            at_anchor.iter().map(|cell| (cell.x, (cell.y - parity) as usize)).collect();
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let right = cells.iter().map(|cell| cell.0).max().unwrap_or(0);
        let height = cells.iter().map(|cell| cell.1).max().unwrap_or(0) + 1;
        let columns = (-left, width as i32 - 1 - right);
        // A rotation that is wider than the board has no positions.
        let is_somewhere = columns.0 <= columns.1;
        let mut rows = vec![0; if is_somewhere { height } else { 0 }];
        for &(x, y) in cells.iter().filter(|_| is_somewhere) {
            rows[y] |= 1 << (x - left);
        }
        Outline { columns, rows: rows.into(), cells }
    }

    /// Returns the columns of the anchor in which the unit fits, for the board's `rows` from the
    /// anchor's on.
    #[inline]
    fn free(&self, rows: &[Row]) -> Row {
        let (first, last) = self.columns;
        let inside = (Row::MAX >> (Row::BITS as i32 - 1 - last)) & (Row::MAX << first);
        let taken = self
            .cells
            .iter()
            .fold(0, |taken, &(x, y)| taken | if x >= 0 { rows[y] >> x } else { rows[y] << -x });
        inside & !taken
    }
}

impl CommandShift {
    fn new(anchors: &[AxialCoord], rotation: usize, command: Command) -> CommandShift {
        let period = anchors.len();
        let to = match command {
            Command::Clockwise => (rotation + 1) % period,
            Command::CounterClockwise => (rotation + period - 1) % period,
            _ => rotation,
        };
        let shift = command.pivot_step().plus(anchors[to].from(anchors[rotation]));
        // The column of an axial coordinate depends on the parity of its row.
        let columns = |parity: i32| AxialCoord { y: parity + shift.y, q: shift.q }.cell().x;
        CommandShift { rotation: to as u8, rows: shift.y, columns: [columns(0), columns(1)] }
    }
}
