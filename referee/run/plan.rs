//! From a configuration to a match that can be played: finds programs and draws openings.

use crate::config::player_arg::CommandKind;
use crate::config::{Contest, Kind, OpeningSource, PlayerConfig, ResolvedContest};
use crate::failure::Failure;
use crate::formats::openings::Openings;
use crate::formats::stages::Stages;
use crate::play::pairing::GameId;
use crate::play::FaultReport;
use crate::player::digest::{named_files, ProgramFiles};
use crate::player::fault::Fault;
use crate::player::human::shows_colours;
use crate::player::program;
use crate::registry::{DynGame, Registry, Speech};
use crate::run::allocation;
use crate::run::collector::TEST_WINDOW;
use crate::run::interrupt::Stop;
use crate::run::player::{PlannedPlayer, PlayerSource};
use crate::run::processors::{check_fit, default_concurrency, per_game, processors};
use crate::run::queue::GameQueue;
use crate::run::roster::Field;
use crate::run::sandboxes::{ProgramSandboxes, SandboxPolicy};
use crate::run::setting::Workers;
use crate::run::version_watch::VersionWatch;
use crate::store::Archive;
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use std::collections::{BTreeMap, HashSet};
use std::io::stderr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Match that can be played.
pub struct Plan {
    /// The configuration.
    pub config: Contest,
    /// The game with its rules.
    pub game: Box<dyn DynGame>,
    /// The players.
    pub players: Vec<PlannedPlayer>,
    /// Stages that are known, without results.
    pub stages: Stages,
    /// Setups by round.
    pub openings: Openings,
    /// Number of games played at once.
    pub concurrency: usize,
    /// Sandboxes of the programs; `None` if all players are bundled bots or people.
    pub sandboxes: Option<ProgramSandboxes>,
    /// Files of each player's program; none for a bundled bot or a person.
    files: Vec<Option<ProgramFiles>>,
}

impl Plan {
    /// Finds the programs of a contest, which have no sandboxes yet, and draws its first opening.
    /// `stored` is the contest as it was stored, if it goes on.
    ///
    /// # Errors
    /// Returns an error if a program cannot be used, or put into a sandbox as required, or there
    /// are no such openings.
    pub fn new(
        resolved: ResolvedContest,
        stored: Option<&Archive>,
        registry: &Registry,
        concurrency: Option<u16>,
        policy: &SandboxPolicy,
    ) -> Result<Plan, Failure> {
        let ResolvedContest { mut config, game, commands, .. } = resolved;
        let with_commands = config.players.iter().zip(&commands);
        let mut players = with_commands
            .map(|(player, kind)| planned_player(player, kind, &*game, registry))
            .collect::<Result<Vec<_>, Failure>>()?;
        let files = files_of(&players);
        for ((player, kind), files) in players.iter_mut().zip(&commands).zip(&files) {
            // That of a player that cannot play stays.
            if !matches!(kind, CommandKind::Absent(_)) {
                player.config.version = version_of(kind, files.as_ref(), registry);
            }
        }
        config.players = players.iter().map(|player| player.config.clone()).collect();
        let mut stages = match stored {
            Some(archive) => Stages::of(&config, archive.stages()?)?,
            None => Stages::of(&config, Vec::new())?,
        };
        for (number, player) in players.iter().enumerate() {
            if player.start_failure().is_some() {
                stages.miss(number);
            }
        }
        let openings = config.openings(&*game);
        if let (OpeningSource::Drawn(plies), true) = (&config.openings, openings.is_empty()?) {
            let message = match plies {
                0 => "expected a random start under these rules, got none".into(),
                _ => format!(
                    "--openings: expected a possible length under these rules, got {plies}; help: try \
                     --openings 0"
                ),
            };
            return Err(Failure::Usage(message));
        }
        let sandboxes = policy.sandboxes(&players)?;
        // A person plays one game at a time.
        let with_a_person = commands.contains(&CommandKind::Human);
        let per_game = per_game(config.players.iter().map(|player| &player.limits), config.seats);
        check_fit(concurrency, per_game)?;
        let concurrency =
            if with_a_person { 1 } else { default_concurrency(concurrency, per_game) };
        let games = match config.kind() {
            Kind::Room => usize::MAX,
            _ => usize::try_from(stages.most_games()).unwrap_or(usize::MAX),
        };
        let concurrency = concurrency.min(games.max(1));
        Ok(Plan { config, game, players, stages, openings, concurrency, sandboxes, files })
    }

    /// Puts the programs into their sandboxes. The file of the match must exist, as it is hidden.
    pub fn apply_sandboxes(&mut self, policy: &SandboxPolicy) {
        policy.apply(&mut self.players);
    }

    /// Returns the queue of a run: trials of these players, then the games of the stages as they
    /// come, except those in `played`. The games are numbered from `first` on. Programs that change
    /// are noticed where their games can be played again.
    pub fn queue(&self, tried: Vec<usize>, played: HashSet<GameId>, first: u64) -> GameQueue {
        let queue = GameQueue::new(&self.config.empty_schedule(), played)
            .with_numbers_from(first)
            .with_trials(tried)
            .with_stages();
        let queue = match self.config.counts_all_versions() {
            true => queue,
            false => queue.with_watch(VersionWatch::new(self.files.clone())),
        };
        match self.config.sprt {
            Some(_) => queue.with_window(TEST_WINDOW),
            None => queue,
        }
    }

    /// Returns the players that are tried before the first game.
    pub fn tried(&self) -> Vec<usize> {
        let needs_trial = |&number: &usize| self.players[number].program_of_others().is_some();
        (0..self.players.len()).filter(needs_trial).collect()
    }

    /// Returns the players that could not be started, by name, with the report of the failure.
    pub fn not_started(&self) -> BTreeMap<String, FaultReport> {
        let failure = |player: &PlannedPlayer| {
            Some((player.config.name.clone(), player.start_failure()?.clone()))
        };
        self.players.iter().filter_map(failure).collect()
    }

    /// Returns `true` if the machine lacks the resources for a player that was never started. The
    /// run then ends, as a contest without that player would be another one.
    pub fn lacks_resources(&self) -> bool {
        let is_lack = |report: &FaultReport| report.fault.is_lack_of_resources();
        self.players.iter().any(|player| player.start_failure().is_some_and(is_lack))
    }

    /// Returns `true` if the machine lacked the resources to start a player for a game.
    pub fn has_lacked_resources(&self) -> bool {
        let has_lacked =
            |player: &PlannedPlayer| player.has_lacked_resources.load(Ordering::Relaxed);
        self.lacks_resources() || self.players.iter().any(has_lacked)
    }

    /// Returns the failure of a command for which the machine lacked resources.
    pub fn lack_of_resources(&self) -> Option<Failure> {
        let lack = || {
            Failure::Unavailable(format!("{LACK_OF_RESOURCES}{HELP}see ulimit -u and ulimit -n"))
        };
        self.has_lacked_resources().then(|| start_failure(&self.players).unwrap_or_else(lack))
    }

    /// Returns the number of processors that the games need which run at once, and the number that
    /// this machine has, if it has fewer.
    pub fn crowd(&self) -> Option<(usize, usize)> {
        let limits = self.config.players.iter().map(|player| &player.limits);
        let needed = self.concurrency * per_game(limits, self.config.seats);
        Some((needed, processors())).filter(|(needed, there)| needed > there)
    }

    /// Returns the memory that the programs at once may use, and the memory that a scheduler or a
    /// container grants, if it is less.
    pub fn memory_shortage(&self) -> Option<(u64, u64)> {
        let is_program = |player: &&PlannedPlayer| {
            player.program_of_others().is_some() && player.config.sandbox.profile.is_some()
        };
        let limits = self.players.iter().filter(is_program).map(|of| of.config.sandbox.memory);
        let mut limits: Vec<u64> = limits.collect();
        limits.sort_unstable_by(|a, b| b.cmp(a));
        let of_game: u64 = limits.iter().take(self.config.seats).sum();
        let needed = of_game.saturating_mul(self.concurrency as u64);
        Some((needed, allocation::memory()?)).filter(|(needed, granted)| needed > granted)
    }

    /// Returns `true` if a person plays at the terminal.
    pub fn has_a_person(&self) -> bool {
        self.players.iter().any(PlannedPlayer::is_person)
    }

    /// Returns the workers of this plan.
    pub fn workers<'a>(
        &'a self,
        pinned: bool,
        processes: &'a ProcessGroups,
        stop: &'a Stop,
    ) -> Workers<'a> {
        Workers {
            game: &*self.game,
            players: Field::Fixed(&self.players),
            schedule: self.stages.games(),
            openings: &self.openings,
            adjudication: self.config.adjudication.as_ref(),
            concurrency: self.concurrency,
            pinned,
            processes,
            stop,
            spectator: None,
        }
    }
}

/// Finds a player on this machine.
///
/// # Errors
/// Returns an error if its program cannot be used.
pub fn planned_player(
    config: &PlayerConfig,
    kind: &CommandKind,
    game: &dyn DynGame,
    registry: &Registry,
) -> Result<PlannedPlayer, Failure> {
    let source = match kind {
        CommandKind::Human => {
            let speech = Speech::Person { colour: shows_colours(&stderr()) };
            return Ok(PlannedPlayer::new(config.clone(), PlayerSource::Person, speech));
        }
        CommandKind::Absent(why) => {
            let speech = Speech::Dialect(game.dialect(&config.dialect)?);
            return Ok(PlannedPlayer::absent(config.clone(), speech, why.clone()));
        }
        CommandKind::Bundled(name, arguments) => {
            let bot = registry.bot(name).expect("a bundled command names a bundled bot");
            // Built and dropped, so that wrong arguments are reported before the match.
            bot.console(arguments)?;
            let program = program::bundled(registry.executable, name, arguments);
            PlayerSource::Bundled(program)
        }
        CommandKind::External(words) => {
            let program = match &config.environment.own_folder {
                Some(own) => {
                    let folder = Path::new(&config.environment.folder).join(own);
                    program::find_in(&folder, words, &[])
                }
                None => program::find(words, &registry.bot_names()),
            };
            let program = program.map_err(|why| Failure::Player(why.to_string()))?;
            PlayerSource::Program(program.launched_by(registry.executable))
        }
    };
    let speech = Speech::Dialect(game.dialect(&config.dialect)?);
    Ok(PlannedPlayer::new(config.clone(), source, speech))
}

/// Returns the files of each player's program; none for a bundled bot or a person.
fn files_of(players: &[PlannedPlayer]) -> Vec<Option<ProgramFiles>> {
    let programs = || players.iter().filter_map(PlannedPlayer::program_of_others);
    let files = |player: &PlannedPlayer| {
        let program = player.program_of_others()?;
        let others = programs().filter(|other| *other != program);
        let others: Vec<PathBuf> = others.flat_map(named_files).collect();
        Some(ProgramFiles::of(program, &others))
    };
    players.iter().map(files).collect()
}

/// Returns the text that distinguishes versions of a player: the digest of its files, or the words
/// of a bundled bot with the signature of its engines.
fn version_of(kind: &CommandKind, files: Option<&ProgramFiles>, registry: &Registry) -> String {
    match (kind, files) {
        (CommandKind::Bundled(name, arguments), _) => {
            let signature = registry.bot(name).map_or(0, |bot| bot.signature());
            let words = std::iter::once(name).chain(arguments);
            format!("{} engine {signature}", shell_words::join(words))
        }
        (CommandKind::Human, _) => "person".into(),
        (CommandKind::Absent(_), _) => String::new(),
        (CommandKind::External(_), files) => {
            files.map_or_else(String::new, |files| files.digest().to_owned())
        }
    }
}

/// Error of a machine that lacks resources for a player.
pub const LACK_OF_RESOURCES: &str =
    "expected processes, open files and memory for every player, got too few on this machine";

/// Returns the failure of a match in which a player could not be started.
pub fn start_failure(players: &[PlannedPlayer]) -> Option<Failure> {
    let (player, report) =
        players.iter().find_map(|player| Some((player, player.start_failure()?)))?;
    let why = report.fault.reason();
    let what = format!("{} could not be started: {why}", player.config.name);
    Some(failed_start(&report.fault, what))
}

/// Returns the failure of a command for which a player could not be started.
pub fn failed_start(fault: &Fault, what: String) -> Failure {
    match fault.is_lack_of_resources() {
        true => Failure::Unavailable(what),
        false => Failure::Player(what),
    }
}
