//! Games of a check run, each with the dialogue that was recorded in it.

use super::recorder::{Log, Manner, Recorder, RequestLog, Shared};
use arbitre_games::clock::Clock;
use arbitre_games::console::BundledBot;
use arbitre_games::dialect::DialectInfo;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::Seat;
use arbitre_process::process_group::ProcessGroups;
use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::formats::openings::Openings;
use arbitre_referee::formats::schedule::Schedule;
use arbitre_referee::play::pairing::Pairing;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::FaultReport;
use arbitre_referee::registry::{DynGame, Speech};
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::roster::Field;
use arbitre_referee::run::{PlannedPlayer, PlayerSource, Workers};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Number of the program among the players. Its opponents have the numbers after it.
const BOT: usize = 0;
/// Time after which no further game starts, given a minimum number of games. Not tuned.
const PATIENCE: Duration = Duration::from_secs(8);
/// Number of games with a refused move that is enough to find the cause. Not tuned.
const REFUSALS: usize = 8;
/// Number of games in one process, if the program supports several. Not tuned.
pub const IN_A_ROW: u64 = 6;

/// Setup of a check run.
pub struct Trial<'a> {
    /// Game to play.
    pub game: &'a dyn DynGame,
    /// Configuration of the program.
    pub config: &'a PlayerConfig,
    /// Source of the program.
    pub source: &'a PlayerSource,
    /// Dialect of the program.
    pub dialect: &'static DialectInfo,
    /// Dialects of arenas that have the game.
    pub arena_dialects: Vec<&'static DialectInfo>,
    /// Bundled bot of the opponents. Without one, the program plays against itself.
    pub opponent: Option<&'static dyn BundledBot>,
    /// Number of seats at a table.
    pub seats: usize,
    /// Length of openings in plies; 0 for none.
    pub opening_plies: usize,
    /// Maximum number of games.
    pub games: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Process groups of the running programs.
    pub processes: &'a ProcessGroups,
    /// Requests of the user to stop.
    pub stop: &'a Stop,
}

/// A game with its recorded dialogue.
pub struct Case {
    /// Record of the game.
    pub record: Record,
    /// Requests to the program.
    pub requests: Vec<RequestLog>,
    /// Seat of the program.
    pub seat: Seat,
}

impl Case {
    fn new(record: Record, requests: Vec<RequestLog>) -> Case {
        let seat = record.pairing.players.iter().position(|&player| player == BOT);
        let seat = Seat::new(seat.expect("the program plays in every game"));
        Case { record, requests, seat }
    }

    /// Returns the program's fault, if there is one.
    pub fn fault_report(&self) -> Option<&FaultReport> {
        self.record.played.faults.iter().find(|fault_report| fault_report.seat == self.seat)
    }

    /// Returns the line with which the program reported that it is ready.
    pub fn ready(&self) -> Option<&str> {
        let start_report = self.record.played.start_reports.get(self.seat.index())?.as_ref()?;
        start_report.ready.as_deref()
    }

    /// Returns the requests for moves: those after `ready`, or all requests without a `ready`.
    pub fn turns(&self) -> &[RequestLog] {
        &self.requests[usize::from(self.ready().is_some()).min(self.requests.len())..]
    }

    /// Returns the answers to requests for moves, including a refused one.
    pub fn answers(&self) -> Vec<&str> {
        let said = self.turns().iter().filter_map(|request| request.said.as_ref().ok());
        said.map(|(line, _)| line.as_str()).collect()
    }
}

/// Games of one kind with their log.
pub struct TrialGames {
    /// Games with their dialogues.
    pub cases: Vec<Case>,
    /// Remaining log, without the dialogues.
    pub log: Log,
}

impl Trial<'_> {
    fn schedule(&self, games: u64) -> Schedule {
        Schedule::new(self.seats, self.seats, games, self.seed)
    }

    /// Returns the initial position, if the game has one, followed by openings.
    fn openings(&self, games: u64) -> Openings {
        let rng = || self.schedule(games).openings_rng();
        let drawn = |plies: usize| self.game.setups(self.seats, plies, rng());
        let mut setups: Vec<String> = drawn(0).take(1).flatten().collect();
        if self.opening_plies > 0 {
            let rounds = usize::try_from(games).unwrap_or(usize::MAX);
            setups.extend(drawn(self.opening_plies).take(rounds).flatten());
        }
        Openings::listed(setups)
    }

    /// Returns the recorded program and its opponents.
    fn players(&self, manner: Manner, log: &Shared) -> Vec<PlannedPlayer> {
        let (log, has_words) = (Arc::clone(log), self.dialect.has_keywords);
        let bot = PlannedPlayer::new(
            self.config.clone(),
            self.source.clone(),
            Speech::Dialect(self.dialect),
        );
        let bot = bot.recorded_by(Box::new(move |process| {
            Box::new(Recorder::new(process, Arc::clone(&log), manner, has_words))
        }));
        let opponents = (1..self.seats).map(|number| match self.opponent {
            Some(bot) => opponent(bot, number),
            None => self.twin(number),
        });
        std::iter::once(bot).chain(opponents).collect()
    }

    /// Returns the program as its own opponent, which is not recorded.
    fn twin(&self, number: usize) -> PlannedPlayer {
        let config = PlayerConfig { name: opponent_name(number), ..self.config.clone() };
        PlannedPlayer::new(config, self.source.clone(), Speech::Dialect(self.dialect))
    }

    /// Plays games in which the program is started anew. They end with its first fault. After a
    /// refused move a few more are played, to have more evidence.
    pub fn fresh(&self) -> TrialGames {
        let (begun, log, mut cases) = (Instant::now(), Shared::default(), Vec::new());
        let schedule = self.schedule(self.games);
        for pairing in schedule.pairings() {
            // Two games in each seat are played in any case.
            let is_enough = cases.len() >= 2 * self.seats && begun.elapsed() > PATIENCE;
            if is_enough || self.stop.requested() {
                break;
            }
            cases.push(self.play(Manner::Fresh, pairing, self.games, &log));
            let faults = || cases.iter().filter_map(Case::fault_report);
            let refused = faults().filter(|fault_report| is_refusal(fault_report)).count();
            if faults().count() > refused || refused >= REFUSALS {
                break;
            }
        }
        TrialGames { cases, log: written(&log) }
    }

    /// Plays a game in which the program is sent messages that it cannot know.
    pub fn strange(&self) -> Case {
        self.play(Manner::Strange, self.schedule(1).pairing(0), 1, &Shared::default())
    }

    /// Plays a game again with the program's own seed and other seeds for its opponents.
    pub fn varied(&self, case: &Case, variation: u64) -> Case {
        let mut pairing = case.record.pairing.clone();
        for (seat, seed) in pairing.seeds.iter_mut().enumerate() {
            if seat != case.seat.index() {
                *seed = seed.wrapping_add(variation);
            }
        }
        self.play(Manner::Fresh, pairing, self.games, &Shared::default())
    }

    fn play(&self, manner: Manner, pairing: Pairing, games: u64, log: &Shared) -> Case {
        let players = self.players(manner, log);
        let (schedule, openings) = (self.schedule(games), self.openings(games));
        let workers = self.workers(&players, &schedule, &openings, self.stop);
        let record = workers.play_one(pairing);
        // Only dialogues are taken: the log keeps the first observed exit for all games.
        Case::new(record, written_games(log).pop().unwrap_or_default())
    }

    /// Plays games in a row, in one process if the program supports it, until its first fault.
    pub fn kept(&self) -> TrialGames {
        let (log, stop, begun) = (Shared::default(), Stop::default(), Instant::now());
        let players = self.players(Manner::Kept, &log);
        let (schedule, openings) = (self.schedule(IN_A_ROW), self.openings(IN_A_ROW));
        let mut records = Vec::new();
        let workers = self.workers(&players, &schedule, &openings, &stop);
        let played = workers.run_games(HashSet::new(), |record| {
            let is_enough = records.len() > self.seats && begun.elapsed() > PATIENCE;
            if is_enough || self.stop.requested() || !record.played.faults.is_empty() {
                stop.request();
            }
            records.push(record);
            ControlFlow::Continue(())
        });
        if let Err(failure) = played {
            log::error!("{failure}");
        }
        // A replayed game has several dialogues, so that they cannot be assigned to the records.
        let games = Some(written_games(&log)).filter(|games| games.len() == records.len());
        let games = games.into_iter().flatten().chain(std::iter::repeat(Vec::new()));
        let cases = records.into_iter().zip(games).map(|(record, said)| Case::new(record, said));
        TrialGames { cases: cases.collect(), log: written(&log) }
    }

    fn workers<'t>(
        &'t self,
        players: &'t [PlannedPlayer],
        schedule: &'t Schedule,
        openings: &'t Openings,
        stop: &'t Stop,
    ) -> Workers<'t> {
        let (game, processes) = (self.game, self.processes);
        let (concurrency, pinned) = (1, false);
        Workers {
            game,
            players: Field::Fixed(players),
            schedule,
            openings,
            adjudication: None,
            concurrency,
            pinned,
            processes,
            stop,
            spectator: None,
        }
    }
}

impl TrialGames {
    /// Returns the first game with a fault of the program.
    pub fn first_fault(&self) -> Option<(&Case, &FaultReport)> {
        self.cases.iter().find_map(|case| Some((case, case.fault_report()?)))
    }

    /// Returns `true` if a process played several games.
    pub fn is_kept(&self) -> bool {
        let reports =
            |case: &Case| case.record.played.start_reports.get(case.seat.index()).cloned();
        self.cases.iter().filter_map(reports).flatten().any(|start_report| start_report.kept)
    }

    /// Returns the longest time of a move. The first move of a game, which may have more time, does
    /// not count.
    pub fn longest_answer(&self) -> Duration {
        let later = self.cases.iter().flat_map(|case| case.turns().iter().skip(1));
        let spent = later.filter_map(|turn| turn.said.as_ref().ok().map(|(_, spent)| *spent));
        spent.max().unwrap_or_default()
    }
}

/// Returns `true` if the fault is a refused answer.
pub fn is_refusal(fault_report: &FaultReport) -> bool {
    matches!(fault_report.fault.word(), "illegal" | "invalid")
}

/// Takes the whole log and leaves an empty one.
fn written(log: &Shared) -> Log {
    std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Takes the dialogues of the games from the log, in the order of play.
fn written_games(log: &Shared) -> Vec<Vec<RequestLog>> {
    std::mem::take(&mut log.lock().unwrap_or_else(PoisonError::into_inner).games)
}

fn opponent_name(number: usize) -> String {
    format!("opponent {number}")
}

/// Returns an opponent that plays any legal move, or the bot's default if it has no such strategy.
fn opponent(bot: &'static dyn BundledBot, number: usize) -> PlannedPlayer {
    let strategy = bot.strategies().iter().find(|(name, _)| *name == "random");
    let words: Vec<String> = strategy.iter().map(|(name, _)| (*name).to_owned()).collect();
    let make = move || bot.console(&words).expect("a strategy needs no more than its name");
    let dialect = &arbitre::INFO;
    let (name, command) = (opponent_name(number), bot.name().into());
    let clock = Clock { depth: Some(2), ..Clock::default() };
    let limits = PlayerLimits { clock, ..PlayerLimits::default() };
    let config = PlayerConfig {
        name,
        command,
        dialect: dialect.name.into(),
        limits,
        ..PlayerConfig::default()
    };
    PlannedPlayer::new(config, PlayerSource::InProcess(Arc::new(make)), Speech::Dialect(dialect))
}
