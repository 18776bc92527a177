//! The registry: all games, bundled bots and experiments that the referee knows. The root package
//! creates it and passes it down as a value; there is no global lookup.
//!
//! A game is one [`GameInfo`]. [`DynGame`] hides its types behind text.

pub mod contest;
pub mod drawing;
pub mod entry;
mod recorded;
pub mod scene;
pub mod table;
pub mod terminal;
#[cfg(test)]
pub mod testing;

use crate::registry::contest::{Problem, Solved};
use crate::registry::drawing::{Step, View};
use crate::registry::entry::{ArenaInfo, GameEntry};
use crate::registry::recorded::{draw_all, scenes_of};
use crate::registry::scene::GameScenes;
use crate::registry::table::{move_text, GameTable, RulesError, Table};
use crate::registry::terminal::Terminal;
use arbitre_games::console::BundledBot;
use arbitre_games::dialect::{check_seats, DialectInfo, RefereeEnd};
use arbitre_games::dialects::{arbitre, relay};
use arbitre_games::experiment::Experiments;
use arbitre_games::game::{Meta, ParseError, Seat};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::rng::Rng;
use arbitre_games::text::unknown;
use std::path::Path;
use std::sync::Arc;

/// Dialect of the players under a referee program of another arena: its lines as they are. Such
/// arenas kill the players after a game.
pub const RAW: DialectInfo = DialectInfo { kills_at_end: true, ..DialectInfo::arena("raw") };

/// Games, bots and experiments by name.
pub struct Registry {
    /// Games, in the order in which they are listed.
    pub games: Vec<GameInfo>,
    /// Bundled bots.
    pub bots: Vec<&'static dyn BundledBot>,
    /// Claims of the source documents, by game.
    pub experiments: &'static [Experiments],
    /// The referee's own program, which runs the bundled bots and launches all others.
    pub executable: &'static Path,
}

impl Registry {
    /// Returns the registry with one more game, which replaces another one of its name.
    pub fn with(&self, game: GameInfo) -> Registry {
        let others = self.games.iter().filter(|other| other.meta.name != game.meta.name);
        let games = std::iter::once(&game).chain(others).cloned().collect();
        Registry { games, bots: self.bots.clone(), ..*self }
    }

    /// Returns the game of this name.
    ///
    /// # Errors
    /// Returns an error that lists the games if there is none.
    pub fn game(&self, name: &str) -> Result<&GameInfo, ParseError> {
        let found = self.games.iter().find(|info| info.meta.name == name);
        found.ok_or_else(|| unknown("game", name, self.game_names()))
    }

    /// Returns the names of all games.
    pub fn game_names(&self) -> Vec<&'static str> {
        self.games.iter().map(|info| info.meta.name).collect()
    }

    /// Returns the names of the games of an arena.
    pub fn game_names_of(&self, arena: &str) -> Vec<&'static str> {
        let is_there = |info: &&GameInfo| info.arenas.iter().any(|of| of.name == arena);
        self.games.iter().filter(is_there).map(|info| info.meta.name).collect()
    }

    /// Opens a game with these rules.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it has no such rules.
    pub fn open(&self, name: &str, rules: &str) -> Result<Box<dyn DynGame>, ParseError> {
        self.game(name)?.open(rules)
    }

    /// Returns the bundled bot of this name.
    pub fn bot(&self, name: &str) -> Option<&'static dyn BundledBot> {
        self.bots.iter().copied().find(|bot| bot.name() == name)
    }

    /// Returns the names of all bundled bots.
    pub fn bot_names(&self) -> Vec<&'static str> {
        self.bots.iter().map(|bot| bot.name()).collect()
    }

    /// Checks that at least one game has this dialect, or that it is [`RAW`].
    ///
    /// # Errors
    /// Returns an error that lists all dialects if no game has it.
    pub fn check_dialect(&self, word: &str) -> Result<(), ParseError> {
        let mut known: Vec<&str> = Vec::new();
        for info in self.games.iter().flat_map(|info| &info.dialects) {
            if !known.contains(&info.name) {
                known.push(info.name);
            }
        }
        match known.contains(&word) || word == RAW.name {
            true => Ok(()),
            false => Err(unknown("dialect", word, known)),
        }
    }
}

/// A game in the registry, with its types hidden.
#[derive(Clone)]
pub struct GameInfo {
    /// Name, title and properties of the game.
    pub meta: Meta,
    /// Explanation of the line `state` for bot authors: a few lines of at most 80 characters.
    pub state_help: &'static [&'static str],
    /// Default length of its openings, in plies.
    pub opening_plies: usize,
    /// Options of the game.
    pub options: &'static [OptionInfo],
    /// Dialects, the default first.
    pub dialects: Vec<&'static DialectInfo>,
    /// Commands of bundled bots to play against, from weak to strong.
    pub opponents: &'static [&'static str],
    /// Arenas that have the game, with their conditions.
    pub arenas: &'static [ArenaInfo],
    /// Function that returns the presets: names and the rules that they stand for, the default
    /// first.
    pub presets: fn() -> Vec<(&'static str, String)>,
    /// Function that opens the game with these options.
    pub open: OpenGame,
}

/// Opened game, or the reason why it has no such rules.
pub type OpenedGame = Result<Box<dyn DynGame>, ParseError>;

/// Function that opens a game with its rules.
pub type OpenGame = Arc<dyn Fn(&str) -> OpenedGame + Send + Sync>;

/// Setups as text, or the failure of the rules that draw them.
pub type Setups = Box<dyn Iterator<Item = Result<String, RulesError>> + Send>;

/// Form in which the referee addresses a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speech {
    /// A program in a dialect.
    Dialect(&'static DialectInfo),
    /// A person at a terminal.
    Person {
        /// Whether the terminal shows colours.
        colour: bool,
    },
}

impl GameInfo {
    /// Returns the entry of a game of this program.
    pub fn of<G: GameEntry>() -> GameInfo {
        GameInfo {
            state_help: G::STATE_HELP,
            opening_plies: G::OPENING_PLIES,
            options: G::OPTIONS,
            dialects: dialects_of::<G>(),
            opponents: G::OPPONENTS,
            arenas: G::ARENAS,
            presets: G::presets,
            ..GameInfo::elsewhere(
                G::META,
                Arc::new(|rules| Ok(Box::new(GameAdapter(G::open(rules)?)))),
            )
        }
    }

    /// Returns the entry of a game of which nothing else is known.
    pub fn elsewhere(meta: Meta, open: OpenGame) -> GameInfo {
        GameInfo {
            meta,
            state_help: &[],
            opening_plies: 0,
            options: &[],
            dialects: vec![&arbitre::INFO],
            opponents: &[],
            arenas: &[],
            presets: Vec::new,
            open,
        }
    }

    /// Opens the game with these rules.
    ///
    /// # Errors
    /// Returns an error if it has no such rules.
    pub fn open(&self, rules: &str) -> Result<Box<dyn DynGame>, ParseError> {
        (self.open)(rules)
    }

    /// Returns the dialects of the arenas that have this game.
    pub fn arena_dialects(&self) -> Vec<&'static DialectInfo> {
        let is_ours = |info: &DialectInfo| *info == arbitre::INFO || *info == relay::INFO;
        self.dialects.iter().copied().filter(|info| !is_ours(info)).collect()
    }

    /// Returns the dialect of this name.
    ///
    /// # Errors
    /// Returns an error that lists the game's dialects if there is none.
    pub fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&self.dialects, word)
    }

    /// Returns `true` if a bot with this dialect cannot receive the openings of this game.
    pub fn hides_openings(&self, dialect: &DialectInfo) -> bool {
        !dialect.tells_openings && self.opening_plies > 0
    }
}

/// Returns the dialects of a game of this program.
fn dialects_of<G: GameEntry>() -> Vec<&'static DialectInfo> {
    let own = G::DIALECTS.iter().map(|(info, _)| *info);
    std::iter::once(&arbitre::INFO).chain(own).collect()
}

/// Finds a dialect by its name.
///
/// # Errors
/// Returns an error that lists the known dialects.
pub fn find_dialect(
    known: &[&'static DialectInfo],
    word: &str,
) -> Result<&'static DialectInfo, ParseError> {
    let found = known.iter().copied().find(|info| info.name == word);
    found.ok_or_else(|| unknown("dialect", word, known.iter().map(|info| info.name)))
}

impl Speech {
    /// Word for a person where programs have the name of a dialect.
    pub const PERSON: &'static str = "person";
}

/// Properties of a game's notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTraits {
    /// Whether the legal moves are few enough to be listed at each turn.
    pub lists_legal_moves: bool,
    /// Whether blanks are moves, so that a path is not trimmed.
    pub is_verbatim: bool,
    /// Length limit of an answer in bytes.
    pub answer_limit: usize,
}

/// Game with resolved options and hidden types. Setups are text here.
pub trait DynGame: Send + Sync {
    /// Returns the name, title and properties of the game.
    fn meta(&self) -> Meta;

    /// Returns the resolved options.
    fn rules(&self) -> String;

    /// Returns the properties of its notation.
    fn traits(&self) -> GameTraits;

    /// Returns the dialect of this name.
    ///
    /// # Errors
    /// Returns an error that lists the game's dialects if there is none.
    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError>;

    /// Returns the form in which a player of a stored game was addressed.
    ///
    /// # Errors
    /// Returns an error if `word` is not a dialect of this game.
    fn speech(&self, word: &str) -> Result<Speech, ParseError> {
        match word {
            Speech::PERSON => Ok(Speech::Person { colour: false }),
            dialect => self.dialect(dialect).map(Speech::Dialect),
        }
    }

    /// Returns fair setups for `seats` seats, in an order drawn from `rng`, until there are no
    /// more. In games with openings, each is `plies` long.
    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups;

    /// Returns a setup in the game's notation, if a game for `seats` seats can start from it.
    ///
    /// # Errors
    /// Returns an error if the text is not a setup, or does not fit the rules or the seats.
    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError>;

    /// Returns the setups that a line of a file stands for, as lines.
    ///
    /// # Errors
    /// Returns an error if the line is not read so far.
    fn expand_setup(&self, line: &str) -> Result<Vec<String>, ParseError> {
        Ok(vec![line.to_owned()])
    }

    /// Returns the problem of which a setup is one game. Only solo games of this program have one.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules, or they run elsewhere.
    fn problem(&self, _setup: &str) -> Result<Problem, ParseError> {
        Err(ParseError::new("expected a game of the referee, got one whose rules run elsewhere"))
    }

    /// Judges a solution of a setup: its whole path as text, in the notation of the game.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules, or they run elsewhere.
    fn solve(&self, setup: &str, _solution: &str) -> Result<Solved, ParseError> {
        self.problem(setup).map(|_| Solved::nothing("", ""))
    }

    /// Creates a table at which this setup is played.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules.
    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError>;

    /// Creates a table for the trial of a player, which is left after its first move.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the rules.
    fn trial_table(
        &self,
        setup: &str,
        speech: &[Speech],
    ) -> Result<Box<dyn Table + '_>, ParseError> {
        self.table(setup, speech)
    }

    /// Draws the positions of a recorded game, at the start and after each step.
    ///
    /// # Errors
    /// Returns an error if the setup or a step does not fit the rules.
    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError>;

    /// Splits a path, as it is recorded, into its moves. Rules that run elsewhere have no paths.
    ///
    /// # Errors
    /// Returns an error if it is no path.
    fn split_path(&self, path: &str) -> Result<Vec<String>, ParseError> {
        Ok(vec![path.to_owned()])
    }

    /// Draws the scenes of a recorded game of `seats` seats.
    ///
    /// # Errors
    /// Returns an error if the setup or a step does not fit the rules.
    fn scenes(&self, setup: &str, seats: usize, steps: &[Step]) -> Result<GameScenes, ParseError>;

    /// Returns the number of leaves of the game tree `depth` plies below `position`, or below the
    /// start.
    ///
    /// # Errors
    /// Returns an error if `position` is invalid, or if none is given and the game has no usual
    /// start.
    fn perft(&self, _position: Option<&str>, _depth: u32) -> Result<u64, ParseError> {
        Err(ParseError::new("expected a game of the referee, got one whose rules run elsewhere"))
    }
}

/// Adapter from a game and its entry to [`DynGame`].
pub struct GameAdapter<G>(pub G);

impl<G: GameEntry> GameAdapter<G> {
    fn end(&self, speech: Speech) -> Box<dyn RefereeEnd<G>> {
        match speech {
            Speech::Dialect(info) => {
                let own = G::DIALECTS.iter().find(|(known, _)| *known == info);
                own.map_or_else(
                    || Box::new(arbitre::ArbitreReferee::default()) as _,
                    |(_, end)| end(),
                )
            }
            Speech::Person { colour } => Box::new(Terminal::new(colour)),
        }
    }
}

impl<G: GameEntry> DynGame for GameAdapter<G> {
    fn meta(&self) -> Meta {
        G::META
    }

    fn rules(&self) -> String {
        self.0.rules()
    }

    fn traits(&self) -> GameTraits {
        GameTraits {
            lists_legal_moves: G::LISTS_LEGAL_MOVES,
            is_verbatim: G::IS_VERBATIM,
            answer_limit: G::ANSWER_LIMIT,
        }
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&dialects_of::<G>(), word)
    }

    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups {
        let game = self.0.clone();
        Box::new(self.0.setups(seats, plies, rng).map(move |setup| Ok(game.setup_text(&setup))))
    }

    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError> {
        let setup = self.0.parse_setup_text(text)?;
        check_seats(&self.0, &setup, seats)?;
        self.0.start(&setup)?;
        Ok(self.0.setup_text(&setup))
    }

    fn expand_setup(&self, line: &str) -> Result<Vec<String>, ParseError> {
        self.0.expand_setup(line)
    }

    fn problem(&self, setup: &str) -> Result<Problem, ParseError> {
        Ok(self.0.problem(&self.0.parse_setup_text(setup)?))
    }

    fn solve(&self, setup: &str, solution: &str) -> Result<Solved, ParseError> {
        self.0.solve(&self.0.parse_setup_text(setup)?, solution)
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        let setup = self.0.parse_setup_text(setup)?;
        let ends = speech.iter().map(|&speech| self.end(speech)).collect();
        let own = G::DIALECTS.iter().map(|(info, _)| info.name);
        let arenas = own.filter(|name| *name != relay::INFO.name).collect();
        Ok(Box::new(GameTable::new(&self.0, setup, ends, arenas)?))
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        draw_all(&self.0, setup, steps, view)
    }

    fn split_path(&self, path: &str) -> Result<Vec<String>, ParseError> {
        let moves = self.0.parse_path(path)?.into_iter();
        Ok(moves.map(|mv| move_text(&self.0, mv)).collect())
    }

    fn scenes(&self, setup: &str, _: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        scenes_of(&self.0, setup, steps)
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, ParseError> {
        let state = match position {
            Some(text) => self.0.parse_state(text, Seat::FIRST)?,
            None => {
                let setup = self.0.parse_setup(&[], Seat::FIRST).map_err(|_| {
                    let name = G::META.name;
                    ParseError::new(format!(
                        "expected --position TEXT for {name}, which has no usual start"
                    ))
                })?;
                self.0.start(&setup)?
            }
        };
        Ok(self.0.perft(&state, depth))
    }
}
