//! Directions of a unit within a row of its pivot. A path that keeps its direction within each row
//! holds no position twice.

use arbitre_games::games::hextris::Command;

/// Number of directions.
pub const DIRECTIONS: usize = 3;
/// Direction of a unit that came from above and may go either way.
pub const EITHER: usize = 0;
/// Direction of a unit that goes west.
pub const WEST: usize = 1;
/// Direction of a unit that goes east.
pub const EAST: usize = 2;

/// Returns the direction after a command, or `None` if the command turns back.
#[inline]
pub fn after(direction: usize, command: Command) -> Option<usize> {
    match command {
        Command::West => (direction != EAST).then_some(WEST),
        Command::East => (direction != WEST).then_some(EAST),
        Command::SouthWest | Command::SouthEast => Some(EITHER),
        Command::Clockwise | Command::CounterClockwise => Some(direction),
    }
}
