//! Time to stop a program while its opponent thinks, and to let it run again.

use crate::bench_program;
use crate::sandboxed::{sandboxed, REFEREE};
use arbitre_process::launcher::layers::Level;
use arbitre_process::launcher::{LaunchedProgram, Launcher};
use arbitre_process::sandbox::Profile;
use arbitre_process::sys::take_short_turns;
use arbitre_process::sys::{process_state, process_time};
use rustix::process::Pid;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Freezes of one measurement.
const FREEZES: usize = 1000;
/// Time that the program runs between two freezes, and between two looks at it.
const PAUSE: Duration = Duration::from_micros(200);

/// Runs this number of threads without end. Idle ones wait for input, as a bot does that does not
/// think on its opponent's time.
pub fn run(threads: usize, is_idle: bool) {
    let live = || match is_idle {
        true => drop(std::io::stdin().read_line(&mut String::new())),
        false => loop {
            std::hint::spin_loop();
        },
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(live)));
        live();
    });
}

/// Prints the times for programs of one and four threads, which think or wait.
pub fn report() {
    // As a worker of a tournament does.
    take_short_turns().expect("this is always allowed");
    println!("\nfreezing: median and p99 of {FREEZES}, in µs; aim: medians of at most 25");
    println!("  {:<34} {:>12} {:>12} {:>12}", "", "freeze, CPU", "thaw, wall", "both, wall");
    let launcher = Launcher::default();
    let kinds = [(1, "waits"), (1, "thinks"), (4, "wait"), (4, "think")];
    let levels = [Level::None, Level::Full];
    for (level, (threads, kind)) in levels.into_iter().flat_map(|of| kinds.map(|kind| (of, kind))) {
        let mut program = start(&launcher, level, threads, kind.starts_with("wait"));
        let row = measure(&mut program).map(|mut times| {
            times.sort();
            let micros = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1e6;
            format!("{:.1} {:.1}", micros(50), micros(99))
        });
        program.kill();
        launcher.bury(program);
        let title = if threads == 1 { "one thread that" } else { "four threads that" };
        println!(
            "  {:<34} {:>12} {:>12} {:>12}",
            format!("{title} {kind}, {level}"),
            row[0],
            row[1],
            row[2]
        );
    }
}

fn start(launcher: &Launcher, level: Level, threads: usize, is_idle: bool) -> LaunchedProgram {
    let kind = if is_idle { "idle" } else { "busy" };
    let program = sandboxed(bench_program(&format!("{kind}={threads}")), level, Profile::Mine);
    let sandbox = program.sandbox.as_ref().expect("it has a sandbox");
    let request = sandbox.request(&program.path, &program.arg0, &[]).expect("no NUL");
    let started = launcher.start(Path::new(REFEREE), sandbox.launcher(), &request);
    let program = started.expect("it starts");
    // Until the last thread runs.
    let task = format!("/proc/{}/task", number(program.program));
    while std::fs::read_dir(&task).map_or(0, Iterator::count) < threads {
        sleep(PAUSE);
    }
    program
}

/// Returns the launcher's CPU times for a freeze, and the times until the reply to a thaw. The
/// third list holds the times of both orders at once.
fn measure(program: &mut LaunchedProgram) -> [Vec<Duration>; 3] {
    let mut times = [(); 3].map(|()| Vec::with_capacity(FREEZES));
    let (main, launcher) = (number(program.program), number(program.launcher));
    let launcher_time = || process_time(launcher).expect("the launcher runs");
    for _ in 0..FREEZES {
        sleep(PAUSE);
        let before = launcher_time();
        program.freeze();
        while process_state(main) != Some('T') || process_state(launcher) != Some('S') {
            sleep(PAUSE);
        }
        times[0].push(launcher_time() - before);
        let begun = Instant::now();
        program.thaw();
        times[1].push(begun.elapsed());
        sleep(PAUSE);
        let begun = Instant::now();
        program.freeze();
        program.thaw();
        times[2].push(begun.elapsed());
    }
    times
}

fn number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}
