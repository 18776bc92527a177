//! Attempts of programs to reach beyond their sandboxes: what is counted, and for whom.

use crate::sandbox::harness::{layers, start};
use crate::sandbox::levels::{is_full, without};
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::{Access, Level, ViewEntry};
use arbitre_process::launcher::Launcher;
use arbitre_test_support::command::{folder, json, referee, stdout};
use rustix::event::{poll, PollFd, PollFlags};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Lines of Python that a bot runs before a game, and the attempts that they are.
const TRIES: [(&str, &str, &str); 18] = [
    ("nothing", "pass", "{}"),
    ("network", "call(socket.socket)", r#"{"socket":1}"#),
    ("datagrams", "call(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)", r#"{"socket":1}"#),
    ("ipv6", "call(socket.socket, socket.AF_INET6)", r#"{"socket":1}"#),
    ("devices", "libc.socket(2, 2, 0); call(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)", "{}"),
    ("unique number", "import uuid; uuid.uuid1(); uuid.getnode()", "{}"),
    ("local", "call(socket.socket, socket.AF_UNIX)", "{}"),
    ("pair", "call(socket.socketpair)", "{}"),
    ("user", "import pwd; pwd.getpwuid(0)", "{}"),
    (
        "thread",
        "t = threading.Thread(target=call, args=(socket.socket,)); t.start(); t.join()",
        r#"{"socket":1}"#,
    ),
    (
        "child",
        "if os.fork() == 0:\n    call(os.setsid)\n    call(socket.socket)\n    os._exit(0)\nos.wait()",
        r#"{"socket":1}"#,
    ),
    ("trace", "libc.ptrace(16, 1, 0, 0)", r#"{"ptrace":1}"#),
    ("debugger", "libc.ptrace(0, 0, 0, 0)", "{}"),
    (
        "own child",
        "child = subprocess.Popen(['sleep', '9']); libc.ptrace(16, child.pid, 0, 0); child.kill()",
        "{}",
    ),
    (
        "memory",
        "libc.syscall(NUMBERS[0], os.getppid(), 0, 0, 0, 0, 0)",
        r#"{"process_vm_readv":1}"#,
    ),
    ("own memory", "libc.syscall(NUMBERS[0], os.getpid(), 0, 0, 0, 0, 0)", "{}"),
    ("namespaces", "libc.unshare(0x10000000); libc.unshare(0x200)", r#"{"unshare":1}"#),
    (
        "two kinds",
        "libc.mount(0, 0, 0, 0, 0); libc.chroot(b'/'); libc.chroot(b'/')",
        r#"{"chroot":2,"mount":1}"#,
    ),
];

/// Bot that plays its first legal move, and needs no files.
const BOT: &str = "for line in sys.stdin:\n    word, *rest = line.split()\n    \
    if word == 'legal': legal = rest\n    \
    if word in ('begin', 'go'): print('ready p' if word == 'begin' else legal[0], flush=True)\n";

/// Beginning of a program in Python with what the tries need.
fn prelude() -> String {
    format!(
        "import ctypes, os, socket, subprocess, sys, threading\nlibc = ctypes.CDLL(None)\n\
         NUMBERS = [{}]\ndef call(of, *args):\n    try: return of(*args) and None\n    \
         except OSError: pass\n",
        libc::SYS_process_vm_readv
    )
}

/// Returns `true` if there is Python here.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output();
    let has = found.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("SKIPPED: attempts, as there is no python3");
    }
    has
}

/// Plays two games of a bot that tries this first, and returns its attempts.
fn attempts(folder: &Path, tries: &str, more: &[&str]) -> Value {
    fs::write(folder.join("tries.py"), format!("{}{tries}\n{BOT}", prelude())).unwrap();
    let words = ["python3 tries.py", "awele random", "--game", "awele", "--games", "2", "--json"];
    let mut command = referee(&words);
    command.args(["--seed", "7", "--move-time", "60s", "--first-move-time", "60s"]).args(more);
    let output = command.current_dir(folder).output().unwrap();
    let summary = json(&stdout(&output));
    let player = &summary["players"][0];
    let played = (&summary["games"], &player["faults"]);
    assert_eq!(played, (&json!(2), &json!({})), "{tries}: {summary}");
    assert_eq!(summary["players"][1].get("attempts"), None);
    player.get("attempts").cloned().unwrap_or_else(|| json!({}))
}

#[test]
fn only_calls_of_cheats_are_counted() {
    if !has_python() || !is_full() {
        return;
    }
    let folder = folder("attempts");
    for (name, tries, expected) in TRIES {
        let mut expected: Value = serde_json::from_str(expected).unwrap();
        // It is started for each of two games.
        for count in expected.as_object_mut().unwrap().values_mut() {
            *count = (2 * count.as_u64().unwrap()).into();
        }
        assert_eq!(attempts(&folder, tries, &[]), expected, "{name} at full");
        let place = folder.clone();
        let (call, flag) = (libc::SYS_clone, Some(libc::CLONE_NEWUSER));
        let partial = without(call, flag, libc::EPERM, move || attempts(&place, tries, &[]));
        assert_eq!(partial, expected, "{name} at partial");
    }
    let sockets = |tries: &str| attempts(&folder, tries, &[])["socket"].as_u64().unwrap_or(0);
    // A thousand calls of each process are answered, with those of a launcher of Python.
    let flood = sockets("[call(socket.socket) for _ in range(1500)]");
    assert!((1600..=2000).contains(&flood), "{flood}");
    // The question for a name goes through the network, too.
    assert!(sockets("call(socket.create_connection, ('example.org', 80))") > 0);
    // What is allowed is no attempt.
    assert_eq!(attempts(&folder, "call(socket.socket)", &["--allow-network"]), json!({}));
}

/// A kept program is counted in each of its games, however short they are.
#[test]
fn kept_program_is_counted_in_each_game() {
    if !has_python() || !is_full() {
        return;
    }
    let folder = folder("attempts kept");
    let bot = BOT
        .replace("ready p'", "ready p again'")
        .replace("    word, ", "    if 'begin' in line: call(socket.socket)\n    word, ");
    fs::write(folder.join("kept.py"), format!("{}{bot}", prelude())).unwrap();
    for more in [&[][..], &["--ponder"]] {
        let words =
            ["python3 kept.py", "awele random", "--game", "awele", "--games", "6", "--json"];
        let mut command = referee(&words);
        let output = command.args(more).current_dir(&folder).output().unwrap();
        let summary = json(&stdout(&output));
        assert_eq!(summary["players"][0]["attempts"], json!({"socket": 6}), "{more:?} {summary}");
        let db = summary["db"].as_str().unwrap();
        let export = referee(&["export", "--db", db]).current_dir(&folder).output().unwrap();
        assert_eq!(stdout(&export).lines().count(), 6);
        for game in ["0", "5"] {
            let shown = referee(&["show", game, "--db", db]).current_dir(&folder).output().unwrap();
            assert!(stdout(&shown).contains("its sandbox refused: 1 socket"), "game {game}");
        }
    }
}

/// Returns what a shell that shows these entries tried.
fn counted(view: Vec<ViewEntry>, script: &str) -> String {
    let launcher = Launcher::default();
    let mut layers = layers(Level::Full);
    layers.view.extend(view);
    layers.view.sort_by(|one, other| one.path.cmp(&other.path));
    let mut program = start(&launcher, &layers, script);
    poll(&mut [PollFd::new(&*program.pidfd, PollFlags::IN)], None).unwrap();
    let end = program.end();
    program.kill();
    let attempts = launcher.bury(program);
    assert_eq!(end, Some(Exit::Code(0)), "{script}");
    let kinds: Vec<String> = attempts.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    kinds.join(", ")
}

#[test]
fn folders_of_others_are_watched_wherever_they_lie() {
    if !is_full() {
        return;
    }
    let folder = folder("attempts watched");
    let others: Vec<_> = (0..300).map(|number| folder.join(format!("bot {number}"))).collect();
    others.iter().for_each(|other| fs::create_dir_all(other).unwrap());
    let own = folder.join("own");
    fs::create_dir_all(&own).unwrap();
    let (here, other) = (folder.display(), others[7].display());
    let watched = |access: Option<Access>| -> Vec<ViewEntry> {
        let others = others.iter().map(|other| ViewEntry::new(Access::Watched, other));
        let above = access.map(|access| ViewEntry::new(access, &folder));
        others.chain(above).chain([ViewEntry::new(Access::Read, &own)]).collect()
    };
    let look = format!("ls '{other}'; ! ls '{other}/x' && ls '{here}/own'");
    for above in [None, Some(Access::Read), Some(Access::Hidden), Some(Access::Write)] {
        assert_eq!(counted(watched(above), &look), "1 neighbour", "{above:?}");
        assert_eq!(counted(watched(above), &format!("ls '{here}/own'")), "", "{above:?}");
    }
    // Nothing shows the folder itself but what is put there.
    let all = format!("for bot in '{here}'/bot*; do ls \"$bot\"; done");
    assert_eq!(counted(watched(None), &all), "300 neighbour");
}
