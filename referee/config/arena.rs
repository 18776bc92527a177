//! Arenas whose conditions a match can have.

use crate::external::Protocol;

/// Arena whose conditions a match can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arena {
    /// CodinGame.
    Codingame,
    /// A Tron contest of 2010.
    Google2010,
    /// cg-brutaltester, which plays by a program.
    Brutaltester,
}

impl Arena {
    /// Words of the command line.
    pub const WORDS: [(&'static str, Arena); 3] = [
        ("codingame", Arena::Codingame),
        ("google2010", Arena::Google2010),
        ("brutaltester", Arena::Brutaltester),
    ];

    /// Returns the arena whose programs speak this protocol.
    pub fn of(protocol: Protocol) -> Option<Arena> {
        match protocol {
            Protocol::Own => None,
            Protocol::Brutaltester | Protocol::BrutaltesterNew => Some(Arena::Brutaltester),
        }
    }
}
