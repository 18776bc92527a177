//! A user who may have no more threads, by a limit of the system. It counts all of the user's
//! processes, and not those of the superuser.

use arbitre_test_support::command::{folder, stderr};
use rustix::fs::{chown, Gid, Uid};
use rustix::process::geteuid;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Number of an ordinary user without processes.
const USER: u32 = 12345;

/// Runs a program whose user may have only `most` processes and threads.
fn run_limited(program: &str, words: &[&str], most: u32, place: &Path) -> Output {
    let mut command = Command::new("prlimit");
    command.arg(format!("--nproc={most}"));
    if geteuid().is_root() {
        let user = USER.to_string();
        command.args(["setpriv", "--clear-groups", "--reuid", &user, "--regid", &user]);
    }
    command.arg(program).args(words).current_dir(place).env("HOME", place);
    command.output().expect("prlimit is a part of every Linux system")
}

/// Each program gives an error with its exit code, or does its work with fewer threads.
#[test]
fn missing_threads_are_an_error_or_make_it_slower() {
    let referee = env!("CARGO_BIN_EXE_referee");
    let place = folder("no threads");
    if geteuid().is_root() {
        chown(&place, Some(Uid::from_raw(USER)), Some(Gid::from_raw(USER))).unwrap();
    }
    fs::write(place.join("boards.txt"), "1 2 3\n4 5 6\n7 0 8\n\n1 2 3\n4 5 6\n0 7 8\n").unwrap();
    let game = ["awele random", "b=awele greedy", "--games", "2", "--db", ":memory:"];
    // With one process it is known how many threads there are: the first and no other.
    let cases: &[(&str, &[&str], i32, &str)] = &[
        (referee, &game, 5, "error: expected a thread that takes Ctrl-C, got none: "),
        (referee, &["doctor"], 0, ""),
        (referee, &["perft", "awele", "4"], 0, ""),
        (
            env!("CARGO_BIN_EXE_taquin"),
            &["solve", "boards.txt", "--threads", "3"],
            0,
            "warning: expected 2 threads, got 0: ",
        ),
    ];
    for (program, words, code, said) in cases {
        let output = run_limited(program, words, 1, &place);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {told}");
        assert!(told.contains(said) && !told.contains("panicked"), "{words:?}: {told}");
    }
}
