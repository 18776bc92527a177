//! What the referee costs beside the floor: the same lines through a bare relay, the same programs
//! from a bare spawn loop. Everything is measured in one run, on one processor, in turns, because
//! only ratios mean something on a machine that others use too.
//!
//! `cargo bench --bench pipes [-- --rounds N]`

mod floor;
mod instant;
mod measure;
mod recorder;

use arbitre::referee::charter::Party;
use arbitre::referee::command::Program;
use arbitre::referee::interrupt::Stop;
use arbitre::referee::openings::Openings;
use arbitre::referee::player::herd::Herd;
use arbitre::referee::registry::{self, Hosted, Tongue};
use arbitre::referee::schedule::Schedule;
use arbitre::referee::tally::Tally;
use arbitre::referee::terms::Terms;
use arbitre::referee::tournament::{Contestant, Source, Tournament};
use floor::{relay, spawn_loop};
use measure::{median, Cost};
use recorder::{record, Transcript};
use rustix::thread::{sched_setaffinity, CpuSet};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// Games of a kept pair in one measurement.
const KEPT_GAMES: u64 = 400;
/// Games of fresh pairs in one measurement.
const FRESH_GAMES: u64 = 200;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(kind) = words.iter().find_map(|word| word.strip_prefix("--instant-bot=")) {
        return instant::play(kind == "kept");
    }
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(7, |word| word.parse().expect("--rounds takes a number"));
    pin();
    let game =
        (registry::find("awele").expect("the game exists").open)("").expect("no rules are rules");
    println!("median of {rounds} rounds, referee and bots on one processor\n");
    for (title, kept) in [
        ("instant bots that read `legal`", bench_program("kept")),
        ("awele random, which keeps its own board", bundled("random")),
    ] {
        compare_kept(&*game, title, &kept, rounds);
    }
    compare_fresh(&*game, &bench_program("fresh"), rounds);
}

/// The bots inherit the processor, as they do from a worker of a tournament.
fn pin() {
    let mut one = CpuSet::new();
    one.set(0);
    sched_setaffinity(None, &one).expect("this processor is allowed");
}

fn bench_program(kind: &str) -> Program {
    let path = std::env::current_exe().expect("this program has a path");
    let arguments = vec![format!("--instant-bot={kind}")];
    Program { arg0: "instant".into(), path, arguments }
}

fn bundled(strategy: &str) -> Program {
    Program::bundled(Path::new(env!("CARGO_BIN_EXE_referee")), "awele", &[strategy.into()])
}

/// A match of a program against itself.
fn referee(game: &dyn Hosted, program: &Program, games: u64) -> Cost {
    let contestant = |name: &str| {
        let source = Source::Program(program.clone());
        let tongue = Tongue::Dialect("arbitre");
        let (name, command, dialect) = (name.into(), String::new(), "arbitre".into());
        Contestant::new(Party { name, command, dialect, terms: generous() }, source, tongue)
    };
    let contestants = [contestant("a"), contestant("b")];
    let schedule = Schedule::new(2, 2, games, SEED);
    let openings = Openings::drawn(game, 2, 8, schedule.openings_rng());
    let (herd, stop) = (Herd::default(), Stop::default());
    let tournament = Tournament {
        game,
        contestants: &contestants,
        schedule: &schedule,
        openings: &openings,
        concurrency: 1,
        pinned: true,
        herd: &herd,
        stop: &stop,
    };
    let (cost, tally) = Cost::of(|| {
        let mut tally = Tally::new(2, 1);
        tournament.run(&HashSet::new(), |record| {
            tally.add(&record);
            ControlFlow::Continue(())
        });
        tally
    });
    let faults: u64 = tally.players.iter().flat_map(|player| player.faults.values()).sum();
    assert_eq!((tally.games, faults), (games, 0), "the bots play to the end");
    Cost { moves: tally.moves, games, ..cost }
}

const SEED: u64 = 1;

fn generous() -> Terms {
    let mut terms = Terms::default();
    terms.clock.per_move = Some(Duration::from_secs(10));
    terms.clock.first = None;
    terms
}

/// The lines of the same match, to be passed on by the bare relay.
fn transcript(game: &dyn Hosted, program: &Program, games: u64) -> Transcript {
    let schedule = Schedule::new(2, 2, games, SEED);
    let openings = Openings::drawn(game, 2, 8, schedule.openings_rng());
    record(game, program, &schedule, &openings, &generous())
}

fn compare_kept(game: &dyn Hosted, title: &str, program: &Program, rounds: usize) {
    let transcript = transcript(game, program, KEPT_GAMES);
    let mut pairs = Vec::new();
    for _ in 0..rounds {
        let ours = referee(game, program, KEPT_GAMES);
        let floor = relay(program, &transcript);
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
    row("CPU µs per move, referee and both bots", &Cost::cpu_per_move);
    row("CPU µs per move, referee alone", &Cost::own_cpu_per_move);
    row("voluntary context switches per move, referee", &Cost::own_switches_per_move);
    row("voluntary context switches per move, bots", &Cost::bots_switches_per_move);
    row("moves per second", &Cost::moves_per_second);
    row("games per second", &Cost::games_per_second);
    println!("  aims: CPU per move at most 1.5 times the floor's, 1.1 switches per move\n");
}

fn compare_fresh(game: &dyn Hosted, program: &Program, rounds: usize) {
    let transcript = transcript(game, program, FRESH_GAMES);
    let (mut ours, mut spawns, mut played) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(referee(game, program, FRESH_GAMES).games_per_second());
        spawns.push(spawn_loop(program, FRESH_GAMES, None).games_per_second());
        played.push(spawn_loop(program, FRESH_GAMES, Some(&transcript)).games_per_second());
    }
    let ratio = |floor: &[f64]| median(ours.iter().zip(floor).map(|(ours, floor)| ours / floor));
    println!("fresh processes: two per game, instant bots");
    println!("  games per second, referee{:>31.1}", median(ours.iter().copied()));
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
    println!("  aim: at least 0.80 of the bare spawn rate");
}
