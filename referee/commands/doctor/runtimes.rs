//! Runtimes of languages, each started in the sandbox of both profiles.

use super::finding::Finding;
use arbitre_games::text::word_of;
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::Level;
use arbitre_process::launcher::{LaunchedProgram, Launcher};
use arbitre_process::sandbox::refusal::refused;
use arbitre_process::sandbox::{Profile, Sandbox, SandboxConfig, Surroundings};
use arbitre_referee::config::sandbox_args::surroundings;
use arbitre_referee::player::refusal::in_words;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::read;
use serde::Serialize;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runtimes and compilers, with the argument that prints their version.
const RUNTIMES: [(&str, &str); 8] = [
    ("python3", "--version"),
    ("node", "--version"),
    ("java", "-version"),
    ("ocaml", "-version"),
    ("go", "version"),
    ("dotnet", "--version"),
    ("gcc", "--version"),
    ("rustc", "--version"),
];
/// Time for all of them together. Not tuned; a JVM starts in less than a second.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of bytes of output that are read.
const READ: usize = 4096;
/// Number of characters of a version that are shown.
const SHOWN: usize = 40;

/// Runtimes of this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Readings {
    /// Runtimes in `PATH`.
    pub found: Vec<Runtime>,
    /// Names of the others.
    pub absent: Vec<&'static str>,
}

/// One runtime.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Runtime {
    /// Name of the program.
    pub name: &'static str,
    /// File of the program.
    pub path: PathBuf,
    /// Results, one for each profile.
    pub trials: Vec<Trial>,
}

/// Start of a runtime under one profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trial {
    /// Profile.
    pub profile: Profile,
    /// First line of its output, if it ran.
    pub version: Option<String>,
    /// Reason why it did not.
    pub failure: Option<String>,
    /// Option of the referee that would help.
    pub hint: Option<String>,
}

impl Readings {
    /// Starts all runtimes at once, and waits for them. `executable` is the referee's own program.
    pub fn here(executable: &Path, level: Level) -> Readings {
        let around = surroundings();
        let path = around.variable("PATH").unwrap_or_default().to_owned();
        let search = |name: &str| {
            let files = std::env::split_paths(&path).map(|folder| folder.join(name));
            // A relative folder would be another one in the sandbox.
            files.into_iter().find(|file| file.is_absolute() && file.is_file())
        };
        let launcher = Launcher::default();
        let (mut begun, mut absent) = (Vec::new(), Vec::new());
        for (name, argument) in RUNTIMES {
            let Some(path) = search(name) else {
                absent.push(name);
                continue;
            };
            let start = |(_, profile)| {
                let started =
                    Started::new(&launcher, executable, &path, argument, profile, &around, level);
                (profile, started)
            };
            let trials = Profile::WORDS.map(start);
            begun.push((name, path, trials));
        }
        let deadline = Instant::now() + PATIENCE;
        let runtime = |(name, path, trials): (_, _, [(Profile, io::Result<Started>); 2])| {
            let trial = |(profile, started): (Profile, io::Result<Started>)| match started {
                Ok(started) => started.finish(&launcher, profile, deadline),
                Err(error) => Trial::failed(profile, error.to_string()),
            };
            Runtime { name, path, trials: trials.map(trial).into() }
        };
        Readings { found: begun.into_iter().map(runtime).collect(), absent }
    }

    /// Returns a finding for each runtime, and one for the absent ones.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.found.iter().map(Runtime::finding).collect();
        if !self.absent.is_empty() {
            let text = format!("{}: not in PATH", self.absent.join(", "));
            findings
                .push(Finding::missing(text).help("install those in which players are written"));
        }
        findings
    }
}

impl Runtime {
    fn finding(&self) -> Finding {
        let version = self.trials.iter().find_map(|trial| trial.version.as_deref());
        let shown: String = version.unwrap_or_default().chars().take(SHOWN).collect();
        let version = if shown.is_empty() { shown } else { format!(" ({shown})") };
        let name = format!("{}: {}{version}", self.name, self.path.display());
        let failed: Vec<&Trial> = self.trials.iter().filter(|of| of.version.is_none()).collect();
        let Some(first) = failed.first() else {
            return Finding::ok(name);
        };
        let profiles: Vec<&str> =
            failed.iter().map(|trial| word_of(trial.profile, &Profile::WORDS)).collect();
        let failure = first.failure.as_deref().unwrap_or("unknown");
        let profiles = profiles.join(" or ");
        let text = format!("{name} does not start under profile {profiles}: {failure}");
        let finding = Finding::missing(text);
        match failed.iter().find_map(|trial| trial.hint.as_ref()) {
            Some(hint) => finding.help(hint),
            None => finding,
        }
    }
}

impl Trial {
    fn failed(profile: Profile, failure: String) -> Trial {
        Trial { profile, version: None, failure: Some(failure), hint: None }
    }
}

/// Runtime that was started.
struct Started {
    path: PathBuf,
    program: LaunchedProgram,
    sandbox: Sandbox,
}

impl Started {
    fn new(
        launcher: &Launcher,
        executable: &Path,
        program: &Path,
        argument: &str,
        profile: Profile,
        around: &Surroundings,
        level: Level,
    ) -> io::Result<Started> {
        let config = SandboxConfig { profile: Some(profile), ..SandboxConfig::default() };
        let sandbox = config.sandbox_for(program, &[argument.to_owned()], around, level);
        let request = sandbox.request(program, program.as_os_str(), &[])?;
        let path = program.to_owned();
        let program = launcher.start(executable, sandbox.launcher(), &request)?;
        Ok(Started { path, program, sandbox })
    }

    /// Waits for the end of the runtime, and ends it if it is late.
    fn finish(mut self, launcher: &Launcher, profile: Profile, deadline: Instant) -> Trial {
        let [_, output, errors] = self.program.take_streams();
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).ok();
        // An interrupted wait counts as the end of patience.
        let _ = poll(&mut [PollFd::new(&*self.program.pidfd, PollFlags::IN)], left.as_ref());
        let end = self.program.end();
        let (output, errors) = (text(output), text(errors));
        self.program.kill();
        launcher.bury(self.program);
        let last = |text: &str| text.lines().rev().find(|line| !line.is_empty()).map(str::to_owned);
        let failure = match end {
            Some(Exit::Code(0)) => {
                // Java prints its version on standard error.
                let mut lines = output.lines().chain(errors.lines()).map(str::trim);
                let version = lines.find(|line| !line.is_empty()).unwrap_or_default().to_owned();
                return Trial { profile, version: Some(version), failure: None, hint: None };
            }
            None => format!("it did not end within {} s", PATIENCE.as_secs()),
            Some(end) => last(&errors).unwrap_or_else(|| format!("{end:?}")),
        };
        let refusal = refused(&errors, &self.path, &self.sandbox);
        let hint = refusal.map(|refusal| in_words(&refusal));
        Trial { hint, ..Trial::failed(profile, failure) }
    }
}

/// Returns what a stream of an ended program holds.
fn text(stream: Option<OwnedFd>) -> String {
    let mut bytes = vec![0; READ];
    let count = stream.and_then(|stream| read(stream, &mut bytes).ok()).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::finding::Status;
    use super::*;

    fn python(class: Trial) -> Readings {
        let version = Some("Python 3.11.2".into());
        let mine = Trial { profile: Profile::Mine, version, failure: None, hint: None };
        let trials = vec![mine, class];
        let found = vec![Runtime { name: "python3", path: "/usr/bin/python3".into(), trials }];
        Readings { found, absent: Vec::new() }
    }

    #[test]
    fn runtime_must_start_under_both_profiles() {
        let version = Some("Python 3.11.2".into());
        let class = Trial { profile: Profile::Class, version, failure: None, hint: None };
        let found = python(class).findings();
        assert_eq!(found, [Finding::ok("python3: /usr/bin/python3 (Python 3.11.2)")]);
        let failed = Trial::failed(Profile::Class, "Permission denied".into());
        let hint = Some("--allow-read /x shows it".into());
        let found = python(Trial { hint, ..failed }).findings();
        let text = "python3: /usr/bin/python3 (Python 3.11.2) does not start under profile \
                    class: Permission denied";
        assert_eq!(found, [Finding::missing(text).help("--allow-read /x shows it")]);
    }

    #[test]
    fn absent_runtimes_share_a_line() {
        let absent = Readings { found: Vec::new(), absent: vec!["go", "dotnet"] }.findings();
        assert_eq!(
            (absent[0].status, &*absent[0].text),
            (Status::Missing, "go, dotnet: not in PATH")
        );
    }
}
