//! Dialects: how a game is spoken, lines to moves and moves to lines, in both directions.
//!
//! [`Notation`] is how a game is written: its moves, setups and positions as text. A *dialect* is
//! how a whole game is spoken with those words, and has two ends: [`RefereeEnd`] writes from one
//! player's view and reads what that player answers, [`BotEnd`] does the reverse inside a bot. As
//! the two ends are twins, a round trip through both is a property that tests check.

use crate::clock::{Clock, Go};
use crate::game::{Game, ParseError, Seat, Seats, State};

/// A line is this long at most, its end not counted, unless a dialect says otherwise.
pub const LINE_LIMIT: usize = 64 * 1024;

/// What a dialect can express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DialectInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// Largest number of seats at a table that it can describe.
    pub max_seats: usize,
    /// Whether a bot is told the moves of an opening.
    pub tells_openings: bool,
    /// Whether messages begin with a keyword, one of which says that the bot is ready.
    pub has_keywords: bool,
    /// Whether a bot is told the rules and its limits; if not, a bundled bot gets them as options.
    pub tells_rules: bool,
}

impl DialectInfo {
    /// Describes the dialect of an arena: it tells openings, but neither rules nor limits.
    pub const fn arena(name: &'static str) -> DialectInfo {
        let max_seats = Seats::CAPACITY;
        DialectInfo {
            name,
            max_seats,
            tells_openings: true,
            has_keywords: false,
            tells_rules: false,
        }
    }
}

/// How a game is written: the texts that every dialect shares.
pub trait Notation: Game {
    /// Are the legal moves few enough to be listed at each turn?
    const LISTS_LEGAL_MOVES: bool;

    /// Is a path taken as it stands, so that blanks belong to it and nothing can be said about it?
    const IS_VERBATIM: bool = false;

    /// How long an answer may be, in bytes, unless a dialect says otherwise.
    const ANSWER_LIMIT: usize = LINE_LIMIT;

    /// The game with its options as `PRESET|key=value`, separated by commas or blanks.
    ///
    /// # Errors
    /// If an option is unknown, its value is not one of its values, or the options contradict.
    fn from_rules(text: &str) -> Result<Self, ParseError>;

    /// The options as resolved, as `key=value` separated by blanks; [`Notation::from_rules`] reads
    /// them back.
    fn rules(&self) -> String;

    /// Appends a move: one word.
    fn write_move(&self, mv: Self::Move, out: &mut String);

    /// Reads a move.
    ///
    /// # Errors
    /// If the word is no move of this game in any position.
    fn parse_move(&self, word: &str) -> Result<Self::Move, ParseError>;

    /// Appends a path, as solo games are answered with: one word.
    fn write_path(&self, path: &[Self::Move], out: &mut String) {
        for (number, &mv) in path.iter().enumerate() {
            out.push_str(if number > 0 { "," } else { "" });
            self.write_move(mv, out);
        }
    }

    /// Reads a path of one move at least.
    ///
    /// # Errors
    /// If there is anything else than moves of this game.
    fn parse_path(&self, text: &str) -> Result<Vec<Self::Move>, ParseError> {
        text.split(',').map(|word| self.parse_move(word)).collect()
    }

    /// The lines that say what the game starts from.
    fn setup_lines(&self, setup: &Self::Setup) -> Vec<String>;

    /// Reads those lines.
    ///
    /// # Errors
    /// If they do not describe a setup.
    fn parse_setup(&self, lines: &[&str]) -> Result<Self::Setup, ParseError>;

    /// [`Notation::setup_lines`] as `seat` is told them, in games whose start looks different from
    /// each seat.
    fn setup_lines_for(&self, setup: &Self::Setup, _seat: Seat) -> Vec<String> {
        self.setup_lines(setup)
    }

    /// Reads what `seat` was told.
    ///
    /// # Errors
    /// If it does not describe a setup.
    fn parse_setup_for(&self, lines: &[&str], _seat: Seat) -> Result<Self::Setup, ParseError> {
        self.parse_setup(lines)
    }

    /// What `seat` is told before the first move where nothing but boards and moves is said: nothing,
    /// unless games start differently.
    fn bare_setup(&self, _setup: &Self::Setup, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    /// Reads [`Notation::bare_setup`], as soon as all lines of it have come.
    ///
    /// # Errors
    /// If they do not describe a setup, or nothing is told although the game has no usual start.
    fn parse_bare_setup(
        &self,
        _lines: &[&str],
        _: Seat,
    ) -> Result<Option<Self::Setup>, ParseError> {
        self.parse_setup(&[]).map(Some)
    }

    /// Appends the position as `seat` sees it: one line.
    fn write_state(&self, state: &Self::State, seat: Seat, out: &mut String);

    /// Reads a position in which `seat` is to move.
    ///
    /// # Errors
    /// If the line does not describe a position.
    fn parse_state(&self, text: &str, seat: Seat) -> Result<Self::State, ParseError>;

    /// A setup as one line, as opening files and records hold it.
    fn setup_text(&self, setup: &Self::Setup) -> String {
        self.setup_lines(setup).join("; ")
    }

    /// Reads [`Notation::setup_text`].
    ///
    /// # Errors
    /// If it does not describe a setup.
    fn parse_setup_text(&self, text: &str) -> Result<Self::Setup, ParseError> {
        let lines: Vec<&str> = text.split(';').map(str::trim).collect();
        self.parse_setup(&lines)
    }
}

/// Checks that so many may sit at a table that starts from this setup.
///
/// # Errors
/// If the setup is one for another number of seats.
pub fn check_seats<G: Notation>(
    game: &G,
    setup: &G::Setup,
    seats: usize,
) -> Result<(), ParseError> {
    match game.seats(setup) {
        fitting if fitting == seats => Ok(()),
        other => {
            Err(ParseError::new(format!("expected a setup for {seats} seats, not for {other}")))
        }
    }
}

/// What happened at the table, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<M> {
    /// A seat played.
    Moved(Seat, M),
    /// Seats went out together; the word says why.
    Eliminated(Seats, &'static str),
}

/// All that a player may know when a game begins.
pub struct GameContext<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// What the game starts from.
    pub setup: &'a G::Setup,
    /// The player's seat.
    pub seat: Seat,
    /// How many sit at the table.
    pub seats: usize,
    /// The player's limits.
    pub clock: &'a Clock,
    /// For the player's own random choices in this game.
    pub seed: u64,
    /// The player has already played with this process.
    pub kept: bool,
}

/// All that a player may know when it is asked for a move.
pub struct Turn<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub state: &'a G::State,
    /// Who is asked.
    pub seat: Seat,
    /// What happened since this player was last asked, its own moves included.
    pub news: &'a [Event<G::Move>],
    /// The time it has.
    pub go: Go,
}

/// What a player is told when the game is over.
pub struct GameEnd<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Who is told.
    pub seat: Seat,
    /// What happened since this player was last asked, its own moves included.
    pub news: &'a [Event<G::Move>],
    /// The scores by seat.
    pub scores: &'a [i64],
}

/// How a player presents itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ready {
    /// Its own name for itself: shown, never a key.
    pub name: String,
    /// Spare it `state` and `legal`: it keeps the board itself.
    pub terse: bool,
    /// It can play another game in the same process.
    pub again: bool,
}

/// An answer: a move, or in solo games a path, and what the player said about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedAnswer<'a, M> {
    /// The move, or the path.
    pub mv: M,
    /// What followed it, for people.
    pub comment: Option<&'a str>,
}

impl<M> ParsedAnswer<'_, M> {
    /// Returns an answer without a comment.
    pub fn bare(mv: M) -> Self {
        ParsedAnswer { mv, comment: None }
    }
}

/// What becomes of the initialisation time, once the game is opened for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// It ends when the player says that it is ready.
    UntilReady,
    /// Nothing tells its end, so it is added to the time of the first answer, and only what exceeds
    /// it is charged.
    WithFirstMove,
    /// There is none.
    None,
}

/// The referee's end of a conversation with one player about one game.
pub trait RefereeEnd<G: Notation>: Send {
    /// What is appended to the player's command, where the game of this context makes it start.
    fn arguments(&mut self, _context: &GameContext<G>) -> Vec<String> {
        Vec::new()
    }

    /// Is all that the player says its one answer, up to the end of its output? Else an answer is a line.
    fn answers_once(&self) -> bool {
        false
    }

    /// How long an answer may be, in bytes.
    fn line_limit(&self) -> usize {
        LINE_LIMIT
    }

    /// Appends what opens the game. Returns what the player does with its initialisation time.
    fn open(&mut self, context: &GameContext<G>, out: &mut String) -> Init;

    /// Reads the answer that ends it, under [`Init::UntilReady`].
    ///
    /// # Errors
    /// If it says anything else.
    fn read_ready(&mut self, _line: &str) -> Result<Ready, ParseError> {
        Err(ParseError::new("nobody says in this dialect that it is ready"))
    }

    /// Appends what asks for a move.
    fn write_turn(&mut self, turn: &Turn<G>, out: &mut String);

    /// Reads a move.
    ///
    /// # Errors
    /// If the line holds no move.
    fn read_move<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, G::Move>, ParseError>;

    /// Reads the answer of a solo player: a path, where the dialect has paths.
    ///
    /// # Errors
    /// If the line holds none.
    fn read_path<'l>(
        &mut self,
        game: &G,
        line: &'l str,
    ) -> Result<ParsedAnswer<'l, Vec<G::Move>>, ParseError> {
        let ParsedAnswer { mv, comment } = self.read_move(game, line)?;
        Ok(ParsedAnswer { mv: vec![mv], comment })
    }

    /// Appends what ends the game for this player: what it has not heard yet, and the scores.
    fn close(&mut self, end: &GameEnd<G>, out: &mut String);
}

/// A game as it begins, seen from inside a bot.
#[derive(Clone, Debug)]
pub struct Start<G: Game> {
    /// The rules.
    pub game: G,
    /// The first position.
    pub state: G::State,
    /// The bot's own seat.
    pub seat: Seat,
    /// How many sit at the table.
    pub seats: usize,
    /// The bot's limits.
    pub clock: Clock,
    /// For its random choices.
    pub seed: u64,
}

impl<G: Game> Start<G> {
    /// What a bot is to do that is only told of its own turns, and of no time: choose, unless the
    /// game ended there.
    pub fn turn(&self) -> BotAction<'_, G> {
        match self.state.to_move().contains(self.seat) {
            true => BotAction::Choose(&self.state, self.seat, Go::Untimed),
            false => BotAction::Over,
        }
    }
}

/// What a line means to a bot.
pub enum BotAction<'a, G: Game> {
    /// Nothing is asked.
    Listen,
    /// A game begins; say [`BotEnd::ready`] when prepared.
    Begin(&'a Start<G>),
    /// Choose a move in this position.
    Choose(&'a G::State, Seat, Go),
    /// The game is over.
    Over,
}

/// What a bot knows of a game where its dialect does not tell: from its own command line.
#[derive(Clone, Debug)]
pub struct ArenaDefaults<G> {
    /// The rules.
    pub game: G,
    /// Its limits.
    pub clock: Clock,
    /// For its random choices.
    pub seed: u64,
}

/// The bot's end of a conversation.
pub trait BotEnd<G: Notation>: Send {
    /// What the bot does before it has heard anything.
    fn start(&mut self) -> BotAction<'_, G> {
        BotAction::Listen
    }

    /// What else follows from what was heard last, once [`BotAction::Begin`] is answered.
    fn follow_up(&mut self) -> BotAction<'_, G> {
        BotAction::Listen
    }

    /// Takes one line, its end removed.
    ///
    /// # Errors
    /// If the referee says what a referee must not: another game, an illegal move, a turn out of
    /// turn. The conversation cannot go on.
    fn hear(&mut self, line: &str) -> Result<BotAction<'_, G>, ParseError>;

    /// Appends the answer to [`BotAction::Begin`], in dialects that have one.
    fn ready(&mut self, _ready: &Ready, _out: &mut String) {}

    /// Appends a move with its comment, and plays it on the board that this end keeps.
    fn answer(&mut self, mv: G::Move, comment: &str, out: &mut String);

    /// The same for a solo player's path. Where the dialect has no paths, its first move is answered, and
    /// the rest is asked for again.
    fn answer_path(&mut self, path: &[G::Move], comment: &str, out: &mut String) {
        self.answer(path[0], comment, out);
    }
}
