//! Canary: a process in a sandbox that tries what the sandbox must refuse.

use super::layers::Level;
use super::rules;
use rustix::process::{getppid, test_kill_process};
use std::fs::{self, OpenOptions};
use std::net::UdpSocket;
use std::path::Path;

/// Folder that no canary may read.
const FORBIDDEN: &str = "/sys";

/// Attempt of a canary, and a function that returns `true` if it succeeds at this level although
/// the sandbox must refuse it.
type Check = (&'static str, fn(Level) -> bool);

/// Attempts in the order of their exit codes, from 1.
const CHECKS: [Check; 5] = [
    ("read files outside of its view", |_| fs::read_dir(FORBIDDEN).is_ok()),
    ("write to files that it may only read", |_| {
        OpenOptions::new().write(true).create_new(true).open("/usr/.arbitre-canary").is_ok()
    }),
    ("open a socket", |_| UdpSocket::bind("127.0.0.1:0").is_ok()),
    ("send a signal to its launcher", |_| {
        rules::scope_signals() && getppid().is_none_or(|parent| test_kill_process(parent).is_ok())
    }),
    ("see other processes", |level| level == Level::Full && !is_second_of_two()),
];

/// Returns `true` if this process and the one that started it are the only ones that it sees.
fn is_second_of_two() -> bool {
    let exists = |process: u32| Path::new(&format!("/proc/{process}")).exists();
    std::process::id() == 2 && exists(1) && !exists(3)
}

/// Returns the exit code of a canary: 0 if nothing succeeds that a sandbox of this level refuses.
pub fn exit_code(level: Level) -> i32 {
    let succeeded = (1..).zip(CHECKS).find(|(_, (_, check))| check(level));
    succeeded.map_or(0, |(code, _)| code)
}

/// Returns the attempt that succeeded, by the exit code of a canary.
pub fn attempt(code: i32) -> &'static str {
    let known = (1..).zip(CHECKS).find(|(known, _)| *known == code);
    known.map_or("end by itself", |(_, (attempt, _))| attempt)
}
