//! Arenas whose conditions a match can have.

use arbitre_games::game::ParseError;
use arbitre_games::text::value_of;

/// Arena whose conditions a match can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arena {
    /// CodinGame.
    Codingame,
}

impl Arena {
    /// Words of the command line.
    pub const WORDS: [(&'static str, Arena); 1] = [("codingame", Arena::Codingame)];

    /// Parses the word of an arena.
    ///
    /// # Errors
    /// Returns an error that lists the arenas for any other word.
    pub fn parse(word: &str) -> Result<Arena, ParseError> {
        value_of("arena", word, &Arena::WORDS)
    }
}
