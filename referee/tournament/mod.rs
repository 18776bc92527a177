//! Many games at once: workers play them, one collector counts them.

pub mod collector;
pub mod interrupt;
pub mod plan;

use crate::config::PlayerConfig;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::{Pairing, Schedule};
use crate::play::record::Record;
use crate::play::{play, FaultReport, PlayedGame, SeatedPlayer};
use crate::player::fault::Fault;
use crate::player::human::Person;
use crate::player::in_process::{Factory, InProcess};
use crate::player::process::Process;
use crate::player::process_group::ProcessGroups;
use crate::player::program::Program;
use crate::player::{Player, Shutdown};
use crate::registry::table::RulesError;
use crate::registry::{DynGame, Speech};
use crate::tournament::interrupt::Stop;
use arbitre_games::game::Seat;
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, OnceLock};
use std::thread;
use std::time::Instant;

/// Number of finished games that may wait for the collector. Not tuned.
const RECORDS_AHEAD: usize = 256;

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
}

impl PlayerSource {
    /// Returns the program that is started, if there is one.
    pub fn program(&self) -> Option<&Program> {
        match self {
            PlayerSource::Program(program) | PlayerSource::Bundled(program) => Some(program),
            PlayerSource::Person | PlayerSource::InProcess(_) => None,
        }
    }
}

/// Player of a tournament.
pub struct TournamentPlayer {
    /// Configuration of the player.
    pub config: PlayerConfig,
    /// Origin of the player.
    pub source: PlayerSource,
    /// Dialect that the player speaks, or text for a person.
    pub speech: Speech,
    /// Recorder of the lines that its program receives and sends, if there is one.
    recorder: Option<RecorderFactory>,
    /// Whether the player was ready, or answered, at least once.
    has_started: AtomicBool,
    /// Reason why the player could not be started. All its further games are then void.
    start_failure: OnceLock<String>,
}

/// Function that wraps a program in a recorder of the lines that it receives and sends.
pub type RecorderFactory = Box<dyn Fn(Process) -> Box<dyn Player> + Send + Sync>;

impl TournamentPlayer {
    /// Creates a player that has not been started yet.
    pub fn new(config: PlayerConfig, source: PlayerSource, speech: Speech) -> Self {
        let (has_started, start_failure) = (AtomicBool::new(false), OnceLock::new());
        TournamentPlayer { config, source, speech, recorder: None, has_started, start_failure }
    }

    /// Adds a recorder to the player.
    pub fn recorded_by(self, recorder: RecorderFactory) -> Self {
        TournamentPlayer { recorder: Some(recorder), ..self }
    }

    /// Marks the player as started in an earlier run.
    pub fn mark_started(&self) {
        self.has_started.store(true, Ordering::Relaxed);
    }

    /// Returns the reason why the player could not be started, if it was given up for that.
    pub fn given_up(&self) -> Option<&str> {
        self.start_failure.get().map(String::as_str)
    }

    fn player(&self, processes: &ProcessGroups) -> Box<dyn Player> {
        match &self.source {
            PlayerSource::Program(program) | PlayerSource::Bundled(program) => {
                let process = Process::new(program.clone(), processes.clone());
                match &self.recorder {
                    Some(recorder) => recorder(process),
                    None => Box::new(process),
                }
            }
            PlayerSource::Person => Box::<Person>::default(),
            PlayerSource::InProcess(factory) => Box::new(InProcess::new(factory.clone())),
        }
    }

    /// Returns the arguments of a bundled bot: its dialect and its seed, then the rules and the
    /// clock where its dialect does not send them.
    fn arguments(&self, seed: u64, rules: &str) -> Vec<String> {
        let (PlayerSource::Bundled(_), Speech::Dialect(dialect)) = (&self.source, self.speech)
        else {
            return Vec::new();
        };
        let seed = seed.to_string();
        let mut words = vec!["--dialect", dialect.name, "--seed", &seed];
        let clock = self.config.limits.clock.to_string();
        if !dialect.tells_rules {
            words.extend(["--rules", rules, "--clock", &clock]);
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

/// Tournament that is ready to run.
pub struct Tournament<'a> {
    /// The game.
    pub game: &'a dyn DynGame,
    /// The players.
    pub players: &'a [TournamentPlayer],
    /// Players, seats and seeds of each game.
    pub schedule: &'a Schedule,
    /// Setups of the rounds.
    pub openings: &'a Openings,
    /// Number of games played at once.
    pub concurrency: usize,
    /// Whether each worker shares one processor with the players of its game.
    pub pinned: bool,
    /// List of the running programs.
    pub processes: &'a ProcessGroups,
    /// Request to stop.
    pub stop: &'a Stop,
}

impl Tournament<'_> {
    /// Plays all games except those in `done`, unless a stop is requested. `collect` receives each
    /// game on the caller's own thread. If it breaks, the running games are abandoned.
    pub fn run(&self, done: &HashSet<u64>, mut collect: impl FnMut(Record) -> ControlFlow<()>) {
        let queue = GameQueue::all_but(done);
        let here = rustix::thread::sched_getcpu();
        thread::scope(|scope| {
            // Bounded, so that a disk that cannot keep up slows the games down.
            let (sender, records) = mpsc::sync_channel(RECORDS_AHEAD);
            for worker in 0..self.concurrency {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || {
                    self.pin(worker, here);
                    Worker::new(self, queue).work(&sender);
                });
            }
            // The channel closes when the last worker drops its sender.
            drop(sender);
            if records.into_iter().any(|record| collect(record).is_break()) {
                // Set first, so that the workers drop the games that are now cut off.
                queue.abandoned.store(true, Ordering::SeqCst);
                self.processes.end_all();
            }
        });
    }

    /// Plays one game, on the caller's own thread.
    pub fn play_one(&self, pairing: Pairing) -> Record {
        let (none, here) = (HashSet::new(), rustix::thread::sched_getcpu());
        let queue = GameQueue::all_but(&none);
        self.pin(0, here);
        Worker::new(self, &queue).game(pairing)
    }

    /// Pins a worker, and with it every program that it starts, to one processor. A round trip
    /// through a pipe is several times faster when both ends share one.
    ///
    /// Processors are assigned in order from the current one of the referee, so that two referees
    /// at once need not meet on the same one.
    fn pin(&self, worker: usize, here: usize) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
        // With more workers than processors, some would have to share one.
        if self.pinned && self.concurrency <= allowed.len() {
            let mut one = CpuSet::new();
            let first = allowed.iter().position(|&cpu| cpu == here).unwrap_or(0);
            one.set(allowed[(first + worker) % allowed.len()]);
            if let Err(error) = sched_setaffinity(None, &one) {
                log::warn!("worker {worker} runs on any processor: {error}");
            }
        }
    }
}

/// Games to be played, shared by the workers.
struct GameQueue<'a> {
    done: &'a HashSet<u64>,
    next: AtomicU64,
    abandoned: AtomicBool,
}

impl<'a> GameQueue<'a> {
    fn all_but(done: &'a HashSet<u64>) -> GameQueue<'a> {
        GameQueue { done, next: AtomicU64::new(0), abandoned: AtomicBool::new(false) }
    }

    /// Returns the next game below `count` that is not done.
    fn take(&self, count: u64) -> Option<u64> {
        let indices = std::iter::repeat_with(|| self.next.fetch_add(1, Ordering::Relaxed));
        indices.take_while(|&index| index < count).find(|index| !self.done.contains(index))
    }
}

/// Worker that plays one game after another, and keeps players where they allow it.
struct Worker<'t, 'a> {
    tournament: &'t Tournament<'a>,
    queue: &'t GameQueue<'t>,
    /// The tournament's list. If this worker is pinned, with a launcher that inherits its
    /// processor.
    processes: ProcessGroups,
    players: HashMap<usize, Box<dyn Player>>,
}

impl<'t, 'a> Worker<'t, 'a> {
    fn new(tournament: &'t Tournament<'a>, queue: &'t GameQueue<'t>) -> Self {
        let processes = match tournament.pinned {
            true => tournament.processes.with_own_launcher(),
            false => tournament.processes.clone(),
        };
        Worker { tournament, queue, processes, players: HashMap::new() }
    }

    fn work(&mut self, records: &mpsc::SyncSender<Record>) {
        let Tournament { schedule, stop, players, .. } = self.tournament;
        while !stop.requested() && !self.is_abandoned() {
            let Some(index) = self.queue.take(schedule.games()) else { break };
            let record = self.game(schedule.pairing(index));
            // A game that was cut off says nothing about its players.
            if self.is_abandoned() {
                break;
            }
            log::info!("game {index}: {}", describe(&record, players));
            if records.send(record).is_err() {
                break;
            }
        }
        self.dismiss();
    }

    /// Ends the players that were kept.
    fn dismiss(&mut self) {
        self.players.values_mut().for_each(|player| player.leave(Shutdown::Finish));
        self.players.clear();
    }

    fn is_abandoned(&self) -> bool {
        self.tournament.stop.at_once() || self.queue.abandoned.load(Ordering::SeqCst)
    }

    fn game(&mut self, pairing: Pairing) -> Record {
        let begun = Instant::now();
        let seats = pairing.players.len();
        let (setup, played) = match self.tournament.openings.setup(pairing.round) {
            Err(error) => (String::new(), PlayedGame::failed(seats, error)),
            Ok(setup) => {
                let played = match self.absent(&pairing) {
                    Some(played) => Ok(played),
                    None => self.play(&pairing, &setup),
                };
                (setup, played.unwrap_or_else(|error| PlayedGame::failed(seats, error)))
            }
        };
        Record { pairing, setup, played, duration: begun.elapsed() }
    }

    /// Returns the game of a player that was given up: void, without another attempt.
    fn absent(&self, pairing: &Pairing) -> Option<PlayedGame> {
        let stories = pairing.players.iter().enumerate().filter_map(|(seat, &player)| {
            let why = self.tournament.players[player].given_up()?;
            Some(FaultReport::of_absence(Seat::new(seat), Fault::NotStarted { why: why.into() }))
        });
        let faults: Vec<FaultReport> = stories.collect();
        (!faults.is_empty()).then(|| PlayedGame::not_started(pairing.players.len(), faults))
    }

    fn play(&mut self, pairing: &Pairing, setup: &str) -> Result<PlayedGame, RulesError> {
        let players = self.tournament.players;
        let speech: Vec<Speech> = pairing.players.iter().map(|&p| players[p].speech).collect();
        let mut table = self.tournament.game.table(setup, &speech)?;
        let rules = self.tournament.game.rules();
        let mut taken = self.take_players(pairing);
        let mut seated: Vec<SeatedPlayer> = taken
            .iter_mut()
            .zip(&pairing.seeds)
            .map(|((number, player), &seed)| SeatedPlayer {
                player: &mut **player,
                limits: &players[*number].config.limits,
                arguments: players[*number].arguments(seed, &rules),
                seed,
                label: format!("game {} {}", pairing.index, players[*number].config.name),
                has_started: &players[*number].has_started,
            })
            .collect();
        let played = play(&mut *table, &mut seated);
        for report in &played.faults {
            let player = &players[taken[report.seat.index()].0];
            match &report.fault {
                // A player that was ready before lacks resources only for the moment: it is not
                // given up.
                Fault::NotStarted { why } if !player.has_started.load(Ordering::Relaxed) => {
                    let _ = player.start_failure.set(why.clone());
                }
                _ => {}
            }
        }
        self.players.extend(taken);
        Ok(played)
    }

    /// Takes the players of a game, by seat. Those of the last group that do not play in it leave.
    fn take_players(&mut self, pairing: &Pairing) -> Vec<(usize, Box<dyn Player>)> {
        let mut take = |number: usize| {
            let new = || self.tournament.players[number].player(&self.processes);
            (number, self.players.remove(&number).unwrap_or_else(new))
        };
        let seated = pairing.players.iter().map(|&number| take(number)).collect();
        self.dismiss();
        seated
    }
}

/// Returns a game in one line, for the log.
fn describe(record: &Record, players: &[TournamentPlayer]) -> String {
    let name = |seat: usize| players[record.pairing.players[seat]].config.name.as_str();
    let mut parts: Vec<String> = match &record.played.outcome {
        Some(outcome) => {
            (0..).zip(&outcome.scores).map(|(i, score)| format!("{} {score}", name(i))).collect()
        }
        None => vec!["void".into()],
    };
    parts.push(format!("{} moves", record.played.plies.len()));
    let faults = record.played.faults.iter();
    parts.extend(
        faults.map(|report| format!("{} of {}", report.fault.word(), name(report.seat.index()))),
    );
    parts.join(", ")
}
