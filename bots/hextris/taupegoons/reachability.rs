//! Where a unit can come to, a row of positions at a time.
//!
//! Positions are bits, as [`Piece::free`] has them. Commands never bring the pivot up, so rows of the pivot
//! are done one after the other; within one, turns and steps to either side are repeated until nothing is
//! new.

use arbitre_games::games::hextris::{Board, Command, Piece, Row, UnitPosition};

/// Commands that leave the pivot in its row.
const LEVEL: [Command; 4] =
    [Command::West, Command::East, Command::Clockwise, Command::CounterClockwise];
const DOWN: [Command; 2] = [Command::SouthWest, Command::SouthEast];

/// A set of positions of a piece: bit `c` of element `rotation * height + row` stands for its anchor in
/// column `c`.
#[derive(Clone, Debug, Default)]
pub struct PositionSet {
    lines: Vec<Row>,
    height: usize,
}

impl PositionSet {
    /// Everywhere that a piece fits on a board.
    pub fn free(piece: &Piece, board: &Board) -> PositionSet {
        let mut lines = Vec::new();
        piece.free(board, &mut lines);
        PositionSet { lines, height: board.height() }
    }

    /// No position of the piece and the board of others.
    pub fn empty_like(other: &PositionSet) -> PositionSet {
        other.none()
    }

    fn none(&self) -> PositionSet {
        PositionSet { lines: vec![0; self.lines.len()], height: self.height }
    }

    /// Is this position among them?
    #[inline]
    pub fn contains(&self, at: UnitPosition) -> bool {
        let line = usize::from(at.rotation) * self.height + usize::from(at.row);
        self.lines[line] >> at.column & 1 != 0
    }

    /// Adds a position.
    pub fn insert(&mut self, at: UnitPosition) {
        let line = usize::from(at.rotation) * self.height + usize::from(at.row);
        self.lines[line] |= 1 << at.column;
    }

    /// All of them.
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

fn shifted(line: Row, columns: i32) -> Row {
    match columns {
        0..=127 => line << columns,
        -127..=-1 => line >> -columns,
        _ => 0,
    }
}

/// Those that can be reached from one of these positions, which is free, by commands that do not lock.
pub fn reachable(piece: &Piece, free: &PositionSet, from: UnitPosition) -> PositionSet {
    let mut reached = free.none();
    reached.insert(from);
    let mut row = piece.pivot_row(from);
    while spread(piece, free, &mut reached, row) {
        for rotation in 0..piece.period() {
            let Some(line) = reached.line(rotation, row + piece.rise(rotation)) else { continue };
            DOWN.iter().for_each(|&command| carry(piece, free, &mut reached, line, command));
        }
        row += 1;
    }
    reached
}

/// Repeats what leaves the pivot in its row. Returns whether any position is there.
fn spread(piece: &Piece, free: &PositionSet, reached: &mut PositionSet, row: i32) -> bool {
    let lines = || (0..piece.period()).filter_map(|r| free.line(r, row + piece.rise(r)));
    let sum =
        |reached: &PositionSet| -> Vec<Row> { lines().map(|line| reached.lines[line]).collect() };
    let mut before = sum(reached);
    if before.iter().all(|&line| line == 0) {
        return false;
    }
    loop {
        for line in lines() {
            reached.lines[line] = filled(reached.lines[line], free.lines[line]);
            carry(piece, free, reached, line, Command::Clockwise);
            carry(piece, free, reached, line, Command::CounterClockwise);
        }
        let now = sum(reached);
        if now == before {
            return true;
        }
        before = now;
    }
}

/// The positions of a line and all to either side of them that free ones lead to without a gap.
fn filled(line: Row, free: Row) -> Row {
    let (mut up, mut down) = (line, line);
    let (mut up_free, mut down_free) = (free, free);
    for power in 0..7 {
        up |= up_free & (up << (1 << power));
        up_free &= up_free << (1 << power);
        down |= down_free & (down >> (1 << power));
        down_free &= down_free >> (1 << power);
    }
    up | down
}

fn carry(
    piece: &Piece,
    free: &PositionSet,
    reached: &mut PositionSet,
    line: usize,
    command: Command,
) {
    let (rotation, row) = (line / free.height, line % free.height);
    let shift = piece.shift(rotation, command);
    if let Some(to) = free.line(shift.rotation.into(), row as i32 + shift.rows) {
        reached.lines[to] |= shifted(reached.lines[line], shift.columns[row & 1]) & free.lines[to];
    }
}

/// Those of `among` from which one of the targets can be reached, with at most `steps` steps to the side in
/// each row of the pivot; from the lowest of the targets up.
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
            let commands = if turn < steps { &LEVEL[..] } else { &LEVEL[2..] };
            if !back(piece, among, &mut leading, row, commands) {
                break;
            }
        }
        back(piece, among, &mut leading, row - 1, &DOWN);
    }
    leading
}

/// Adds the positions of this row of the pivot from which one of these commands leads to one that is there.
/// Returns whether there were any.
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
            let origins = origins(piece, among, leading, from, command);
            has_new |= origins & !leading.lines[from] != 0;
            leading.lines[from] |= origins;
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
    let (rotation, row) = (from / among.height, from % among.height);
    let shift = piece.shift(rotation, command);
    let to = among.line(shift.rotation.into(), row as i32 + shift.rows);
    to.map_or(0, |to| shifted(leading.lines[to], -shift.columns[row & 1]) & among.lines[from])
}

/// The reached positions in which some command locks.
pub fn lockable(piece: &Piece, free: &PositionSet, reached: &PositionSet) -> PositionSet {
    let mut lockable = free.none();
    for (line, locks) in lockable.lines.iter_mut().enumerate() {
        for command in Command::ALL.into_iter().filter(|_| reached.lines[line] != 0) {
            *locks |= reached.lines[line] & !origins(piece, free, free, line, command);
        }
    }
    lockable
}
