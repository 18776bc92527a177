//! A program that uses up the epoll watches of its user, as a user of its own: a quota is
//! counted for each user. The kernel grants watches for up to 4 % of the memory.

use arbitre_test_support::command::{cleared, scratch};
use rustix::process::geteuid;
use serde_json::{json, Value};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{chown, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Interpreter of the bots, which that user can reach.
const PYTHON: &str = "/usr/bin/python3";
/// User and group of the match.
const OWN_USER: u32 = 54_321;

/// Bot that watches its input before each answer, and ends without a watch.
const WATCHER: &str = "import select, sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if word in ('begin', 'go'):
        select.epoll().register(0)
    if word == 'begin': print('ready watcher', flush=True)
    if word == 'legal': move = rest.split()[0]
    if word == 'go': print(move, flush=True)
";
/// Bot that takes all watches, at its start or at its first turn. Half of its descriptors are
/// in each list of the other half.
const TAKER: &str = "import os, resource, select, sys
def take():
    global kept
    files = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    part = files // 2 - 20
    lists = [select.epoll() for _ in range(part)]
    watched = [os.eventfd(0) for _ in range(part)]
    kept = lists, watched
    try:
        for one in lists:
            for other in watched: one.register(other)
    except OSError: return
    sys.exit('there are more watches than this bot has descriptors')
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if word == sys.argv[1]: take()
    if word == 'begin': print('ready taker', flush=True)
    if word == 'legal': move = rest.split()[0]
    if word == 'go': print(move, flush=True)
";

/// Folder of the user, with the bots.
struct Ground {
    folder: PathBuf,
    /// Descriptors with which a bot can take all watches.
    files: u64,
}

impl Ground {
    fn new() -> Option<Ground> {
        if !geteuid().is_root() {
            eprintln!("SKIPPED: only the superuser can play as another user");
            return None;
        }
        let most = fs::read_to_string("/proc/sys/fs/epoll/max_user_watches").unwrap();
        let most: f64 = most.trim().parse().unwrap();
        let folder = cleared(scratch().join("quota"));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("watcher.py", WATCHER), ("taker.py", TAKER)] {
            fs::write(folder.join(name), text).unwrap();
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o644)).unwrap();
        }
        chown(&folder, Some(OWN_USER), Some(OWN_USER)).unwrap();
        Some(Ground { folder, files: 2 * (most.sqrt() as u64) + 100 })
    }

    /// Returns a command of the user in its folder.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("setpriv");
        let user = OWN_USER.to_string();
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "--"]);
        command.arg(program).current_dir(&self.folder).env("HOME", &self.folder);
        command.stdin(Stdio::null());
        command
    }

    fn referee(&self, words: &[&str]) -> Output {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_referee")));
        command.args(words).output().expect("setpriv is there")
    }

    /// Plays two games between these players.
    fn play(&self, players: &[&str], game: &[&str], options: &[&str]) -> Output {
        let limits =
            ["--games", "2", "--openings", "0", "--init-time", "60s", "--move-time", "60s"];
        let all = ["--concurrency", "1", "--events", "--db", "games.db", "--seed", "1"];
        let _ = fs::remove_file(self.folder.join("games.db"));
        self.referee(&[players, game, &limits, &all, options].concat())
    }
}

#[test]
#[ignore = "takes all epoll watches of a user; `.ci/full quota` runs it"]
fn program_that_takes_all_watches_loses() {
    let Some(ground) = Ground::new() else { return };
    let mut told = String::new();
    let brackets = format!("[open-files={}]", ground.files);
    let levels = [(&["--no-sandbox"][..], ""), (&["--require-sandbox", "full"], &brackets)];
    for (sandbox, brackets) in levels {
        for moment in ["begin", "go"] {
            let watcher = format!("watcher={PYTHON} watcher.py");
            let files = ground.files;
            let taker = format!("taker{brackets}={PYTHON} taker.py {moment} {files}");
            let output = ground.play(&[&taker, &watcher], &["--game", "awele"], sandbox);
            let events = String::from_utf8_lossy(&output.stdout);
            let case = format!("{sandbox:?} {moment}: {output:?}");
            let games: Vec<Value> =
                events.lines().map(|line| serde_json::from_str(line).expect(&case)).collect();
            assert_eq!(games.len(), 2, "{case}");
            for game in &games {
                let faults = game["faults"].as_array().expect(&case);
                assert_eq!(faults.len(), 1, "{case}");
                assert_eq!(faults[0]["player"], "taker", "{case}");
                assert_eq!(faults[0]["fault"], "invalid", "{case}");
                writeln!(told, "{sandbox:?} {moment}: {}", faults[0]).unwrap();
            }
            let verified = ground.referee(&["verify", "--db", "games.db"]);
            assert!(verified.status.success(), "{verified:?}");
        }
    }
    println!("{told}");
}

/// Another program of the user has all watches: no player is blamed, and none withdrawn.
#[test]
#[ignore = "takes all epoll watches of a user; `.ci/full quota` runs it"]
fn games_without_watches_are_void() {
    let Some(ground) = Ground::new() else { return };
    let mut taker = ground.command(Path::new(PYTHON));
    taker.args(["taker.py", "begin", &ground.files.to_string()]);
    taker.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut taker = taker.spawn().unwrap();
    let mut input = taker.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"begin\n").unwrap();
    let mut line = String::new();
    let output = taker.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    assert_eq!(line, "ready taker\n");
    let played = ground.play(
        &["watcher=/usr/bin/python3 watcher.py", "awele random"],
        &[],
        &["--no-sandbox"],
    );
    drop(input);
    assert!(taker.wait().unwrap().success());
    let events = String::from_utf8_lossy(&played.stdout);
    for line in events.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["faults"][0]["fault"], json!("unjudged"), "{played:?}");
    }
    let told = String::from_utf8_lossy(&played.stderr);
    assert!(told.contains("failed while the epoll watches"), "{told}");
    println!("{:?}\n{told}", played.status);
}
