//! The games that a program is tried in, each with what was written down beside it.

use super::recorder::{Log, Manner, Recorder, RequestLog, Shared};
use crate::config::limits::PlayerLimits;
use crate::config::PlayerConfig;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::{Pairing, Schedule};
use crate::play::record::Record;
use crate::play::FaultReport;
use crate::player::process_group::ProcessGroups;
use crate::registry::{DynGame, Speech};
use crate::tournament::interrupt::Stop;
use crate::tournament::{PlayerSource, Tournament, TournamentPlayer};
use arbitre_games::clock::Clock;
use arbitre_games::console::BundledBot;
use arbitre_games::dialect::DialectInfo;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{Meta, Seat};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// The number of the program among the players; those after it choose at random.
const BOT: usize = 0;
/// No game begins after this time, once each seat was taken twice.
const PATIENCE: Duration = Duration::from_secs(8);
/// So many games with a refused move tell how it came about.
const REFUSALS: usize = 8;
/// The games that a program plays in one process, if it can.
pub const IN_A_ROW: u64 = 6;

/// A program that is tried, and at what.
pub struct Trial<'a> {
    /// The game.
    pub game: &'a dyn DynGame,
    /// The program, by what was agreed with it.
    pub config: &'a PlayerConfig,
    /// Where it comes from.
    pub source: &'a PlayerSource,
    /// How it is spoken to.
    pub dialect: &'static DialectInfo,
    /// The bundled bot that it plays against.
    pub opponent: &'static dyn BundledBot,
    /// The length of openings, in plies, where the game has them.
    pub opening_plies: usize,
    /// So many games at the most.
    pub games: u64,
    /// The number that every random choice descends from.
    pub seed: u64,
    /// Where running programs are written down.
    pub processes: &'a ProcessGroups,
    /// Whether to go on.
    pub stop: &'a Stop,
}

/// A game with what was said in it.
pub struct Case {
    /// The game.
    pub record: Record,
    /// What the program was asked and said.
    pub requests: Vec<RequestLog>,
    /// Where it sat.
    pub seat: Seat,
}

impl Case {
    fn new(record: Record, requests: Vec<RequestLog>) -> Case {
        let seat = record.pairing.players.iter().position(|&player| player == BOT);
        let seat = Seat::new(seat.expect("the program plays in every game"));
        Case { record, requests, seat }
    }

    /// The program's fault, if it committed one.
    pub fn fault_report(&self) -> Option<&FaultReport> {
        self.record.played.faults.iter().find(|fault_report| fault_report.seat == self.seat)
    }

    /// The line with which it said that it is ready.
    pub fn ready(&self) -> Option<&str> {
        let start_report = self.record.played.start_reports.get(self.seat.index())?.as_ref()?;
        start_report.ready.as_deref()
    }

    /// The questions for moves, once it was ready.
    pub fn turns(&self) -> &[RequestLog] {
        &self.requests[usize::from(self.ready().is_some()).min(self.requests.len())..]
    }

    /// What it answered to them, the refused answer included.
    pub fn answers(&self) -> Vec<&str> {
        let said = self.turns().iter().filter_map(|request| request.said.as_ref().ok());
        said.map(|(line, _)| line.as_str()).collect()
    }
}

/// What a kind of games has shown.
pub struct TrialGames {
    /// The games.
    pub cases: Vec<Case>,
    /// The rest of what was written down.
    pub log: Log,
}

impl Trial<'_> {
    fn meta(&self) -> Meta {
        self.game.meta()
    }

    fn seats(&self) -> usize {
        self.meta().seats.0
    }

    fn schedule(&self, games: u64) -> Schedule {
        Schedule::new(self.seats(), self.seats(), games, self.seed)
    }

    /// The start, where the game has one, and then openings.
    fn openings(&self, games: u64) -> Openings {
        let rng = || self.schedule(games).openings_rng();
        let drawn = |plies: usize| self.game.setups(self.seats(), plies, rng());
        let mut setups: Vec<String> = drawn(0).take(1).flatten().collect();
        if self.opening_plies > 0 {
            let rounds = usize::try_from(games).unwrap_or(usize::MAX);
            setups.extend(drawn(self.opening_plies).take(rounds).flatten());
        }
        Openings::listed(setups)
    }

    /// The program under watch, and its opponents.
    fn players(&self, manner: Manner, log: &Shared) -> Vec<TournamentPlayer> {
        let (log, has_words) = (Arc::clone(log), self.dialect.has_keywords);
        let bot = TournamentPlayer::new(
            self.config.clone(),
            self.source.clone(),
            Speech::Dialect(self.dialect),
        );
        let bot = bot.recorded_by(Box::new(move |process| {
            Box::new(Recorder::new(process, Arc::clone(&log), manner, has_words))
        }));
        let opponents = (1..self.seats()).map(|number| opponent(self.opponent, number));
        std::iter::once(bot).chain(opponents).collect()
    }

    /// Games in which the program is started anew. They end with its first fault; where that is a
    /// refused move, a few more are played, so that there is more to judge by.
    pub fn fresh(&self) -> TrialGames {
        let (begun, log, mut cases) = (Instant::now(), Shared::default(), Vec::new());
        let schedule = self.schedule(self.games);
        for index in 0..schedule.games() {
            let is_enough = index >= 2 * self.seats() as u64 && begun.elapsed() > PATIENCE;
            if is_enough || self.stop.requested() {
                break;
            }
            cases.push(self.play(Manner::Fresh, schedule.pairing(index), self.games, &log));
            let faults = || cases.iter().filter_map(Case::fault_report);
            let refused = faults().filter(|fault_report| is_refusal(fault_report)).count();
            if faults().count() > refused || refused >= REFUSALS {
                break;
            }
        }
        TrialGames { cases, log: written(&log) }
    }

    /// A game in which the program hears words that it cannot know.
    pub fn strange(&self) -> Case {
        self.play(Manner::Strange, self.schedule(1).pairing(0), 1, &Shared::default())
    }

    /// The game of a case again, with the program's own seed and other ones for its opponents.
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
        let tournament = self.tournament(&players, &schedule, &openings, self.stop);
        let record = tournament.play_one(pairing);
        Case::new(record, written_games(log).pop().unwrap_or_default())
    }

    /// Games in a row, in one process if the program can; until its first fault.
    pub fn kept(&self) -> TrialGames {
        let (log, stop, begun) = (Shared::default(), Stop::default(), Instant::now());
        let players = self.players(Manner::Kept, &log);
        let (schedule, openings) = (self.schedule(IN_A_ROW), self.openings(IN_A_ROW));
        let mut records = Vec::new();
        let tournament = self.tournament(&players, &schedule, &openings, &stop);
        tournament.run(&HashSet::new(), |record| {
            let is_enough = records.len() > self.seats() && begun.elapsed() > PATIENCE;
            if is_enough || self.stop.requested() || !record.played.faults.is_empty() {
                stop.request();
            }
            records.push(record);
            ControlFlow::Continue(())
        });
        let games = written_games(&log).into_iter().chain(std::iter::repeat(Vec::new()));
        let cases = records.into_iter().zip(games).map(|(record, said)| Case::new(record, said));
        TrialGames { cases: cases.collect(), log: written(&log) }
    }

    fn tournament<'t>(
        &'t self,
        players: &'t [TournamentPlayer],
        schedule: &'t Schedule,
        openings: &'t Openings,
        stop: &'t Stop,
    ) -> Tournament<'t> {
        let (game, processes) = (self.game, self.processes);
        let (concurrency, pinned) = (1, false);
        Tournament { game, players, schedule, openings, concurrency, pinned, processes, stop }
    }
}

impl TrialGames {
    /// The first game with a fault of the program.
    pub fn first_fault(&self) -> Option<(&Case, &FaultReport)> {
        self.cases.iter().find_map(|case| Some((case, case.fault_report()?)))
    }
}

/// Was an answer refused?
pub fn is_refusal(fault_report: &FaultReport) -> bool {
    matches!(fault_report.fault.word(), "illegal" | "invalid")
}

/// All that was written down, which is then gone from the log.
fn written(log: &Shared) -> Log {
    std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The games that were written down, in their order, which are then gone from the log.
fn written_games(log: &Shared) -> Vec<Vec<RequestLog>> {
    std::mem::take(&mut log.lock().unwrap_or_else(PoisonError::into_inner).games)
}

/// Returns an opponent that plays any legal move, or the bot's default if it has no such strategy.
fn opponent(bot: &'static dyn BundledBot, number: usize) -> TournamentPlayer {
    let strategy = bot.strategies().iter().find(|(name, _)| *name == "random");
    let words: Vec<String> = strategy.iter().map(|(name, _)| (*name).to_owned()).collect();
    let make = move || bot.console(&words).expect("a strategy needs no more than its name");
    let dialect = &arbitre::INFO;
    let (name, command) = (format!("opponent {number}"), bot.name().into());
    let clock = Clock { depth: Some(2), ..Clock::default() };
    let limits = PlayerLimits { clock, ..PlayerLimits::default() };
    let config = PlayerConfig { name, command, dialect: dialect.name.into(), limits };
    TournamentPlayer::new(config, PlayerSource::InProcess(Arc::new(make)), Speech::Dialect(dialect))
}
