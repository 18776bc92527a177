//! `relay`, the dialect of class tournaments between two programs. A program receives its seat as
//! its last argument and, if the starts of a game differ, the board on standard input. After that
//! only moves are sent: the opponent's on standard input, its own on standard output, up to the
//! last of the game. Then the input ends.
//!
//! ```text
//! ./bot 0          ./bot 1
//! 3                3
//! 5                5
//! ```

use crate::clock::Go;
use crate::dialect::{
    ArenaDefaults, BotAction, BotEnd, DialectInfo, Event, GameContext, GameEnd, Init, Notation,
    RefereeEnd, Start, Turn,
};
use crate::game::{ParseError, Seat, State};

/// Number of seats. Moves are sent without a seat, so there can be only one opponent.
const SEATS: usize = 2;

/// Description of the dialect.
pub const INFO: DialectInfo =
    DialectInfo { max_seats: SEATS, tells_openings: false, ..DialectInfo::arena("relay") };

/// The referee's end of the dialect.
#[derive(Debug, Default)]
pub struct RelayReferee;

fn write_moves<G: Notation>(game: &G, seat: Seat, news: &[Event<G::Move>], out: &mut String) {
    for event in news {
        if let Event::Moved(mover, mv) = *event {
            if mover != seat {
                game.write_move(mv, out);
                out.push('\n');
            }
        }
    }
}

impl<G: Notation> RefereeEnd<G> for RelayReferee {
    fn arguments(&mut self, context: &GameContext<G>) -> Vec<String> {
        vec![context.seat.to_string()]
    }

    fn open(&mut self, context: &GameContext<G>, out: &mut String) -> Init {
        for line in board_lines(context.game, context.setup, context.seat) {
            *out += &line;
            out.push('\n');
        }
        Init::UntilRead
    }

    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String) {
        write_moves(turn.game, turn.seat, turn.news, out);
    }

    fn close(&mut self, end: &GameEnd<G>, out: &mut String) {
        write_moves(end.game, end.seat, end.news, out);
    }
}

/// The bot's end of the dialect, which keeps the board.
pub struct RelayBot<G: Notation> {
    knows: ArenaDefaults<G>,
    seat: Seat,
    /// Lines of the board received so far.
    told: Vec<String>,
    /// The game, once the board is complete.
    start: Option<Start<G>>,
}

impl<G: Notation> RelayBot<G> {
    /// Creates the end of the bot on this seat.
    ///
    /// # Errors
    /// Returns an error if there is no such seat, or if the game has no usual start and none is
    /// sent.
    pub fn new(knows: ArenaDefaults<G>, seat: usize) -> Result<RelayBot<G>, ParseError> {
        if seat >= SEATS {
            return Err(ParseError::new(format!(
                "expected seat 0 or 1 as last argument, got {seat}"
            )));
        }
        let (seat, told, start) = (Seat::new(seat), Vec::new(), None);
        let mut bot = RelayBot { knows, seat, told, start };
        bot.read_board()?;
        Ok(bot)
    }

    /// Starts the game if the board is complete.
    fn read_board(&mut self) -> Result<(), ParseError> {
        let ArenaDefaults { game, clock, seed } = &self.knows;
        let lines: Vec<&str> = self.told.iter().map(String::as_str).collect();
        if let Some(setup) = parse_board(game, &lines, self.seat)? {
            let (game, state, clock) = (game.clone(), game.start(&setup)?, clock.clone());
            let (seat, seats, seed) = (self.seat, SEATS, *seed);
            self.start = Some(Start { game, state, seat, seats, clock, seed });
        }
        Ok(())
    }

    fn begin(&self) -> BotAction<'_, G> {
        self.start.as_ref().map_or(BotAction::Listen, BotAction::Begin)
    }

    fn turn(&self) -> BotAction<'_, G> {
        let Some(Start { state, seat, .. }) = &self.start else { return BotAction::Listen };
        // No message asks for a move: the position shows whether it is this bot's turn.
        match state.to_move() {
            seats if seats.contains(*seat) => BotAction::Choose(state, *seat, Go::Untimed),
            seats if seats.is_empty() => BotAction::Over,
            _ => BotAction::Listen,
        }
    }
}

/// Returns the lines sent before the first move: the number of rows and columns, then the setup as
/// `seat` sees it. Empty unless the starts of games differ.
pub fn board_lines<G: Notation>(game: &G, setup: &G::Setup, seat: Seat) -> Vec<String> {
    let Some((rows, columns)) = game.relayed_size() else { return Vec::new() };
    let mut lines = vec![format!("{rows} {columns}")];
    lines.extend(game.setup_lines(setup, seat));
    lines
}

/// Parses [`board_lines`]; returns `None` until all of them have arrived.
///
/// # Errors
/// Returns an error if the lines do not describe a setup, or if there are no lines and the game has
/// no usual start.
pub fn parse_board<G: Notation>(
    game: &G,
    lines: &[&str],
    seat: Seat,
) -> Result<Option<G::Setup>, ParseError> {
    let Some((rows, columns)) = game.relayed_size() else {
        return game.parse_setup(lines, seat).map(Some);
    };
    let Some((first, board)) = lines.split_first() else { return Ok(None) };
    let words: Vec<&str> = first.split_whitespace().collect();
    if words != [rows.to_string(), columns.to_string()] {
        return Err(ParseError::new(format!(
            "expected the rows and columns of the board, '{rows} {columns}', got '{first}'; \
             help: set other sizes with --rules size=WxH"
        )));
    }
    match board.len() < rows {
        true => Ok(None),
        false => game.parse_setup(board, seat).map(Some),
    }
}

/// Plays the move of the other seat.
fn follow<G: Notation>(start: &mut Start<G>, line: &str) -> Result<(), ParseError> {
    let mv = start.game.parse_move(line.trim())?;
    let played = start.state.play(start.seat.other(), mv);
    played.map_err(|why| ParseError::new(format!("expected a legal move, got '{line}': {why}")))
}

impl<G: Notation> BotEnd<G> for RelayBot<G> {
    fn start(&mut self) -> BotAction<'_, G> {
        self.begin()
    }

    fn follow_up(&mut self) -> BotAction<'_, G> {
        self.turn()
    }

    fn hear(&mut self, line: &str) -> Result<BotAction<'_, G>, ParseError> {
        if let Some(start) = &mut self.start {
            follow(start, line)?;
            return Ok(self.turn());
        }
        self.told.push(line.into());
        self.read_board()?;
        Ok(self.begin())
    }

    fn answer(&mut self, mv: G::Move, _: &str, out: &mut String) {
        let Start { game, state, seat, .. } = self.start.as_mut().expect("a game is being played");
        game.write_move(mv, out);
        out.push('\n');
        state.play_unchecked(*seat, mv);
    }
}
