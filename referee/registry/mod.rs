//! The games that the referee knows: one [`Entry`] each. Nothing at the table or below it names a
//! game; here the types end and lines begin.

pub mod drawing;
pub mod table;

use crate::experiment::Experiments;
use crate::games;
use crate::player::human::Terminal;
use crate::registry::drawing::{draw_all, Draw, Step, View};
use crate::registry::table::{Recorded, Running, Table};
use arbitre_games::dialect::{check_seats, Notation, RefereeEnd};
use arbitre_games::dialects::{arbitre, relay};
use arbitre_games::game::{Meta, ParseError, Seat};
use arbitre_games::games::options::OptionInfo;
use arbitre_games::perft::perft;
use arbitre_games::rng::Rng;
use arbitre_games::text::unknown;

/// Every game.
pub const GAMES: &[Entry] = &[
    games::awele::ENTRY,
    games::tron::ENTRY,
    games::seven_colors::ENTRY,
    games::taquin::ENTRY,
    games::hextris::ENTRY,
];

/// The dialects that every game is spoken in.
pub const COMMON_DIALECTS: &[&str] = &["arbitre"];

/// Every dialect, of whatever game.
pub fn dialects() -> Vec<&'static str> {
    let mut names = COMMON_DIALECTS.to_vec();
    for name in GAMES.iter().flat_map(|entry| entry.dialects) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

/// Does this dialect know but two players, oneself and the other?
pub fn is_for_two(dialect: &str) -> bool {
    matches!(dialect, "relay" | "google2010")
}

/// Does this dialect have words, which a bot passes over where it does not know them, and one with
/// which the bot says that it is ready?
pub fn has_words(dialect: &str) -> bool {
    dialect == "arbitre"
}

/// What the command line knows of a game.
pub struct Entry {
    /// Its name and what it is.
    pub meta: Meta,
    /// What the line `state` says, for who writes a bot: a few lines of at most 80 characters.
    pub state_help: &'static [&'static str],
    /// The length of its openings, in plies, where the user does not say.
    pub opening_plies: usize,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// The dialects that it is spoken in besides those of every game: `relay`, where two play from a
    /// board that can be told or needs no telling, and its own.
    pub dialects: &'static [&'static str],
    /// What its source document claims.
    pub experiments: &'static Experiments,
    /// Its presets: a name and what it stands for, the default first.
    pub presets: fn() -> Vec<(&'static str, String)>,
    /// The game with these options.
    pub open: fn(rules: &str) -> Result<Box<dyn Hosted>, ParseError>,
}

/// The entry of the game of this name.
///
/// # Errors
/// If there is none; the message lists the games.
pub fn find(name: &str) -> Result<&'static Entry, ParseError> {
    let names = || GAMES.iter().map(|entry| entry.meta.name);
    let found = GAMES.iter().find(|entry| entry.meta.name == name);
    found.ok_or_else(|| unknown("game", name, names()))
}

/// How a seat is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speech {
    /// In a dialect, by its name.
    Dialect(&'static str),
    /// As a person at a terminal, in colour or not.
    Person {
        /// Does the terminal show colours?
        colour: bool,
    },
}

/// The name of a dialect among these.
fn value_of_name(word: &str, names: &[&'static str]) -> Result<&'static str, ParseError> {
    let found = names.iter().find(|known| **known == word);
    found.copied().ok_or_else(|| unknown("dialect", word, names.iter().copied()))
}

impl Entry {
    /// All dialects of this game.
    pub fn all_dialects(&self) -> Vec<&'static str> {
        [COMMON_DIALECTS, self.dialects].concat()
    }

    /// Cannot this dialect tell what a game of this kind starts from? Boards can be told in all of them,
    /// moves that were played before in some.
    pub fn cannot_tell_openings(&self, dialect: &str) -> bool {
        dialect == "relay" && self.opening_plies > 0
    }

    /// Checks that this game is spoken so.
    ///
    /// # Errors
    /// If it is not; the message lists its dialects.
    pub fn check_dialect(&self, word: &str) -> Result<(), ParseError> {
        value_of_name(word, &self.all_dialects()).map(drop)
    }
}

impl Speech {
    /// The word that stands for a person where others name their dialect.
    pub const PERSON: &'static str = "person";

    /// The tongue that a word stands for; a person's is without colours.
    ///
    /// # Errors
    /// If it is no dialect.
    pub fn of(word: &str) -> Result<Speech, ParseError> {
        if word == Speech::PERSON {
            return Ok(Speech::Person { colour: false });
        }
        value_of_name(word, &dialects()).map(Speech::Dialect)
    }
}

/// A game with its options resolved, its types hidden. Setups are text here.
pub trait Hosted: Send + Sync {
    /// What it is.
    fn meta(&self) -> Meta;

    /// The options as resolved.
    fn rules(&self) -> String;

    /// Fair setups for so many seats, in an order drawn from `rng`, until there are no more.
    fn setups(
        &self,
        seats: usize,
        plies: usize,
        rng: Rng,
    ) -> Box<dyn Iterator<Item = String> + Send>;

    /// A setup in its own words, if a game for so many seats can start from it.
    ///
    /// # Errors
    /// If it does not describe a setup, or does not fit the rules or the seats.
    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError>;

    /// A table at which this setup is played.
    ///
    /// # Errors
    /// If the setup does not fit the rules.
    fn table(&self, setup: &str, tongues: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError>;

    /// A table at which a recorded game of this setup is played again: answers are moves in the
    /// game's own notation, whatever the dialect.
    ///
    /// # Errors
    /// If the setup does not fit the rules.
    fn replay_table(
        &self,
        setup: &str,
        tongues: &[Speech],
    ) -> Result<Box<dyn Table + '_>, ParseError>;

    /// The positions of a recorded game, at the start and after each step, drawn.
    ///
    /// # Errors
    /// If the setup or a step does not fit the rules.
    fn pictures(&self, setup: &str, steps: &[Step], view: &View)
        -> Result<Vec<String>, ParseError>;

    /// The leaves of the game tree so many plies below a position, or below the start.
    ///
    /// # Errors
    /// If the position is none, or none is given and the game has no usual start.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, ParseError>;
}

/// A dialect that only one game has: its name, and the referee's end of it.
pub type ArenaEnd<G> = (&'static str, fn() -> Box<dyn RefereeEnd<G>>);

/// A game and how it is drawn for people.
pub struct Room<G: Notation> {
    /// The rules.
    pub game: G,
    /// How its positions are drawn.
    pub draw: Draw<G>,
    /// The referee's end of each dialect that only this game has.
    pub arena_dialects: &'static [ArenaEnd<G>],
}

impl<G: Notation> Room<G> {
    fn end(&self, tongue: Speech) -> Box<dyn RefereeEnd<G>> {
        match tongue {
            Speech::Dialect("relay") => Box::new(relay::Referee),
            Speech::Dialect(name) => {
                let arena_dialects = self.arena_dialects.iter().find(|(known, _)| *known == name);
                arena_dialects
                    .map_or_else(|| Box::new(arbitre::Referee::default()) as _, |(_, end)| end())
            }
            Speech::Person { colour } => Box::new(Terminal::new(self.draw, colour)),
        }
    }

    fn seat(
        &self,
        setup: &str,
        tongues: &[Speech],
        adapt: impl Fn(Box<dyn RefereeEnd<G>>) -> Box<dyn RefereeEnd<G>>,
    ) -> Result<Box<dyn Table + '_>, ParseError> {
        let setup = self.game.parse_setup_text(setup)?;
        let ends = tongues.iter().map(|&tongue| adapt(self.end(tongue))).collect();
        Ok(Box::new(Running::new(&self.game, setup, ends)?))
    }
}

impl<G: Notation> Hosted for Room<G> {
    fn meta(&self) -> Meta {
        G::META
    }

    fn rules(&self) -> String {
        self.game.rules()
    }

    fn setups(
        &self,
        seats: usize,
        plies: usize,
        rng: Rng,
    ) -> Box<dyn Iterator<Item = String> + Send> {
        let game = self.game.clone();
        Box::new(self.game.setups(seats, plies, rng).map(move |setup| game.setup_text(&setup)))
    }

    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError> {
        let setup = self.game.parse_setup_text(text)?;
        check_seats(&self.game, &setup, seats)?;
        self.game.start(&setup)?;
        Ok(self.game.setup_text(&setup))
    }

    fn table(&self, setup: &str, tongues: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        self.seat(setup, tongues, |end| end)
    }

    fn replay_table(
        &self,
        setup: &str,
        tongues: &[Speech],
    ) -> Result<Box<dyn Table + '_>, ParseError> {
        self.seat(setup, tongues, |end| Box::new(Recorded(end)))
    }

    fn pictures(
        &self,
        setup: &str,
        steps: &[Step],
        view: &View,
    ) -> Result<Vec<String>, ParseError> {
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
