//! Programs in sandboxes, started through the launcher alone.

use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::{Access, Layers, Level, SandboxLimits, ViewEntry};
use arbitre_process::launcher::{LaunchRequest, LaunchedProgram, Launcher, LauncherKind};
use rustix::event::{poll, PollFd, PollFlags};
use rustix::fs::{fcntl_getfl, fcntl_setfl, OFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Path of the referee, whose executable is the launcher.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Levels with more layers than the weak one, in which a test may try to leave its sandbox.
pub const PROTECTED: [Level; 2] = [Level::Partial, Level::Full];

/// Paths that a shell needs.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache"];

/// Returns a sandbox that shows what a shell needs.
pub fn layers(level: Level) -> Layers {
    Layers {
        level,
        view: SYSTEM.map(|path| ViewEntry::new(Access::Read, path)).into(),
        has_network: false,
        limits: SandboxLimits { memory: 1 << 30, processes: 64, files: 64, disk: 1 << 20 },
    }
}

/// Starts a shell with this script in a sandbox.
pub fn start(launcher: &Launcher, layers: &Layers, script: &str) -> LaunchedProgram {
    let words = ["sh", "-c", script].map(OsStr::new);
    let variables = ["PATH=/usr/bin:/bin"].map(OsStr::new);
    let (shell, folder) = (Path::new("/bin/sh"), Path::new("/"));
    let request = LaunchRequest::new(shell, folder, words, variables, Some(layers)).unwrap();
    let kind = LauncherKind::needed_by(Some(layers));
    launcher.start(Path::new(REFEREE), kind, &request).unwrap()
}

/// Runs a script in a sandbox. Returns its output with standard error, and its end.
pub fn run_to_end(layers: &Layers, script: &str) -> (String, Exit) {
    let launcher = Launcher::default();
    let mut program = start(&launcher, layers, &format!("exec 2>&1; {script}"));
    let [_, output, _] = program.take_streams();
    let output = output.unwrap();
    fcntl_setfl(&output, fcntl_getfl(&output).unwrap() - OFlags::NONBLOCK).unwrap();
    let mut text = String::new();
    File::from(output).read_to_string(&mut text).unwrap();
    poll(&mut [PollFd::new(&*program.pidfd, PollFlags::IN)], None).unwrap();
    let end = program.end().expect("it has ended");
    program.kill();
    launcher.bury(program);
    (text, end)
}

/// Runs a script in a sandbox and returns its output with standard error.
pub fn run(layers: &Layers, script: &str) -> String {
    run_to_end(layers, script).0
}
