//! Dialect `codingame`, the protocol of the arena's Oware Abapa. Each turn is one line with the
//! seeds of the twelve pits, the player's own first, in sowing order; the answer is a pit. Captures
//! are not sent: seeds neither on the board nor captured by the player are the opponent's.
//!
//! ```text
//! 4 4 4 4 4 4 4 4 4 4 4 4
//!                             2
//! 5 5 0 5 5 5 5 4 4 0 5 5
//!                             3
//! ```

use super::{Awele, Board, Pit, Position, PITS, ROW, SEEDS};
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, RefereeEnd, Start, Turn, CODINGAME_LINE,
};
use crate::game::{ParseError, Seat, State};
use std::fmt::Write;

/// Description of the dialect.
pub const INFO: DialectInfo = DialectInfo::CODINGAME;

/// The referee's end of the dialect.
#[derive(Debug, Default)]
pub struct Referee;

impl RefereeEnd<Awele> for Referee {
    fn line_limit(&self) -> usize {
        CODINGAME_LINE
    }

    fn write_turn(&mut self, turn: &Turn<Awele>, out: &mut String) {
        for (i, seeds) in turn.state.board_of(turn.seat).pits().iter().enumerate() {
            let separator = if i == 0 { "" } else { " " };
            write!(out, "{separator}{seeds}").expect("writing to a string never fails");
        }
        out.push('\n');
    }
}

/// The bot's end of the dialect. The protocol does not name its seat, so it takes the first.
pub struct Bot {
    start: Start<Awele>,
    begun: bool,
    /// Number of seeds captured by its own moves.
    captured: u8,
}

impl Bot {
    /// Creates an end that has received no line.
    pub fn new(knows: ArenaDefaults<Awele>) -> Bot {
        let ArenaDefaults { game, clock, seed } = knows;
        let state = Position::new(*game.options(), Board::START, Seat::FIRST);
        let start = Start { game, state, seat: Seat::FIRST, seats: 2, clock, seed };
        Bot { start, begun: false, captured: 0 }
    }

    /// Returns the position that a line describes.
    fn position(&self, line: &str) -> Result<Position, ParseError> {
        let expected =
            || ParseError::new(format!("expected the seeds of {PITS} pits, got '{line}'"));
        let seeds: Result<Vec<u8>, _> = line.split_whitespace().map(str::parse).collect();
        let pits =
            <[u8; PITS]>::try_from(seeds.map_err(|_| expected())?).map_err(|_| expected())?;
        let on_board: u32 = pits.iter().copied().map(u32::from).sum();
        // The protocol does not send captures; the opponent has all seeds not seen elsewhere.
        let others = u32::from(SEEDS).checked_sub(on_board + u32::from(self.captured));
        let others = others.and_then(|seeds| u8::try_from(seeds).ok()).ok_or_else(expected)?;
        let board = Board::new(pits, [self.captured, others]);
        Ok(Position::new(*self.start.game.options(), board, Seat::FIRST))
    }

    /// Returns the bot's turn. The arena knows better where the bot's rules end the game, as it
    /// asks. The reply is then a pit that feeds the opponent, an occupied one, or the first.
    fn turn(&self) -> BotAction<'_, Awele> {
        let Start { state, seat, game, .. } = &self.start;
        let board = state.board_of(*seat);
        let occupied =
            (0..ROW).filter(|&pit| board.pits()[pit] > 0).fold(0, |mask, pit| mask | 1 << pit);
        let masks = [board.legal(game.options().grand_slam), occupied, 1];
        let pit = masks.into_iter().find_map(|mask| Pit::of_mask(mask).next());
        self.start.turn(pit.expect("the last mask has a pit"))
    }
}

impl BotEnd<Awele> for Bot {
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, Awele>, ParseError> {
        self.start.state = self.position(line)?;
        if std::mem::replace(&mut self.begun, true) {
            return Ok(self.turn());
        }
        Ok(BotAction::Begin(&self.start))
    }

    fn follow_up(&mut self) -> BotAction<'_, Awele> {
        self.turn()
    }

    fn answer(&mut self, pit: Pit, _: &str, out: &mut String) {
        writeln!(out, "{pit}").expect("writing to a string never fails");
        let Start { state, seat, .. } = &mut self.start;
        if state.is_legal(pit) {
            state.play_unchecked(*seat, pit);
        }
        self.captured = state.board_of(*seat).captures()[0];
    }
}
