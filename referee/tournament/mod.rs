//! Many games at once: workers play, one collector counts.

pub mod collector;
pub mod interrupt;

use crate::config::command::Program;
use crate::config::Party;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::{Fixture, Schedule};
use crate::play::record::Record;
use crate::play::{play, Played, Sitter, Story};
use crate::player::fault::Fault;
use crate::player::human::Person;
use crate::player::in_process::InProcess;
use crate::player::process::Process;
use crate::player::process_group::Herd;
use crate::player::{Leave, Player};
use crate::registry::{Hosted, Speech};
use crate::tournament::interrupt::Stop;
use arbitre_bots::console::Console;
use arbitre_games::game::Seat;
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc, OnceLock};
use std::thread;
use std::time::Instant;

/// So many games may wait to be collected.
const RECORDS_AHEAD: usize = 256;

/// Where a player comes from.
#[derive(Clone)]
pub enum Source {
    /// A program.
    Program(Program),
    /// A bundled bot as a program: it is told its dialect and a seed.
    Bundled(Program),
    /// A person at the terminal.
    Person,
    /// A bundled bot in this process.
    Mind(Arc<dyn Fn() -> Box<dyn Console> + Send + Sync>),
}

/// A player of a tournament.
pub struct Contestant {
    /// What was agreed with it.
    pub party: Party,
    /// Where it comes from.
    pub source: Source,
    /// How it is spoken to.
    pub tongue: Speech,
    /// What stands between its program and the table, if anything does.
    watch: Option<Watch>,
    proven: AtomicBool,
    given_up: OnceLock<String>,
}

/// Puts somebody between a program and the table, who hears and sees all.
pub type Watch = Box<dyn Fn(Process) -> Box<dyn Player> + Send + Sync>;

impl Contestant {
    /// A player that has not been seen yet.
    pub fn new(party: Party, source: Source, tongue: Speech) -> Self {
        let (proven, given_up) = (AtomicBool::new(false), OnceLock::new());
        Contestant { party, source, tongue, watch: None, proven, given_up }
    }

    /// The same player, under watch.
    pub fn watched(self, watch: Watch) -> Self {
        Contestant { watch: Some(watch), ..self }
    }

    /// Takes it for started: it was ready before.
    pub fn prove(&self) {
        self.proven.store(true, Ordering::Relaxed);
    }

    /// Why it could not be started, if it could not.
    pub fn given_up(&self) -> Option<&str> {
        self.given_up.get().map(String::as_str)
    }

    fn player(&self, herd: &Herd) -> Box<dyn Player> {
        match &self.source {
            Source::Program(program) | Source::Bundled(program) => {
                let process = Process::new(program.clone(), herd.clone());
                match &self.watch {
                    Some(watch) => watch(process),
                    None => Box::new(process),
                }
            }
            Source::Person => Box::<Person>::default(),
            Source::Mind(make) => {
                let make = Arc::clone(make);
                Box::new(InProcess::new(Box::new(move || make())))
            }
        }
    }

    /// What a bundled bot is told on its command line: its dialect and its seed, and what dialects
    /// other than the project's own do not tell.
    fn arguments(&self, seed: u64, rules: &str) -> Vec<String> {
        let (Source::Bundled(_), Speech::Dialect(dialect)) = (&self.source, self.tongue) else {
            return Vec::new();
        };
        let seed = seed.to_string();
        let mut words = vec!["--dialect", dialect, "--seed", &seed];
        let clock = self.party.terms.clock.to_string();
        if dialect != "arbitre" {
            words.extend(["--rules", rules, "--clock", &clock]);
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

/// A tournament that can be run.
pub struct Tournament<'a> {
    /// The game.
    pub game: &'a dyn Hosted,
    /// The players.
    pub contestants: &'a [Contestant],
    /// Who meets whom.
    pub schedule: &'a Schedule,
    /// What the rounds start from.
    pub openings: &'a Openings,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Does each worker share one processor with the players of its game?
    pub pinned: bool,
    /// Where running programs are written down.
    pub herd: &'a Herd,
    /// Whether to go on.
    pub stop: &'a Stop,
}

impl Tournament<'_> {
    /// Plays all games but those that are `done`, unless asked to stop. `collect` takes each as it
    /// comes in, on the caller's own thread; when it breaks, the games that run are abandoned.
    pub fn run(&self, done: &HashSet<u64>, mut collect: impl FnMut(Record) -> ControlFlow<()>) {
        let games = Games::all_but(done);
        let here = rustix::thread::sched_getcpu();
        thread::scope(|scope| {
            // Bounded, so that a disk that cannot keep up slows the games down.
            let (sender, records) = mpsc::sync_channel(RECORDS_AHEAD);
            for worker in 0..self.concurrency {
                let (sender, games) = (sender.clone(), &games);
                scope.spawn(move || {
                    self.pin(worker, here);
                    Worker::new(self, games).work(&sender);
                });
            }
            drop(sender);
            if records.into_iter().any(|record| collect(record).is_break()) {
                games.abandoned.store(true, Ordering::SeqCst);
                self.herd.end_all();
            }
        });
    }

    /// Plays one game, on the caller's own thread.
    pub fn play_one(&self, fixture: Fixture) -> Record {
        let (none, here) = (HashSet::new(), rustix::thread::sched_getcpu());
        let games = Games::all_but(&none);
        self.pin(0, here);
        Worker::new(self, &games).game(fixture)
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
struct Games<'a> {
    done: &'a HashSet<u64>,
    next: AtomicU64,
    abandoned: AtomicBool,
}

impl<'a> Games<'a> {
    fn all_but(done: &'a HashSet<u64>) -> Games<'a> {
        Games { done, next: AtomicU64::new(0), abandoned: AtomicBool::new(false) }
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
    games: &'t Games<'t>,
    players: HashMap<usize, Box<dyn Player>>,
}

impl<'t, 'a> Worker<'t, 'a> {
    fn new(tournament: &'t Tournament<'a>, games: &'t Games<'t>) -> Self {
        Worker { tournament, games, players: HashMap::new() }
    }

    fn work(&mut self, records: &mpsc::SyncSender<Record>) {
        let Tournament { schedule, stop, contestants, .. } = self.tournament;
        while !stop.requested() && !self.is_abandoned() {
            let Some(index) = self.games.take(schedule.games()) else { break };
            let record = self.game(schedule.fixture(index));
            // A game that was cut off says nothing about its players.
            if self.is_abandoned() {
                break;
            }
            log::info!("game {index}: {}", describe(&record, contestants));
            if records.send(record).is_err() {
                break;
            }
        }
        self.players.drain().for_each(|(_, mut player)| player.leave(Leave::Finish));
    }

    fn is_abandoned(&self) -> bool {
        self.tournament.stop.at_once() || self.games.abandoned.load(Ordering::SeqCst)
    }

    fn game(&mut self, fixture: Fixture) -> Record {
        let begun = Instant::now();
        let setup = self.tournament.openings.setup(fixture.round);
        let played = match self.absent(&fixture) {
            Some(played) => played,
            None => self.play(&fixture, &setup),
        };
        Record { fixture, setup, played, duration: begun.elapsed() }
    }

    /// The game of a player that was given up: void without being tried again.
    fn absent(&self, fixture: &Fixture) -> Option<Played> {
        let stories = fixture.players.iter().enumerate().filter_map(|(seat, &player)| {
            let why = self.tournament.contestants[player].given_up()?;
            Some(Story::of_absence(Seat::new(seat), Fault::NotStarted { why: why.into() }))
        });
        let faults: Vec<Story> = stories.collect();
        (!faults.is_empty()).then(|| Played::never(fixture.players.len(), faults))
    }

    fn play(&mut self, fixture: &Fixture, setup: &str) -> Played {
        let contestants = self.tournament.contestants;
        let tongues: Vec<Speech> = fixture.players.iter().map(|&p| contestants[p].tongue).collect();
        let table = self.tournament.game.table(setup, &tongues);
        let mut table = table.expect("setups are checked when they are drawn or read");
        let rules = self.tournament.game.rules();
        let mut seated = self.take_players(fixture);
        let mut sitters: Vec<Sitter> = seated
            .iter_mut()
            .zip(&fixture.seeds)
            .map(|((number, player), &seed)| Sitter {
                player: &mut **player,
                terms: &contestants[*number].party.terms,
                arguments: contestants[*number].arguments(seed, &rules),
                seed,
                label: format!("game {} {}", fixture.index, contestants[*number].party.name),
                proven: &contestants[*number].proven,
            })
            .collect();
        let played = play(&mut *table, &mut sitters);
        for story in &played.faults {
            let contestant = &contestants[seated[story.seat.index()].0];
            match &story.fault {
                // Whoever has been ready before only met a moment without resources.
                Fault::NotStarted { why } if !contestant.proven.load(Ordering::Relaxed) => {
                    let _ = contestant.given_up.set(why.clone());
                }
                _ => {}
            }
        }
        self.players.extend(seated);
        played
    }

    /// The players of a game, by seat. Those of the last group that are not among them go home.
    fn take_players(&mut self, fixture: &Fixture) -> Vec<(usize, Box<dyn Player>)> {
        let mut take = |number: usize| {
            let new = || self.tournament.contestants[number].player(self.tournament.herd);
            (number, self.players.remove(&number).unwrap_or_else(new))
        };
        let seated = fixture.players.iter().map(|&number| take(number)).collect();
        self.players.drain().for_each(|(_, mut player)| player.leave(Leave::Finish));
        seated
    }
}

/// A game in one line, for the log.
fn describe(record: &Record, contestants: &[Contestant]) -> String {
    let name = |seat: usize| contestants[record.fixture.players[seat]].party.name.as_str();
    let mut parts: Vec<String> = match &record.played.outcome {
        Some(outcome) => {
            (0..).zip(&outcome.scores).map(|(i, score)| format!("{} {score}", name(i))).collect()
        }
        None => vec!["void".into()],
    };
    parts.push(format!("{} moves", record.played.plies.len()));
    let faults = record.played.faults.iter();
    parts.extend(
        faults.map(|story| format!("{} of {}", story.fault.word(), name(story.seat.index()))),
    );
    parts.join(", ")
}
