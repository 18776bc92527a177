//! Players of a tournament: where they come from, and whether they could be started.

use crate::config::PlayerConfig;
use crate::play::FaultReport;
use crate::player::fault::Fault;
use crate::player::human::Person;
use crate::player::in_process::{Factory, InProcess};
use crate::player::script::Script;
use crate::player::Player;
use crate::registry::Speech;
use arbitre_games::game::Seat;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use rustix::thread::CpuSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Origin of a player.
#[derive(Clone)]
pub enum PlayerSource {
    /// A program.
    Program(Program),
    /// A bundled bot as a program, which receives its dialect and a seed as arguments.
    Bundled(Program),
    /// A person at the terminal.
    Person,
    /// A bundled bot in this process.
    InProcess(Factory),
    /// A program on a machine of its own.
    Connected(Connected),
    /// A person at the board of a page, for which this creates the player of a game.
    AtBoard(Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>),
    /// None: it cannot play.
    Absent,
}

impl PlayerSource {
    /// Returns the program that is started, if there is one.
    pub fn program(&self) -> Option<&Program> {
        match self {
            PlayerSource::Program(program) | PlayerSource::Bundled(program) => Some(program),
            PlayerSource::Person
            | PlayerSource::InProcess(_)
            | PlayerSource::Connected(_)
            | PlayerSource::AtBoard(_)
            | PlayerSource::Absent => None,
        }
    }
}

/// Program on a machine of its own, as the server of its connection hands it over.
#[derive(Clone)]
pub struct Connected {
    /// Number of games that it plays at once.
    pub tables: usize,
    /// Creates the player for a game.
    pub player: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
}

/// Player of a tournament.
pub struct PlannedPlayer {
    /// Configuration of the player.
    pub config: PlayerConfig,
    /// Origin of the player.
    pub source: PlayerSource,
    /// Dialect that the player speaks, or text for a person.
    pub speech: Speech,
    /// Recorder of the lines that its program receives and sends, if there is one.
    recorder: Option<RecorderFactory>,
    /// Whether the player was ready, or answered, at least once.
    pub(super) has_started: AtomicBool,
    /// Report of the failure to start the player, or to judge it. All its further games are then
    /// void.
    start_failure: OnceLock<FaultReport>,
    /// Number of games in a row in which the player could not be judged.
    unjudged: AtomicU32,
    /// Whether the player was seen on processors that it was not given.
    pub(super) has_left: AtomicBool,
    /// Whether the machine lacked the resources to start the player for a game.
    pub(super) has_lacked_resources: AtomicBool,
}

/// Function that wraps a program in a recorder of the lines that it receives and sends.
pub type RecorderFactory = Box<dyn Fn(Process) -> Box<dyn Player> + Send + Sync>;

impl PlannedPlayer {
    /// Creates a player that has not been started yet.
    pub fn new(config: PlayerConfig, source: PlayerSource, speech: Speech) -> Self {
        // A person who sat down at the board is there before its first move.
        let has_started = matches!(source, PlayerSource::AtBoard(_)).into();
        PlannedPlayer {
            config,
            source,
            speech,
            recorder: None,
            has_started,
            start_failure: OnceLock::new(),
            unjudged: AtomicU32::default(),
            has_left: AtomicBool::default(),
            has_lacked_resources: AtomicBool::default(),
        }
    }

    /// Creates a player that cannot play.
    pub fn absent(config: PlayerConfig, speech: Speech, why: String) -> Self {
        let player = PlannedPlayer::new(config, PlayerSource::Absent, speech);
        let fault = Fault::NotStarted { why, is_by_machine: false };
        player.give_up(FaultReport::of_absence(Seat::new(0), fault));
        player
    }

    /// Returns its program, if it is one of others.
    pub fn program_of_others(&self) -> Option<&Program> {
        match &self.source {
            PlayerSource::Program(program) => Some(program),
            _ => None,
        }
    }

    /// Returns `true` for a person.
    pub fn is_person(&self) -> bool {
        matches!(self.source, PlayerSource::Person | PlayerSource::AtBoard(_))
    }

    /// Returns the number of games that it can play at once; none if only this machine limits it.
    pub fn most_at_once(&self) -> Option<usize> {
        match &self.source {
            PlayerSource::Connected(connected) => Some(connected.tables),
            _ => None,
        }
    }

    /// Returns the protection that the sandbox of its program gives; `None` for a player that is no
    /// program of others.
    pub fn sandbox_level(&self) -> Option<Level> {
        let program = self.program_of_others()?;
        Some(program.sandbox.as_ref().map_or(Level::None, |of| of.layers.level))
    }

    /// Adds a recorder to the player.
    pub fn recorded_by(self, recorder: RecorderFactory) -> Self {
        PlannedPlayer { recorder: Some(recorder), ..self }
    }

    /// Takes note that the player could be judged in a game.
    pub(super) fn was_judged(&self) {
        self.unjudged.store(0, Ordering::Relaxed);
    }

    /// Takes note that the player could not be judged. Returns how often that happened in a row.
    pub(super) fn was_not_judged(&self) -> u32 {
        self.unjudged.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns `true` if the player could be judged in its last game.
    pub(super) fn is_judged(&self) -> bool {
        self.unjudged.load(Ordering::Relaxed) == 0
    }

    /// Returns the report of the failure to start or to judge the player, if it was given up.
    pub fn start_failure(&self) -> Option<&FaultReport> {
        self.start_failure.get()
    }

    /// Returns the reason why the player could not be started or judged, if it was given up.
    pub fn given_up(&self) -> Option<String> {
        self.start_failure().map(|report| report.fault.reason())
    }

    /// Gives the player up. Only the first report is kept.
    pub(super) fn give_up(&self, report: FaultReport) {
        let _ = self.start_failure.set(report);
    }

    /// Creates the player, which is not started yet. Its program will run on `processors`, else on
    /// those of the calling thread.
    pub(super) fn player(
        &self,
        processes: &ProcessGroups,
        processors: Option<CpuSet>,
    ) -> Box<dyn Player> {
        match &self.source {
            PlayerSource::Program(program) | PlayerSource::Bundled(program) => {
                let mut process = Process::new(program.clone(), processes.clone());
                processors.into_iter().for_each(|processors| process.set_processors(processors));
                match &self.recorder {
                    Some(recorder) => recorder(process),
                    None => Box::new(process),
                }
            }
            PlayerSource::Person => Box::<Person>::default(),
            // Its games are skipped, so it is never asked.
            PlayerSource::Absent => Box::new(Script::new([])),
            PlayerSource::Connected(connected) => (connected.player)(),
            PlayerSource::AtBoard(player) => player(),
            PlayerSource::InProcess(factory) => Box::new(InProcess::new(factory.clone())),
        }
    }

    /// Returns the arguments of a bundled bot: its dialect, then the seed, the rules and the clock
    /// where its dialect does not send them. A seed of its own stays.
    pub(super) fn arguments(&self, seed: u64, rules: &str) -> Vec<String> {
        let (PlayerSource::Bundled(program), Speech::Dialect(dialect)) =
            (&self.source, self.speech)
        else {
            return Vec::new();
        };
        let seed = seed.to_string();
        let mut words = vec!["--dialect", dialect.name];
        let clock = self.config.limits.clock.to_string();
        if !dialect.tells_rules {
            words.extend(["--rules", rules, "--clock", &clock]);
            let is_seed = |word: &String| word == "--seed" || word.starts_with("--seed=");
            if !program.arguments.iter().any(is_seed) {
                words.extend(["--seed", &seed]);
            }
        }
        words.into_iter().map(str::to_owned).collect()
    }
}
