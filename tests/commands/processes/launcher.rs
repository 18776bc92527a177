//! Launchers, which start the programs that are not bundled and end all of their descendants.

use arbitre_test_support::command::{folder, referee, script, signal, stderr};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest wait for something that happens at once.
const NET: Duration = Duration::from_secs(10);

/// Bot that never answers, with a child in a session of its own.
const IDLE: &str = "#!/bin/sh\nsetsid sleep 120 &\nwhile read line; do :; done\nsleep 120\n";

/// A process and its parent.
struct Process {
    pid: u32,
    parent: u32,
    command: String,
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("there is a /proc").flatten();
    let read = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        Some(Process { pid, parent, command })
    };
    entries.filter_map(read).collect()
}

/// Returns the descendants of a process.
fn descendants(root: u32) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut waiting = processes();
    loop {
        let known: Vec<u32> = found.iter().map(|process| process.pid).chain([root]).collect();
        let (new, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|process| known.contains(&process.parent));
        if new.is_empty() {
            return found;
        }
        found.extend(new);
        waiting = others;
    }
}

/// Returns `true` if a process holds an end of a pipe. The descriptors of a launcher can be read by
/// the superuser only; for others it holds none.
fn holds_pipes(pid: u32) -> bool {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let mut targets = files.filter_map(|file| fs::read_link(file.path()).ok());
    targets.any(|target| target.to_string_lossy().starts_with("pipe:"))
}

/// Waits until `found` returns a value.
fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = found() {
            return value;
        }
        assert!(begun.elapsed() < NET, "it never happened");
        sleep(Duration::from_millis(5));
    }
}

/// The referee is killed, so nothing but the kernel tells its launchers.
#[test]
fn launcher_is_small_and_ends_everything_with_the_referee() {
    let folder = folder("launcher");
    let bot = format!("'{}'", script(&folder, "idle", IDLE).display());
    let mut command = referee(&[&bot, &bot, "--game=awele", "--init-time=60s"]);
    command.args(["--concurrency=1", "--db=:memory:"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut referee = command.spawn().unwrap();
    // The bot's child is the last process to start.
    let is_child = |process: &Process| process.command.starts_with("sleep ");
    let family =
        wait_for(|| Some(descendants(referee.id())).filter(|all| all.iter().any(is_child)));
    let servers = family.iter().filter(|process| process.command.contains("--fork-server"));
    let mut launchers = 0;
    for process in servers {
        let status = fs::read_to_string(format!("/proc/{}/status", process.pid)).unwrap();
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        let kib: u64 = anonymous.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{}: {kib} KiB", process.pid);
        assert!(kib <= 2048, "a launcher has {kib} KiB of its own");
        wait_for(|| (!holds_pipes(process.pid)).then_some(()));
        launchers += 1;
    }
    assert!(launchers >= 2, "no server and no launcher");
    signal(referee.id(), "KILL");
    referee.wait().unwrap();
    let is_left = |process: &Process| {
        // A number may be taken by another process meanwhile.
        let now = fs::read(format!("/proc/{}/cmdline", process.pid)).unwrap_or_default();
        String::from_utf8_lossy(&now).replace('\0', " ") == process.command
            && !process.command.is_empty()
    };
    wait_for(|| (!family.iter().any(is_left)).then_some(()));
}

#[test]
fn program_without_sandbox_has_the_surroundings_of_the_referee() {
    let folder = folder("surroundings");
    let text = "#!/bin/sh\necho \"$PWD|$ARBITRE_TEST|$0|$1\" > \"$2\"\nexit 1\n";
    let bot = script(&folder, "bot", text);
    let heard = folder.join("heard");
    let player = format!("'./bot' 'a b' '{}'", heard.display());
    let mut command =
        referee(&[&player, "awele random", "--game=awele", "--games=2", "--db=:memory:"]);
    command.arg("--no-sandbox");
    command.current_dir(&folder).env("ARBITRE_TEST", "é=1").stdout(Stdio::null());
    assert_eq!(command.output().unwrap().status.code(), Some(3));
    let expected = format!("{}|é=1|{}|a b\n", folder.display(), bot.display());
    assert_eq!(fs::read_to_string(heard).unwrap(), expected);
}

#[test]
fn failure_to_execute_is_explained() {
    let folder = folder("not executable");
    let cases = [
        ("no-interpreter", "#!/no/such/interpreter\n", "the interpreter in its first line"),
        (
            "no-format",
            "\u{1}\u{2}\u{3}\u{4}",
            "begin a script with its interpreter, such as #!/usr/bin/env python3",
        ),
    ];
    for (name, text, reason) in cases {
        let bot = format!("'{}'", script(&folder, name, text).display());
        let words = [&bot, "awele random", "--game=awele", "--games=2", "--db=:memory:"];
        let output = referee(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(stderr(&output).contains(reason), "{name}: {}", stderr(&output));
    }
}
