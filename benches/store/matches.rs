//! Duration of a match from its first game to its last commit.

use crate::game::{First, PLIES, ROOM};
use crate::scratch::Scratch;
use arbitre::bots::console::{self, Console};
use arbitre::bots::options::Options;
use arbitre::game::ParseError;
use arbitre::internals::config::format::FormatConfig;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::{self, Contest, PlayerConfig, Seeding, Source};
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::record::Record;
use arbitre::internals::run::collector::Collector;
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::roster::Field;
use arbitre::internals::run::{PlannedPlayer, PlayerSource, Workers};
use arbitre::internals::statistics::tally::Tally;
use arbitre::internals::store::{Session, Writer};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_test_support::floor::relay;
use arbitre_test_support::measure::Cost;
use arbitre_test_support::median::median;
use arbitre_test_support::recorder::{self, Transcript};
use rustix::thread::{sched_setaffinity, CpuSet};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Games of one measurement.
const GAMES: u64 = 1000;
/// Number of games at once.
const CONCURRENCY: usize = 2;

/// Prints the costs of matches between programs and between engines, with and without a file.
pub fn compare(scratch: &Scratch, rounds: usize) {
    let program = instant_program();
    let half = config(&ROOM, GAMES / CONCURRENCY as u64);
    let (schedule, openings) = (half.schedule(), half.openings(&ROOM));
    let half = recorder::record(&ROOM, &program, &schedule, &openings, &generous());
    let engines = InProcessBots(|| {
        Ok(Box::new(console::Session::new("instant", First, &mut Options::new(&[]), &[])?))
    });
    let (mut programs, mut bundled) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let source = PlayerSource::Program(program.clone());
        let [kept, unkept] = [Some(scratch), None].map(|scratch| cost(scratch, source.clone()));
        programs.push(vec![kept, unkept, relay_at_once(&program, &half)]);
        bundled.push([Some(scratch), None].map(|scratch| cost(scratch, engines.source())).into());
    }
    println!("{GAMES} games of {PLIES} plies, {CONCURRENCY} at once, each on its processor");
    println!("instant programs that are kept from game to game and are terse");
    table(&["kept", "not kept", "floor"], &programs);
    println!("  aim: 0.6 s when kept\n");
    println!("engines in the referee's own process");
    table(&["kept", "not kept"], &bundled);
}

/// Prints the median cost of each column; the ratio is that of the first two columns.
fn table(titles: &[&str], rounds: &[Vec<Cost>]) {
    let titles: String = titles.iter().map(|title| format!(" {title:>10}")).collect();
    println!("  {:<40}{titles} {:>8}", "", "ratio");
    let row = |name: &str, of: &dyn Fn(&Cost) -> f64| {
        let middle = |column: usize| median(rounds.iter().map(|costs| of(&costs[column])));
        let columns = (0..rounds[0].len()).map(|column| format!(" {:>10.2}", middle(column)));
        let ratio = median(rounds.iter().map(|costs| of(&costs[0]) / of(&costs[1])));
        println!("  {name:<40}{} {ratio:>8.2}", columns.collect::<String>());
    };
    row("seconds", &|cost| cost.wall.as_secs_f64());
    row("CPU µs per move, referee and both bots", &Cost::cpu_per_move);
    row("CPU µs per move, referee alone", &Cost::own_cpu_per_move);
    row("voluntary switches per move, referee", &Cost::own_switches_per_move);
    row("thousands of moves per second", &|cost| cost.moves_per_second() / 1e3);
    row("games per second", &Cost::games_per_second);
}

/// Returns the cost of a match between two such players, stored in a file or not at all.
fn cost(scratch: Option<&Scratch>, source: PlayerSource) -> Cost {
    let config = config(&ROOM, GAMES);
    let game = Match { game: &ROOM, config: &config, schedule: config.schedule(), source };
    let path = scratch.map(|scratch| scratch.file("match.db"));
    let (cost, tally) = Cost::of(|| {
        let store = path.map(|path| store(&path, &config));
        game.play(store)
    });
    let faults: u64 = tally.players.iter().flat_map(|player| player.faults.values()).sum();
    assert_eq!((tally.games, faults), (GAMES, 0), "the bots play to the end");
    assert_eq!(tally.moves, GAMES * u64::from(PLIES));
    scratch.map(|scratch| scratch.file("match.db"));
    Cost { games: tally.games, moves: tally.moves, ..cost }
}

/// Returns the lower bound: `CONCURRENCY` bare relays at once, each with its bots on one processor.
/// `half` is the transcript of half of the match.
fn relay_at_once(program: &Program, half: &Transcript) -> Cost {
    let (cost, ()) = Cost::of(|| {
        thread::scope(|scope| {
            for worker in 0..CONCURRENCY {
                scope.spawn(move || {
                    let mut one = CpuSet::new();
                    one.set(worker);
                    // On a single processor they share it, as the workers of the referee do.
                    let _ = sched_setaffinity(None, &one);
                    relay(program, half);
                });
            }
        });
    });
    Cost { games: GAMES, moves: half.moves * CONCURRENCY as u64, ..cost }
}

/// A match or tournament of players with one program.
pub struct Match<'a> {
    /// Game.
    pub game: &'a dyn DynGame,
    /// Settings of the match.
    pub config: &'a Contest,
    /// Games of the match.
    pub schedule: Schedule,
    /// Source of all players.
    pub source: PlayerSource,
}

impl Match<'_> {
    /// Plays the match like `referee A B`, and stores it if there is a store.
    pub fn play(&self, store: Option<Writer>) -> Tally {
        match store {
            Some(store) => self.keep(store),
            None => {
                let mut tally = Tally::new(2);
                self.run(|record| {
                    tally.add_record(&record);
                    ControlFlow::Continue(())
                });
                tally
            }
        }
    }

    fn keep(&self, store: Writer) -> Tally {
        let mut collector = Collector::new(store, &mut |_, _| {}).expect("the file is new");
        self.run(|record| {
            collector.take(record, |_, _| {}).expect("the disk has room");
            match collector.test_end() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        collector.tally().clone()
    }

    fn run(&self, collect: impl FnMut(Record) -> ControlFlow<()>) {
        let contestant = |player: &PlayerConfig| {
            PlannedPlayer::new(
                player.clone(),
                self.source.clone(),
                Speech::Dialect(&arbitre::dialects::arbitre::INFO),
            )
        };
        let players: Vec<PlannedPlayer> = self.config.players.iter().map(contestant).collect();
        let openings = self.config.openings(self.game);
        let (processes, stop) = (ProcessGroups::default(), Stop::default());
        let workers = Workers {
            game: self.game,
            players: Field::Fixed(&players),
            schedule: &self.schedule,
            openings: &openings,
            adjudication: None,
            concurrency: CONCURRENCY,
            pinned: true,
            processes: &processes,
            stop: &stop,
            spectator: None,
        };
        workers.run_games(HashSet::new(), collect).expect("no worker fails");
    }
}

/// Function that creates the console of an engine.
struct InProcessBots(fn() -> Result<Box<dyn Console>, ParseError>);

impl InProcessBots {
    /// Returns such engines as players.
    fn source(&self) -> PlayerSource {
        let make = self.0;
        PlayerSource::InProcess(Arc::new(move || make().expect("no option is wrong")))
    }
}

/// Returns the game of the stored matches.
pub fn awele() -> Box<dyn DynGame> {
    arbitre::registry().open("awele", "").expect("empty rules are valid")
}

/// Returns random players of that game in this process.
pub fn random_players() -> PlayerSource {
    let random = || arbitre::registry().bot("awele").unwrap().console(&["random".into()]);
    InProcessBots(random).source()
}

/// Creates a file for a match.
pub fn store(path: &Path, config: &Contest) -> Writer {
    let mut store =
        Writer::create(path, config, "a bench", &arbitre::registry()).expect("a new file");
    let session = Session { begun: 0, referee: String::new(), machine: None };
    store.begin_session(session, false).expect("the disk has room");
    store
}

/// Returns the settings of `games` two-player games. A store only opens files of games that the
/// referee knows, so the bench's own game uses the name of one.
pub fn config(game: &dyn DynGame, games: u64) -> Contest {
    let player = |name: &str| {
        let (name, dialect) = (name.into(), "arbitre".into());
        PlayerConfig { name, dialect, limits: generous(), ..PlayerConfig::default() }
    };
    Contest {
        game: "awele".into(),
        rules: game.rules(),
        external: None,
        seats: 2,
        games,
        seed: 1,
        openings: config::OpeningSource::Drawn(8),
        players: vec![player("a"), player("b")],
        format: FormatConfig::RoundRobin,
        sprt: None,
        adjudication: None,
        shard: None,
        seeding: Seeding::default(),
        source: Source::Words,
    }
}

fn generous() -> PlayerLimits {
    let mut limits = PlayerLimits::default();
    limits.clock.per_move = Some(Duration::from_secs(10));
    limits.clock.first = None;
    limits
}

/// Returns this program as a bot.
fn instant_program() -> Program {
    let path = std::env::current_exe().expect("this program has a path");
    let arguments = vec!["--instant-bot".into()];
    Program { arg0: "instant".into(), ..Program::new(path, arguments) }
}
