//! The game of a bot in an arena dialect, which announces the game only by the bot's first turn.

use super::{CellContent, Direction, Point, Tron};
use crate::dialect::{ArenaDefaults, BotAction, Start};
use crate::game::ParseError;

/// The game at the bot's end; unknown before the first turn.
pub(super) struct ArenaGame {
    /// Rules, time control and seed, which the arena does not announce.
    pub defaults: ArenaDefaults<Tron>,
    start: Option<Start<Tron>>,
}

impl ArenaGame {
    /// Creates a game about which nothing is known yet.
    pub fn new(defaults: ArenaDefaults<Tron>) -> ArenaGame {
        ArenaGame { defaults, start: None }
    }

    /// Updates the game by `read`, which receives the defaults and the game known until now.
    /// Returns `Begin` on the first turn, and the bot's turn after it.
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
        Ok(if is_first { BotAction::Begin(start) } else { turn(start) })
    }

    /// Returns the bot's turn, or `Listen` before the game begins.
    pub fn turn(&self) -> BotAction<'_, Tron> {
        self.start.as_ref().map_or(BotAction::Listen, turn)
    }
}

/// Returns the bot's turn. An arena asks every player that it has not eliminated yet, so a bot that
/// is enclosed, or the last one, answers with a free direction, or with any if none is free.
fn turn(start: &Start<Tron>) -> BotAction<'_, Tron> {
    let Start { state, seat, .. } = start;
    let is_free = |head: Point, way| state.cell(head.towards(way)) == CellContent::Free;
    let free = |head| Direction::ALL.into_iter().find(|&way| is_free(head, way));
    start.turn(state.head(*seat).and_then(free).unwrap_or(Direction::Up))
}
