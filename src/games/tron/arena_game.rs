//! The game of a bot that learns of it by its first turn.

use super::Tron;
use crate::dialect::{ArenaDefaults, BotAction, Start};
use crate::game::ParseError;

/// The game at a bot's end; none before the first turn.
pub(super) struct ArenaGame {
    /// What the arena leaves unsaid.
    pub defaults: ArenaDefaults<Tron>,
    start: Option<Start<Tron>>,
}

impl ArenaGame {
    /// Returns a game of which nothing was received.
    pub fn new(defaults: ArenaDefaults<Tron>) -> ArenaGame {
        ArenaGame { defaults, start: None }
    }

    /// Brings the game up to date by `read`, which receives what is known of it. Returns the action:
    /// the game begins, or the bot moves.
    ///
    /// # Errors
    /// Returns an error if `read` does.
    pub fn at_turn(
        &mut self,
        read: impl FnOnce(&ArenaDefaults<Tron>, Option<Start<Tron>>) -> Result<Start<Tron>, ParseError>,
    ) -> Result<BotAction<'_, Tron>, ParseError> {
        let is_first = self.start.is_none();
        let start = read(&self.defaults, self.start.take())?;
        let start = self.start.insert(start);
        Ok(if is_first { BotAction::Begin(start) } else { start.turn() })
    }

    /// Returns the action after the beginning of the game.
    pub fn turn(&self) -> BotAction<'_, Tron> {
        self.start.as_ref().map_or(BotAction::Listen, Start::turn)
    }
}
