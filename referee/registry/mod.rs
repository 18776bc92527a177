//! The registry: every game, bundled bot and experiment that the referee knows. The root package
//! makes it, and it is passed down as a value; nothing looks a game up globally.
//!
//! A game is one [`GameInfo`]. Behind [`DynGame`] its types are hidden, and all is text.

pub mod drawing;
pub mod table;
pub mod terminal;
#[cfg(test)]
pub mod testing;

use crate::registry::drawing::{draw_all, Draw, Step, View};
use crate::registry::table::{GameTable, RulesError, Table};
use crate::registry::terminal::Terminal;
use arbitre_games::console::BundledBot;
use arbitre_games::dialect::{check_seats, DialectInfo, Notation, RefereeEnd};
use arbitre_games::dialects::{arbitre, relay};
use arbitre_games::experiment::Experiments;
use arbitre_games::game::{Meta, ParseError, Seat};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::perft::perft;
use arbitre_games::rng::Rng;
use arbitre_games::text::unknown;

/// Everything that the referee knows by name.
pub struct Registry {
    /// Games, in the order in which they are listed.
    pub games: Vec<GameInfo>,
    /// Bundled bots.
    pub bots: Vec<&'static dyn BundledBot>,
    /// Claims of the source documents, by game.
    pub experiments: &'static [Experiments],
}

impl Registry {
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

    /// Opens a game with these rules.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it has no such rules.
    pub fn open(&self, name: &str, rules: &str) -> Result<Box<dyn DynGame>, ParseError> {
        (self.game(name)?.open)(rules)
    }

    /// Returns the bundled bot of this name.
    pub fn bot(&self, name: &str) -> Option<&'static dyn BundledBot> {
        self.bots.iter().copied().find(|bot| bot.name() == name)
    }

    /// Returns the names of all bundled bots.
    pub fn bot_names(&self) -> Vec<&'static str> {
        self.bots.iter().map(|bot| bot.name()).collect()
    }

    /// Checks that some game is spoken in this dialect.
    ///
    /// # Errors
    /// Returns an error that lists all dialects if none is.
    pub fn check_dialect(&self, word: &str) -> Result<(), ParseError> {
        let mut known: Vec<&str> = Vec::new();
        for info in self.games.iter().flat_map(GameInfo::all_dialects) {
            if !known.contains(&info.name) {
                known.push(info.name);
            }
        }
        match known.contains(&word) {
            true => Ok(()),
            false => Err(unknown("dialect", word, known)),
        }
    }
}

/// What the command line knows of a game.
pub struct GameInfo {
    /// Its name and what it is.
    pub meta: Meta,
    /// What the line `state` says, for who writes a bot: a few lines of at most 80 characters.
    pub state_help: &'static [&'static str],
    /// The length of its openings, in plies, where the user does not say.
    pub opening_plies: usize,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// Dialects besides `arbitre`: `relay`, where two play from a board that can be told or needs no
    /// telling, and those of its arenas.
    pub dialects: &'static [&'static DialectInfo],
    /// Its presets: a name and what it stands for, the default first.
    pub presets: fn() -> Vec<(&'static str, String)>,
    /// The game with these options.
    pub open: fn(rules: &str) -> Result<Box<dyn DynGame>, ParseError>,
}

/// Setups as text, or the failure of the rules that should have drawn them.
pub type Setups = Box<dyn Iterator<Item = Result<String, RulesError>> + Send>;

/// How a seat is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speech {
    /// In a dialect.
    Dialect(&'static DialectInfo),
    /// As a person at a terminal, in colour or not.
    Person {
        /// Does the terminal show colours?
        colour: bool,
    },
}

impl GameInfo {
    /// Returns all dialects of this game, the default first.
    pub fn all_dialects(&self) -> Vec<&'static DialectInfo> {
        [&[&arbitre::INFO], self.dialects].concat()
    }

    /// Returns the dialect of this name.
    ///
    /// # Errors
    /// Returns an error that lists the game's dialects if there is none.
    pub fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        find_dialect(&self.all_dialects(), word)
    }

    /// Whether a bot that speaks this dialect cannot be told the openings of this game.
    pub fn hides_openings(&self, dialect: &DialectInfo) -> bool {
        !dialect.tells_openings && self.opening_plies > 0
    }
}

fn find_dialect(
    known: &[&'static DialectInfo],
    word: &str,
) -> Result<&'static DialectInfo, ParseError> {
    let found = known.iter().copied().find(|info| info.name == word);
    found.ok_or_else(|| unknown("dialect", word, known.iter().map(|info| info.name)))
}

impl Speech {
    /// The word that stands for a person where others name their dialect.
    pub const PERSON: &'static str = "person";
}

/// A game with its options resolved, its types hidden. Setups are text here.
pub trait DynGame: Send + Sync {
    /// What it is.
    fn meta(&self) -> Meta;

    /// The options as resolved.
    fn rules(&self) -> String;

    /// Returns the dialect of this name.
    ///
    /// # Errors
    /// Returns an error that lists the game's dialects if there is none.
    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError>;

    /// Returns how a player of a stored game was spoken to.
    ///
    /// # Errors
    /// Returns an error if `word` is no dialect of this game.
    fn speech(&self, word: &str) -> Result<Speech, ParseError> {
        match word {
            Speech::PERSON => Ok(Speech::Person { colour: false }),
            dialect => self.dialect(dialect).map(Speech::Dialect),
        }
    }

    /// Fair setups for so many seats, in an order drawn from `rng`, until there are no more.
    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups;

    /// A setup in its own words, if a game for so many seats can start from it.
    ///
    /// # Errors
    /// If it does not describe a setup, or does not fit the rules or the seats.
    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError>;

    /// A table at which this setup is played.
    ///
    /// # Errors
    /// If the setup does not fit the rules.
    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError>;

    /// The positions of a recorded game, at the start and after each step, drawn.
    ///
    /// # Errors
    /// If the setup or a step does not fit the rules.
    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError>;

    /// The leaves of the game tree so many plies below a position, or below the start.
    ///
    /// # Errors
    /// If the position is none, or none is given and the game has no usual start.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, ParseError>;
}

/// Dialect that only one game has, and the referee's end of it.
pub type ArenaEnd<G> = (&'static DialectInfo, fn() -> Box<dyn RefereeEnd<G>>);

/// A game and how it is drawn for people.
pub struct GameAdapter<G: Notation> {
    /// The rules.
    pub game: G,
    /// How its positions are drawn.
    pub draw: Draw<G>,
    /// The referee's end of each dialect that only this game has.
    pub arena_dialects: &'static [ArenaEnd<G>],
}

impl<G: Notation> GameAdapter<G> {
    fn end(&self, speech: Speech) -> Box<dyn RefereeEnd<G>> {
        match speech {
            Speech::Dialect(info) if *info == relay::INFO => Box::new(relay::RelayReferee),
            Speech::Dialect(info) => {
                let arena = self.arena_dialects.iter().find(|(known, _)| *known == info);
                arena.map_or_else(
                    || Box::new(arbitre::ArbitreReferee::default()) as _,
                    |(_, end)| end(),
                )
            }
            Speech::Person { colour } => Box::new(Terminal::new(self.draw, colour)),
        }
    }
}

impl<G: Notation> DynGame for GameAdapter<G> {
    fn meta(&self) -> Meta {
        G::META
    }

    fn rules(&self) -> String {
        self.game.rules()
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        let arena = self.arena_dialects.iter().map(|(info, _)| *info);
        let known: Vec<_> = [&arbitre::INFO, &relay::INFO].into_iter().chain(arena).collect();
        find_dialect(&known, word)
    }

    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups {
        let game = self.game.clone();
        Box::new(self.game.setups(seats, plies, rng).map(move |setup| Ok(game.setup_text(&setup))))
    }

    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError> {
        let setup = self.game.parse_setup_text(text)?;
        check_seats(&self.game, &setup, seats)?;
        self.game.start(&setup)?;
        Ok(self.game.setup_text(&setup))
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        let setup = self.game.parse_setup_text(setup)?;
        let ends = speech.iter().map(|&speech| self.end(speech)).collect();
        Ok(Box::new(GameTable::new(&self.game, setup, ends)?))
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        draw_all(&self.game, self.draw, setup, steps, view)
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, ParseError> {
        let state = match position {
            Some(text) => self.game.parse_state(text, Seat::FIRST)?,
            None => {
                let setup = self.game.parse_setup(&[]).map_err(|_| {
                    let name = G::META.name;
                    ParseError::new(format!("{name} has no usual start: say --position TEXT"))
                })?;
                self.game.start(&setup)?
            }
        };
        Ok(perft(&state, depth))
    }
}
