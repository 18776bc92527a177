//! Build of one submission, in the sandbox.

use super::language::{find_program, TOOLS};
use super::tree::{check_build, TreeLimits, BUILD};
use crate::config::sandbox_args::surroundings;
use crate::escape::escape;
use crate::player::digest::hexadecimal;
use crate::player::program::explain;
use arbitre_games::text::format_size;
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::Level;
use arbitre_process::launcher::{LaunchedProgram, Launcher};
use arbitre_process::sandbox::command::{installation, is_system};
use arbitre_process::sandbox::environment::jvm_notice;
use arbitre_process::sandbox::{Profile, SandboxConfig, Surroundings};
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::statvfs;
use rustix::io::{read, Errno};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io;
use std::ops::{ControlFlow, RangeInclusive};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Wall time of a build.
pub const TIME: Duration = Duration::from_secs(60);
/// Memory of a build with all its processes, in bytes. Not tuned; `javac` on one file had 120 MB
/// (2026-11-25).
const MEMORY: u64 = 2 << 30;
/// Number of processes and threads of a build. Not tuned.
const PROCESSES: u64 = 512;
/// Number of open files of each process. Not tuned.
const FILES: u64 = 1024;
/// Size of each written file, in bytes. Not tuned.
const FILE_SIZE: u64 = 256 << 20;
/// Time between two looks at the size of the folder. Not tuned.
const LOOK: Duration = Duration::from_millis(200);
/// Most time that is counted between two looks at the clock. Not tuned.
const LONGEST_LOOK: Duration = Duration::from_secs(1);
/// Number of bytes of the output that are kept, from its end. Not tuned.
const OUTPUT: usize = 2000;
/// Number of lines of the output that are kept, from its end. Not tuned.
const LINES: usize = 20;
/// Time of a build after which a note names it. Not tuned.
const SLOW: Duration = Duration::from_secs(10);
/// Free bytes below which a disk counts as full. Not tuned.
const ROOM: u64 = 16 << 20;
/// Exit codes of a shell for a command that a signal ended: its number, and 128.
const BY_SIGNAL: RangeInclusive<i32> = 129..=192;
/// Parts of messages about the machine, and not about the source: of the C library, the loader of
/// programs, GCC and the JVM.
const OF_MACHINE: [&str; 12] = [
    "No space left on device",
    "Disk quota exceeded",
    "Input/output error",
    "Stale file handle",
    "Too many open files in system",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    "out of memory",
    "insufficient memory",
    "error while loading shared libraries",
    "Killed",
    "Terminated",
];
/// Folder of temporary files and caches in the folder of a build. It is hidden, and removed
/// afterwards.
pub const SCRATCH: &str = ".arbitre-build";
/// Sandbox and limits of builds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildLimits {
    /// Wall time.
    pub time: Duration,
    /// Wall time after which a note names the build.
    pub slow: Duration,
    /// Size of the folder.
    pub folder: TreeLimits,
    /// Memory with all processes, in bytes.
    pub memory: u64,
    /// Number of processes and threads.
    pub processes: u64,
}

impl Default for BuildLimits {
    fn default() -> BuildLimits {
        BuildLimits { time: TIME, slow: SLOW, folder: BUILD, memory: MEMORY, processes: PROCESSES }
    }
}

/// Event of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildEvent<'a> {
    /// Time has passed.
    Looked,
    /// Much time has passed.
    Slow,
    /// Bytes of its output.
    Output(&'a [u8]),
}

/// Function that hears of the events of a build. If it breaks, the build is stopped.
pub type Tell<'a> = dyn Fn(BuildEvent) -> ControlFlow<()> + 'a;

/// Reason why a build failed, with the end of its output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildFailure {
    /// Reason.
    pub reason: String,
    /// End of the output, each line safe for a terminal.
    pub output: String,
}

/// Runs `words` in `folder`, which the build may fill. Nothing of it runs any more afterwards.
/// Tells its events as they come.
///
/// # Errors
/// Returns `Ok(Err(failure))` if the build fails. Returns an error if it could not be tried, took
/// too long, or failed for a reason of the machine: another run may not.
pub fn run(
    words: &[String],
    folder: &Path,
    sandbox: &SandboxConfig,
    level: Level,
    limits: &BuildLimits,
    executable: &Path,
    tell: &Tell,
) -> Result<Result<(), BuildFailure>, BuildFailure> {
    let program = find_program(folder, words)?;
    let scratch = folder.join(SCRATCH);
    fs::create_dir_all(scratch.join("tmp")).map_err(|error| error.to_string())?;
    let here = surroundings();
    let config = config(sandbox, folder, limits, &here);
    let around = here.in_own_folder(folder.to_owned());
    let sandbox = config.sandbox_for(&program.path, &program.arguments, &around, level);
    let request = sandbox.request(&program.path, &program.arg0, &[]);
    let request = request.map_err(|error| error.to_string())?;
    let launcher = Launcher::default();
    let begun = Instant::now();
    let kind = sandbox.launcher();
    let program = program.in_sandbox(sandbox);
    let mut running =
        launcher.start(executable, kind, &request).map_err(|error| explain(&program, &error))?;
    let mut output = Output::of(&mut running, tell);
    let end = watch(&mut running, &mut output, folder, limits);
    running.kill();
    launcher.bury(running);
    // It waits for the launchers.
    drop(launcher);
    output.read_rest();
    let seconds = begun.elapsed().as_secs_f64();
    let output = output.text(limits.memory);
    let is_kept = end.is_of_source(&output, folder);
    let reason = match end {
        BuildEnd::Program(Exit::Code(0)) => match check_build(folder, limits.folder) {
            Ok(()) => return Ok(Ok(())),
            Err(why) => format!("its build left a folder that cannot be used: {why}"),
        },
        BuildEnd::Program(Exit::Code(code)) => {
            format!("its build ended with exit code {code} after {seconds:.1} s")
        }
        BuildEnd::Program(Exit::Signal(number)) => {
            format!("its build was ended by signal {number} after {seconds:.1} s")
        }
        BuildEnd::Program(Exit::MemoryLimit) => {
            format!("its build used more than {} of memory", format_size(limits.memory))
        }
        BuildEnd::Program(Exit::ProcessLimit) => {
            format!("its build had more than {} processes", limits.processes)
        }
        // A build is never stopped.
        BuildEnd::Program(Exit::RanWhileStopped | Exit::Unknown) => {
            format!("its build ended after {seconds:.1} s, and how is unknown")
        }
        BuildEnd::Time => format!("its build took longer than {:?}", limits.time),
        BuildEnd::Folder(why) => format!("its build filled its folder: {why}"),
        BuildEnd::Unwanted => format!("its build was stopped after {seconds:.1} s"),
    };
    let failure = BuildFailure { reason, output };
    match is_kept {
        true => Ok(Err(failure)),
        false => Err(failure),
    }
}

/// Returns a digest of the programs that a build by `words` may find, or not: the folders of
/// `PATH`, and size and time of the compilers in them. A folder changes when a program is added or
/// removed.
pub fn programs_in_path(words: &[String]) -> String {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let tools = TOOLS.iter().map(|(tool, _)| *tool).chain(words.first().map(String::as_str));
    let files = tools.filter_map(|tool| in_folders(tool, &folders));
    let mut hasher = Sha256::new();
    for place in folders.iter().cloned().chain(files) {
        let facts = place.metadata().ok().map(|of| (of.len(), of.mtime(), of.mtime_nsec()));
        hasher.update(format!("{place:?} {facts:?}\n"));
    }
    hexadecimal(&hasher.finalize())
}

/// Returns the first file of this name in the folders.
fn in_folders(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Returns the sandbox of a build: what programs may read under the profile `class`, and the
/// installations of compilers.
fn config(
    base: &SandboxConfig,
    folder: &Path,
    limits: &BuildLimits,
    here: &Surroundings,
) -> SandboxConfig {
    let scratch = folder.join(SCRATCH);
    let places =
        [("CARGO_HOME", "cargo"), ("GOCACHE", "go"), ("TMPDIR", "tmp"), ("XDG_CACHE_HOME", "")];
    let mut variables = base.variables.clone();
    variables.extend(places.map(|(name, of)| format!("{name}={}", scratch.join(of).display())));
    variables.push("DUNE_CACHE=disabled".into());
    let mut read = base.read.clone();
    read.extend(tools(here));
    if let Some(toolchains) = toolchains(here) {
        variables.push(format!("RUSTUP_HOME={}", toolchains.display()));
        read.push(toolchains);
    }
    SandboxConfig {
        profile: base.profile.map(|_| Profile::Class),
        read,
        write: vec![folder.to_owned()],
        network: false,
        variables,
        memory: limits.memory,
        processes: limits.processes,
        files: FILES,
        disk: FILE_SIZE,
        ..base.clone()
    }
}

/// Returns the folder of the toolchains of rustup.
fn toolchains(here: &Surroundings) -> Option<PathBuf> {
    let named = here.variable("RUSTUP_HOME").map(PathBuf::from);
    let usual = || here.home.as_ref().map(|home| home.join(".rustup"));
    named.or_else(usual).filter(|folder| folder.is_dir())
}

/// Returns the folders of compilers that are installed elsewhere than in the system.
fn tools(here: &Surroundings) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> =
        env::split_paths(here.variable("PATH").unwrap_or_default()).collect();
    let mut shown = Vec::new();
    for (tool, _) in TOOLS {
        let found = in_folders(tool, &folders);
        let Some((path, real)) =
            found.and_then(|path| Some((path.clone(), path.canonicalize().ok()?)))
        else {
            continue;
        };
        // Beside the programs of cargo is what publishes packages.
        let is_cargo = real.file_name().is_some_and(|name| name == "rustup");
        let home = if is_cargo { real.parent() } else { installation(&real) };
        let folders = [path.parent(), home].into_iter().flatten();
        shown
            .extend(folders.filter(|of| !is_system(of) && !here.is_shared(of)).map(Path::to_owned));
    }
    shown.sort_unstable();
    shown.dedup();
    shown
}

/// Way in which a build ended.
enum BuildEnd {
    Program(Exit),
    Time,
    Folder(String),
    /// The listener stopped it.
    Unwanted,
}

impl BuildEnd {
    /// Returns `true` if a failure follows from the source, as far as one can tell: another run
    /// fails likewise.
    fn is_of_source(&self, output: &str, folder: &Path) -> bool {
        // The only signal that the limits send by themselves: for a file that is too large.
        let by_limit = |signal: i32| signal == libc::SIGXFSZ;
        match *self {
            BuildEnd::Program(Exit::Code(code)) if BY_SIGNAL.contains(&code) => {
                by_limit(code - 128)
            }
            BuildEnd::Program(Exit::Code(_)) => {
                !OF_MACHINE.iter().any(|text| output.contains(text)) && !is_full(folder)
            }
            BuildEnd::Program(Exit::Signal(number)) => by_limit(number),
            BuildEnd::Program(Exit::MemoryLimit | Exit::ProcessLimit) | BuildEnd::Folder(_) => true,
            BuildEnd::Program(Exit::RanWhileStopped | Exit::Unknown)
            | BuildEnd::Time
            | BuildEnd::Unwanted => false,
        }
    }
}

/// Returns `true` if the disk of a folder has no room for more files.
fn is_full(folder: &Path) -> bool {
    // Disks without a fixed number of files report none at all.
    statvfs(folder).is_ok_and(|disk| {
        disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM
            || (disk.f_files > 0 && disk.f_favail == 0)
    })
}

/// Waits for the end of a build, or for a limit. Time in which the referee was away, because it was
/// stopped or its machine asleep, does not count.
fn watch(
    running: &mut LaunchedProgram,
    output: &mut Output,
    folder: &Path,
    limits: &BuildLimits,
) -> BuildEnd {
    let mut is_noted = false;
    let mut seen = Instant::now();
    let mut next_look = seen + LOOK;
    let mut passed = Duration::ZERO;
    loop {
        if let Some(end) = running.end() {
            return BuildEnd::Program(end);
        }
        passed += seen.elapsed().min(LONGEST_LOOK);
        seen = Instant::now();
        let left = limits.time.saturating_sub(passed);
        if left.is_zero() {
            return BuildEnd::Time;
        }
        if output.is_unwanted {
            return BuildEnd::Unwanted;
        }
        if passed >= limits.slow && !is_noted {
            output.tell(BuildEvent::Slow);
            is_noted = true;
        }
        if Instant::now() >= next_look {
            if let Err(why) = check_build(folder, limits.folder) {
                return BuildEnd::Folder(why);
            }
            next_look = Instant::now() + LOOK;
            output.tell(BuildEvent::Looked);
        }
        output.read_or_end(left.min(LOOK), &running.pidfd);
    }
}

/// Output and standard error of a build, of which the end is kept.
struct Output<'a> {
    streams: Vec<OwnedFd>,
    end: VecDeque<u8>,
    tell: &'a Tell<'a>,
    /// Whether its listener broke.
    is_unwanted: bool,
}

impl<'a> Output<'a> {
    /// Takes the streams. The input is closed, so that no build waits for it.
    fn of(running: &mut LaunchedProgram, tell: &'a Tell<'a>) -> Self {
        let [_, stdout, stderr] = running.take_streams();
        let streams = [stdout, stderr].into_iter().flatten().collect();
        Output { streams, end: VecDeque::new(), tell, is_unwanted: false }
    }

    fn tell(&mut self, event: BuildEvent) {
        self.is_unwanted |= (self.tell)(event).is_break();
    }

    /// Reads what comes within `patience`, or until the program ends.
    fn read_or_end(&mut self, patience: Duration, program: &OwnedFd) {
        let mut waiting = vec![PollFd::new(program, PollFlags::IN)];
        waiting.extend(self.streams.iter().map(|stream| PollFd::new(stream, PollFlags::IN)));
        let patience = Timespec::try_from(patience).expect("the patience is short");
        let _ = poll(&mut waiting, Some(&patience));
        self.read_there();
    }

    fn read_there(&mut self) {
        let mut chunk = [0; 16 * 1024];
        let Output { streams, end, tell, is_unwanted } = self;
        streams.retain(|stream| match read(stream, &mut chunk) {
            Ok(0) => false,
            Ok(count) => {
                end.extend(&chunk[..count]);
                *is_unwanted |= tell(BuildEvent::Output(&chunk[..count])).is_break();
                end.drain(..end.len().saturating_sub(OUTPUT));
                true
            }
            Err(error) => error == Errno::AGAIN || error == Errno::INTR,
        });
    }

    /// Reads the rest that an ended build left in the pipes.
    fn read_rest(&mut self) {
        // A pipe holds 64 KiB by default.
        for _ in 0..8 {
            self.read_there();
        }
    }

    /// Returns the last lines, each safe for a terminal, without that of a JVM about its options.
    fn text(&self, memory: u64) -> String {
        let bytes: Vec<u8> = self.end.iter().copied().collect();
        end_of(&String::from_utf8_lossy(&bytes).replace(&jvm_notice(memory), ""))
    }
}

/// Returns the last lines of an output, each safe for a terminal.
pub fn end_of(output: &str) -> String {
    let lines: Vec<String> = output.lines().map(escape).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Removes a folder in which a program was built, which may have taken rights on its folders from
/// us. Nothing else is touched: links are not followed.
///
/// # Errors
/// Returns an error if it cannot be removed.
pub fn remove(folder: &Path) -> io::Result<()> {
    let gone = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    };
    if gone(fs::remove_dir_all(folder)).is_ok() {
        return Ok(());
    }
    give_rights(folder, BUILD.depth);
    gone(fs::remove_dir_all(folder))
}

fn give_rights(folder: &Path, depth: usize) {
    use std::os::unix::fs::PermissionsExt;
    if depth == 0 || !folder.symlink_metadata().is_ok_and(|of| of.is_dir()) {
        return;
    }
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.for_each(|entry| give_rights(&entry.path(), depth - 1));
}
