//! State of a game, played command by command.

use super::terrain::points;
use super::{Board, Command, Lcg, Piece, Terrain, UnitPosition};

/// Set of visited positions that is emptied without touching its elements.
#[derive(Clone, Debug)]
struct Visited {
    /// Number of the last unit at each position, by index.
    stamps: Vec<u32>,
    now: u32,
}

impl Visited {
    /// Creates a set of no positions, for indices below `positions`.
    fn new(positions: usize) -> Visited {
        Visited { stamps: vec![0; positions], now: 1 }
    }

    #[inline]
    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            // Old stamps would look new once the numbers have wrapped around.
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    #[inline]
    fn contains(&self, index: usize) -> bool {
        self.stamps[index] == self.now
    }

    #[inline]
    fn insert(&mut self, index: usize) {
        self.stamps[index] = self.now;
    }
}

/// Reason why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// All units were placed.
    SourceEmpty,
    /// The spawn cells of the next unit are blocked.
    BoardFull,
}

/// Reason why a command is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalCommand {
    /// The unit has held the position before.
    Repeat,
    /// The game is over.
    Over(EndReason),
}

/// Effect of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The unit moved.
    Moved,
    /// The unit was locked.
    Locked,
}

/// A position in one word. A processor stalls when it reads as a whole what was written in parts
/// (store forwarding), which would happen once per command.
#[derive(Clone, Copy, Debug)]
struct PackedPosition(u64);

impl From<UnitPosition> for PackedPosition {
    #[inline]
    fn from(UnitPosition { rotation, row, column }: UnitPosition) -> PackedPosition {
        PackedPosition(u64::from(rotation) << 32 | u64::from(row) << 16 | u64::from(column))
    }
}

impl From<PackedPosition> for UnitPosition {
    #[inline]
    fn from(PackedPosition(bits): PackedPosition) -> UnitPosition {
        UnitPosition { rotation: (bits >> 32) as u8, row: (bits >> 16) as u16, column: bits as u16 }
    }
}

/// State of a game. The terrain is a parameter of each command.
#[derive(Clone, Debug)]
pub struct Play {
    board: Board,
    /// First row of the board that has a full cell.
    top: usize,
    source: Lcg,
    /// Number of units to come after this one.
    left: u32,
    /// Index of the piece that moves.
    piece: usize,
    position: PackedPosition,
    visited: Visited,
    end: Option<EndReason>,
    points: u64,
    locked: u32,
    lines: u32,
    /// Rows that the last unit removed.
    last_lines: u32,
}

impl Play {
    /// Starts the game of a seed.
    pub fn new(terrain: &Terrain, seed: u32) -> Play {
        let mut play = Play {
            board: terrain.start().clone(),
            top: terrain.start().top(),
            source: Lcg::new(seed),
            left: terrain.problem().source_length,
            piece: 0,
            position: terrain.pieces()[0].spawn().into(),
            visited: Visited::new(terrain.positions()),
            end: None,
            points: 0,
            locked: 0,
            lines: 0,
            last_lines: 0,
        };
        play.spawn(terrain);
        play
    }

    fn spawn(&mut self, terrain: &Terrain) {
        if self.left == 0 {
            self.end = Some(EndReason::SourceEmpty);
            return;
        }
        self.left -= 1;
        let number = self.source.next().expect("the source never ends");
        self.piece = number as usize % terrain.pieces().len();
        let piece = &terrain.pieces()[self.piece];
        let spawn = piece.spawn();
        self.position = spawn.into();
        if !piece.fits(&self.board, spawn) {
            self.end = Some(EndReason::BoardFull);
            return;
        }
        self.visited.clear();
        self.visited.insert(piece.index(spawn));
    }

    /// Checks whether a command is legal.
    ///
    /// # Errors
    /// Returns the reason if the command is illegal.
    pub fn check(&self, terrain: &Terrain, command: Command) -> Result<(), IllegalCommand> {
        if let Some(end) = self.end {
            return Err(IllegalCommand::Over(end));
        }
        let piece = &terrain.pieces()[self.piece];
        match self.next(piece, command) {
            Some(next) if self.visited.contains(piece.index(next)) => Err(IllegalCommand::Repeat),
            _ => Ok(()),
        }
    }

    /// Plays a command.
    ///
    /// # Errors
    /// Returns an error if the command is illegal; the game is unchanged then.
    #[inline]
    pub fn play(&mut self, terrain: &Terrain, command: Command) -> Result<Effect, IllegalCommand> {
        if let Some(end) = self.end {
            return Err(IllegalCommand::Over(end));
        }
        let piece = &terrain.pieces()[self.piece];
        let Some(next) = self.next(piece, command) else {
            self.lock(terrain, piece);
            return Ok(Effect::Locked);
        };
        let index = piece.index(next);
        if self.visited.contains(index) {
            return Err(IllegalCommand::Repeat);
        }
        self.visited.insert(index);
        self.position = next.into();
        Ok(Effect::Moved)
    }

    /// Returns the position after a command, or `None` if the command locks the unit.
    #[inline]
    fn next(&self, piece: &Piece, command: Command) -> Option<UnitPosition> {
        let next = piece.step(self.position.into(), command)?;
        // Above the stack all cells are free, so the board need not be read.
        let is_above = piece.end_row(next) <= self.top;
        (is_above || piece.fits(&self.board, next)).then_some(next)
    }

    fn lock(&mut self, terrain: &Terrain, piece: &Piece) {
        let lines = self.board.lock(piece, self.position.into());
        self.top = self.board.top();
        self.points += u64::from(points(piece.size(), lines, self.last_lines));
        self.locked += 1;
        self.lines += lines;
        self.last_lines = lines;
        self.spawn(terrain);
    }

    /// Returns the board without the moving unit.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moving unit and its position, or `None` once the game is over.
    pub fn unit(&self) -> Option<(usize, UnitPosition)> {
        self.end.is_none().then_some((self.piece, self.position.into()))
    }

    /// Returns the reason why the game is over, if it is.
    pub fn end(&self) -> Option<EndReason> {
        self.end
    }

    /// Returns the moving unit and those after it, in their order, or none once the game is over.
    pub fn upcoming<'t>(&self, terrain: &'t Terrain) -> impl Iterator<Item = usize> + 't {
        let moving = self.unit().map(|(piece, _)| piece);
        // After a full board there are units left that never come.
        let coming = self.source.take(moving.map_or(0, |_| self.left as usize));
        let numbers = coming.map(|number| number as usize % terrain.pieces().len());
        moving.into_iter().chain(numbers)
    }

    /// Returns the points for units and rows.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the number of units locked.
    pub fn locked(&self) -> u32 {
        self.locked
    }

    /// Returns the number of rows removed.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns the number of rows that the last unit removed.
    pub fn last_lines(&self) -> u32 {
        self.last_lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_is_empty_after_its_numbers_wrap_around() {
        let mut visited = Visited { stamps: vec![1, 0, 0], now: u32::MAX };
        visited.insert(1);
        visited.clear();
        assert!((0..3).all(|index| !visited.contains(index)));
        visited.insert(1);
        assert!(!visited.contains(0) && visited.contains(1));
    }
}
