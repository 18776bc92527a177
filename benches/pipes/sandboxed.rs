//! Cost of the sandbox: of the start of a program, and of the moves of kept programs.

use crate::{bench_program, open, referee, Bout, KEPT_GAMES};
use arbitre::internals::config::sandbox_args::surroundings;
use arbitre_process::launcher::layers::Level;
use arbitre_process::launcher::Launcher;
use arbitre_process::program::Program;
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_test_support::measure::Cost;
use arbitre_test_support::median::median;
use rustix::event::{poll, PollFd, PollFlags};
use std::path::Path;

/// Starts of one measurement.
const STARTS: u64 = 200;
/// Path of the referee.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Sandboxes that are compared; the first is none.
const KINDS: [(&str, Level, Profile); 4] = [
    ("none", Level::None, Profile::Mine),
    ("partial, class", Level::Partial, Profile::Class),
    ("full, class", Level::Full, Profile::Class),
    ("full, mine", Level::Full, Profile::Mine),
];

/// Returns the same program under a launcher, in a sandbox of this kind.
pub fn sandboxed(program: Program, level: Level, profile: Profile) -> Program {
    let config = SandboxConfig { profile: Some(profile), ..SandboxConfig::default() };
    let around = surroundings();
    let sandbox = config.sandbox_for(&program.path, &program.arguments, &around, level);
    program.launched_by(Path::new(REFEREE)).in_sandbox(sandbox)
}

/// Prints the costs.
pub fn report(rounds: usize) {
    println!("\nsandbox: CPU µs per start of a program that ends at once, with its launcher");
    let programs = KINDS.map(|(_, level, profile)| sandboxed(bench_program("end"), level, profile));
    let mut costs = KINDS.map(|_| Vec::new());
    for _ in 0..rounds {
        for (costs, program) in costs.iter_mut().zip(&programs) {
            costs.push(start_and_end(program));
        }
    }
    for ((name, ..), costs) in KINDS.iter().zip(&costs) {
        println!("  {name:<44} {:>10.0}", median(costs.iter().copied()));
    }
    println!("  aim: full at most 1500\n");

    println!("sandbox: kept instant bots, CPU µs per move of the referee and all bots");
    let awele = open("awele");
    let programs =
        KINDS.map(|(_, level, profile)| sandboxed(bench_program("kept"), level, profile));
    let mut costs = KINDS.map(|_| Vec::new());
    for _ in 0..rounds {
        for (costs, program) in costs.iter_mut().zip(&programs) {
            costs.push(referee(&Bout::of_awele(&*awele, program, KEPT_GAMES)));
        }
    }
    let [without, ..] = &costs;
    for ((name, ..), costs) in KINDS.iter().zip(&costs) {
        let ratio = |of: fn(&Cost) -> f64| {
            median(costs.iter().zip(without).map(|(with, without)| of(with) / of(without)))
        };
        println!(
            "  {name:<44} {:>10.2}   ratio {:.3}, of moves per second {:.3}",
            median(costs.iter().map(Cost::cpu_per_move)),
            ratio(Cost::cpu_per_move),
            ratio(Cost::moves_per_second),
        );
    }
    println!("  aim: ratios within 5 %");
}

/// Returns the CPU time per start in microseconds, of this process and all that it started.
fn start_and_end(program: &Program) -> f64 {
    let sandbox = program.sandbox.as_ref().expect("it has a sandbox");
    let request = sandbox.request(&program.path, &program.arg0, &[]).expect("no NUL");
    let (cost, ()) = Cost::of(|| {
        let launcher = Launcher::default();
        for _ in 0..STARTS {
            let mut program =
                launcher.start(Path::new(REFEREE), sandbox.launcher(), &request).expect("starts");
            let streams = program.take_streams();
            poll(&mut [PollFd::new(&*program.pidfd, PollFlags::IN)], None).expect("it ends");
            program.kill();
            launcher.bury(program);
            drop(streams);
        }
    });
    // The moves are the starts.
    Cost { moves: STARTS, ..cost }.cpu_per_move()
}
