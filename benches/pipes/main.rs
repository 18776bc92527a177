//! Cost of the referee compared with a lower bound: the same lines through a bare relay, and the
//! same programs in a bare spawn loop. All measurements are interleaved in one run on one
//! processor, because only ratios are meaningful on a shared machine.
//!
//! `cargo bench --bench pipes [-- --rounds N]`; `-- --freeze` measures only how fast programs are
//! stopped and let run again, `-- --sandbox` only the cost of the sandbox, and `-- --external` only
//! that of rules in another process.

mod external;
mod freezing;
mod instant;
mod sandboxed;

use arbitre::clock::ClockKind;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::PlayerConfig;
use arbitre::internals::formats::openings::Openings;
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::player::program;
use arbitre::internals::run::interrupt::Stop;
use arbitre::internals::run::roster::Field;
use arbitre::internals::run::{PlannedPlayer, PlayerSource, Workers};
use arbitre::internals::statistics::tally::Tally;
use arbitre::referee::registry::{DynGame, Speech};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::usage::UsageMeter;
use arbitre_test_support::floor::{relay, spawn_loop};
use arbitre_test_support::measure::Cost;
use arbitre_test_support::median::median;
use arbitre_test_support::recorder::{record, Transcript};
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Games of one measurement with kept processes.
const KEPT_GAMES: u64 = 400;
/// Games of one measurement with kept processes and four seats.
const FOUR_GAMES: u64 = 1000;
/// Games of one measurement with fresh processes.
const FRESH_GAMES: u64 = 200;
/// Games between bots that think, for the referee's share of the CPU time. It is measured once.
const SHARED_GAMES: u64 = 1000;

/// A match of a program against itself.
struct Bout<'a> {
    game: &'a dyn DynGame,
    program: &'a Program,
    seats: usize,
    /// Length of an opening in plies.
    plies: usize,
    games: u64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(kind) = words.iter().find_map(|word| word.strip_prefix("--instant-bot=")) {
        let threads = |word: &str| word.parse().expect("the bench wrote a number");
        return match kind.split_once('=') {
            Some(("terse", answers)) => instant::play_from(Path::new(answers)),
            Some((kind, number)) => freezing::run(threads(number), kind == "idle"),
            None if kind == "end" => {}
            None => instant::play(kind == "kept"),
        };
    }
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(7, |word| word.parse().expect("--rounds takes a number"));
    pin();
    if words.iter().any(|word| word == "--freeze") {
        return freezing::report();
    }
    if words.iter().any(|word| word == "--sandbox") {
        return sandboxed::report(rounds);
    }
    if words.iter().any(|word| word == "--external") {
        return external::report(rounds);
    }
    println!("median of {rounds} rounds, referee and bots on one processor\n");
    let awele = open("awele");
    for (title, kept) in [
        ("instant bots that read `legal`", bench_program("kept")),
        ("awele random, which keeps its own board", bundled("awele", "random")),
    ] {
        compare_kept(&Bout::of_awele(&*awele, &kept, KEPT_GAMES), title, rounds);
    }
    let kept = bench_program("kept");
    compare_clocks(&Bout::of_awele(&*awele, &kept, KEPT_GAMES), rounds);
    report_readings();
    let answers = answers(&Bout::of_awele(&*awele, &kept, KEPT_GAMES));
    let terse = bench_program(&format!("terse={}", answers.display()));
    let bout = Bout::of_awele(&*awele, &terse, KEPT_GAMES);
    compare_kept(&bout, "instant `terse` bots, which read their moves from a file", rounds);
    std::fs::remove_file(answers).expect("the file was written here");
    let (tron, program) = (open("tron"), bundled("tron", "wall-hugger"));
    let four = Bout { game: &*tron, program: &program, seats: 4, plies: 0, games: FOUR_GAMES };
    compare_kept(&four, "tron wall-hugger, four at a table", rounds);
    compare_fresh(&*awele, rounds);
    let (colours, program) = (open("seven-colors"), bundled("seven-colors", "greedy"));
    let greedy =
        Bout { game: &*colours, program: &program, seats: 2, plies: 0, games: SHARED_GAMES };
    report_share(&greedy, "seven-colors greedy against itself");
    freezing::report();
    sandboxed::report(rounds);
    external::report(rounds);
}

fn open(game: &str) -> Box<dyn DynGame> {
    arbitre::registry().open(game, "").expect("empty rules are valid")
}

impl Bout<'_> {
    fn of_awele<'a>(game: &'a dyn DynGame, program: &'a Program, games: u64) -> Bout<'a> {
        Bout { game, program, seats: 2, plies: 8, games }
    }

    /// Returns the schedule and the setups. All setups are drawn here, outside the measurement.
    fn planned(&self) -> (Schedule, Openings) {
        let schedule = Schedule::new(self.seats, self.seats, self.games, SEED);
        let rng = schedule.openings_rng();
        let openings = Openings::drawn(self.game, self.seats, self.plies, rng);
        let last = openings.setup(self.games.div_ceil(self.seats as u64) - 1);
        last.expect("the game draws setups");
        (schedule, openings)
    }
}

/// Pins this thread to the first allowed processor. The bots inherit it, as from a worker of a
/// tournament.
fn pin() {
    let allowed = sched_getaffinity(None).expect("the affinity can be read");
    let first = (0..CpuSet::MAX_CPU).find(|&cpu| allowed.is_set(cpu));
    let mut one = CpuSet::new();
    one.set(first.expect("a processor is allowed"));
    sched_setaffinity(None, &one).expect("this processor is allowed");
}

fn bench_program(kind: &str) -> Program {
    let path = std::env::current_exe().expect("this program has a path");
    let arguments = vec![format!("--instant-bot={kind}")];
    Program { arg0: "instant".into(), ..Program::new(path, arguments) }
}

/// Plays the match and writes its moves to a file, with a line for each game and seat.
fn answers(bout: &Bout) -> PathBuf {
    let games = transcript(bout).answers;
    let lines: Vec<String> = games.iter().flatten().map(|moves| moves.join(" ")).collect();
    let path = std::env::temp_dir().join(format!("arbitre-pipes-{}", std::process::id()));
    std::fs::write(&path, lines.join("\n")).expect("the temporary folder is writable");
    path
}

fn bundled(bot: &str, strategy: &str) -> Program {
    program::bundled(Path::new(env!("CARGO_BIN_EXE_referee")), bot, &[strategy.into()])
}

/// Plays the match with the referee.
fn referee(bout: &Bout) -> Cost {
    referee_by(bout, ClockKind::Fair)
}

/// Plays the match with the referee by this clock.
fn referee_by(bout: &Bout, clock: ClockKind) -> Cost {
    let contestant = |number: usize| {
        let source = PlayerSource::Program(bout.program.clone());
        let tongue = Speech::Dialect(&arbitre::dialects::arbitre::INFO);
        let (name, dialect) = (number.to_string(), "arbitre".into());
        let mut limits = generous();
        limits.clock.kind = clock;
        let config = PlayerConfig { name, dialect, limits, ..PlayerConfig::default() };
        PlannedPlayer::new(config, source, tongue)
    };
    let players: Vec<PlannedPlayer> = (0..bout.seats).map(contestant).collect();
    let (schedule, openings) = bout.planned();
    let (processes, stop) = (ProcessGroups::default(), Stop::default());
    let workers = Workers {
        game: bout.game,
        players: Field::Fixed(&players),
        schedule: &schedule,
        openings: &openings,
        adjudication: None,
        concurrency: 1,
        pinned: true,
        processes: &processes,
        stop: &stop,
        spectator: None,
    };
    let (cost, tally) = Cost::of(|| {
        let mut tally = Tally::new(bout.seats);
        let played = workers.run_games(HashSet::new(), |record| {
            tally.add_record(&record);
            ControlFlow::Continue(())
        });
        played.expect("no worker fails");
        tally
    });
    let faults: u64 = tally.players.iter().flat_map(|player| player.faults.values()).sum();
    assert_eq!((tally.games, faults), (bout.games, 0), "the bots play to the end");
    Cost { moves: tally.moves, games: bout.games, ..cost }
}

const SEED: u64 = 1;

fn generous() -> PlayerLimits {
    let mut limits = PlayerLimits::default();
    limits.clock.per_move = Some(Duration::from_secs(10));
    limits.clock.first = None;
    limits
}

/// Returns the lines of the same match, for the bare relay.
fn transcript(bout: &Bout) -> Transcript {
    let (schedule, openings) = bout.planned();
    record(bout.game, bout.program, &schedule, &openings, &generous())
}

fn compare_kept(bout: &Bout, title: &str, rounds: usize) {
    let transcript = transcript(bout);
    let mut pairs = Vec::new();
    for _ in 0..rounds {
        let ours = referee(bout);
        let floor = relay(bout.program, &transcript);
        assert_eq!(ours.moves, floor.moves, "both pass on the same game");
        pairs.push((ours, floor));
    }
    let row = |name: &str, of: &dyn Fn(&Cost) -> f64| {
        let ours = median(pairs.iter().map(|(ours, _)| of(ours)));
        let floor = median(pairs.iter().map(|(_, floor)| of(floor)));
        let ratio = median(pairs.iter().map(|(ours, floor)| of(ours) / of(floor)));
        println!("  {name:<44} {ours:>10.2} {floor:>10.2} {ratio:>8.2}");
    };
    println!("kept processes: {title}");
    println!("  {:<44} {:>10} {:>10} {:>8}", "", "referee", "floor", "ratio");
    row("CPU µs per move, referee and all bots", &Cost::cpu_per_move);
    row("CPU µs per move, referee alone", &Cost::own_cpu_per_move);
    row("voluntary context switches per move, referee", &Cost::own_switches_per_move);
    row("voluntary context switches per move, bots", &Cost::bots_switches_per_move);
    row("moves per second", &Cost::moves_per_second);
    row("games per second", &Cost::games_per_second);
    println!("  aims: CPU per move at most 1.3 times the floor's, 1.15 switches per move\n");
}

/// Compares the clocks. Moves of instant bots are too short for a reading of their CPU time and
/// waits.
fn compare_clocks(bout: &Bout, rounds: usize) {
    let mut pairs = Vec::new();
    for _ in 0..rounds {
        pairs.push((referee_by(bout, ClockKind::Fair), referee_by(bout, ClockKind::Wall)));
    }
    let of = |cost: fn(&(Cost, Cost)) -> f64| median(pairs.iter().map(cost));
    println!("clocks: the first match, CPU µs per move of the referee and all bots");
    println!("  fair{:>52.2}", of(|(fair, _)| fair.cpu_per_move()));
    println!("  wall{:>52.2}", of(|(_, wall)| wall.cpu_per_move()));
    println!("  ratio{:>51.3}", of(|(fair, wall)| fair.cpu_per_move() / wall.cpu_per_move()));
    println!("  aim: at most 1.03\n");
}

/// Prints the time of a reading of a program's usage, here of this program.
fn report_readings() {
    const READINGS: u32 = 2000;
    let mut meter = UsageMeter::new(std::process::id(), false, None);
    let begun = Instant::now();
    for _ in 0..READINGS {
        meter.read();
    }
    let each = begun.elapsed() / READINGS;
    println!("a reading of the CPU time and waits of a process with one thread: {each:.1?}\n");
}

fn compare_fresh(game: &dyn DynGame, rounds: usize) {
    let program = &bench_program("fresh");
    let launched = program.clone().launched_by(Path::new(env!("CARGO_BIN_EXE_referee")));
    let direct = &Bout::of_awele(game, program, FRESH_GAMES);
    let bout = &Bout::of_awele(game, &launched, FRESH_GAMES);
    let transcript = transcript(direct);
    let (mut ours, mut direct_rates) = (Vec::new(), Vec::new());
    let (mut spawns, mut played) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(referee(bout).games_per_second());
        direct_rates.push(referee(direct).games_per_second());
        spawns.push(spawn_loop(program, FRESH_GAMES, None).games_per_second());
        played.push(spawn_loop(program, FRESH_GAMES, Some(&transcript)).games_per_second());
    }
    let ratio = |floor: &[f64]| median(ours.iter().zip(floor).map(|(ours, floor)| ours / floor));
    println!("fresh processes: two per game, instant bots");
    println!("  games per second, by launchers{:>26.1}", median(ours.iter().copied()));
    println!(
        "  started directly, as bundled bots{:>23.1}   ratio {:.2}",
        median(direct_rates.iter().copied()),
        ratio(&direct_rates)
    );
    println!(
        "  bare spawn loop, nothing said{:>27.1}   ratio {:.2}",
        median(spawns.iter().copied()),
        ratio(&spawns)
    );
    println!(
        "  bare spawn loop, the same lines said{:>20.1}   ratio {:.2}",
        median(played.iter().copied()),
        ratio(&played)
    );
    println!("  aim: at least 450 games per second by launchers");
}

/// Prints the referee's share of the cost of a match between bots that think.
fn report_share(bout: &Bout, title: &str) {
    let cost = referee(bout);
    println!("\nkept processes, once: {title}, {} games, {} moves", cost.games, cost.moves);
    println!("  CPU µs per move, referee and all bots{:>18.2}", cost.cpu_per_move());
    println!("  CPU µs per move, referee alone{:>25.2}", cost.own_cpu_per_move());
    println!("  the referee's share{:>36.1} %", 100.0 * cost.own_share());
    println!("  games per second{:>39.1}", cost.games_per_second());
}
