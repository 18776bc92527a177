//! Messages that cannot be written: a full or closed standard error changes no result and no exit
//! code.

use arbitre_test_support::command::{program, referee, scratch};
use rustix::fs::{open, Mode, OFlags};
use rustix::pty::{grantpt, openpt, ptsname, unlockpt, OpenptFlags};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

/// Returns a file that refuses every write because its device is full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("there is /dev/full").into()
}

/// Returns a terminal that was closed: a write to it fails.
fn closed_terminal() -> Stdio {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal: OwnedFd = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    terminal.into()
}

/// A filter that the logger reports as malformed.
fn with_bad_log_filter(mut command: Command) -> Command {
    command.env("RUST_LOG", "a=b=c");
    command
}

/// Returns the exit code and the standard output of a command with this standard error.
fn end(mut command: Command, stderr: Stdio) -> (Option<i32>, String) {
    let output = command.stdin(Stdio::null()).stderr(stderr).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

const MATCH: [&str; 8] = [
    "awele random",
    "awele greedy",
    "--games=4",
    "--seed=3",
    "--rules=max-plies=20",
    "-vv",
    "--db=:memory:",
    "--events",
];

#[test]
fn match_without_standard_error_has_the_same_result() {
    let (code, expected) = end(referee(&MATCH), Stdio::null());
    assert_eq!(code, Some(0));
    for stderr in [full(), closed_terminal()] {
        let (code, events) = end(with_bad_log_filter(referee(&MATCH)), stderr);
        assert_eq!((code, events.lines().count()), (Some(0), expected.lines().count()));
    }
}

#[test]
fn failure_without_standard_error_keeps_its_exit_code() {
    let cases: [(&[&str], i32); 6] = [
        (&["--no-such-option"], 2),
        (&["awele random", "awele greedy", "--games=2", "--db=/no/such/folder/x.db"], 6),
        (&["awele random", "/bin/false", "--game=awele", "--games=2", "--events"], 3),
        (&["export", "--db=/no/such/file"], 6),
        (&["bot", "no-such-bot"], 2),
        (&["bot", "awele", "no-such-strategy"], 2),
    ];
    for (words, code) in cases {
        assert_eq!(end(referee(words), Stdio::null()).0, Some(code), "{words:?}");
        for stderr in [full(), closed_terminal()] {
            assert_eq!(end(referee(words), stderr).0, Some(code), "{words:?}");
        }
    }
}

#[test]
fn bot_without_standard_error_keeps_its_exit_code() {
    for stderr in [Stdio::null(), full(), closed_terminal()] {
        let mut bot = Command::new(program("awele"));
        bot.arg("no-such-strategy").current_dir(scratch());
        assert_eq!(end(bot, stderr).0, Some(2));
    }
}
