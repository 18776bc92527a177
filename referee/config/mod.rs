//! Configuration of a match, fixed before its first game. The schedule, the openings and the seeds
//! of all players follow from it, so a store keeps a match in this form.

pub mod adjudication;
pub mod arena;
pub mod args;
pub mod common_args;
pub mod csv_dialect;
pub mod format;
pub mod from_args;
pub mod limit_args;
pub mod limits;
pub mod number;
pub mod player_arg;
pub mod player_options;
pub mod sandbox_args;
pub mod schema;
pub mod shard;
pub mod tournament_args;
pub mod tournament_file;

use crate::config::adjudication::Adjudication;
use crate::config::format::{FixedBot, FormatConfig, FormatKind};
use crate::config::limits::PlayerLimits;
use crate::config::player_arg::CommandKind;
use crate::config::shard::Shard;
use crate::external::ExternalRules;
use crate::formats::openings::Openings;
use crate::formats::schedule::Schedule;
use crate::registry::{DynGame, Registry, Speech};
use crate::statistics::sprt::evidence::Evidence;
use crate::statistics::sprt::{as_text, Sprt};
use arbitre_games::clock::Clock;
use arbitre_games::game::{Meta, ParseError};
use arbitre_games::text::join;
use arbitre_process::sandbox::SandboxConfig;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// Contest to be played, fixed before the first game. Games and players may be added later. The
/// store keeps it as a document, with the format and the source in a form of their own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// Name of the game.
    pub game: String,
    /// Rules as resolved.
    pub rules: String,
    /// Program with the rules; `None` for a game of the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<ExternalRules>,
    /// Number of seats at a table.
    pub seats: usize,
    /// Games per meeting, not yet rounded up to whole rotations; a maximum under an SPRT.
    pub games: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Derivation of the seeds of games and bots.
    #[serde(default)]
    pub seeding: Seeding,
    /// Source of the openings, one per round.
    pub openings: OpeningSource,
    /// Players in the order in which they joined. A store has a table for them.
    #[serde(skip)]
    pub players: Vec<PlayerConfig>,
    /// Choice of who plays whom.
    #[serde(skip)]
    pub format: FormatConfig,
    /// SPRT that may end the only stage of a match early.
    #[serde(with = "as_text")]
    pub sprt: Option<Sprt>,
    /// Rules by which games end early, if any do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// Part of the contest that the file holds; `None` for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Origin of the contest.
    #[serde(skip)]
    pub source: Source,
}

/// Derivation of seeds from that of the contest. A file continues with the one it began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// From the round and the rotation of the seats, equally for all players.
    #[default]
    ByRound,
    /// From the names of the players by seat as well. Equal bots that draw their moves then play
    /// another game against each opponent.
    ByNames,
}

impl Seeding {
    fn word(self) -> &'static str {
        match self {
            Seeding::ByRound => "by round",
            Seeding::ByNames => "by round and names",
        }
    }

    /// Returns the seeding of a new file with these players. A single group may grow, and keeps its
    /// games. Solo players are compared on the same instances. Graded players meet fixed bots with
    /// the same seeds, however many players there are.
    pub fn of_new(format: &FormatConfig, players: usize, seats: usize) -> Seeding {
        match format.kind() != FormatKind::Graded && seats > 1 && players > seats {
            true => Seeding::ByNames,
            false => Seeding::ByRound,
        }
    }
}

/// Setups that a room draws, after which it begins with the first again: its rounds have no end.
/// Not tuned.
const OPENINGS_OF_A_ROOM: usize = 4096;

/// Kind of a contest, as commands for stored files distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Match of a fixed number of games.
    Match,
    /// Match that a sequential test ends.
    Test,
    /// Tournament whose pairings are known from the start, or computed anew in each run.
    Tournament,
    /// Tournament whose stages depend on results, and are stored.
    Staged,
    /// Room of a class server.
    Room,
}

/// Origin of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// Words of a command line: a match.
    #[default]
    Words,
    /// A file or a folder: a tournament.
    Tournament(TournamentSource),
    /// The settings of a class server with this title: a room, which players join and leave. Which
    /// games are played follows from the players of the moment, so none is ever missing.
    Room(String),
}

/// File or folder from which a tournament is played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TournamentSource {
    /// Title.
    pub title: String,
    /// Names of the players that are shown and not ranked.
    pub references: Vec<String>,
    /// Names of the players that were taken out.
    pub left: Vec<String>,
    /// Canonical path; unknown in files of earlier versions.
    pub path: Option<PathBuf>,
}

impl TournamentSource {
    /// Reason why a player that was taken out plays no games.
    pub const LEFT: &str = "it is no longer among the players";
}

/// A match with its game opened and the commands of its players parsed.
pub struct ResolvedContest {
    /// Configuration.
    pub config: Contest,
    /// Game with its rules.
    pub game: Box<dyn DynGame>,
    /// Kind of each player's command, in the order of the players.
    pub commands: Vec<CommandKind>,
    /// Remark for people on a changed option.
    pub note: Option<String>,
}

impl ResolvedContest {
    /// Opens the game and parses the commands of a stored configuration.
    ///
    /// # Errors
    /// Returns an error if the game or its rules are unknown, or a command cannot be split into
    /// words.
    pub fn of_stored(config: Contest, registry: &Registry) -> Result<ResolvedContest, ParseError> {
        let game = config.open_game(registry)?;
        let commands = config.players.iter().map(|player| player.kind(registry));
        Ok(ResolvedContest {
            game,
            commands: commands.collect::<Result<_, _>>()?,
            note: None,
            config,
        })
    }
}

/// Source of openings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// Drawn by the game, with this number of plies if the game has openings.
    Drawn(usize),
    /// Given as a list of setups.
    Listed(Vec<String>),
}

/// Text in place of the command of a player whose program runs on a machine of its own.
pub const CONNECTED: &str = "on its own machine";

/// Configuration of a player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerConfig {
    /// Name, unique in the match.
    pub name: String,
    /// Command as written by the user.
    pub command: String,
    /// Dialect of the player; [`Speech::PERSON`](crate::registry::Speech::PERSON) for a person.
    pub dialect: String,
    /// Limits.
    pub limits: PlayerLimits,
    /// Digest of the program: see `PlayerSource::digest`. It is empty until the program is found.
    pub version: String,
    /// Surroundings in which the program is started.
    pub environment: Environment,
    /// Sandbox of the program. A bundled bot and a person have none.
    pub sandbox: SandboxConfig,
}

/// Surroundings of a program, which do not distinguish its versions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Environment {
    /// Folder in which the command was given; paths in the command are relative to it unless the
    /// program has a folder of its own.
    pub folder: String,
    /// Operating system and processor.
    pub system: String,
    /// Folder of the program alone, relative to `folder` or absolute. The program starts there, and
    /// paths in the command are relative to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_folder: Option<String>,
}

impl Environment {
    /// Returns the surroundings of this process.
    pub fn here() -> Environment {
        let folder = std::env::current_dir().unwrap_or_default();
        let system = rustix::system::uname();
        let parts = [system.sysname(), system.release(), system.machine()];
        let system = parts.map(|part| part.to_string_lossy().into_owned()).join(" ");
        Environment { folder: folder.to_string_lossy().into_owned(), system, own_folder: None }
    }
}

impl PlayerConfig {
    /// Returns `true` if the program runs on a machine of its own, which connects to a room.
    pub fn is_connected(&self) -> bool {
        self.command == CONNECTED
    }

    /// Returns `true` for a person.
    pub fn is_person(&self) -> bool {
        self.dialect == Speech::PERSON
    }

    /// Returns the name under which the player was first stored, which is that of `ada@1` as well.
    pub fn first_name(&self) -> &str {
        self.name.split_once('@').map_or(&self.name, |(name, _)| name)
    }

    /// Parses the command.
    ///
    /// # Errors
    /// Returns an error if it cannot be split into words.
    pub fn kind(&self, registry: &Registry) -> Result<CommandKind, ParseError> {
        match self.environment.own_folder {
            _ if self.is_connected() => Ok(CommandKind::Absent(
                "it runs on its own machine, from which it joins a room of referee serve".into(),
            )),
            Some(_) => CommandKind::parse_program(&self.command).map(CommandKind::External),
            None => CommandKind::parse(&self.command, registry),
        }
    }

    /// Returns `true` if `other` is the same version of the player: the same program with the same
    /// dialect and the same limits. The command may be written in another way, and the sandbox may
    /// differ.
    pub fn is_same_version(&self, other: &PlayerConfig) -> bool {
        let PlayerConfig { version, dialect, limits, .. } = self;
        (version, dialect, limits) == (&other.version, &other.dialect, &other.limits)
    }
}

impl Contest {
    /// Returns the clock of each player.
    pub fn clocks(&self) -> Vec<Clock> {
        self.players.iter().map(|player| player.limits.clock.clone()).collect()
    }

    /// Returns the schedule of a round robin. That of another format or a room has no stages yet.
    pub fn schedule(&self) -> Schedule {
        match self.format {
            FormatConfig::RoundRobin if self.kind() != Kind::Room => {
                let games = self.rounds().saturating_mul(self.seats as u64);
                self.seeded(Schedule::new(self.players.len(), self.seats, games, self.seed))
            }
            _ => self.empty_schedule(),
        }
    }

    /// Returns the schedule without stages, which has the seeds of all games.
    pub fn empty_schedule(&self) -> Schedule {
        self.seeded(Schedule::staged(self.seats, self.seed))
    }

    /// Returns the shard of a schedule, with the seeds of this contest.
    fn seeded(&self, schedule: Schedule) -> Schedule {
        let schedule = schedule.of_shard(self.shard);
        match self.seeding {
            Seeding::ByRound => schedule,
            Seeding::ByNames => {
                schedule.with_names(self.players.iter().map(PlayerConfig::first_name))
            }
        }
    }

    /// Returns the kind of the contest.
    pub fn kind(&self) -> Kind {
        match (&self.source, self.sprt) {
            (Source::Words, None) => Kind::Match,
            (Source::Words, Some(_)) => Kind::Test,
            (Source::Tournament(_), _) if self.counts_all_versions() => Kind::Staged,
            (Source::Tournament(_), _) => Kind::Tournament,
            (Source::Room(_), _) => Kind::Room,
        }
    }

    /// Returns the tournament; `None` for a match or a room.
    pub fn tournament(&self) -> Option<&TournamentSource> {
        match &self.source {
            Source::Words | Source::Room(_) => None,
            Source::Tournament(tournament) => Some(tournament),
        }
    }

    /// Returns `true` if the player of this number was taken out of the tournament.
    pub fn has_left(&self, player: usize) -> bool {
        self.tournament().is_some_and(|of| of.left.contains(&self.players[player].name))
    }

    /// Returns the sequential test, if there is one: of a match, or of the first player of a
    /// gauntlet against each opponent.
    pub fn test(&self) -> Option<Sprt> {
        self.sprt.or(self.format.sprt())
    }

    /// Returns the evidence of a match's test before the first game, if there is a test.
    pub fn evidence(&self) -> Option<Evidence> {
        let of_list = Evidence::of_list(self.openings.listed());
        self.sprt.map(|test| of_list.in_batches(test.batch()))
    }

    /// Returns the number of rounds of each meeting: whole rotations of the seats, and whole
    /// batches of a test that has some.
    pub fn rounds(&self) -> u64 {
        let rounds = self.games.div_ceil(self.seats as u64);
        let batch = self.test().and_then(Sprt::batch).unwrap_or(1);
        rounds.div_ceil(batch).saturating_mul(batch)
    }

    /// Counts repeats as the test of the stored contest does: see [`Sprt::continuing`].
    pub fn continue_test(&mut self, stored: &Contest) {
        let Some(stored) = stored.test() else { return };
        if let FormatConfig::Gauntlet { sprt: Some(test) } = &mut self.format {
            *test = test.continuing(stored);
        }
        self.sprt = self.sprt.map(|test| test.continuing(stored));
    }

    /// Returns `true` if the number of games depends on results.
    pub fn depends_on_results(&self) -> bool {
        self.sprt.is_some() || self.format.depends_on_results()
    }

    /// Returns the words that continue the contest, for messages.
    pub fn continued_by(&self) -> &'static str {
        match self.source {
            Source::Words => "--resume",
            Source::Tournament(_) | Source::Room(_) => "the same command",
        }
    }

    /// Returns the number of players that a game ranks: those at its table. In solo games it is all
    /// players, each of which plays the same instance.
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
        match &self.external {
            None => registry.open(&self.game, &self.rules),
            Some(external) => external.open(&self.rules, registry.executable),
        }
    }

    /// Returns the properties of the game.
    ///
    /// # Errors
    /// Returns an error if there is no such game.
    pub fn meta(&self, registry: &Registry) -> Result<Meta, ParseError> {
        match &self.external {
            None => Ok(registry.game(&self.game)?.meta),
            Some(external) => Ok(external.meta(&self.game)),
        }
    }

    /// Returns the openings of the rounds.
    pub fn openings(&self, game: &dyn DynGame) -> Openings {
        match &self.openings {
            OpeningSource::Drawn(plies) => {
                let rng = self.empty_schedule().openings_rng();
                let drawn = Openings::drawn(game, self.seats, *plies, rng);
                match self.kind() {
                    Kind::Room => drawn.at_most(OPENINGS_OF_A_ROOM),
                    _ => drawn,
                }
            }
            OpeningSource::Listed(setups) => Openings::listed(setups.clone()),
        }
    }

    /// Returns the names of the players.
    pub fn names(&self) -> Vec<&str> {
        self.players.iter().map(|player| player.name.as_str()).collect()
    }

    /// Describes the first difference that makes `other` another match; `None` if it is the same
    /// match. The number of games is ignored, as a match may be extended, and so are the players.
    pub fn difference(&self, other: &Contest) -> Option<String> {
        let mut facts = self.facts().into_iter().zip(other.facts());
        let differing = facts.find(|(mine, theirs)| mine != theirs);
        let texts =
            differing.map(|((what, mine), (_, theirs))| format!("{what} is {mine}, not {theirs}"));
        let path = |of: &Contest| of.tournament().and_then(|of| of.path.clone());
        let paths = path(self).zip(path(other)).filter(|(mine, theirs)| mine != theirs);
        let texts = texts.or(paths.map(|(mine, theirs)| {
            format!("its source is {}, not {}", mine.display(), theirs.display())
        }));
        // The text of a list of openings is only its digest.
        let lists =
            (self.openings != other.openings).then(|| "its list of openings differs".into());
        texts.or(lists)
    }

    /// Returns `true` if the games of all versions of a player count, and not only those of its
    /// current one: see [`FormatConfig::counts_all_versions`](format::FormatConfig).
    pub fn counts_all_versions(&self) -> bool {
        self.format.counts_all_versions()
    }

    /// Returns the format with the games that are played.
    pub fn format_text(&self) -> String {
        match self.source {
            Source::Words => "a match".into(),
            Source::Room(_) => "a room".into(),
            Source::Tournament(_) => self.format.rounded(self.seats).to_string(),
        }
    }

    /// Returns the number of games that is asked for, and the one that is played. They are of a
    /// group, or of a player in a balanced tournament. `None` if they are equal.
    pub fn rounded_games(&self) -> Option<(u64, u64)> {
        let (asked, played) = match (&self.format, self.format.rounded(self.seats)) {
            (
                FormatConfig::Balanced { games_per_player: asked },
                FormatConfig::Balanced { games_per_player: played },
            ) => (*asked, played),
            (FormatConfig::Ladder { .. }, _) => return None,
            _ => (self.games, self.rounds().saturating_mul(self.seats as u64)),
        };
        (asked != played).then_some((asked, played))
    }

    fn fixed_bots_text(&self) -> String {
        let mut bots: Vec<&FixedBot> = self.format.fixed_bots().iter().collect();
        bots.sort_by_key(|bot| &bot.name);
        let texts = bots.iter().map(|bot| format!("{} for {}", bot.name, bot.points));
        match bots.is_empty() {
            true => "empty".into(),
            false => join(texts, ", "),
        }
    }

    /// Returns what makes a match the same match, as names and values for people. Players are none
    /// of it: they may join and change.
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("its game", self.game.clone()),
            ("its list of rules", self.rules.clone()),
            (
                "its program of rules",
                self.external.as_ref().map_or("none".into(), ExternalRules::identity),
            ),
            ("its seed", self.seed.to_string()),
            ("its seeding", self.seeding.word().into()),
            ("its number of seats", self.seats.to_string()),
            ("its openings' source", self.openings.to_string()),
            ("its test", self.sprt.map_or("none".into(), |sprt| sprt.to_string())),
            ("its adjudication", self.adjudication.map_or("none".into(), |of| of.to_string())),
            ("its format", self.format_text()),
            ("its list of fixed bots", self.fixed_bots_text()),
            ("its title", self.tournament().map_or_else(String::new, |of| of.title.clone())),
        ]
    }
}

impl OpeningSource {
    /// Returns the length of a list; 0 for drawn openings, which are distinct until they run out.
    pub fn listed(&self) -> u64 {
        match self {
            OpeningSource::Drawn(_) => 0,
            OpeningSource::Listed(setups) => setups.len() as u64,
        }
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
