//! Control groups, on machines where this process may make one. `scripts/vm` is such a machine.

use crate::sandbox::harness::REFEREE;
use arbitre_test_support::command::{folder, json, script, stderr, stdout};
use rustix::fs::{chown, Gid, Uid};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Number of an ordinary user without a name.
const USER: u32 = 12345;

/// Group that is delegated to the next referee.
struct Delegated {
    folder: PathBuf,
    /// User to whom it belongs, 0 for the superuser.
    user: u32,
}

impl Delegated {
    /// Makes a group, if that is possible here.
    fn new(name: &str, user: u32) -> Option<Delegated> {
        let folder = Path::new("/sys/fs/cgroup").join(format!("{name}-{}", std::process::id()));
        let controllers = fs::create_dir(&folder)
            .and_then(|()| fs::read_to_string(folder.join("cgroup.controllers")));
        if !controllers.as_ref().is_ok_and(|found| found.contains("memory")) {
            let _ = fs::remove_dir(&folder);
            eprintln!("SKIPPED: no control group with the memory controller can be made here");
            return None;
        }
        for file in ["", "cgroup.procs", "cgroup.subtree_control", "cgroup.threads"] {
            let owner = (Uid::from_raw(user), Gid::from_raw(user));
            chown(folder.join(file), Some(owner.0), Some(owner.1)).unwrap();
        }
        Some(Delegated { folder, user })
    }

    /// Runs the referee in the group.
    fn referee(&self, work: &Path, words: &[&str]) -> Output {
        let user = self.user.to_string();
        let mut command = Command::new("sh");
        command.arg("-c").arg("echo $$ > \"$0\"/cgroup.procs && exec \"$@\"").arg(&self.folder);
        if self.user != 0 {
            command.args(["setpriv", "--clear-groups", "--reuid", &user, "--regid", &user]);
        }
        command.arg(REFEREE).args(words).current_dir(work).env("HOME", work);
        let output = command.output().unwrap();
        assert!(!output.stdout.is_empty(), "{}: {}", self.user, stderr(&output));
        output
    }

    /// Returns the names of the groups below, and the controllers there.
    fn left(&self) -> (Vec<String>, String) {
        let entries = fs::read_dir(&self.folder).unwrap().map(Result::unwrap);
        let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
        let names = folders.map(|entry| entry.file_name().to_string_lossy().into());
        (names.collect(), fs::read_to_string(self.folder.join("cgroup.subtree_control")).unwrap())
    }
}

impl Drop for Delegated {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Returns a folder of `user` with a bot that runs a script at its first move.
fn bot(name: &str, user: u32, attack: &str) -> PathBuf {
    let folder = folder(&format!("{name}-{user}"));
    script(
        &folder,
        "bot",
        &format!(
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready bot;; go) {attack};; esac; done"
    ),
    );
    chown(&folder, Some(Uid::from_raw(user)), Some(Gid::from_raw(user))).unwrap();
    folder
}

/// Words of a match of two games, which both have to be played.
const MATCH: [&str; 8] =
    ["./bot", "awele random", "--json", "--games", "2", "--move-time", "60s", "--memory"];

#[test]
fn groups_limit_memory_and_are_removed() {
    for user in [0, USER] {
        let Some(group) = Delegated::new("limit", user) else { return };
        let text = stdout(&group.referee(Path::new("/"), &["doctor"]));
        assert!(text.contains("limit on memory: by the kernel"), "{user}: {text}");
        let work = bot("groups-limit", user, "x=0123456789abcdef; while :; do x=$x$x; done");
        let output = group.referee(&work, &[&MATCH[..], &["40MiB", "-v", "-v"]].concat());
        let (reason, log) = (&json(&stdout(&output))["players"][0]["not_started"], stderr(&output));
        assert_eq!(reason, "it used more than 40MiB of memory", "{user}: {log}");
        assert!(!log.contains("no control group"), "{user}: {log}");
        assert_eq!(group.left(), (vec![], String::new()), "{user}");
    }
}

/// The watchdog would count the memory once for each of the processes.
#[test]
fn shared_memory_counts_once_in_a_group() {
    for user in [0, USER] {
        let Some(group) = Delegated::new("shared", user) else { return };
        let attack = "exec python3 -c 'import os, time\n\
                      x = bytearray(60 << 20)\n\
                      for i in range(3):\n  if os.fork() == 0: time.sleep(1); os._exit(0)\n\
                      for i in range(3): os.wait()\n\
                      print(\"resign\", flush=True)'";
        let work = bot("groups-shared", user, attack);
        let words = [&MATCH[..], &["160MiB"]].concat();
        let document = json(&stdout(&group.referee(&work, &words)));
        // It is still there to answer.
        assert_eq!(document["players"][0]["faults"]["invalid"], 2, "{user}: {document}");
    }
}

/// The parent ignores the end of its child, whose CPU time then reaches no other process.
#[test]
fn cpu_time_of_lost_children_is_charged_in_a_group() {
    for user in [0, USER] {
        let Some(group) = Delegated::new("lost", user) else { return };
        let attack = "trap '' CHLD; (i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done); echo 0";
        let work = bot("groups-lost", user, attack);
        let words = ["./bot", "awele random", "--json", "--games", "2", "--clock", "cpu"];
        let times = ["--move-time", "100ms", "--first-move-time", "100ms", "--init-time", "60s"];
        let output = group.referee(&work, &[&words[..], &times].concat());
        let document = json(&stdout(&output));
        assert_eq!(document["players"][0]["faults"]["timeout"], 2, "{user}: {document}");
    }
}

/// A thread spins, and a timer continues the program every millisecond.
const CONTINUED: &str = "exec python3 -c '
import ctypes, sys, threading
libc = ctypes.CDLL(None)
event, timer = (ctypes.c_int * 16)(0, 0, 18, 0), ctypes.c_void_p()
assert libc.timer_create(0, event, ctypes.byref(timer)) == 0
times = (ctypes.c_long * 4)(0, 1000000, 0, 1000000)
assert libc.timer_settime(timer, 0, times, None) == 0
def spin():
    while True: pass
threading.Thread(target=spin, daemon=True).start()
print(0, flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(\" \")
    if word == \"begin\": print(\"ready bot\", flush=True)
    if word == \"legal\": move = rest.split()[0]
    if word == \"go\": print(move, flush=True)
'";

/// The kernel stops a group, and no signal continues it.
#[test]
fn program_in_a_group_cannot_continue_itself() {
    for user in [0, USER] {
        let Some(group) = Delegated::new("continued", user) else { return };
        let work = bot("groups-continued", user, CONTINUED);
        let slow = "slow=sh -c 'while read w r; do case $w in begin) echo ready s;; \
                    legal) m=${r%% *};; go) sleep 0.1; echo $m;; esac; done'";
        let words = ["./bot", slow, "--game", "awele", "--json", "--games", "2"];
        let rules = ["--rules", "max-plies=20", "--openings", "0", "--move-time", "60s"];
        let document = json(&stdout(&group.referee(&work, &[&words[..], &rules].concat())));
        let bot = &document["players"][0];
        assert_eq!(document["void"], 0, "{user}: {document}");
        assert_eq!(bot["faults"], serde_json::json!({}), "{user}: {document}");
        // Two milliseconds pass before it is stopped.
        assert!(bot["stolen_ms"].as_f64().unwrap() < 50.0, "{user}: {document}");
    }
}

/// The referee must not move the processes of others.
#[test]
fn group_with_other_processes_is_left_alone() {
    let Some(group) = Delegated::new("shared-group", 0) else { return };
    let mut other = Command::new("sh");
    other
        .arg("-c")
        .arg("echo $$ > \"$0\"/cgroup.procs && echo && exec sleep 60")
        .arg(&group.folder);
    let mut other = other.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = [0];
    std::io::Read::read_exact(&mut other.stdout.take().unwrap(), &mut line).unwrap();
    let text = stdout(&group.referee(Path::new("/"), &["doctor"]));
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(text.contains("other processes are in its group"), "{text}");
    assert_eq!(group.left(), (vec![], String::new()));
}
