//! What was agreed before the first game of a match. Its schedule, its openings and the seeds of all
//! players follow from this alone, so that is what a store keeps of a match besides the games.

pub mod args;
pub mod from_args;
pub mod limit_args;
pub mod limits;
pub mod player_arg;

use crate::config::limits::PlayerLimits;
use crate::config::player_arg::CommandKind;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::Schedule;
use crate::registry::{DynGame, Registry};
use crate::statistics::sprt::Sprt;
use arbitre_games::game::ParseError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The agreement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The game's name.
    pub game: String,
    /// Its options as resolved.
    pub rules: String,
    /// How many sit at a table.
    pub seats: usize,
    /// Games per group of players, not yet rounded up to whole rotations; at most so many under a
    /// sequential test.
    pub games: u64,
    /// The seed of everything.
    pub seed: u64,
    /// What the rounds start from.
    pub openings: OpeningSource,
    /// The players, in the order in which they were named.
    pub players: Vec<PlayerConfig>,
    /// The test that may end the match before all games are played.
    #[serde(serialize_with = "write_sprt", deserialize_with = "read_sprt")]
    pub sprt: Option<Sprt>,
}

/// A test is kept in its own words, which are checked when they are read.
fn write_sprt<S: Serializer>(sprt: &Option<Sprt>, serializer: S) -> Result<S::Ok, S::Error> {
    sprt.map(|sprt| sprt.to_string()).serialize(serializer)
}

fn read_sprt<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sprt>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| Sprt::parse(&text)).transpose().map_err(serde::de::Error::custom)
}

/// A match with its game opened and the commands of its players parsed.
pub struct ResolvedMatch {
    /// The configuration.
    pub config: MatchConfig,
    /// The game with its rules.
    pub game: Box<dyn DynGame>,
    /// What each player is, in the order of the players.
    pub commands: Vec<CommandKind>,
    /// A remark on what was changed, for people.
    pub note: Option<String>,
}

impl ResolvedMatch {
    /// Opens the game and parses the commands of a configuration that was stored.
    ///
    /// # Errors
    /// Returns an error if the game or its rules are unknown, or a command cannot be split.
    pub fn of_stored(
        config: MatchConfig,
        registry: &Registry,
    ) -> Result<ResolvedMatch, ParseError> {
        let game = config.open_game(registry)?;
        let commands =
            config.players.iter().map(|player| CommandKind::parse(&player.command, registry));
        Ok(ResolvedMatch {
            game,
            commands: commands.collect::<Result<_, _>>()?,
            note: None,
            config,
        })
    }
}

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// The game draws them, so many plies long where it has openings.
    Drawn(usize),
    /// These, in their own words.
    Listed(Vec<String>),
}

/// A player as it was agreed upon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerConfig {
    /// Its name, unlike every other.
    pub name: String,
    /// Its command as it was written.
    pub command: String,
    /// How it is spoken to; for a person it does not matter.
    pub dialect: String,
    /// Its limits.
    #[serde(rename = "terms")]
    pub limits: PlayerLimits,
}

impl MatchConfig {
    /// Who meets whom, when.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.players.len(), self.seats, self.games, self.seed)
    }

    /// How many a game ranks: those who sit at its table, or in solo games all players, who play the same
    /// instance one after the other.
    pub fn ranked(&self) -> usize {
        match self.seats {
            1 => self.players.len(),
            seats => seats,
        }
    }

    /// Opens the game with its rules.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it has no such rules.
    pub fn open_game(&self, registry: &Registry) -> Result<Box<dyn DynGame>, ParseError> {
        registry.open(&self.game, &self.rules)
    }

    /// What the rounds start from.
    pub fn openings(&self, game: &dyn DynGame) -> Openings {
        match &self.openings {
            OpeningSource::Drawn(plies) => {
                Openings::drawn(game, self.seats, *plies, self.schedule().openings_rng())
            }
            OpeningSource::Listed(setups) => Openings::listed(setups.clone()),
        }
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<&str> {
        self.players.iter().map(|player| player.name.as_str()).collect()
    }

    /// What makes another charter another match, in words; nothing if it is the same match. The
    /// number of games does not: a match may be made longer.
    pub fn difference(&self, other: &MatchConfig) -> Option<String> {
        let mut facts = self.facts().into_iter().zip(other.facts());
        let differing = facts.find(|(mine, theirs)| mine != theirs);
        differing.map(|((what, mine), (_, theirs))| format!("{what} is {mine}, not {theirs}"))
    }

    /// All but the number of games, as names and values for people.
    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("its game".into(), self.game.clone()),
            ("its list of rules".into(), self.rules.clone()),
            ("its seed".into(), self.seed.to_string()),
            ("its list of players".into(), self.names().join(", ")),
            ("its number of seats".into(), self.seats.to_string()),
            ("its openings' source".into(), self.openings.to_string()),
            ("its test".into(), self.sprt.map_or("none".into(), |sprt| sprt.to_string())),
        ];
        for PlayerConfig { name, command, dialect, limits } in &self.players {
            facts.push((format!("the command of {name}"), command.clone()));
            facts.push((format!("the dialect of {name}"), dialect.clone()));
            facts.push((format!("the clock of {name}"), limits.to_string()));
        }
        facts
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Drawn(plies) => write!(f, "drawn, {plies} plies"),
            OpeningSource::Listed(setups) => {
                let digest = crc32fast::hash(setups.join("\n").as_bytes());
                write!(f, "a list of {} ({digest:08x})", setups.len())
            }
        }
    }
}
