//! The games that a program is tried in, each with what was written down beside it.

use super::recorder::{Exchange, Log, Manner, Shared, Watch};
use crate::config::limits::Terms;
use crate::config::Party;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::{Fixture, Schedule};
use crate::play::record::Record;
use crate::play::Story;
use crate::player::process_group::Herd;
use crate::registry::{has_words, Hosted, Speech};
use crate::tournament::interrupt::Stop;
use crate::tournament::{Contestant, Source, Tournament};
use arbitre_bots as bots;
use arbitre_games::clock::Clock;
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
    pub game: &'a dyn Hosted,
    /// The program, by what was agreed with it.
    pub party: &'a Party,
    /// Where it comes from.
    pub source: &'a Source,
    /// How it is spoken to.
    pub tongue: Speech,
    /// The length of openings, in plies, where the game has them.
    pub opening_plies: usize,
    /// So many games at the most.
    pub games: u64,
    /// The number that every random choice descends from.
    pub seed: u64,
    /// Where running programs are written down.
    pub herd: &'a Herd,
    /// Whether to go on.
    pub stop: &'a Stop,
}

/// A game with what was said in it.
pub struct Case {
    /// The game.
    pub record: Record,
    /// What the program was asked and said.
    pub exchanges: Vec<Exchange>,
    /// Where it sat.
    pub seat: Seat,
}

impl Case {
    fn new(record: Record, exchanges: Vec<Exchange>) -> Case {
        let seat = record.fixture.players.iter().position(|&player| player == BOT);
        let seat = Seat::new(seat.expect("the program plays in every game"));
        Case { record, exchanges, seat }
    }

    /// The program's fault, if it committed one.
    pub fn story(&self) -> Option<&Story> {
        self.record.played.faults.iter().find(|story| story.seat == self.seat)
    }

    /// The line with which it said that it is ready.
    pub fn ready(&self) -> Option<&str> {
        let entrance = self.record.played.entrances.get(self.seat.index())?.as_ref()?;
        entrance.ready.as_deref()
    }

    /// The questions for moves, once it was ready.
    pub fn turns(&self) -> &[Exchange] {
        &self.exchanges[usize::from(self.ready().is_some()).min(self.exchanges.len())..]
    }

    /// What it answered to them, the refused answer included.
    pub fn answers(&self) -> Vec<&str> {
        let said = self.turns().iter().filter_map(|exchange| exchange.said.as_ref().ok());
        said.map(|(line, _)| line.as_str()).collect()
    }
}

/// What a kind of games has shown.
pub struct Seen {
    /// The games.
    pub cases: Vec<Case>,
    /// The rest of what was written down.
    pub log: Log,
}

impl Trial<'_> {
    /// Does its dialect have words, one of them to say that it is ready?
    pub fn has_words(&self) -> bool {
        matches!(self.tongue, Speech::Dialect(name) if has_words(name))
    }

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
        let mut setups: Vec<String> = drawn(0).take(1).collect();
        if self.opening_plies > 0 {
            let rounds = usize::try_from(games).unwrap_or(usize::MAX);
            setups.extend(drawn(self.opening_plies).take(rounds));
        }
        Openings::listed(setups)
    }

    /// The program under watch, and its opponents.
    fn contestants(&self, manner: Manner, log: &Shared) -> Vec<Contestant> {
        let (log, has_words) = (Arc::clone(log), self.has_words());
        let bot = Contestant::new(self.party.clone(), self.source.clone(), self.tongue);
        let bot = bot.watched(Box::new(move |process| {
            Box::new(Watch::new(process, Arc::clone(&log), manner, has_words))
        }));
        let opponents = (1..self.seats()).map(|number| opponent(self.meta().name, number));
        std::iter::once(bot).chain(opponents).collect()
    }

    /// Games in which the program is started anew. They end with its first fault; where that is a
    /// refused move, a few more are played, so that there is more to judge by.
    pub fn fresh(&self) -> Seen {
        let (begun, log, mut cases) = (Instant::now(), Shared::default(), Vec::new());
        let schedule = self.schedule(self.games);
        for index in 0..schedule.games() {
            let is_enough = index >= 2 * self.seats() as u64 && begun.elapsed() > PATIENCE;
            if is_enough || self.stop.requested() {
                break;
            }
            cases.push(self.play(Manner::Fresh, schedule.fixture(index), self.games, &log));
            let faults = || cases.iter().filter_map(Case::story);
            let refused = faults().filter(|story| is_refusal(story)).count();
            if faults().count() > refused || refused >= REFUSALS {
                break;
            }
        }
        Seen { cases, log: written(&log) }
    }

    /// A game in which the program hears words that it cannot know.
    pub fn strange(&self) -> Case {
        self.play(Manner::Strange, self.schedule(1).fixture(0), 1, &Shared::default())
    }

    /// The game of a case again, with the program's own seed and other ones for its opponents.
    pub fn varied(&self, case: &Case, variation: u64) -> Case {
        let mut fixture = case.record.fixture.clone();
        for (seat, seed) in fixture.seeds.iter_mut().enumerate() {
            if seat != case.seat.index() {
                *seed = seed.wrapping_add(variation);
            }
        }
        self.play(Manner::Fresh, fixture, self.games, &Shared::default())
    }

    fn play(&self, manner: Manner, fixture: Fixture, games: u64, log: &Shared) -> Case {
        let contestants = self.contestants(manner, log);
        let (schedule, openings) = (self.schedule(games), self.openings(games));
        let tournament = self.tournament(&contestants, &schedule, &openings, self.stop);
        let record = tournament.play_one(fixture);
        Case::new(record, written_games(log).pop().unwrap_or_default())
    }

    /// Games in a row, in one process if the program can; until its first fault.
    pub fn kept(&self) -> Seen {
        let (log, stop, begun) = (Shared::default(), Stop::default(), Instant::now());
        let contestants = self.contestants(Manner::Kept, &log);
        let (schedule, openings) = (self.schedule(IN_A_ROW), self.openings(IN_A_ROW));
        let mut records = Vec::new();
        let tournament = self.tournament(&contestants, &schedule, &openings, &stop);
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
        Seen { cases: cases.collect(), log: written(&log) }
    }

    fn tournament<'t>(
        &'t self,
        contestants: &'t [Contestant],
        schedule: &'t Schedule,
        openings: &'t Openings,
        stop: &'t Stop,
    ) -> Tournament<'t> {
        let (game, herd) = (self.game, self.herd);
        let (concurrency, pinned) = (1, false);
        Tournament { game, contestants, schedule, openings, concurrency, pinned, herd, stop }
    }
}

impl Seen {
    /// The first game with a fault of the program.
    pub fn first_fault(&self) -> Option<(&Case, &Story)> {
        self.cases.iter().find_map(|case| Some((case, case.story()?)))
    }
}

/// Was an answer refused?
pub fn is_refusal(story: &Story) -> bool {
    matches!(story.fault.word(), "illegal" | "invalid")
}

/// All that was written down, which is then gone from the log.
fn written(log: &Shared) -> Log {
    std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The games that were written down, in their order, which are then gone from the log.
fn written_games(log: &Shared) -> Vec<Vec<Exchange>> {
    std::mem::take(&mut log.lock().unwrap_or_else(PoisonError::into_inner).games)
}

/// A bundled bot of the game that plays any legal move, or its default if there is no such one.
fn opponent(game: &'static str, number: usize) -> Contestant {
    let bot = bots::find(game).expect("every game has a bundled bot");
    let strategy = bot.strategies.iter().find(|(name, _)| *name == "random");
    let words: Vec<String> = strategy.iter().map(|(name, _)| (*name).to_owned()).collect();
    let make = move || bot.console(&words).expect("a strategy needs no more than its name");
    let (name, command, dialect) = (format!("opponent {number}"), bot.name.into(), "arbitre");
    let clock = Clock { depth: Some(2), ..Clock::default() };
    let terms = Terms { clock, ..Terms::default() };
    let party = Party { name, command, dialect: dialect.into(), terms };
    Contestant::new(party, Source::Mind(Arc::new(make)), Speech::Dialect(dialect))
}
