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
    /// CodinGame, with a game that was written for its SDK.
    CodingameSdk,
}

impl Arena {
    /// Words of the command line.
    pub const WORDS: [(&'static str, Arena); 4] = [
        ("codingame", Arena::Codingame),
        ("google2010", Arena::Google2010),
        ("brutaltester", Arena::Brutaltester),
        ("codingame-sdk", Arena::CodingameSdk),
    ];

    /// Returns the protocol of the program that --external names.
    pub fn protocol(self) -> Protocol {
        match self {
            Arena::Codingame | Arena::Google2010 => Protocol::Own,
            Arena::Brutaltester => Protocol::Brutaltester,
            Arena::CodingameSdk => Protocol::CodingameSdk,
        }
    }

    /// Returns the arena whose programs speak this protocol.
    pub fn of(protocol: Protocol) -> Option<Arena> {
        match protocol {
            Protocol::Own => None,
            Protocol::Brutaltester | Protocol::BrutaltesterNew => Some(Arena::Brutaltester),
            Protocol::CodingameSdk => Some(Arena::CodingameSdk),
        }
    }
}
