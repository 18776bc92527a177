//! Rules in another process. Programs serve the rules of a game to this referee. At the other end,
//! this referee serves the rules of its games to arenas and to programs that train bots.

pub mod batch;
pub mod brutaltester;
pub mod game;
mod lines;
pub mod psyleague;
pub mod random;
mod recorded;
pub mod sdk;
pub mod step;
pub mod words;

use crate::config::sandbox_args::surroundings;
use crate::failure::Failure;
use crate::player::digest::VersionKind;
use crate::player::program;
use crate::registry::entry::ArenaInfo;
use crate::registry::{DynGame, GameInfo, OpenGame, OpenedGame, RAW};
use arbitre_games::dialect::DialectInfo;
use arbitre_games::game::{Meta, ParseError};
use arbitre_games::text::HELP;
use arbitre_process::program::Program;
use arbitre_process::sandbox::command::CommandFiles;
use arbitre_process::sandbox::probe::probe;
use arbitre_process::sandbox::SandboxConfig;
use brutaltester::{check_mode, name_of, BrutaltesterGame};
use game::ExternalGame;
use sdk::source::{self, Means, Source};
use sdk::SdkGame;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Advice on a program that serves no game.
const REQUESTS: &str =
    "; help: docs/external.md has the requests, and referee new-game python DIR writes an example";

/// Advice on a program that is no game of CodinGame's SDK.
const SDK_GAMES: &str = "; help: docs/external.md says what --arena codingame-sdk plays";

/// Conditions of players that speak the lines of an arena: those of CodinGame's SDK, unless a game
/// sets others.
const ARENAS: &[ArenaInfo] = &[ArenaInfo {
    name: DialectInfo::CODINGAME.name,
    dialect: RAW.name,
    rules: "",
    options: &["first-move-time=1s", "move-time=50ms", "overtime=50ms", "memory=768MiB"],
    starters: &[],
}];

/// Protocol of a program with rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Requests of `docs/external.md`.
    #[default]
    Own,
    /// Commands of a referee program for cg-brutaltester, in its old mode.
    Brutaltester,
    /// Arguments of a referee program for cg-brutaltester, in its new mode. Matches of version 0.2
    /// have it: their games can be read, but neither repeated nor continued.
    BrutaltesterNew,
    /// Messages of CodinGame's SDK.
    CodingameSdk,
}

impl Protocol {
    fn is_own(&self) -> bool {
        *self == Protocol::Own
    }
}

/// Program with the rules of a match, as it is stored with the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExternalRules {
    /// Command as written by the user.
    pub command: String,
    /// Protocol of the program.
    #[serde(default, skip_serializing_if = "Protocol::is_own")]
    pub protocol: Protocol,
    /// Folder in which it was given.
    folder: String,
    /// Digest of its files.
    pub digest: String,
    /// Class path of the classes that were built from the folder of the command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    class_path: Vec<String>,
    /// Sandbox of the program.
    pub sandbox: SandboxConfig,
    /// Smallest and largest number of seats of the game.
    seats: (usize, usize),
    /// Whether the smaller score is better.
    lower_is_better: bool,
}

impl ExternalRules {
    /// Starts the program of a command, and returns its rules with the entry of its game.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or does not serve a game.
    pub fn find(
        command: &str,
        protocol: Protocol,
        class_path: Option<&str>,
        sandbox: SandboxConfig,
        executable: &'static Path,
    ) -> Result<(ExternalRules, GameInfo), Failure> {
        let folder = env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
        let mut rules = ExternalRules {
            command: command.into(),
            protocol,
            folder,
            digest: String::new(),
            class_path: Vec::new(),
            sandbox,
            seats: (1, 1),
            lower_is_better: false,
        };
        if protocol == Protocol::CodingameSdk {
            return rules.find_sdk(class_path, executable);
        }
        let program = rules.program(executable)?;
        rules.digest = VersionKind::Digest.version(&rules.inner()?);
        if protocol != Protocol::Own {
            check_mode(&program)?;
            let info = brutaltester::info(program, &name_of(&rules.inner()?))?;
            (rules.seats, rules.lower_is_better) = (info.meta.seats, info.meta.lower_is_better);
            return Ok((rules, info));
        }
        let game = ExternalGame::open(program.clone(), "")
            .map_err(|why| Failure::Data(format!("--external: {why}{REQUESTS}")))?;
        let meta = game.meta();
        (rules.seats, rules.lower_is_better) = (meta.seats, meta.lower_is_better);
        let open = move |options: &str| ExternalGame::open(program.clone(), options);
        let open: OpenGame = Arc::new(move |options| Ok(Box::new(open(options)?)));
        let (opening_plies, speech) = (game.opening_plies(), game.speech());
        let arenas = if *speech == RAW { ARENAS } else { &[] };
        let dialects = vec![speech];
        let info = GameInfo { opening_plies, dialects, arenas, ..GameInfo::elsewhere(meta, open) };
        Ok((rules, info))
    }

    /// Finds a game of CodinGame's SDK, which is built if it must be.
    fn find_sdk(
        mut self,
        class_path: Option<&str>,
        executable: &'static Path,
    ) -> Result<(ExternalRules, GameInfo), Failure> {
        let words = self.words()?;
        let level = probe(executable).level;
        let means = Means { sandbox: &self.sandbox, level, executable, class_path };
        let source = Source::find(&words, &means)?;
        let facts = source::facts(&words)?;
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        self.class_path = source.class_path().iter().map(path).collect();
        self.digest = source.digest()?;
        self.seats = facts.seats;
        let title = facts.title.map(|title| -> &'static str { title.leak() });
        let meta = self.meta(&source.name(&words));
        let meta = Meta { title: title.unwrap_or(meta.title), ..meta };
        let game = self.open_sdk(&source, meta, "", executable)?;
        game.try_start().map_err(|why| Failure::Data(format!("--external: {why}{SDK_GAMES}")))?;
        let rules = self.clone();
        let open = move |options: &str| rules.open_sdk(&source, meta, options, executable);
        let open: OpenGame = Arc::new(move |options| Ok(Box::new(open(options)?)));
        let (dialects, arenas) = (vec![&RAW], sdk::ARENAS);
        Ok((self, GameInfo { dialects, arenas, ..GameInfo::elsewhere(meta, open) }))
    }

    fn open_sdk(
        &self,
        source: &Source,
        meta: Meta,
        options: &str,
        executable: &Path,
    ) -> Result<SdkGame, ParseError> {
        SdkGame::open(meta, options, |league| {
            source.programs(league, |program, paths| self.confined(program, paths, executable))
        })
    }

    /// Opens the game of a stored match.
    ///
    /// # Errors
    /// Returns an error if the program is not there or has changed, or does not know the options.
    pub fn open(&self, options: &str, executable: &Path) -> OpenedGame {
        self.refuse_retired()?;
        let here = env::current_dir().unwrap_or_default();
        if here != Path::new(&self.folder) {
            return Err(ParseError::new(format!(
                "expected the folder {} of its rules, got {}{HELP}run the command there",
                self.folder,
                here.display()
            )));
        }
        if self.version_now()? != self.digest {
            return Err(ParseError::new(format!(
                "expected the rules with which it was played, got others: {} has changed",
                self.command
            )));
        }
        if self.protocol == Protocol::CodingameSdk {
            let words = self.words()?;
            let source = Source::stored(&words, &self.class_path);
            let meta = self.meta(&source.name(&words));
            return Ok(Box::new(self.open_sdk(&source, meta, options, executable)?));
        }
        let program = self.program(executable)?;
        let inner = self.inner()?;
        Ok(match self.protocol {
            Protocol::Own => Box::new(ExternalGame::open(program, options)?),
            _ => Box::new(BrutaltesterGame::open(program, &name_of(&inner), options)?),
        })
    }

    /// Refuses rules whose protocol is no longer spoken.
    ///
    /// # Errors
    /// Returns an error if they are such rules.
    pub fn refuse_retired(&self) -> Result<(), ParseError> {
        match self.protocol {
            Protocol::Own | Protocol::Brutaltester | Protocol::CodingameSdk => Ok(()),
            Protocol::BrutaltesterNew => Err(ParseError::new(format!(
                "expected rules that can be started, got '{}' of cg-brutaltester's new mode, which is no \
                 longer played{HELP}list, show, report and export read its games",
                self.command
            ))),
        }
    }

    /// Takes over the version of these rules as it was stored before, if it is still the same.
    ///
    /// # Errors
    /// Returns an error if the program is not there.
    pub fn keep_version(&mut self, before: &ExternalRules) -> Result<(), ParseError> {
        if before.protocol != Protocol::CodingameSdk
            && VersionKind::of(&before.digest).version(&self.inner()?) == before.digest
        {
            self.digest.clone_from(&before.digest);
        }
        Ok(())
    }

    /// Returns the version of the program as it is now, as the stored one was computed.
    fn version_now(&self) -> Result<String, ParseError> {
        match self.protocol {
            Protocol::CodingameSdk => Source::stored(&self.words()?, &self.class_path).digest(),
            _ => Ok(VersionKind::of(&self.digest).version(&self.inner()?)),
        }
    }

    /// Returns the text that distinguishes these rules from others.
    pub fn identity(&self) -> String {
        match self.protocol {
            Protocol::Own => self.digest.clone(),
            Protocol::Brutaltester | Protocol::BrutaltesterNew => {
                format!("{} for brutaltester", self.digest)
            }
            Protocol::CodingameSdk => format!("{} for codingame-sdk", self.digest),
        }
    }

    /// Returns the properties of the game, whose name is `name`.
    pub fn meta(&self, name: &str) -> Meta {
        let ExternalRules { seats, lower_is_better, .. } = *self;
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        Meta { name, title: name, summary: "", seats, lower_is_better }
    }

    /// Returns the words of the command, at least one.
    fn words(&self) -> Result<Vec<String>, ParseError> {
        let refuse = |expected: &str| {
            ParseError::new(format!("--external: expected {expected}, got '{}'", self.command))
        };
        let words = shell_words::split(&self.command).map_err(|_| refuse("closed quotes"))?;
        if words.is_empty() {
            return Err(refuse("a command"));
        }
        Ok(words)
    }

    /// Returns the program of the command.
    fn inner(&self) -> Result<Program, ParseError> {
        program::find(&self.words()?, &[])
            .map_err(|why| ParseError::new(format!("--external: {why}")))
    }

    /// Returns the program in its sandbox.
    fn program(&self, executable: &Path) -> Result<Program, ParseError> {
        Ok(self.confined(self.inner()?, &[], executable))
    }

    /// Returns a program in its sandbox, unless there is to be none. It may read these paths, too.
    fn confined(&self, program: Program, paths: &[PathBuf], executable: &Path) -> Program {
        let (around, mut sandbox) = (surroundings(), self.sandbox.clone());
        sandbox.read.extend(paths.iter().cloned());
        // A script finds its modules, also in a home.
        let own = CommandFiles::find(&program.path, &program.arguments, &around);
        sandbox.read.extend(own.beside(&around));
        sandbox.read.extend(own.paths);
        let program = program.launched_by(executable);
        if self.sandbox.profile.is_none() {
            return program;
        }
        let level = probe(executable).level;
        let (path, arguments) = (&program.path, &program.arguments);
        let sandbox = sandbox.sandbox_for(path, arguments, &around, level);
        program.in_sandbox(sandbox)
    }
}
