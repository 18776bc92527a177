//! Programs are started with `posix_spawn`, which shares memory until the program runs. A plain
//! `fork` costs many times more from a large referee. The standard library chooses silently between
//! the two, so the test uses strace. Programs that are not bundled are started by launchers, which
//! a small server forks.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{id, Command, Stdio};

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = arbitre_test_support::command::scratch().join(format!("{name}-{}", id()));
        fs::create_dir_all(&path).expect("cargo's folder is writable");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// System call that created a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Birth {
    /// Call that created a thread.
    Thread,
    /// Call after which the parent waits, and shares its memory, until the program runs.
    Spawn,
    /// Call that copies the memory.
    Fork,
}

/// Returns the kind of process creation in a line of strace, if there is one.
fn birth(line: &str) -> Option<Birth> {
    let call = line.split_once(' ').map_or(line, |(_pid, rest)| rest.trim_start());
    let (name, arguments) = call.split_once('(')?;
    let has = |flag| arguments.contains(flag);
    match name {
        "vfork" => Some(Birth::Spawn),
        "fork" => Some(Birth::Fork),
        "clone" | "clone3" if has("CLONE_THREAD") => Some(Birth::Thread),
        "clone" | "clone3" if has("CLONE_VM") && has("CLONE_VFORK") => Some(Birth::Spawn),
        "clone" | "clone3" => Some(Birth::Fork),
        _ => None,
    }
}

fn strace_works() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    strace.status().is_ok_and(|status| status.success())
}

/// Returns the process that the call of a line created, as strace numbers it. The line of a call
/// that was interrupted by others has blanks before its result.
fn forked(line: &str) -> Option<String> {
    let (call, result) = line.rsplit_once(" = ")?;
    if !line.contains("clone") || !call.trim_end().ends_with(')') {
        return None;
    }
    // In a namespace of its own the caller sees another number.
    let number = result.split_once("/* ").map_or(result, |(_, number)| number);
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    Some(number[..end].to_owned()).filter(|number| !number.is_empty())
}

/// Returns all creations while `referee` plays a pair of games between `players`, except the forks
/// of fork servers and of their launchers, which are small.
fn births(referee: &Path, folder: &Folder, players: [&str; 2]) -> Vec<Birth> {
    let trace = folder.0.join("trace");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("strace")
        .args(["-f", "-e", "trace=fork,vfork,clone,clone3,execve", "-o"])
        .arg(&trace)
        .current_dir(arbitre_test_support::command::scratch())
        .arg(referee)
        .args(players)
        .args(["--game=awele", "--games=2", "--move-time=20s", "--json"])
        .env("PATH", format!("{}:{path}", folder.0.display()))
        .output()
        .expect("strace can be started");
    assert!(output.status.success(), "{players:?}: {output:?}");
    let text = fs::read_to_string(trace).expect("strace wrote the trace");
    let process = |line: &str| line.split_once(' ').map(|(pid, _)| pid.to_owned());
    let servers = text.lines().filter(|line| line.contains("\"--fork-server\""));
    let mut servers: Vec<String> = servers.filter_map(process).collect();
    // Launchers are forks of servers, and fork their programs.
    let mut next = 0;
    while let Some(server) = servers.get(next) {
        let lines = text.lines().filter(|line| process(line).as_ref() == Some(server));
        let forked: Vec<String> = lines.filter_map(forked).collect();
        servers.extend(forked);
        next += 1;
    }
    let of_server = |line: &str| process(line).is_some_and(|pid| servers.contains(&pid));
    let births = text.lines().filter_map(|line| Some((birth(line)?, of_server(line))));
    births
        .filter(|&(birth, ours)| !(ours && birth == Birth::Fork))
        .map(|(birth, _)| birth)
        .collect()
}

#[test]
fn players_are_spawned_and_not_forked() {
    if !strace_works() {
        eprintln!("SKIPPED: strace is not installed or may not trace here, so nobody has looked");
        return;
    }
    let folder = Folder::new("spawn");
    let awele = env!("CARGO_BIN_EXE_awele");
    symlink(awele, folder.0.join("a-name-in-path")).expect("the folder is new");
    let by_path = format!("'{awele}' random");
    let cases = ["awele random", &by_path, "a-name-in-path random"];
    for player in cases {
        expect_spawns(Path::new(env!("CARGO_BIN_EXE_referee")), &folder, player);
    }
}

fn expect_spawns(referee: &Path, folder: &Folder, player: &str) {
    let births = births(referee, folder, [player, "other=awele random"]);
    let count = |kind| births.iter().filter(|birth| **birth == kind).count();
    println!("{player}: {births:?}");
    assert_eq!(count(Birth::Fork), 0, "{player}");
    assert!(count(Birth::Spawn) >= 2, "{player}: strace saw no two players start");
}

/// In a static executable the standard library chooses `fork` more often.
#[test]
#[ignore = "needs a release; run by .ci/full dist"]
fn release_spawns_players_too() {
    let folder = Folder::new("release");
    let release = std::env::var_os("ARBITRE_RELEASE").expect("ARBITRE_RELEASE names an archive");
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(release).args(["--strip-components=1", "-C"]).arg(&folder.0);
    assert!(tar.status().unwrap().success());
    let referee = folder.0.join("bin/referee");
    for player in ["awele random", &format!("'{}' random", env!("CARGO_BIN_EXE_awele"))] {
        expect_spawns(&referee, &folder, player);
    }
}

#[test]
fn spawn_fork_and_thread_are_distinguished() {
    let cases = [
        ("12 vfork() = 13", Some(Birth::Spawn)),
        ("12 fork() = 13", Some(Birth::Fork)),
        (
            "12    clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 1",
            Some(Birth::Fork),
        ),
        (
            "12 clone3({flags=CLONE_VM|CLONE_VFORK|CLONE_PIDFD, exit_signal=SIGCHLD}",
            Some(Birth::Spawn),
        ),
        ("12 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD}, 88) = 3", Some(Birth::Thread)),
        ("12 <... clone3 resumed>) = 13", None),
        ("12 +++ exited with 0 +++", None),
    ];
    for (line, expected) in cases {
        assert_eq!(birth(line), expected, "{line}");
    }
}

#[test]
fn created_process_is_read_from_its_line() {
    let cases = [
        ("12 clone(child_stack=NULL, flags=SIGCHLD) = 13", Some("13")),
        ("12 <... clone resumed>)              = 15548", Some("15548")),
        (
            "12 <... clone3 resumed> => {parent_tid=[0]}, 88) = 15 /* 16 in strace's PID NS */",
            Some("16"),
        ),
        ("12 clone(child_stack=NULL, flags=CLONE_VM <unfinished ...>", None),
        ("12 clone(child_stack=NULL, flags=SIGCHLD) = ? ERESTARTNOINTR (To be restarted)", None),
        ("12 execve(\"/bin/sh\", [\"a) = 3\"], 0x7ffe /* 3 vars */) = 0", None),
    ];
    for (line, expected) in cases {
        assert_eq!(forked(line).as_deref(), expected, "{line}");
    }
}

/// The program `awele` of a release is a shell script that executes `referee bot awele`.
#[test]
fn bundled_bot_outlives_the_shell_that_started_it() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec 3<&0; \"$0\" bot awele random <&3 &"]);
    shell.arg(arbitre_test_support::command::program("referee"));
    let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (shell.stdin.take().unwrap(), shell.stdout.take().unwrap());
    assert!(shell.wait().unwrap().success());
    let start = "arbitre 1\ngame awele abapa\nseats 2 you 0\nclock none\nseed 1\nbegin\n";
    input.write_all(start.as_bytes()).unwrap();
    let mut answer = String::new();
    BufReader::new(output).read_line(&mut answer).unwrap();
    assert!(answer.starts_with("ready "), "'{answer}'");
}
