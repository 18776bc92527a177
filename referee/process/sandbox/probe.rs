//! Search for the protection that this machine gives: a canary in a sandbox tries what a sandbox
//! must refuse.

use crate::exit::Exit;
use crate::launcher::layers::{Access, Layers, Level, SandboxLimits, ViewEntry};
use crate::launcher::{canary, LaunchRequest, Launcher, LauncherKind};
use crate::sys;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time for the canary to end. Not tuned.
const PATIENCE: Duration = Duration::from_secs(10);

/// Protection found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Highest level that the machine gives.
    pub level: Level,
    /// Reasons why it gives no more, one for each higher level.
    pub reasons: Vec<String>,
}

/// Finds the highest level that this machine gives. `executable` is the host's own program.
pub fn probe(executable: &Path) -> Probe {
    let mut reasons = Vec::new();
    for level in [Level::Full, Level::Partial] {
        match try_level(executable, level) {
            Ok(()) => return Probe { level, reasons },
            Err(reason) => reasons.push(reason),
        }
    }
    Probe { level: Level::Weak, reasons }
}

/// Starts a canary at a level.
///
/// # Errors
/// Returns the reason why the machine does not give that level.
pub fn try_level(executable: &Path, level: Level) -> Result<(), String> {
    let layers = Layers {
        level,
        view: vec![ViewEntry::new(Access::Read, "/usr")],
        has_network: false,
        limits: SandboxLimits { memory: 1 << 30, processes: 16, files: 64, disk: 1 << 20 },
    };
    let request = LaunchRequest::of_canary(&layers).map_err(|error| error.to_string())?;
    let launcher = Launcher::default();
    let started = launcher.start(executable, LauncherKind::needed_by(Some(&layers)), &request);
    let mut canary = started.map_err(|error| reason(level, &error.to_string()))?;
    let begun = Instant::now();
    let end = loop {
        match canary.end() {
            None if begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_micros(500)),
            end => break end,
        }
    };
    canary.kill();
    launcher.bury(canary);
    match end {
        Some(Exit::Code(0)) => Ok(()),
        Some(Exit::Code(code)) => {
            let attempt = canary::attempt(code);
            Err(reason(level, &format!("a program in a sandbox could {attempt}")))
        }
        _ => Err(reason(level, "a program in a sandbox does not run")),
    }
}

/// Settings of the system that refuse user namespaces, with the value that does.
const SETTINGS: [(&str, &str); 3] = [
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
    ("/proc/sys/user/max_user_namespaces", "0"),
];

/// Adds what is known of this machine to the reason why it does not give a level.
fn reason(level: Level, error: &str) -> String {
    match sys::landlock_version() {
        0 => return "the kernel has no Landlock, or it is not enabled".into(),
        version @ 1..=2 if level == Level::Partial => {
            return format!("the kernel has Landlock {version}; version 3 is needed");
        }
        _ => {}
    }
    if level == Level::Partial {
        return error.into();
    }
    let is_ordinary = !rustix::process::geteuid().is_root();
    for (path, refusing) in SETTINGS.into_iter().filter(|_| is_ordinary) {
        let value = fs::read_to_string(path).unwrap_or_default();
        if value.trim() == refusing {
            return format!("no user namespaces: {path} is {refusing} ({error})");
        }
    }
    format!("no namespaces: {error}")
}
