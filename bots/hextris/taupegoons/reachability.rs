//! Positions that a unit can reach, by flood fill on bitboards.
//!
//! Positions are bits, as in [`Piece::free`]. Commands never move the pivot up, so its rows are
//! filled one after the other. Within a row, turns and steps to either side are repeated until no
//! position is new.

use arbitre_games::games::hextris::{Board, Command, Piece, Row, UnitPosition};

/// Commands that leave the pivot in its row.
const LEVEL: [Command; 4] =
    [Command::West, Command::East, Command::Clockwise, Command::CounterClockwise];
/// Commands that turn the unit.
const TURNS: [Command; 2] = [Command::Clockwise, Command::CounterClockwise];
/// Commands that move the pivot a row down.
const DOWN: [Command; 2] = [Command::SouthWest, Command::SouthEast];

/// A set of positions of a piece. Bit `c` of element `rotation * height + row` stands for its
/// anchor in column `c`.
#[derive(Clone, Debug, Default)]
pub struct PositionSet {
    lines: Vec<Row>,
    height: usize,
}

impl PositionSet {
    /// Returns all positions in which a piece fits on a board.
    pub fn free(piece: &Piece, board: &Board) -> PositionSet {
        let mut lines = Vec::new();
        piece.free(board, &mut lines);
        PositionSet { lines, height: board.height() }
    }

    /// Returns an empty set for the same piece and board.
    pub fn none(&self) -> PositionSet {
        PositionSet { lines: vec![0; self.lines.len()], height: self.height }
    }

    /// Returns `true` if the set has this position.
    #[inline]
    pub fn contains(&self, at: UnitPosition) -> bool {
        self.lines[self.line_of(at)] >> at.column & 1 != 0
    }

    /// Adds a position.
    pub fn insert(&mut self, at: UnitPosition) {
        let line = self.line_of(at);
        self.lines[line] |= 1 << at.column;
    }

    fn line_of(&self, at: UnitPosition) -> usize {
        usize::from(at.rotation) * self.height + usize::from(at.row)
    }

    /// Adds positions of a line. Returns `true` if any of them is new.
    #[inline]
    fn extend(&mut self, line: usize, positions: Row) -> bool {
        let is_new = positions & !self.lines[line] != 0;
        self.lines[line] |= positions;
        is_new
    }

    /// Iterates over the positions, line by line.
    pub fn iter(&self) -> impl Iterator<Item = UnitPosition> + '_ {
        let numbered = self.lines.iter().enumerate().filter(|(_, &line)| line != 0);
        numbered.flat_map(move |(number, &line)| {
            let (rotation, row) = ((number / self.height) as u8, (number % self.height) as u16);
            let columns =
                std::iter::successors(Some(line), |rest| Some(rest & rest.wrapping_sub(1)));
            columns.take_while(|&rest| rest != 0).map(move |rest| UnitPosition {
                rotation,
                row,
                column: rest.trailing_zeros() as u16,
            })
        })
    }

    fn line(&self, rotation: usize, row: i32) -> Option<usize> {
        (0..self.height as i32).contains(&row).then(|| rotation * self.height + row as usize)
    }
}

/// Shifts a line by a number of columns to the right; far shifts empty it.
fn shifted(line: Row, columns: i32) -> Row {
    match columns {
        0..=127 => line << columns,
        -127..=-1 => line >> -columns,
        _ => 0,
    }
}

/// Returns the positions that can be reached from a free one by commands that do not lock.
pub fn reachable(piece: &Piece, free: &PositionSet, from: UnitPosition) -> PositionSet {
    let mut reached = free.none();
    reached.insert(from);
    let mut row = piece.pivot_row(from);
    loop {
        let lines = (0..piece.period()).filter_map(|r| free.line(r, row + piece.rise(r)));
        let lines: Vec<usize> = lines.collect();
        spread(piece, free, &mut reached, &lines);
        if lines.iter().all(|&line| reached.lines[line] == 0) {
            return reached;
        }
        for &line in &lines {
            for command in DOWN {
                carry(piece, free, &mut reached, line, command);
            }
        }
        row += 1;
    }
}

/// Repeats the commands that leave the pivot in its row until no position is new.
fn spread(piece: &Piece, free: &PositionSet, reached: &mut PositionSet, lines: &[usize]) {
    let mut has_new = true;
    while has_new {
        has_new = false;
        for &line in lines {
            has_new |= reached.extend(line, filled(reached.lines[line], free.lines[line]));
            for command in TURNS {
                has_new |= carry(piece, free, reached, line, command);
            }
        }
    }
}

/// Returns the positions of `line`, and all on either side that are connected by free ones.
fn filled(line: Row, free: Row) -> Row {
    let (mut up, mut down) = (line, line);
    let (mut up_free, mut down_free) = (free, free);
    // Kogge-Stone fill: seven doublings cover the 128 bits of a row.
    for power in 0..7 {
        up |= up_free & (up << (1 << power));
        up_free &= up_free << (1 << power);
        down |= down_free & (down >> (1 << power));
        down_free &= down_free >> (1 << power);
    }
    up | down
}

/// Adds the positions to which a command leads from those of a line. Returns `true` if any is new.
fn carry(
    piece: &Piece,
    free: &PositionSet,
    reached: &mut PositionSet,
    line: usize,
    command: Command,
) -> bool {
    let Some((to, columns)) = target(piece, free, line, command) else { return false };
    reached.extend(to, shifted(reached.lines[line], columns) & free.lines[to])
}

/// Returns the line to which a command leads from another, and the columns to the right.
fn target(piece: &Piece, set: &PositionSet, from: usize, command: Command) -> Option<(usize, i32)> {
    let (rotation, row) = (from / set.height, from % set.height);
    let shift = piece.shift(rotation, command);
    let to = set.line(shift.rotation.into(), row as i32 + shift.rows)?;
    Some((to, shift.columns[row & 1]))
}

/// Returns the positions of `among` from which a target can be reached. A path has at most `steps`
/// steps to the side in each row of the pivot.
pub fn leading_to(
    piece: &Piece,
    among: &PositionSet,
    targets: &[UnitPosition],
    steps: usize,
) -> PositionSet {
    let mut leading = among.none();
    targets.iter().for_each(|&target| leading.insert(target));
    let rows = targets.iter().map(|&target| piece.pivot_row(target));
    let Some(lowest) = rows.max() else { return leading };
    let rises = (0..piece.period()).map(|rotation| piece.rise(rotation));
    let highest = -rises.max().unwrap_or(0);
    for row in (highest..=lowest).rev() {
        for turn in 0..piece.period() / 2 + steps {
            // Backward from the targets: turns come first on a path, and half a turn suffices.
            let commands = if turn < steps { &LEVEL[..] } else { &TURNS };
            if !back(piece, among, &mut leading, row, commands) {
                break;
            }
        }
        back(piece, among, &mut leading, row - 1, &DOWN);
    }
    leading
}

/// Adds the positions of a row of the pivot from which one of these commands leads to one of the
/// set. Returns `true` if any is new.
fn back(
    piece: &Piece,
    among: &PositionSet,
    leading: &mut PositionSet,
    row: i32,
    commands: &[Command],
) -> bool {
    let mut has_new = false;
    for rotation in 0..piece.period() {
        let Some(from) = among.line(rotation, row + piece.rise(rotation)) else { continue };
        for &command in commands {
            has_new |= leading.extend(from, origins(piece, among, leading, from, command));
        }
    }
    has_new
}

fn origins(
    piece: &Piece,
    among: &PositionSet,
    leading: &PositionSet,
    from: usize,
    command: Command,
) -> Row {
    target(piece, among, from, command)
        .map_or(0, |(to, columns)| shifted(leading.lines[to], -columns) & among.lines[from])
}

/// Returns the reached positions in which some command locks the unit.
pub fn lockable(piece: &Piece, free: &PositionSet, reached: &PositionSet) -> PositionSet {
    let mut lockable = free.none();
    for (line, locks) in lockable.lines.iter_mut().enumerate() {
        for command in Command::ALL.into_iter().filter(|_| reached.lines[line] != 0) {
            *locks |= reached.lines[line] & !origins(piece, free, free, line, command);
        }
    }
    lockable
}
