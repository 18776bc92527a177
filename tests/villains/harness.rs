//! Where villains play: their program is compiled, they are watched, and nobody leaves unseen.

use arbitre::clock::{Clock, ClockKind};
use arbitre::game::Seat;
use arbitre::referee::config::limits::PlayerLimits;
use arbitre::referee::play::{play, Played, SeatedPlayer};
use arbitre::referee::player::fault::Fault;
use arbitre::referee::player::process::Process;
use arbitre::referee::player::process_group::ProcessGroups;
use arbitre::referee::player::program::Program;
use arbitre::referee::player::stopwatch::Limit;
use arbitre::referee::player::{Answer, Player, Seating, Shutdown, Wanted};
use arbitre::referee::registry::Speech;
use arbitre::rng::Rng;
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

/// The referee's program.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// A wide net for everything that the referee does in time.
pub const NET: Duration = Duration::from_secs(5);
/// The limit of those who are caught by it.
pub const HURRY: Duration = Duration::from_millis(150);
/// The limit of those who are not; well beyond the net, so that nobody mistakes the two.
pub const PATIENCE: Duration = Duration::from_secs(20);

const SOURCE: &str = include_str!("bots.rs");

/// The villains' program, compiled when it is first asked for. Its name holds a hash of the source,
/// so that it is always the right one, and it appears whole or not at all, so that other tests and
/// other processes can do the same at the same time.
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
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/villains/bots.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition=2021", "--crate-name=villain", "-Copt-level=1", "-o"]);
    let status = command.arg(program).arg(source).status().expect("rustc can be started");
    assert!(status.success(), "the villains do not compile: {status}");
}

/// What a villain writes down about itself. Its path is also how its processes are recognised.
pub struct Diary(PathBuf);

impl Diary {
    /// An empty one.
    pub fn new() -> Diary {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = arbitre_test_support::command::scratch();
        let path = folder.join(format!("diary-{}-{number}-", id()));
        let _ = fs::remove_file(&path);
        Diary(path)
    }

    /// The command of the villain that keeps this diary.
    pub fn words(&self, villain: &str) -> [String; 3] {
        [path_text(program()), villain.into(), path_text(&self.0)]
    }

    /// The same, for the referee's command line.
    pub fn command(&self, villain: &str) -> String {
        format!("villain='{}'", self.words(villain).join("' '"))
    }

    /// The processes that played, each the leader of a group.
    pub fn leaders(&self) -> Vec<u32> {
        self.entries("pid")
    }

    /// When it was asked, in nanoseconds since 1970.
    pub fn asked(&self) -> Vec<u128> {
        self.entries("go")
    }

    fn entries<T: std::str::FromStr>(&self, word: &str) -> Vec<T> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        pairs.filter(|(first, _)| *first == word).filter_map(|(_, n)| n.parse().ok()).collect()
    }

    /// The living and the zombies of its groups, and whoever descends from it elsewhere.
    pub fn survivors(&self) -> Vec<String> {
        let leaders = self.leaders();
        let processes = fs::read_dir("/proc").expect("there is a /proc");
        let paths = processes.flatten().map(|entry| entry.path());
        let is_ours = |path: &PathBuf| is_of(path, &leaders) || mentions(path, &self.0);
        paths.filter(is_ours).map(|path| story(&path)).collect()
    }

    /// How long until nobody is left.
    ///
    /// # Errors
    /// If somebody is left after the widest of nets.
    pub fn wait_until_gone(&self) -> Result<Duration, String> {
        self.wait(|| {})
    }

    /// The same after the referee itself has ended: what it leaves behind is then ours to bury.
    ///
    /// # Errors
    /// As above.
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

/// Is it a process, and is its group one of these?
fn is_of(process: &Path, groups: &[u32]) -> bool {
    let Ok(stat) = fs::read_to_string(process.join("stat")) else { return false };
    // The name in brackets may hold anything; then come the state, the parent and the group.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let group = fields.split_whitespace().nth(2).and_then(|word| word.parse().ok());
    group.is_some_and(|group| groups.contains(&group))
}

fn mentions(process: &Path, diary: &Path) -> bool {
    let Ok(words) = fs::read(process.join("cmdline")) else { return false };
    let diary = diary.as_os_str().as_encoded_bytes();
    // A zombie has no command line; it is found by its group.
    words.split(|&byte| byte == 0).any(|word| word == diary)
}

fn story(process: &Path) -> String {
    fs::read_to_string(process.join("stat")).unwrap_or_else(|_| "gone by now".into())
}

/// A player whose faults are timed.
pub struct Watched {
    process: Process,
    /// How long it took to find the fault, from the moment when the player was asked.
    pub verdict: Option<Duration>,
}

impl Watched {
    /// The villain of this name.
    pub fn villain(name: &str, diary: &Diary) -> Watched {
        Watched::new(Program::find(&diary.words(name), &[]).expect("it was compiled"))
    }

    /// A bot that does nothing wrong.
    pub fn honest() -> Watched {
        let words = ["random", "--dialect", "arbitre", "--seed", "1"].map(str::to_owned);
        Watched::new(Program::bundled(Path::new(REFEREE), "awele", &words))
    }

    fn new(program: Program) -> Watched {
        Watched { process: Process::new(program, ProcessGroups::default()), verdict: None }
    }
}

impl Player for Watched {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        self.process.sit(arguments)
    }

    fn ask(&mut self, prompt: &str, limit: &Limit, wanted: Wanted) -> Result<Answer<'_>, Fault> {
        let (begun, is_turn) = (Instant::now(), wanted.is_none());
        let answer = self.process.ask(prompt, limit, wanted);
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

    fn take_stderr(&mut self) -> String {
        self.process.take_stderr()
    }
}

/// Terms with the same limit for every move.
pub fn limits(kind: ClockKind, init: Duration, per_move: Duration) -> PlayerLimits {
    let clock = Clock { kind, init: Some(init), per_move: Some(per_move), ..Clock::default() };
    PlayerLimits { clock, margin: Duration::from_millis(10) }
}

/// Terms that nobody breaks by accident, however busy the machine is.
pub fn patient_terms() -> PlayerLimits {
    limits(ClockKind::Wall, PATIENCE, PATIENCE)
}

/// A villain and its opponent through a run of games: what a tournament remembers of them.
pub struct Pair {
    /// The villain.
    pub villain: Watched,
    /// Its limits.
    pub limits: PlayerLimits,
    /// The villain's seat.
    pub seat: Seat,
    opponent: Watched,
    proven: [AtomicBool; 2],
}

impl Pair {
    /// A pair that has not played yet.
    pub fn new(villain: &str, diary: &Diary, seat: usize, limits: PlayerLimits) -> Pair {
        adopt_orphans();
        let (villain, opponent) = (Watched::villain(villain, diary), Watched::honest());
        Pair { villain, limits, seat: Seat::new(seat), opponent, proven: Default::default() }
    }

    /// Plays one game from the start position.
    pub fn play(&mut self) -> Played {
        let game = arbitre::registry().open("awele", "").expect("there is awele");
        let setup =
            game.setups(2, 0, Rng::new(1)).next().expect("there is a start position").unwrap();
        let mut table = game
            .table(&setup, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO); 2])
            .expect("it fits");
        let patient = patient_terms();
        let seated = [
            sitter(&mut self.villain, &self.limits, &self.proven[0]),
            sitter(&mut self.opponent, &patient, &self.proven[1]),
        ];
        let mut seated = Vec::from(seated);
        seated.rotate_left(self.seat.index());
        play(&mut *table, &mut seated)
    }
}

fn sitter<'a>(
    player: &'a mut Watched,
    limits: &'a PlayerLimits,
    proven: &'a AtomicBool,
) -> SeatedPlayer<'a> {
    SeatedPlayer { player, limits, arguments: Vec::new(), seed: 1, label: String::new(), proven }
}

/// As in the referee's program: what a player leaves behind becomes our child, so that the referee
/// can wait for it.
pub fn adopt_orphans() {
    set_child_subreaper(Some(getpid())).expect("the kernel is not older than 3.4");
}
