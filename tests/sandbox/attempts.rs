//! Attempts of programs to reach beyond their sandboxes: what is counted, and for whom.

use crate::levels::{is_full, without};
use arbitre_test_support::command::{folder, json, referee, stdout};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Lines of Python that a bot runs before a game, and the attempts that they are.
const TRIES: [(&str, &str, &str); 16] = [
    ("nothing", "pass", "{}"),
    ("network", "call(socket.socket)", r#"{"socket":1}"#),
    ("datagrams", "call(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)", r#"{"socket":1}"#),
    ("ipv6", "call(socket.socket, socket.AF_INET6)", r#"{"socket":1}"#),
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
    // A thousand calls of each process are answered, with those of a launcher of Python.
    let flood = attempts(&folder, "[call(socket.socket) for _ in range(1500)]", &[]);
    assert!((1600..=2000).contains(&flood["socket"].as_u64().unwrap()), "{flood}");
    // What is allowed is no attempt.
    assert_eq!(attempts(&folder, "call(socket.socket)", &["--allow-network"]), json!({}));
}
