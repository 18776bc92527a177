//! Rules that fail: their game is void, and the next game is played.

use arbitre::clock::Go;
use arbitre::console::Console;
use arbitre::dialect::{DialectInfo, Init, Ready};
use arbitre::dialects::arbitre as protocol;
use arbitre::game::{Meta, Outcome, ParseError, Seat, Seats};
use arbitre::internals::config::PlayerConfig;
use arbitre::internals::formats::openings::Openings;
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::record::Record;
use arbitre::internals::run::{PlannedPlayer, PlayerSource};
use arbitre::referee::registry::drawing::{Step, View};
use arbitre::referee::registry::scene::GameScenes;
use arbitre::referee::registry::table::{
    AcceptedMove, RejectedAnswer, RulesError, StartParams, Table,
};
use arbitre::referee::registry::{DynGame, GameTraits, Setups, Speech};
use arbitre::rng::Rng;
use arbitre_test_support::matches::play_all;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;

/// A game whose rules fail at a given call, and in the next attempts to play the game.
struct FailingGame {
    game: Box<dyn DynGame>,
    /// Number of calls before the one that fails.
    left: AtomicI64,
    /// Number of failures to come.
    failures: AtomicI64,
}

/// Number of attempts to play a game.
const ATTEMPTS: i64 = 3;

impl FailingGame {
    fn call(&self) -> Result<(), RulesError> {
        let is_time = self.left.fetch_sub(1, Ordering::Relaxed) <= 0;
        match is_time && self.failures.fetch_sub(1, Ordering::Relaxed) > 0 {
            true => Err(RulesError("no answer".into())),
            false => Ok(()),
        }
    }
}

impl DynGame for FailingGame {
    fn meta(&self) -> Meta {
        self.game.meta()
    }

    fn rules(&self) -> String {
        self.game.rules()
    }

    fn traits(&self) -> GameTraits {
        self.game.traits()
    }

    fn dialect(&self, word: &str) -> Result<&'static DialectInfo, ParseError> {
        self.game.dialect(word)
    }

    fn setups(&self, seats: usize, plies: usize, rng: Rng) -> Setups {
        self.game.setups(seats, plies, rng)
    }

    fn check_setup(&self, seats: usize, text: &str) -> Result<String, ParseError> {
        self.game.check_setup(seats, text)
    }

    fn table(&self, setup: &str, speech: &[Speech]) -> Result<Box<dyn Table + '_>, ParseError> {
        self.call().map_err(|error| ParseError::new(error.to_string()))?;
        Ok(Box::new(FailingTable { game: self, table: self.game.table(setup, speech)? }))
    }

    fn split_path(&self, path: &str) -> Result<Vec<String>, ParseError> {
        self.game.split_path(path)
    }

    fn scenes(&self, setup: &str, seats: usize, steps: &[Step]) -> Result<GameScenes, ParseError> {
        self.game.scenes(setup, seats, steps)
    }

    fn draw(&self, setup: &str, steps: &[Step], view: &View) -> Result<Vec<String>, ParseError> {
        self.game.draw(setup, steps, view)
    }

    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, ParseError> {
        self.game.perft(position, depth)
    }
}

struct FailingTable<'g> {
    game: &'g FailingGame,
    table: Box<dyn Table + 'g>,
}

impl Table for FailingTable<'_> {
    fn seats(&self) -> usize {
        self.table.seats()
    }

    fn replay(&mut self, accepted: &[usize]) {
        self.table.replay(accepted);
    }

    fn to_move(&self) -> Result<Seats, RulesError> {
        self.game.call()?;
        self.table.to_move()
    }

    fn arguments(&mut self, start: &StartParams) -> Result<Vec<String>, RulesError> {
        self.game.call()?;
        self.table.arguments(start)
    }

    fn answers_once(&self, seat: Seat) -> bool {
        self.table.answers_once(seat)
    }

    fn takes_early_answers(&self) -> bool {
        self.table.takes_early_answers()
    }

    fn line_limit(&self, seat: Seat) -> usize {
        self.table.line_limit(seat)
    }

    fn open(&mut self, start: &StartParams, out: &mut String) -> Result<Init, RulesError> {
        self.game.call()?;
        self.table.open(start, out)
    }

    fn hear_ready(&mut self, seat: Seat, line: &str) -> Result<Ready, ParseError> {
        self.table.hear_ready(seat, line)
    }

    fn ask(&mut self, seat: Seat, go: Go, out: &mut String) -> Result<(), RulesError> {
        self.game.call()?;
        self.table.ask(seat, go, out)
    }

    fn hear(&mut self, seat: Seat, line: &str) -> Result<AcceptedMove, RejectedAnswer> {
        self.game.call().map_err(RejectedAnswer::Rules)?;
        self.table.hear(seat, line)
    }

    fn forfeit(&mut self, seats: Seats, why: &'static str) -> Result<(), RulesError> {
        self.game.call()?;
        self.table.forfeit(seats, why)
    }

    fn outcome(&self) -> Result<Option<Outcome>, RulesError> {
        self.game.call()?;
        self.table.outcome()
    }

    fn is_decided(&self) -> Result<bool, RulesError> {
        self.game.call()?;
        self.table.is_decided()
    }

    fn outcome_if_ended(&self, losers: Seats) -> Result<Outcome, RulesError> {
        self.game.call()?;
        self.table.outcome_if_ended(losers)
    }

    fn close(&mut self, seat: Seat, outcome: &Outcome, out: &mut String) -> Result<(), RulesError> {
        self.game.call()?;
        self.table.close(seat, outcome, out)
    }

    fn position(&self, seat: Seat) -> Result<String, RulesError> {
        self.game.call()?;
        self.table.position(seat)
    }

    fn legal_moves(&self, seat: Seat) -> Result<Vec<String>, RulesError> {
        self.game.call()?;
        self.table.legal_moves(seat)
    }
}

/// A bot whose third answer is not a move.
#[derive(Default)]
struct Confused {
    asked: usize,
    legal: String,
}

impl Console for Confused {
    fn start(&mut self, _: &mut String) {}

    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError> {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["begin"] => out.push_str("ready confused\n"),
            ["legal", first, ..] => self.legal = first.into(),
            ["go", ..] => {
                self.asked += 1;
                *out += if self.asked == 3 { "oops" } else { &self.legal };
                out.push('\n');
            }
            _ => {}
        }
        Ok(())
    }
}

fn player(name: &str, source: PlayerSource) -> PlannedPlayer {
    let (name, dialect) = (name.into(), protocol::INFO.name.into());
    let config = PlayerConfig { name, dialect, ..PlayerConfig::default() };
    PlannedPlayer::new(config, source, Speech::Dialect(&protocol::INFO))
}

/// Plays two games, one after the other, with rules that fail `failures` times from call `fails_at`
/// on. Returns the games, and whether the rules failed.
fn play(fails_at: i64, failures: i64) -> (Vec<Record>, bool) {
    let registry = arbitre::registry();
    let game = registry.open("awele", "max-plies=12").unwrap();
    let game =
        FailingGame { game, left: AtomicI64::new(fails_at), failures: AtomicI64::new(failures) };
    let bot = registry.bot("awele").unwrap();
    let random = move || bot.console(&["random".into()]).unwrap();
    let players = [
        player("random", PlayerSource::InProcess(Arc::new(random))),
        player("confused", PlayerSource::InProcess(Arc::new(|| Box::<Confused>::default()))),
    ];
    let schedule = Schedule::new(2, 2, 2, 1);
    let openings = Openings::drawn(&game, 2, 0, schedule.openings_rng());
    let records = play_all(&game, &players, &schedule, &openings, 1);
    (records, game.left.into_inner() < 0)
}

#[test]
fn failing_call_voids_its_game_only() {
    let mut voids = [0, 0];
    for fails_at in 0.. {
        let (records, failed) = play(fails_at, ATTEMPTS);
        assert_eq!(records.len(), 2, "call {fails_at}");
        let is_void = |record: &Record| record.played.outcome.is_none();
        if !failed {
            assert!(!records.iter().any(is_void));
            assert!(records.iter().all(|record| record.played.faults.len() == 1));
            break;
        }
        let void: Vec<usize> = (0..2).filter(|&at| is_void(&records[at])).collect();
        assert_eq!(void.len(), 1, "call {fails_at}");
        let error = records[void[0]].played.rules_error.as_ref().unwrap();
        assert_eq!(error.to_string(), "no answer");
        voids[void[0]] += 1;
    }
    assert!(voids.iter().all(|&count| count > 20), "{voids:?}");
}

/// A game whose rules fail once is played again.
#[test]
fn game_whose_rules_failed_is_played_again() {
    for fails_at in [10, 40] {
        let (records, failed) = play(fails_at, ATTEMPTS - 1);
        let is_void = |record: &Record| record.played.outcome.is_none();
        assert!(failed && !records.iter().any(is_void), "call {fails_at}: {failed}");
    }
}
