//! The bot's end of a conversation without a named dialect: the first line received decides.

use super::arbitre;
use crate::dialect::{BotAction, BotEnd, Notation, Ready};
use crate::game::ParseError;

/// The bot's end of the dialect of the first line: `arbitre`, or that of the game's arena.
pub struct Detecting<G: Notation> {
    arbitre: arbitre::ArbitreBot<G>,
    arena: Option<Box<dyn BotEnd<G>>>,
    is_arena: Option<bool>,
}

impl<G: Notation> Detecting<G> {
    /// Creates an end that has received no line.
    pub fn new(arbitre: arbitre::ArbitreBot<G>, arena: Option<Box<dyn BotEnd<G>>>) -> Detecting<G> {
        Detecting { arbitre, arena, is_arena: None }
    }

    fn end(&mut self) -> &mut dyn BotEnd<G> {
        match (&mut self.arena, self.is_arena) {
            (Some(arena), Some(true)) => &mut **arena,
            _ => &mut self.arbitre,
        }
    }
}

impl<G: Notation> BotEnd<G> for Detecting<G> {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, G>, ParseError> {
        // The first line of an arena's dialect never begins with a letter.
        let begins_with_a_word = line.trim_start().starts_with(|c: char| c.is_ascii_alphabetic());
        self.is_arena.get_or_insert(!begins_with_a_word);
        self.end().hear(line)
    }

    fn follow_up(&mut self) -> BotAction<'_, G> {
        self.end().follow_up()
    }

    fn ready(&mut self, ready: &Ready, out: &mut String) {
        self.end().ready(ready, out);
    }

    fn answer(&mut self, mv: G::Move, comment: &str, out: &mut String) {
        self.end().answer(mv, comment, out);
    }

    fn answer_path(&mut self, path: &[G::Move], comment: &str, out: &mut String) {
        self.end().answer_path(path, comment, out);
    }
}
