//! The environment of the villains: it compiles their program, observes them, and finds every
//! survivor.

use arbitre::clock::{Clock, ClockKind};
use arbitre::game::Seat;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::{play, PlayedGame, SeatedPlayer};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::program;
use arbitre::internals::player::{Player, Seating, Shutdown};
use arbitre::referee::registry::Speech;
use arbitre::rng::Rng;
use arbitre_process::attempts::Attempts;
use arbitre_process::launcher::layers::{Access, Layers, Level, ViewEntry};
use arbitre_process::process::{Answer, Process, Uncharged, Wanted};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::sandbox::{Sandbox, SandboxConfig};
use arbitre_process::stopwatch::Limit;
use rustix::process::{getpid, set_child_subreaper, waitpgid, Pid, WaitOptions};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{id, Command};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Path of the referee.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Generous bound on everything that the referee must do in time.
pub const NET: Duration = Duration::from_secs(5);
/// Limit of villains that exceed it.
pub const HURRY: Duration = Duration::from_millis(150);
/// Limit of villains that stay within it; far above `NET`, so that the two cannot be confused.
pub const PATIENCE: Duration = Duration::from_secs(20);

const SOURCE: &str = include_str!("bots.rs");

/// Returns the path of the villains' program, compiled on first use. Its name contains a hash of
/// the source, so that it is never outdated. It appears atomically, so that other tests and
/// processes can compile it at the same time.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        SOURCE.hash(&mut hasher);
        let folder = arbitre_test_support::command::scratch();
        let program = folder.join(format!("villain-{:016x}", hasher.finish()));
        if !program.exists() {
            let own = folder.join(format!("villain-by-{}", id()));
            compile(&own);
            fs::rename(own, &program).expect("both names are in the same folder");
        }
        program
    })
}

fn compile(program: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/untrusted/villains/bots.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition=2021", "--crate-name=villain", "-Copt-level=1", "-o"]);
    let status = command.arg(program).arg(source).status().expect("rustc can be started");
    assert!(status.success(), "the villains do not compile: {status}");
}

/// Notes that a villain writes about itself. The path also identifies its processes.
pub struct Diary(PathBuf);

impl Diary {
    /// Creates an empty diary.
    pub fn new() -> Diary {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = arbitre_test_support::command::scratch();
        let path = folder.join(format!("diary-{}-{number}-", id()));
        let _ = fs::remove_file(&path);
        Diary(path)
    }

    /// Returns the command of the villain with this diary, as words.
    pub fn words(&self, villain: &str) -> [String; 3] {
        [path_text(program()), villain.into(), path_text(&self.0)]
    }

    /// Returns the command for the referee's command line.
    pub fn command(&self, villain: &str) -> String {
        format!("villain='{}'", self.words(villain).join("' '"))
    }

    /// Returns the processes that played, each the leader of a group.
    pub fn leaders(&self) -> Vec<u32> {
        self.entries("pid")
    }

    /// Returns the times of all requests, in nanoseconds since 1970.
    pub fn asked(&self) -> Vec<u128> {
        self.entries("go")
    }

    /// Returns the moments in which a working bot lost its processor to the host of the machine, in
    /// nanoseconds since 1970.
    pub fn jumps(&self) -> Vec<u128> {
        self.entries("jump")
    }

    fn entries<T: std::str::FromStr>(&self, word: &str) -> Vec<T> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        pairs.filter(|(first, _)| *first == word).filter_map(|(_, n)| n.parse().ok()).collect()
    }

    /// Returns the live processes and zombies of its groups, and their descendants elsewhere.
    pub fn survivors(&self) -> Vec<String> {
        self.processes().iter().map(|path| story(path)).collect()
    }

    /// Returns the folders of the same processes in `/proc`.
    pub fn processes(&self) -> Vec<PathBuf> {
        let leaders = self.leaders();
        let processes = fs::read_dir("/proc").expect("there is a /proc");
        let paths = processes.flatten().map(|entry| entry.path());
        let is_ours = |path: &PathBuf| is_of(path, &leaders) || mentions(path, &self.0);
        paths.filter(is_ours).collect()
    }

    /// Waits until no process is left. Returns the time that it took.
    ///
    /// # Errors
    /// Returns an error if a process is left after `NET`.
    pub fn wait_until_gone(&self) -> Result<Duration, String> {
        self.wait(|| {})
    }

    /// Waits likewise after the referee has ended: this process must then reap what is left.
    ///
    /// # Errors
    /// Returns an error like [`Diary::wait_until_gone`].
    pub fn wait_until_buried(&self) -> Result<Duration, String> {
        self.wait(|| self.bury())
    }

    fn wait(&self, meanwhile: impl Fn()) -> Result<Duration, String> {
        let begun = Instant::now();
        loop {
            meanwhile();
            let survivors = self.survivors();
            if survivors.is_empty() {
                return Ok(begun.elapsed());
            }
            if begun.elapsed() > NET {
                return Err(format!("left behind: {survivors:?}"));
            }
            sleep(Duration::from_millis(2));
        }
    }

    fn bury(&self) {
        let groups = self.leaders().into_iter().filter_map(|leader| Pid::from_raw(leader as i32));
        for group in groups {
            while let Ok(Some(_)) = waitpgid(group, WaitOptions::NOHANG) {}
        }
    }
}

impl Drop for Diary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn path_text(path: &Path) -> String {
    path.to_str().expect("cargo's folders have names of text").into()
}

/// Returns `true` if this is a process of one of these groups.
fn is_of(process: &Path, groups: &[u32]) -> bool {
    let Ok(stat) = fs::read_to_string(process.join("stat")) else { return false };
    // The name in brackets may contain anything. After it come the state, the parent and the group.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let group = fields.split_whitespace().nth(2).and_then(|word| word.parse().ok());
    group.is_some_and(|group| groups.contains(&group))
}

fn mentions(process: &Path, diary: &Path) -> bool {
    let Ok(words) = fs::read(process.join("cmdline")) else { return false };
    let diary = diary.as_os_str().as_encoded_bytes();
    // A zombie has no command line; its group identifies it.
    words.split(|&byte| byte == 0).any(|word| word == diary)
}

fn story(process: &Path) -> String {
    fs::read_to_string(process.join("stat")).unwrap_or_else(|_| "gone by now".into())
}

/// A player whose faults are timed.
pub struct Watched {
    process: Process,
    /// Time from the request to the detection of the fault.
    pub verdict: Option<Duration>,
    /// CPU times used before each request while the opponent thought, of its only game.
    pub stolen: Vec<Duration>,
    init: Duration,
}

impl Watched {
    /// Creates the villain of this name.
    pub fn villain(name: &str, diary: &Diary) -> Watched {
        let program = program::find(&diary.words(name), &[]).expect("it was compiled");
        Watched::new(program.launched_by(Path::new(REFEREE)))
    }

    /// Creates the villain of this name in a sandbox of this level, which lets it write its diary.
    pub fn sandboxed(name: &str, diary: &Diary, level: Level) -> Watched {
        let program = program::find(&diary.words(name), &[]).expect("it was compiled");
        let scratch = arbitre_test_support::command::scratch();
        let view = vec![ViewEntry::new(Access::Read, "/"), ViewEntry::new(Access::Write, &scratch)];
        let limits = SandboxConfig::default().limits();
        let sandbox = Sandbox {
            layers: Layers { level, view, has_network: false, limits },
            arguments: program.arguments.clone(),
            environment: vec![format!("PATH={}", env!("PATH")).into()],
            folder: scratch,
        };
        Watched::new(program.launched_by(Path::new(REFEREE)).in_sandbox(sandbox))
    }

    /// Creates a bot without faults.
    pub fn honest() -> Watched {
        let words = ["random", "--dialect", "arbitre", "--seed", "1"].map(str::to_owned);
        Watched::new(program::bundled(Path::new(REFEREE), "awele", &words))
    }

    /// Stops the bot.
    pub fn freeze(&mut self) {
        self.process.freeze();
    }

    /// Lets the bot run again.
    pub fn thaw(&mut self) {
        self.process.thaw();
    }

    fn new(program: Program) -> Watched {
        Watched {
            process: Process::new(program, ProcessGroups::default()),
            verdict: None,
            stolen: Vec::new(),
            init: Duration::ZERO,
        }
    }

    fn take_last(&mut self) {
        let Uncharged { init, stolen } = self.process.take_uncharged();
        self.init += init;
        self.stolen.push(stolen);
    }
}

impl Player for Watched {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        self.process.sit(arguments)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let (begun, is_turn) = (Instant::now(), wanted.is_none());
        self.take_last();
        let answer = self.process.ask(prompt, limit, wanted, on_thinking);
        if is_turn {
            self.verdict = answer.is_err().then(|| begun.elapsed());
        }
        answer
    }

    fn tell(&mut self, text: &str) {
        self.process.tell(text);
    }

    fn leave(&mut self, how: Shutdown) {
        self.process.leave(how);
    }

    fn rest(&mut self, may_think: bool) {
        self.process.rest(may_think);
    }

    fn note_ready(&mut self) {
        self.process.note_ready();
    }

    fn has_quota(&self) -> bool {
        self.process.has_quota()
    }

    fn freeze(&mut self) {
        self.process.freeze();
    }

    fn holds_quota(&self) -> bool {
        self.process.holds_quota()
    }

    fn has_left_processors(&self) -> bool {
        self.process.has_left_processors()
    }

    fn take_attempts(&mut self) -> Attempts {
        self.process.take_attempts()
    }

    fn take_uncharged(&mut self) -> Uncharged {
        self.take_last();
        Uncharged { init: std::mem::take(&mut self.init), stolen: self.stolen.iter().sum() }
    }

    fn settle(&mut self) {
        self.process.settle();
    }

    fn take_stderr(&mut self) -> String {
        self.process.take_stderr()
    }
}

/// Returns limits with the same time for every move.
pub fn limits(kind: ClockKind, init: Duration, per_move: Duration) -> PlayerLimits {
    let clock = Clock { kind, init: Some(init), per_move: Some(per_move), ..Clock::default() };
    PlayerLimits {
        clock,
        margin: Duration::from_millis(10),
        overtime: None,
        ponder: false,
        by_rules: false,
    }
}

/// Returns limits that no bot exceeds by accident, even on a busy machine.
pub fn patient_terms() -> PlayerLimits {
    limits(ClockKind::Wall, PATIENCE, PATIENCE)
}

/// A villain and its opponent in a run of games, with the state that a tournament keeps for them.
pub struct Pair {
    /// Villain.
    pub villain: Watched,
    /// Limits of the villain.
    pub limits: PlayerLimits,
    /// Seat of the villain.
    pub seat: Seat,
    opponent: Watched,
    opponents_limits: PlayerLimits,
    has_started: [AtomicBool; 2],
}

impl Pair {
    /// Creates a pair before its first game.
    pub fn new(villain: &str, diary: &Diary, seat: usize, limits: PlayerLimits) -> Pair {
        Pair::of(Watched::villain(villain, diary), seat, limits)
    }

    /// Creates a pair with this villain.
    pub fn of(villain: Watched, seat: usize, limits: PlayerLimits) -> Pair {
        adopt_orphans();
        let opponent = Watched::honest();
        let (seat, opponents_limits) = (Seat::new(seat), patient_terms());
        let has_started = Default::default();
        Pair { villain, limits, seat, opponent, opponents_limits, has_started }
    }

    /// Returns the same pair with this villain as the other bot.
    pub fn against(self, opponent: &str, diary: &Diary, limits: PlayerLimits) -> Pair {
        Pair { opponent: Watched::villain(opponent, diary), opponents_limits: limits, ..self }
    }

    /// Plays one game from the start position.
    pub fn play(&mut self) -> PlayedGame {
        let game = arbitre::registry().open("awele", "").expect("there is awele");
        let setup =
            game.setups(2, 0, Rng::new(1)).next().expect("there is a start position").unwrap();
        let mut table = game
            .table(&setup, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO); 2])
            .expect("it fits");
        let seated = [
            sitter(&mut self.villain, &self.limits, &self.has_started[0]),
            sitter(&mut self.opponent, &self.opponents_limits, &self.has_started[1]),
        ];
        let mut seated = Vec::from(seated);
        seated.rotate_left(self.seat.index());
        play(&mut *table, &mut seated)
    }
}

fn sitter<'a>(
    player: &'a mut Watched,
    limits: &'a PlayerLimits,
    has_started: &'a AtomicBool,
) -> SeatedPlayer<'a> {
    SeatedPlayer {
        player,
        limits,
        arguments: Vec::new(),
        seed: 1,
        label: String::new(),
        has_started,
        may_ponder: false,
    }
}

/// Makes this process adopt orphans, as the referee's program does. What a player leaves behind
/// becomes its child, so that the referee can wait for it.
pub fn adopt_orphans() {
    set_child_subreaper(Some(getpid())).expect("the kernel is not older than 3.4");
}
