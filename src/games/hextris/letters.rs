//! The characters of a solution and their commands.

use super::AxialCoord;

/// A command to the moving unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Command {
    /// Step one cell to the left.
    West,
    /// Step one cell to the right.
    East,
    /// Step down to the left.
    SouthWest,
    /// Step down to the right.
    SouthEast,
    /// Sixth of a turn clockwise about the pivot.
    Clockwise,
    /// Sixth of a turn counter-clockwise about the pivot.
    CounterClockwise,
}

impl Command {
    /// All commands, in the order of [`Command::index`].
    pub const ALL: [Command; 6] = [
        Command::West,
        Command::East,
        Command::SouthWest,
        Command::SouthEast,
        Command::Clockwise,
        Command::CounterClockwise,
    ];

    /// Returns the step of the pivot.
    #[inline]
    pub const fn pivot_step(self) -> AxialCoord {
        match self {
            Command::West => AxialCoord { y: 0, q: -1 },
            Command::East => AxialCoord { y: 0, q: 1 },
            Command::SouthWest => AxialCoord { y: 1, q: -1 },
            Command::SouthEast => AxialCoord { y: 1, q: 0 },
            Command::Clockwise | Command::CounterClockwise => AxialCoord { y: 0, q: 0 },
        }
    }

    /// Returns the index of the command, 0..=5.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the six characters of the command.
    #[inline]
    pub const fn letters(self) -> &'static [u8; 6] {
        LETTERS[self.index()]
    }
}

/// Characters of each command, by index.
const LETTERS: [&[u8; 6]; 6] = [b"p'!.03", b"bcefy2", b"aghij4", b"lmno 5", b"dqrvz1", b"kstuwx"];
/// Characters without a command that a solution may contain.
const IGNORED: &[u8; 3] = b"\t\n\r";

/// A character of a solution as a small number. 0..36 are letters, six per command; then come the
/// ignored characters, and one number for all others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(u8);

/// Number of symbols.
pub const SYMBOLS: usize = 40;
/// Symbol of the first ignored character.
const FIRST_IGNORED: u8 = 36;
/// Symbol of all other characters.
const OTHER: u8 = 39;

/// Symbol of each byte.
const OF_BYTE: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut number = 0;
    while number < 36 {
        let letter = LETTERS[number / 6][number % 6];
        table[letter as usize] = number as u8;
        table[letter.to_ascii_uppercase() as usize] = number as u8;
        number += 1;
    }
    let mut ignored = 0;
    while ignored < 3 {
        table[IGNORED[ignored] as usize] = FIRST_IGNORED + ignored as u8;
        ignored += 1;
    }
    table
};

impl Symbol {
    /// Returns the symbol of a byte, in upper or lower case. No byte of a character beyond ASCII is
    /// a letter.
    #[inline]
    pub const fn of(byte: u8) -> Symbol {
        Symbol(OF_BYTE[byte as usize])
    }

    /// Returns the index of the symbol, below the number of symbols.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns `true` if a solution may contain the symbol: a letter, or ignored.
    #[inline]
    pub const fn is_valid(self) -> bool {
        self.0 != OTHER
    }

    /// Returns the command of a letter, and `None` for other symbols.
    #[inline]
    pub const fn command(self) -> Option<Command> {
        match self.0 {
            number if number < FIRST_IGNORED => Some(Command::ALL[number as usize / 6]),
            _ => None,
        }
    }
}
