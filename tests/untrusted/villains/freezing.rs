//! Programs that are stopped while an opponent thinks, with all of their threads and descendants,
//! and then run again as if nothing had happened.

use crate::villains::harness::{Diary, Watched, NET, PATIENCE, REFEREE};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::program;
use arbitre::internals::player::{Player, Seating, Shutdown};
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::stopwatch::{AnswerForm, Counting, Limit};
use arbitre_process::sys::{process_state, process_time, task_state};
use arbitre_test_support::command::{folder, script};
use rustix::process::{kill_process, Pid, Signal};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

const LIMIT: Limit = Limit {
    time: Some(PATIENCE),
    margin: Duration::ZERO,
    counting: Counting::Wall,
    start: None,
    line: 1000,
    form: AnswerForm::Line,
};
/// Time between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(5);

fn start(name: &str) -> (Diary, Watched) {
    let diary = Diary::new();
    let mut villain = Watched::villain(name, &diary);
    sit(&mut villain);
    (diary, villain)
}

fn sit(villain: &mut Watched) {
    assert_eq!(villain.sit(&[]), Ok(Seating::Fresh));
    let ready = villain.ask("begin\n", &LIMIT, None, &mut || {}).unwrap();
    assert_eq!(ready.line, "ready villain");
}

fn plays(villain: &mut Watched) -> bool {
    villain
        .ask("legal 4 5\ngo 1000\n", &LIMIT, None, &mut || {})
        .is_ok_and(|answer| answer.line == "4")
}

fn end(mut villain: Watched, diary: &Diary) {
    villain.leave(Shutdown::AtOnce);
    villain.settle();
    diary.wait_until_gone().unwrap();
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        sleep(PAUSE);
    }
}

/// Returns the state and the CPU time of every process of the villain except zombies.
fn states(diary: &Diary) -> BTreeMap<u32, (char, Duration)> {
    let pids = diary.processes().into_iter();
    let pids = pids.filter_map(|path| path.file_name()?.to_str()?.parse().ok());
    let state = |pid| Some((pid, (process_state(pid)?, process_time(pid)?)));
    pids.filter_map(state).filter(|(_, (state, _))| *state != 'Z').collect()
}

/// Waits until all processes are stopped, use no CPU time and start no other.
fn wait_until_still(diary: &Diary) {
    let mut before = BTreeMap::new();
    let mut equal = 0;
    wait_until("the processes are still", || {
        let now = states(diary);
        let are_stopped = now.values().all(|(state, _)| *state == 'T');
        equal = if are_stopped && now == before { equal + 1 } else { 0 };
        before = now;
        equal == 10
    });
}

/// Waits until each of `count` processes has used more CPU time than now.
fn wait_until_busy(diary: &Diary, count: usize) {
    let before = states(diary);
    wait_until("all processes use CPU time", || {
        let now = states(diary);
        let is_busy = |(pid, (_, time)): (&u32, &(char, Duration))| {
            before.get(pid).is_none_or(|(_, before)| time > before)
        };
        now.len() == count && now.iter().all(is_busy)
    });
}

/// Returns a line of `/proc/PID/status` as a number.
fn status(pid: u32, name: &str) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap().trim().parse().unwrap()
}

fn launcher(leader: u32) -> u32 {
    status(leader, "PPid:")
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number.try_into().unwrap()).unwrap()
}

/// The program with its threads, a child, a child in a session of its own, and an orphan.
#[test]
fn frozen_tree_uses_no_cpu_time() {
    let (diary, mut villain) = start("ponder");
    for _ in 0..3 {
        wait_until_busy(&diary, 4);
        villain.freeze();
        villain.freeze();
        wait_until_still(&diary);
        villain.thaw();
        villain.thaw();
        wait_until_busy(&diary, 4);
        assert!(plays(&mut villain));
    }
    end(villain, &diary);
}

#[test]
fn process_that_forks_all_the_time_is_frozen() {
    let (diary, mut villain) = start("hop");
    freeze_in_turns(&mut villain, &diary, 10);
    end(villain, &diary);
}

/// Freezes a villain between turns, in which it plays.
fn freeze_in_turns(villain: &mut Watched, diary: &Diary, turns: usize) {
    for _ in 0..turns {
        villain.freeze();
        wait_until_still(diary);
        villain.thaw();
        assert!(plays(villain));
    }
}

/// A signal to a group misses a process that is in another one at that moment.
#[test]
fn process_that_changes_its_group_all_the_time_is_frozen() {
    let (diary, mut villain) = start("drift");
    wait_until("the child is there", || states(&diary).len() == 2);
    freeze_in_turns(&mut villain, &diary, 60);
    end(villain, &diary);
}

/// The freeze meets its processes while they begin sessions.
#[test]
fn program_is_frozen_while_it_starts() {
    for _ in 0..60 {
        let (diary, mut villain) = start("ponder");
        villain.freeze();
        wait_until_still(&diary);
        end(villain, &diary);
    }
}

#[test]
fn process_that_stopped_itself_stays_stopped() {
    let (diary, mut villain) = start("stopped-child");
    let leader = diary.leaders()[0];
    let child = || states(&diary).into_iter().find(|(pid, _)| *pid != leader).unwrap().1;
    wait_until("the child stops", || child().0 == 'T');
    let (_, time) = child();
    for _ in 0..3 {
        villain.freeze();
        wait_until_still(&diary);
        villain.thaw();
        assert!(plays(&mut villain));
        assert_eq!(child(), ('T', time));
    }
    end(villain, &diary);
}

/// The system shows a zombie in place of the process.
#[test]
fn program_without_its_first_thread_is_frozen() {
    let (diary, mut villain) = start("without-first-thread");
    wait_until("its first thread is gone", || {
        let pid = diary.leaders()[0];
        task_state(pid, pid) == Some('Z') && process_state(pid) == Some('S')
    });
    for _ in 0..3 {
        villain.freeze();
        wait_until_still(&diary);
        villain.thaw();
        assert!(plays(&mut villain));
    }
    end(villain, &diary);
}

/// A stopped process can have itself continued. The third time ends it.
#[test]
fn program_that_continues_itself_is_ended() {
    let names = ["continues-by-timer", "continues-by-deaths"];
    let levels = [Level::None, Level::Weak, Level::Partial, Level::Full];
    for (name, level) in names.into_iter().flat_map(|name| levels.map(|level| (name, level))) {
        let diary = Diary::new();
        let mut villain = match level {
            Level::None => Watched::villain(name, &diary),
            _ => Watched::sandboxed(name, &diary, level),
        };
        sit(&mut villain);
        villain.freeze();
        wait_until(&format!("{name} is ended at {level}"), || states(&diary).is_empty());
        let fault = villain.ask("go 1000\n", &LIMIT, None, &mut || {}).unwrap_err();
        assert_eq!(fault, Fault::Pondered, "{name} at {level}");
        end(villain, &diary);
    }
}

/// The launcher then starts the next program, which is not frozen.
#[test]
fn frozen_program_can_be_killed() {
    let (diary, mut villain) = start("ponder");
    villain.freeze();
    wait_until_still(&diary);
    let first = launcher(diary.leaders()[0]);
    villain.leave(Shutdown::AtOnce);
    villain.settle();
    diary.wait_until_gone().unwrap();
    // On a busy machine a launcher may still reap one program while another starts the next.
    for game in 1..=10 {
        sit(&mut villain);
        assert!(plays(&mut villain));
        if launcher(diary.leaders()[game]) == first {
            break;
        }
        villain.leave(Shutdown::AtOnce);
        villain.settle();
        assert!(game < 10, "no launcher is used again");
    }
    wait_until_busy(&diary, 4);
    // Its orders still arrive in their order.
    villain.freeze();
    wait_until_still(&diary);
    end(villain, &diary);
}

#[test]
fn program_that_is_killed_while_frozen_is_reported() {
    let (diary, mut villain) = start("ponder");
    wait_until_busy(&diary, 4);
    villain.freeze();
    wait_until_still(&diary);
    kill_process(pid(diary.leaders()[0]), Signal::KILL).unwrap();
    wait_until("it ends", || states(&diary).len() == 3);
    villain.thaw();
    let fault = villain.ask("go 1000\n", &LIMIT, None, &mut || {}).unwrap_err();
    assert_eq!(fault, Fault::Crash(Exit::Signal(9)));
    end(villain, &diary);
}

/// The fork server kills the processes, although they are stopped.
#[test]
fn launcher_that_is_lost_does_not_block_the_referee() {
    let (diary, mut villain) = start("ponder");
    villain.freeze();
    wait_until_still(&diary);
    kill_process(pid(launcher(diary.leaders()[0])), Signal::KILL).unwrap();
    let begun = Instant::now();
    villain.thaw();
    assert!(begun.elapsed() < NET);
    let fault = villain.ask("go 1000\n", &LIMIT, None, &mut || {}).unwrap_err();
    // Only the launcher could say that a signal ended the program.
    assert_eq!(fault, Fault::Crash(Exit::Unknown));
    end(villain, &diary);
}

#[test]
fn launcher_that_is_stopped_is_continued() {
    let (diary, mut villain) = start("ponder");
    villain.freeze();
    wait_until_still(&diary);
    kill_process(pid(launcher(diary.leaders()[0])), Signal::STOP).unwrap();
    villain.thaw();
    assert!(plays(&mut villain));
    end(villain, &diary);
}

#[test]
fn frozen_program_may_end_by_itself() {
    let (diary, mut villain) = start("farewell");
    villain.freeze();
    wait_until_still(&diary);
    villain.leave(Shutdown::Finish);
    villain.settle();
    assert_eq!(villain.take_stderr(), "farewell\n");
    end(villain, &diary);
}

/// Each order wakes the launcher once, and each look at what is stopped. The signals of children
/// that stop or continue would wake it twice more in each cycle.
#[test]
fn launcher_is_not_woken_by_stopped_children() {
    const CYCLES: u32 = 20;
    let (diary, mut villain) = start("honest");
    let leader = diary.leaders()[0];
    let launcher = launcher(leader);
    let rests = || wait_until("the launcher sleeps", || process_state(launcher) == Some('S'));
    let wakes = || status(launcher, "voluntary_ctxt_switches:");
    rests();
    let (before, begun) = (wakes(), Instant::now());
    for _ in 0..CYCLES {
        villain.freeze();
        wait_until("it stops", || process_state(leader) == Some('T'));
        rests();
        villain.thaw();
        wait_until("it waits for input", || process_state(leader) == Some('S'));
        rests();
    }
    let wakes = wakes() - before;
    // One look soon after each stop, and one every 10 ms.
    let looks = CYCLES + begun.elapsed().as_millis() as u32 / 10;
    println!("{wakes} wakes in {CYCLES} cycles with up to {looks} looks");
    assert!((2 * CYCLES..=2 * CYCLES + looks).contains(&wakes));
    end(villain, &diary);
}

const PYTHON: &str = "#!/usr/bin/env python3
import os
print(os.getpid(), flush=True)
while True:
    print(input(), flush=True)
";

const SHELL: &str = "#!/bin/sh
echo $$
while read line; do echo \"$line\"; done
";

const C: &str = r#"#include <stdio.h>
#include <unistd.h>
int main(void) {
    char line[100];
    printf("%d\n", (int)getpid());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        fflush(stdout);
    }
}
"#;

fn works(program: &str) -> bool {
    let works = Command::new(program).arg("--version").output();
    let works = works.is_ok_and(|output| output.status.success());
    if !works {
        eprintln!("SKIPPED: {program} does not work here, so its reads were not tested");
    }
    works
}

/// The kernel continues a read from a pipe after a stop; some other calls fail with EINTR (see
/// signal(7)).
#[test]
fn blocked_read_goes_on_after_a_freeze() {
    let folder = folder("frozen reads");
    check_reads(&script(&folder, "sh", SHELL));
    if works("python3") {
        check_reads(&script(&folder, "python", PYTHON));
    }
    if works("cc") {
        let (source, program) = (folder.join("c.c"), folder.join("c"));
        fs::write(&source, C).unwrap();
        assert!(Command::new("cc").arg(source).arg("-o").arg(&program).status().unwrap().success());
        check_reads(&program);
    }
}

/// Freezes a program that says its number and then echoes lines, while it waits for a line and for
/// the rest of one.
fn check_reads(program: &Path) {
    let found = program::find(&[program.to_str().unwrap().into()], &[]).unwrap();
    let found = found.launched_by(Path::new(REFEREE));
    let mut process = Process::new(found, ProcessGroups::default());
    assert_eq!(process.sit(&[]), Ok(Seating::Fresh));
    let number: u32 = process.ask("", &LIMIT, None, &mut || {}).unwrap().line.parse().unwrap();
    let freeze = |process: &mut Process| {
        for _ in 0..10 {
            wait_until("it waits for input", || process_state(number) == Some('S'));
            process.freeze();
            wait_until("it stops", || process_state(number) == Some('T'));
            process.thaw();
        }
    };
    freeze(&mut process);
    assert_eq!(
        process.ask("a line\n", &LIMIT, None, &mut || {}).unwrap().line,
        "a line",
        "{program:?}"
    );
    freeze(&mut process);
    process.tell("half ");
    freeze(&mut process);
    assert_eq!(
        process.ask("a line\n", &LIMIT, None, &mut || {}).unwrap().line,
        "half a line",
        "{program:?}"
    );
    process.leave(Shutdown::AtOnce);
    process.settle();
}

/// Readings cost more than many a move: they end with the thinking of the opponents.
#[test]
fn quick_answers_are_read_only_between_thinking_opponents() {
    let (diary, mut villain) = start("honest");
    let mut is_read = |rested: bool| {
        if rested {
            villain.rest(true);
        }
        let answer = villain.ask("legal 4 5\ngo 1000\n", &LIMIT, None, &mut || {}).unwrap();
        answer.time.cpu.is_some()
    };
    assert!((0..20).any(|_| !is_read(false)));
    assert!(is_read(true));
    // On a busy machine an answer may take long enough for a reading of its own.
    assert!((0..20).any(|_| !is_read(false)));
    end(villain, &diary);
}
