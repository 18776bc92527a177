//! Many games at once: workers play, one collector counts.

pub mod collector;
pub mod interrupt;
pub mod plan;

use crate::config::PlayerConfig;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::{Pairing, Schedule};
use crate::play::record::Record;
use crate::play::{play, FaultReport, Played, SeatedPlayer};
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

/// So many games may wait to be collected.
const RECORDS_AHEAD: usize = 256;

/// Where a player comes from.
#[derive(Clone)]
pub enum PlayerSource {
    /// A program.
    Program(Program),
    /// A bundled bot as a program: it is told its dialect and a seed.
    Bundled(Program),
    /// A person at the terminal.
    Person,
    /// A bundled bot in this process.
    InProcess(Factory),
}

impl PlayerSource {
    /// The program that is started, if one is.
    pub fn program(&self) -> Option<&Program> {
        match self {
            PlayerSource::Program(program) | PlayerSource::Bundled(program) => Some(program),
            PlayerSource::Person | PlayerSource::InProcess(_) => None,
        }
    }
}

/// A player of a tournament.
pub struct TournamentPlayer {
    /// What was agreed with it.
    pub config: PlayerConfig,
    /// Where it comes from.
    pub source: PlayerSource,
    /// How it is spoken to.
    pub speech: Speech,
    /// What stands between its program and the table, if anything does.
    recorder: Option<RecorderFactory>,
    proven: AtomicBool,
    given_up: OnceLock<String>,
}

/// Puts a recorder between a program and the table.
pub type RecorderFactory = Box<dyn Fn(Process) -> Box<dyn Player> + Send + Sync>;

impl TournamentPlayer {
    /// A player that has not been seen yet.
    pub fn new(config: PlayerConfig, source: PlayerSource, speech: Speech) -> Self {
        let (proven, given_up) = (AtomicBool::new(false), OnceLock::new());
        TournamentPlayer { config, source, speech, recorder: None, proven, given_up }
    }

    /// The same player, recorded.
    pub fn recorded_by(self, recorder: RecorderFactory) -> Self {
        TournamentPlayer { recorder: Some(recorder), ..self }
    }

    /// Takes it for started: it was ready before.
    pub fn prove(&self) {
        self.proven.store(true, Ordering::Relaxed);
    }

    /// Why it could not be started, if it could not.
    pub fn given_up(&self) -> Option<&str> {
        self.given_up.get().map(String::as_str)
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

    /// What a bundled bot is told on its command line: its dialect and its seed, and what dialects
    /// other than the project's own do not tell.
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

/// A tournament that can be run.
pub struct Tournament<'a> {
    /// The game.
    pub game: &'a dyn DynGame,
    /// The players.
    pub players: &'a [TournamentPlayer],
    /// Who meets whom.
    pub schedule: &'a Schedule,
    /// What the rounds start from.
    pub openings: &'a Openings,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Does each worker share one processor with the players of its game?
    pub pinned: bool,
    /// Where running programs are written down.
    pub processes: &'a ProcessGroups,
    /// Whether to go on.
    pub stop: &'a Stop,
}

impl Tournament<'_> {
    /// Plays all games but those that are `done`, unless asked to stop. `collect` takes each as it
    /// comes in, on the caller's own thread; when it breaks, the games that run are abandoned.
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
            drop(sender);
            if records.into_iter().any(|record| collect(record).is_break()) {
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

    /// Ties a worker, and with it every program that it starts, to one processor: a round trip
    /// through a pipe is several times faster when both ends share one.
    ///
    /// The processors are taken in turn from where the referee is now, so that two referees at once
    /// need not meet on the same one.
    fn pin(&self, worker: usize, here: usize) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
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

/// The games that are to be played, shared by the workers.
struct GameQueue<'a> {
    done: &'a HashSet<u64>,
    next: AtomicU64,
    abandoned: AtomicBool,
}

impl<'a> GameQueue<'a> {
    fn all_but(done: &'a HashSet<u64>) -> GameQueue<'a> {
        GameQueue { done, next: AtomicU64::new(0), abandoned: AtomicBool::new(false) }
    }

    /// The next game of so many.
    fn take(&self, count: u64) -> Option<u64> {
        let indices = std::iter::repeat_with(|| self.next.fetch_add(1, Ordering::Relaxed));
        indices.take_while(|&index| index < count).find(|index| !self.done.contains(index))
    }
}

/// Plays one game after the other, with players kept where they allow it.
struct Worker<'t, 'a> {
    tournament: &'t Tournament<'a>,
    queue: &'t GameQueue<'t>,
    players: HashMap<usize, Box<dyn Player>>,
}

impl<'t, 'a> Worker<'t, 'a> {
    fn new(tournament: &'t Tournament<'a>, queue: &'t GameQueue<'t>) -> Self {
        Worker { tournament, queue, players: HashMap::new() }
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
        self.players.drain().for_each(|(_, mut player)| player.leave(Shutdown::Finish));
    }

    fn is_abandoned(&self) -> bool {
        self.tournament.stop.at_once() || self.queue.abandoned.load(Ordering::SeqCst)
    }

    fn game(&mut self, pairing: Pairing) -> Record {
        let begun = Instant::now();
        let seats = pairing.players.len();
        let (setup, played) = match self.tournament.openings.setup(pairing.round) {
            Err(error) => (String::new(), Played::failed(seats, error)),
            Ok(setup) => {
                let played = match self.absent(&pairing) {
                    Some(played) => Ok(played),
                    None => self.play(&pairing, &setup),
                };
                (setup, played.unwrap_or_else(|error| Played::failed(seats, error)))
            }
        };
        Record { pairing, setup, played, duration: begun.elapsed() }
    }

    /// The game of a player that was given up: void without being tried again.
    fn absent(&self, pairing: &Pairing) -> Option<Played> {
        let stories = pairing.players.iter().enumerate().filter_map(|(seat, &player)| {
            let why = self.tournament.players[player].given_up()?;
            Some(FaultReport::of_absence(Seat::new(seat), Fault::NotStarted { why: why.into() }))
        });
        let faults: Vec<FaultReport> = stories.collect();
        (!faults.is_empty()).then(|| Played::never(pairing.players.len(), faults))
    }

    fn play(&mut self, pairing: &Pairing, setup: &str) -> Result<Played, RulesError> {
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
                proven: &players[*number].proven,
            })
            .collect();
        let played = play(&mut *table, &mut seated);
        for report in &played.faults {
            let player = &players[taken[report.seat.index()].0];
            match &report.fault {
                // Whoever has been ready before only met a moment without resources.
                Fault::NotStarted { why } if !player.proven.load(Ordering::Relaxed) => {
                    let _ = player.given_up.set(why.clone());
                }
                _ => {}
            }
        }
        self.players.extend(taken);
        Ok(played)
    }

    /// The players of a game, by seat. Those of the last group that are not among them go home.
    fn take_players(&mut self, pairing: &Pairing) -> Vec<(usize, Box<dyn Player>)> {
        let mut take = |number: usize| {
            let new = || self.tournament.players[number].player(self.tournament.processes);
            (number, self.players.remove(&number).unwrap_or_else(new))
        };
        let seated = pairing.players.iter().map(|&number| take(number)).collect();
        self.players.drain().for_each(|(_, mut player)| player.leave(Shutdown::Finish));
        seated
    }
}

/// A game in one line, for the log.
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
