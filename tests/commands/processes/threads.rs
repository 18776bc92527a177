//! A user who may have no more threads, by a limit of the system. It counts all of the user's
//! processes, and not those of the superuser.

use arbitre_test_support::command::{cleared, folder, script, stderr, stdout, SHELL_BOT};
use rustix::fs::{chown, Gid, Uid};
use rustix::process::geteuid;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

/// Number of an ordinary user without processes.
const USER: u32 = 12345;
/// Number of the first of others.
const OTHERS: u32 = 12346;

/// Runs a program as a user that may have only `most` processes and threads, if the tests run as
/// the superuser.
fn run_limited(program: &str, words: &[&str], most: u32, place: &Path, user: u32) -> Output {
    let mut command = Command::new("prlimit");
    command.arg(format!("--nproc={most}"));
    if geteuid().is_root() {
        let user = user.to_string();
        command.args(["setpriv", "--clear-groups", "--reuid", &user, "--regid", &user]);
    }
    command.arg(program).args(words).current_dir(place).env("HOME", place);
    command.output().expect("prlimit is a part of every Linux system")
}

const TUNE: [&str; 8] =
    ["tune", "./bot.sh {d}", "--gene", "d=1..2", "--against", "awele random", "--game", "awele"];

/// With a few more processes some players can be started. The exit code is 5, as the machine is to
/// blame, or 0 if all can be started.
#[test]
fn missing_processes_are_not_the_fault_of_players() {
    let rules = ["--games", "2", "--openings", "0", "--rules", "max-plies=6", "--db", ":memory:"];
    let game = |one| [&[one, "b=awele greedy", "--game", "awele"][..], &rules].concat();
    thread::scope(|scope| {
        // The limit counts all processes of a user.
        for (user, words) in (OTHERS..).zip([
            game("awele random"),
            game("./bot.sh"),
            [&game("./bot.sh")[..], &["--no-sandbox"]].concat(),
            [&game("./bot.sh")[..], &["c=./bot.sh", "--seats", "2"]].concat(),
            [&game("./bot.sh")[..], &["--sprt", "elo0=0,elo1=100"]].concat(),
            [
                &game("./bot.sh")[..10],
                &["--shard", "1/2", "--seed", "1", "--db", "part.db", "--resume"],
            ]
            .concat(),
            vec!["tournament", "cup.toml", "--db", ":memory:"],
            // Each run continues the one before. No player misses a round for want of processes.
            vec!["tournament", "knockout.toml", "--db", "kept.db"],
            [&["arena", "psyleague", "./bot.sh", "b=awele greedy"][..], &rules[2..6]].concat(),
            vec!["check", "./bot.sh", "--game", "awele", "--games", "2"],
            [&TUNE[..], &["--generations", "1", "--instances", "1"]].concat(),
        ]) {
            scope.spawn(move || check_room(user, &words));
        }
    });
}

fn check_room(user: u32, words: &[&str]) {
    let place = cleared(folder(&format!("no processes {user}")));
    fs::create_dir_all(&place).unwrap();
    script(&place, "bot.sh", SHELL_BOT);
    let player = |name, command| format!("[[player]]\nname = '{name}'\ncommand = '{command}'\n");
    let cup = "game = 'awele'\nrules = 'max-plies=6'\nopenings = 0\ngames = 2\n";
    let players = [("a", "./bot.sh"), ("b", "awele random"), ("c", "./bot.sh")];
    let players = players.map(|(name, command)| player(name, command)).concat();
    for (file, format) in [("cup.toml", ""), ("knockout.toml", "format = 'knockout'\n")] {
        fs::write(place.join(file), format!("[tournament]\n{format}{cup}{players}")).unwrap();
    }
    if geteuid().is_root() {
        chown(&place, Some(Uid::from_raw(user)), Some(Gid::from_raw(user))).unwrap();
    }
    let mut codes = Vec::new();
    for most in [2, 6, 8, 9, 40] {
        // The arena has no other output.
        let json = if words[0] == "arena" { &[][..] } else { &["--json"] };
        let words = [words, json].concat();
        let output = run_limited(env!("CARGO_BIN_EXE_referee"), &words, most, &place, user);
        let (code, told) = (output.status.code(), stderr(&output));
        let is_told = told.contains("error: ") && told.contains("help: ");
        let is_fine = code == Some(0) || code == Some(5) && is_told;
        assert!(is_fine && !told.contains("panicked"), "{words:?}, {most}: {code:?}, {told}");
        let shown = stdout(&output);
        assert!(!shown.contains("\"faults\":{\"crash"), "{words:?}, {most}: {told}");
        let misses = shown.contains("not-started") || shown.contains("errors\":[1");
        assert!(code == Some(5) || !misses, "{words:?}, {most}: {shown}");
        codes.extend(code);
    }
    println!("{words:?}: {codes:?}");
    // Of another user the other tests have processes, too.
    let has_room = codes.ends_with(&[0]) || !geteuid().is_root();
    assert!(codes.starts_with(&[5]) && has_room, "{words:?}: {codes:?}");
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
        let output = run_limited(program, words, 1, &place, USER);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {told}");
        assert!(told.contains(said) && !told.contains("panicked"), "{words:?}: {told}");
    }
}
