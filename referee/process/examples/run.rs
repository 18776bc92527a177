//! Runs two programs that are not trusted, each under a limit of 100 ms.

use arbitre_process::launcher;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::sandbox::probe::probe;
use arbitre_process::sandbox::{SandboxConfig, Surroundings};
use arbitre_process::stopwatch::{Counting, Limit};
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    // First: this executable is its own launcher.
    if let Some(code) = launcher::serve_if_asked() {
        return code;
    }
    let scripts = ["read line; echo \"$line, program\"", "read line; while :; do :; done"];
    match scripts.into_iter().try_for_each(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a script of a shell in a sandbox, and prints its answer to a line.
fn run(script: &str) -> io::Result<()> {
    let own = Path::new("/proc/self/exe");
    let program = Program::new("/bin/sh", vec!["-c".into(), script.into()]);
    let (config, around, level) =
        (SandboxConfig::default(), Surroundings::here(), probe(own).level);
    let sandbox = config.sandbox_for(&program.path, &program.arguments, &around, level);
    let program = program.launched_by(own).in_sandbox(sandbox);
    let mut process = Process::new(program, ProcessGroups::default());
    process.start(&[])?;
    let limit = Limit {
        time: Some(Duration::from_millis(100)),
        counting: Counting::Fair { threads: 1 },
        // The time of the answer begins once the program has read its first line.
        start: Some(Duration::from_secs(5)),
        ..Limit::untimed(1000)
    };
    let answer = process.request("hello\n", &limit, None, &mut || {});
    let answer = answer.map(|answer| answer.line.to_owned());
    let used = process.meter().map(|meter| meter.since_start()).unwrap_or_default();
    match answer {
        Ok(line) => println!("sandbox {level}: it answered '{line}' and used {used:?}"),
        Err(error) => println!("sandbox {level}: it {error}, and used {used:?}"),
    }
    Ok(())
}
