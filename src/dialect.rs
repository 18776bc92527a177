//! Dialects: the protocols that carry a game as lines, in both directions.
//!
//! [`Notation`] writes the moves, setups and positions of a game as text. A *dialect* conducts a
//! whole game in that notation and has two ends. [`RefereeEnd`] writes to one player and parses its
//! answers; [`BotEnd`] does the reverse inside a bot. Tests check that a round trip through both
//! ends is the identity.

use crate::clock::{Clock, Go};
use crate::game::{Game, ParseError, Seat, Seats, State};

/// Length limit of a line in bytes, without its line break, unless a dialect sets another.
pub const LINE_LIMIT: usize = 64 * 1024;

/// Length limit of an answer in the dialect `codingame`, in bytes: the buffer of the arena's engine
/// (`Agent.java` of its published SDK).
pub const CODINGAME_LINE: usize = 10_000;

/// Capabilities of a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DialectInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// Largest number of seats that it supports.
    pub max_seats: usize,
    /// Whether it sends the moves of an opening to a bot.
    pub tells_openings: bool,
    /// Whether messages begin with a keyword, one of which announces that the bot is ready.
    pub has_keywords: bool,
    /// Whether the arena kills the players after a game, so that they need not notice the end of
    /// their input.
    pub kills_at_end: bool,
    /// Whether it sends rules and limits; if not, a bundled bot gets them as options.
    pub tells_rules: bool,
}

impl DialectInfo {
    /// Description of the dialect of CodinGame's games.
    pub const CODINGAME: DialectInfo =
        DialectInfo { kills_at_end: true, ..DialectInfo::arena("codingame") };

    /// Describes the dialect of an arena: a site or contest with its own protocol, such as
    /// CodinGame. It sends openings but neither rules nor limits.
    pub const fn arena(name: &'static str) -> DialectInfo {
        let max_seats = Seats::CAPACITY;
        DialectInfo {
            name,
            max_seats,
            tells_openings: true,
            has_keywords: false,
            kills_at_end: false,
            tells_rules: false,
        }
    }
}

/// Text format of a game, shared by all dialects.
pub trait Notation: Game {
    /// Whether the legal moves are few enough to be listed at each turn.
    const LISTS_LEGAL_MOVES: bool = true;

    /// Whether blanks are moves. A path is then not trimmed; one blank before a comment is no move.
    const IS_VERBATIM: bool = false;

    /// Length limit of an answer in bytes, unless a dialect sets another.
    const ANSWER_LIMIT: usize = LINE_LIMIT;

    /// Parses the game and its options from `PRESET|key=value`, separated by commas or blanks.
    ///
    /// # Errors
    /// Returns an error if an option is unknown, its value is not allowed, or the options conflict.
    fn from_rules(text: &str) -> Result<Self, ParseError>;

    /// Returns the resolved options as `key=value`, separated by blanks. [`Notation::from_rules`]
    /// parses this text. Empty for a game without options.
    fn rules(&self) -> String {
        String::new()
    }

    /// Appends a move as one word.
    fn write_move(&self, mv: Self::Move, out: &mut String);

    /// Parses a move.
    ///
    /// # Errors
    /// Returns an error if the word is not a move of this game in any position.
    fn parse_move(&self, word: &str) -> Result<Self::Move, ParseError>;

    /// Appends a path, the answer in solo games, as one word.
    fn write_path(&self, path: &[Self::Move], out: &mut String) {
        for (number, &mv) in path.iter().enumerate() {
            out.push_str(if number > 0 { "," } else { "" });
            self.write_move(mv, out);
        }
    }

    /// Parses a path of at least one move.
    ///
    /// # Errors
    /// Returns an error if the text contains anything other than moves of this game.
    fn parse_path(&self, text: &str) -> Result<Vec<Self::Move>, ParseError> {
        text.split(',').map(|word| self.parse_move(word)).collect()
    }

    /// Returns the lines that describe the start of a game, as `seat` sees it.
    fn setup_lines(&self, setup: &Self::Setup, seat: Seat) -> Vec<String>;

    /// Parses the lines of [`Notation::setup_lines`].
    ///
    /// # Errors
    /// Returns an error if they do not describe a setup.
    fn parse_setup(&self, lines: &[&str], seat: Seat) -> Result<Self::Setup, ParseError>;

    /// Returns the number of rows and columns of the boards from which games start. `None` if all
    /// games have the usual start: the dialect `relay` then sends no board.
    fn relayed_size(&self) -> Option<(usize, usize)> {
        None
    }

    /// Appends the position, as `seat` sees it, as one line.
    fn write_state(&self, state: &Self::State, seat: Seat, out: &mut String);

    /// Parses a position in which `seat` is to move.
    ///
    /// # Errors
    /// Returns an error if the line does not describe a position.
    fn parse_state(&self, text: &str, seat: Seat) -> Result<Self::State, ParseError>;

    /// Returns a setup as one line, as seat 0 sees it: the form in opening files and records.
    fn setup_text(&self, setup: &Self::Setup) -> String {
        self.setup_lines(setup, Seat::FIRST).join("; ")
    }

    /// Parses [`Notation::setup_text`].
    ///
    /// # Errors
    /// Returns an error if the text does not describe a setup.
    fn parse_setup_text(&self, text: &str) -> Result<Self::Setup, ParseError> {
        let lines: Vec<&str> = text.split(';').map(str::trim).collect();
        self.parse_setup(&lines, Seat::FIRST)
    }
}

/// Checks that `setup` is for `seats` seats.
///
/// # Errors
/// Returns an error if it is for another number of seats.
pub fn check_seats<G: Notation>(
    game: &G,
    setup: &G::Setup,
    seats: usize,
) -> Result<(), ParseError> {
    match game.seats(setup) {
        fitting if fitting == seats => Ok(()),
        other => Err(ParseError::new(format!("expected a setup for {seats} seats, got {other}"))),
    }
}

/// An event of a game, reported to the players in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A move of a seat.
    Moved(Seat, M),
    /// Elimination of several seats at once, with a word for the reason.
    Eliminated(Seats, &'static str),
}

/// Information for a player at the start of a game.
pub struct GameContext<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Start of the game.
    pub setup: &'a G::Setup,
    /// The player's seat.
    pub seat: Seat,
    /// Number of seats at the table.
    pub seats: usize,
    /// The player's limits.
    pub clock: &'a Clock,
    /// Seed for the player's random choices in this game.
    pub seed: u64,
    /// Whether this process of the player has already played a game.
    pub kept: bool,
}

/// Information for a player that is asked for a move.
pub struct Turn<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Seat that is asked.
    pub seat: Seat,
    /// Events since this player was last asked, its own moves included.
    pub news: &'a [Event<G::Move>],
    /// Time for the answer.
    pub go: Go,
}

/// Information for a player at the end of a game.
pub struct GameEnd<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Seat that is informed.
    pub seat: Seat,
    /// Events since this player was last asked, its own moves included.
    pub news: &'a [Event<G::Move>],
    /// Scores by seat.
    pub scores: &'a [i64],
}

/// Introduction of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ready {
    /// Name that the player gives itself: shown, never used as a key.
    pub name: String,
    /// Whether to omit `state` and `legal`, because the player keeps the board itself.
    pub terse: bool,
    /// Whether the player can play another game in the same process.
    pub again: bool,
}

/// An answer of a player: a move, or a path in solo games, with its comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedAnswer<'a, M> {
    /// The move, or the path.
    pub mv: M,
    /// Text after the move, for people.
    pub comment: Option<&'a str>,
}

impl<M> ParsedAnswer<'_, M> {
    /// Returns an answer without a comment.
    pub fn bare(mv: M) -> Self {
        ParsedAnswer { mv, comment: None }
    }
}

/// End of the initialisation time of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// Ends when the player reports that it is ready.
    UntilReady,
    /// The bot does not say when it is ready. Its initialisation ends when it first reads its
    /// input.
    UntilRead,
    /// No initialisation time.
    None,
}

/// The referee's end of a dialect, for one player and one game.
pub trait RefereeEnd<G: Notation>: Send {
    /// Returns arguments to append to the player's command, if it is started for the game of this
    /// context.
    fn arguments(&mut self, _context: &GameContext<G>) -> Vec<String> {
        Vec::new()
    }

    /// Returns `true` if all output of the player, up to its end, is one answer. Otherwise each
    /// line is an answer.
    fn answers_once(&self) -> bool {
        false
    }

    /// Returns the length limit of an answer in bytes.
    fn line_limit(&self) -> usize {
        LINE_LIMIT
    }

    /// Appends the start of the game, by default nothing. Returns how the player's initialisation
    /// time ends.
    fn open(&mut self, _context: &GameContext<G>, _out: &mut String) -> Init {
        Init::UntilRead
    }

    /// Parses the answer that ends the initialisation time, under [`Init::UntilReady`].
    ///
    /// # Errors
    /// Returns an error if the line is anything else.
    fn read_ready(&mut self, _line: &str) -> Result<Ready, ParseError> {
        Err(ParseError::new("expected no 'ready' in this dialect"))
    }

    /// Appends the request for a move.
    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String);

    /// Parses a move, by default one without a comment.
    ///
    /// # Errors
    /// Returns an error if the line holds no move.
    fn read_move<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, G::Move>, ParseError> {
        game.parse_move(line.trim()).map(ParsedAnswer::bare)
    }

    /// Parses the answer of a solo player: a path, in dialects that have paths.
    ///
    /// # Errors
    /// Returns an error if the line holds no path.
    fn read_path<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Vec<G::Move>>, ParseError> {
        let ParsedAnswer { mv, comment } = self.read_move(game, line)?;
        Ok(ParsedAnswer { mv: vec![mv], comment })
    }

    /// Appends the end of the game for this player: the events since it was last asked, and the
    /// scores. By default it appends nothing.
    fn close(&mut self, _end: &GameEnd<G>, _out: &mut String) {}
}

/// Start of a game, seen from inside a bot.
#[derive(Clone, Debug)]
pub struct Start<G: Game> {
    /// The rules.
    pub game: G,
    /// The first position.
    pub state: G::State,
    /// The bot's own seat.
    pub seat: Seat,
    /// Number of seats at the table.
    pub seats: usize,
    /// The bot's limits.
    pub clock: Clock,
    /// Seed for the bot's random choices.
    pub seed: u64,
}

impl<G: Game> Start<G> {
    /// Returns the bot's next action, in dialects that announce only its own turns, without a
    /// clock: `Choose` if the bot is to move, otherwise `Reply` with `otherwise`.
    pub fn turn(&self, otherwise: G::Move) -> BotAction<'_, G> {
        match self.state.to_move().contains(self.seat) {
            true => BotAction::Choose(&self.state, self.seat, Go::Untimed),
            false => BotAction::Reply(otherwise),
        }
    }
}

/// Action that a line requires of a bot.
pub enum BotAction<'a, G: Game> {
    /// No action.
    Listen,
    /// Prepare for a game, then answer with [`BotEnd::ready`].
    Begin(&'a Start<G>),
    /// Choose a move in this position.
    Choose(&'a G::State, Seat, Go),
    /// Answer with this move, which may be illegal. The arena expects an answer although the rules
    /// give the bot no turn.
    Reply(G::Move),
    /// The game is over.
    Over,
}

/// Settings from the bot's own command line, for dialects that do not send them.
#[derive(Clone, Debug)]
pub struct ArenaDefaults<G> {
    /// The rules.
    pub game: G,
    /// The bot's limits.
    pub clock: Clock,
    /// Seed for the bot's random choices.
    pub seed: u64,
}

/// The bot's end of a dialect.
pub trait BotEnd<G: Notation>: Send {
    /// Returns the action before any line has arrived.
    fn start(&mut self) -> BotAction<'_, G> {
        BotAction::Listen
    }

    /// Returns the action that follows once [`BotAction::Begin`] is answered.
    fn follow_up(&mut self) -> BotAction<'_, G> {
        BotAction::Listen
    }

    /// Processes one line without its line break.
    ///
    /// # Errors
    /// Returns an error if the referee breaks the protocol: another game, an illegal move, or a
    /// request out of turn. The conversation cannot continue.
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, G>, ParseError>;

    /// Appends the answer to [`BotAction::Begin`], in dialects that have one.
    fn ready(&mut self, _ready: &Ready, _out: &mut String) {}

    /// Appends a move with its comment, and plays it on the board of this end. After
    /// [`BotAction::Reply`] the move may be illegal.
    fn answer(&mut self, mv: G::Move, comment: &str, out: &mut String);

    /// Appends a solo player's path likewise. In a dialect without paths only its first move is
    /// sent; the referee asks again for the next one.
    fn answer_path(&mut self, path: &[G::Move], comment: &str, out: &mut String) {
        self.answer(path[0], comment, out);
    }
}
