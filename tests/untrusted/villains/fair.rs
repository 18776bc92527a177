//! The fair clock beside busy processes: no honest bot is late, and no trick gains time.
//!
//! The bots, and processes that keep their processor busy, share one processor with the test.

use crate::villains::harness::{limits, Diary, Pair, Watched, PATIENCE};
use arbitre::clock::ClockKind;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::PlayedGame;
use arbitre::internals::player::fault::Fault;
use arbitre_process::launcher::layers::Level;
use arbitre_process::sys;
use rustix::thread::{sched_getcpu, sched_setaffinity, CpuSet};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MS: Duration = Duration::from_millis(1);
/// Margin of [`limits`].
const MARGIN: Duration = Duration::from_millis(10);

/// Processes that keep the processor of this thread busy.
struct Crowd(Vec<Child>);

impl Crowd {
    /// Pins this thread to its processor, and starts `count` processes that spin on it.
    fn gather(count: usize) -> Crowd {
        let mut own = CpuSet::new();
        own.set(sched_getcpu());
        sched_setaffinity(None, &own).expect("a thread may stay where it is");
        let spin = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            shell.spawn().expect("there is a shell")
        };
        Crowd((0..count).map(|_| spin()).collect())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn within(kind: ClockKind, per_move: Duration) -> PlayerLimits {
    limits(kind, Duration::from_secs(10), per_move)
}

/// Plays a game of a bot within limits of CPU time and of waits.
fn game(villain: &str, kind: ClockKind, per_move: Duration) -> PlayedGame {
    let diary = Diary::new();
    Pair::new(villain, &diary, 0, within(kind, per_move)).play()
}

fn verdict(played: &PlayedGame) -> String {
    played.faults.first().map_or("fine".into(), |report| report.fault.to_string())
}

#[test]
fn no_trick_gains_time() {
    let mut wrong = Vec::new();
    for busy in [0, 2] {
        let _crowd = Crowd::gather(busy);
        for villain in [
            "work-over",
            "work-twice",
            "sleep-twice",
            "child-works",
            "orphan-works",
            "unwaited-children-work",
            "many-unwaited-children-work",
            "decoys-spin",
            "decoy-spins-while-unwaited-children-work",
            "sharing-children-work",
            "decoy-waits-while-sharing-children-work",
            "decoy-waits-while-a-thread-works",
            "yields",
        ] {
            if !is_late(villain, within(ClockKind::Fair, 100 * MS)) {
                wrong.push((villain, busy));
            }
        }
    }
    assert!(wrong.is_empty(), "they gained time: {wrong:?}");
}

/// Plays a game. Returns `true` if the villain's first move is late.
fn is_late(villain: &str, limits: PlayerLimits) -> bool {
    late_move(villain, limits) == Some(0)
}

/// Plays a game. Returns the ply at which the villain is late.
fn late_move(villain: &str, limits: PlayerLimits) -> Option<usize> {
    let (diary, clock) = (Diary::new(), limits.clock.to_string());
    let played = Pair::new(villain, &diary, 0, limits).play();
    println!("{villain:45} {clock}: {}", verdict(&played));
    let report = played.faults.first()?;
    matches!(report.fault, Fault::Timeout { .. }).then_some(report.ply)
}

/// CPU time of children whose ends their parent ignores is counted by the kernel. Where it counts
/// none, the whole turn is charged once such a child is missed.
#[test]
fn work_of_lost_children_is_charged() {
    for kind in [ClockKind::Cpu, ClockKind::Fair] {
        for villain in [
            "unwaited-children-work",
            "many-unwaited-children-work",
            "sharing-children-work",
            "decoy-waits-while-sharing-children-work",
        ] {
            assert!(is_late(villain, within(kind, 100 * MS)), "{villain} by {kind:?}");
            for level in [Level::Weak, Level::Partial, Level::Full] {
                let diary = Diary::new();
                let sandboxed = Watched::sandboxed(villain, &diary, level);
                let played = Pair::of(sandboxed, 0, within(kind, 100 * MS)).play();
                let is_late = matches!(
                    played.faults.first().map(|report| &report.fault),
                    Some(Fault::Timeout { .. })
                );
                assert!(is_late, "{villain} by {kind:?} at {level}: {}", verdict(&played));
            }
            let without_counts = move || {
                forbid_counts();
                late_move(villain, within(kind, 500 * MS))
            };
            // On a busy machine a turn may pass in which too few children are seen.
            let caught = std::thread::spawn(without_counts).join().unwrap();
            assert!(caught.is_some(), "{villain} by {kind:?} without counts");
        }
    }
}

/// Children too brief for a reading leave nothing but their numbers, which the launcher tells from
/// inside the namespace of the program.
#[test]
fn work_of_unseen_children_is_charged() {
    let mut wrong = Vec::new();
    for kind in [ClockKind::Cpu, ClockKind::Fair] {
        for villain in ["brief-sharing-children-work", "brief-children-work"] {
            for busy in [0, 2] {
                let without_counts = move || {
                    let _crowd = Crowd::gather(busy);
                    forbid_counts();
                    let diary = Diary::new();
                    let sandboxed = Watched::sandboxed(villain, &diary, Level::Full);
                    verdict(&Pair::of(sandboxed, 0, within(kind, 100 * MS)).play())
                };
                let told = std::thread::spawn(without_counts).join().unwrap();
                println!("{villain} by {kind:?} beside {busy}: {told}");
                if !told.contains("did not answer within 100ms") {
                    wrong.push((villain, kind, busy));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "they gained time: {wrong:?}");
}

/// At the other levels a program may not change the rights of files, or is the superuser's, who may
/// read every file.
#[test]
fn work_of_a_program_without_a_count_is_charged() {
    for kind in [ClockKind::Cpu, ClockKind::Fair] {
        let diary = Diary::new();
        let villain = Watched::sandboxed("uncounted-sharing-children-work", &diary, Level::Full);
        let played = Pair::of(villain, 0, within(kind, 500 * MS)).play();
        println!("{kind:?}: {}", verdict(&played));
        assert!(verdict(&played).contains("did not answer within 500ms"), "{kind:?}");
    }
}

/// Forbids this thread, and all programs that it starts, counts of CPU time, as some systems do.
fn forbid_counts() {
    let load = sys::FilterInstruction { code: 0x20, jt: 0, jf: 0, k: 0 };
    let number = libc::SYS_perf_event_open as u32;
    let compare = sys::FilterInstruction { code: 0x15, jt: 0, jf: 1, k: number };
    let end = |k| sys::FilterInstruction { code: 0x06, jt: 0, jf: 0, k };
    let refuse = end(0x0005_0000 | libc::EACCES as u32);
    rustix::thread::set_no_new_privs(true).unwrap();
    sys::install_filter(&[load, compare, refuse, end(0x7fff_0000)]).unwrap();
    assert!(sys::count_cpu_time().is_err());
}

/// With several threads a player is charged at least what one task worked.
#[test]
fn threads_that_wait_hide_no_work_of_another() {
    let mut own = CpuSet::new();
    own.set(sched_getcpu());
    sched_setaffinity(None, &own).unwrap();
    let mut wrong = Vec::new();
    for villain in [
        "decoy-waits-while-a-thread-works",
        "decoys-wait-while-threads-work-in-turn",
        "decoy-of-a-poor-session-waits-while-threads-work-in-turn",
    ] {
        let mut limits = within(ClockKind::Fair, 100 * MS);
        limits.clock.threads = Some(2);
        if !is_late(villain, limits.clone()) {
            wrong.push((villain, Level::None));
        }
        for level in [Level::Weak, Level::Partial, Level::Full] {
            let diary = Diary::new();
            let sandboxed = Watched::sandboxed(villain, &diary, level);
            let played = Pair::of(sandboxed, 0, limits.clone()).play();
            println!("{villain} at {level}: {}", verdict(&played));
            let late = |fault: &Fault| matches!(fault, Fault::Timeout { .. });
            if !played.faults.first().is_some_and(|of| late(&of.fault) && of.ply == 0) {
                wrong.push((villain, level));
            }
        }
    }
    assert!(wrong.is_empty(), "they gained time: {wrong:?}");
}

/// `scripts/soak clock` plays a thousand games at each load.
#[test]
fn bot_beyond_its_limit_is_caught() {
    let games = number_in("CLOCK_GAMES").unwrap_or(10);
    for busy in [0, 4] {
        let _crowd = Crowd::gather(busy);
        let caught = |_: &usize| game("work-over", ClockKind::Fair, 20 * MS).faults.len() == 1;
        let caught = (0..games).filter(caught).count();
        println!("limit + margin + 10 % beside {busy}: {caught} of {games} caught");
        assert!(1000 * caught >= 999 * games, "{caught} of {games}");
    }
}

/// The first move of a program begins with a reading, as it is often its longest.
#[test]
fn first_move_is_charged_from_its_beginning() {
    let diary = Diary::new();
    let mut pair = Pair::new("work-most", &diary, 0, within(ClockKind::Fair, 20 * MS));
    let played = pair.play();
    let first = &played.plies[0].time;
    println!("{first:?}");
    // It uses 16 ms, of which a reading after 4 ms would lack a quarter, and the first one 20 µs.
    assert!(first.cpu.is_some_and(|cpu| cpu >= 15 * MS), "{first:?}");
}

/// Work before `ready` is charged no move, and shown. A kept program does it once.
#[test]
fn work_before_ready_is_counted() {
    let diary = Diary::new();
    let limits = within(ClockKind::Fair, 100 * MS);
    let mut pair = Pair::new("works-before-ready", &diary, 0, limits.clone());
    let [first, second] = [(); 2].map(|()| pair.play());
    println!("{:?}, then {:?}", first.uncharged, second.uncharged);
    assert!(first.faults.is_empty(), "{}", verdict(&first));
    let [own, others] = first.uncharged[..] else { panic!("there are two seats") };
    assert!(own.init >= 300 * MS && others.init < 300 * MS);
    assert_eq!(second.uncharged[0].init, Duration::ZERO);
}

/// A task of idle priority gets a processor now and then, in turns that are long apart.
#[test]
fn starved_bot_is_not_late() {
    let _crowd = Crowd::gather(1);
    let mut played = game("idle-priority", ClockKind::Fair, 50 * MS);
    played.plies.retain(|ply| ply.seat.index() == 0);
    let waits = played.plies.iter().filter_map(|ply| ply.time.wait);
    println!("{} moves, longest wait {:?}", played.plies.len(), waits.max());
    println!("{}", verdict(&played));
    assert!(played.faults.is_empty());
}

/// Programs that work while their opponent thinks are stopped a millisecond after it began.
#[test]
fn pondering_bots_are_stopped() {
    let _pinned = Crowd::gather(0);
    sys::take_short_turns().unwrap();
    for villain in ["ponder-thread", "ponder-child", "ponder-in-a-session", "ponder-orphan"] {
        let diary = Diary::new();
        let pair = Pair::new(villain, &diary, 0, within(ClockKind::Fair, PATIENCE));
        let mut pair = pair.against("work-most", &diary, within(ClockKind::Fair, 20 * MS));
        let played = pair.play();
        let mut stolen = pair.villain.stolen.clone();
        stolen.sort();
        let (median, longest) = (stolen[stolen.len() / 2], stolen[stolen.len() - 1]);
        println!("{villain:22} stole {median:?} a move, at most {longest:?}; {}", verdict(&played));
        let is_excused = |fault: &Fault| match fault {
            Fault::Timeout { used: Some(used), .. } => is_by_host(&diary, used.wall),
            _ => false,
        };
        assert!(played.faults.iter().all(|report| is_excused(&report.fault)));
        assert!(median < 8 * MS, "of turns of 16 ms it worked for {median:?}");
    }
}

/// One group of moves under one load.
struct Block {
    busy: usize,
    per_move: Duration,
    moves: usize,
}

/// Moves of a bot that uses 80 % of its limit: those that were late by each clock, and games that
/// were void, because the bot got no processor for five seconds.
#[derive(Default, Clone, Copy)]
struct Late {
    moves: usize,
    void: usize,
    fair: usize,
    wall: usize,
    cpu: usize,
}

/// Plays games until the bot has made enough moves.
fn honest_moves(block: &Block) -> Late {
    let _crowd = Crowd::gather(block.busy);
    let diary = Diary::new();
    let limits = within(ClockKind::Fair, block.per_move);
    let mut pair = Pair::new("work-most", &diary, 0, limits.clone());
    let mut late = Late::default();
    while late.moves < block.moves {
        let played = pair.play();
        for report in &played.faults {
            println!("{}", report.fault);
            match &report.fault {
                Fault::Unjudged { .. } => late.void += 1,
                Fault::Timeout { used: Some(used), .. } if is_by_host(&diary, used.wall) => {
                    println!("the host of this machine took the processor meanwhile");
                }
                _ => late.fair += 1,
            }
        }
        for ply in played.plies.iter().filter(|ply| ply.seat.index() == 0) {
            let is_late = |time: Duration| usize::from(time > block.per_move + MARGIN);
            late.moves += 1;
            late.wall += is_late(ply.time.wall);
            late.cpu += is_late(ply.time.cpu.unwrap_or_default());
        }
    }
    late
}

/// Returns `true` if the host took the processor from a bot in its last answer of this wall time.
fn is_by_host(diary: &Diary, wall: Duration) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    // The verdict, and the end of the game after it, take some time on a busy machine.
    let since = now.saturating_sub(wall + MARGIN);
    diary.jumps().last().is_some_and(|&jump| jump > since.as_nanos())
}

/// A small part of the moves that `scripts/soak clock` plays. That script sets the number of moves,
/// and a file that keeps what was played.
#[test]
fn honest_bot_is_never_late() {
    let moves = number_in("CLOCK_MOVES").unwrap_or(60);
    let kept = std::env::var("CLOCK_FILE").ok();
    let mut wrong = 0;
    let before = sys::withheld_ticks();
    println!("  busy  limit   moves   late by fair   by wall   by cpu   void   fair, 95 % bound");
    for busy in [0, 2, 4, 8] {
        for (per_move, moves) in [(5 * MS, moves), (50 * MS, moves / 10)] {
            let key = format!("{busy} {}", per_move.as_millis());
            let mut played = Late::default();
            // Processes on several processors may add to one file.
            let mut sum = |new: Late| match &kept {
                None => {
                    played = played.plus(new);
                    played
                }
                Some(path) => {
                    if new.moves > 0 {
                        keep(path, &key, new);
                    }
                    kept_lines(path, &key).into_iter().fold(Late::default(), Late::plus)
                }
            };
            let mut all = sum(Late::default());
            while all.moves < moves {
                let block = Block { busy, per_move, moves: (moves - all.moves).min(500) };
                all = sum(honest_moves(&block));
            }
            wrong += all.fair;
            println!(
                "{busy:6} {per_move:>6.0?} {:>7} {:>14} {:>9} {:>8} {:>6}   {:.4} %",
                all.moves,
                all.fair,
                all.wall,
                all.cpu,
                all.void,
                // Three events are expected where none is seen in 95 of 100 cases.
                100.0 * 3.0 / all.moves as f64
            );
        }
    }
    let pairs = sys::withheld_ticks().into_iter().zip(before);
    let withheld: Vec<u64> = pairs.map(|(after, before)| after - before).collect();
    println!("the host of this machine withheld {withheld:?} ticks of its processors meanwhile");
    // Beside the other tests a page of the bot may come from the disk, and that is charged. So is
    // what a host withholds in less than a tick.
    let seconds = withheld.iter().max().map_or(0, |&ticks| ticks as usize / 100);
    let allowed = if kept.is_some() { 0 } else { 1 + seconds };
    assert!(wrong <= allowed, "{wrong} honest moves were late");
}

fn number_in(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

impl Late {
    fn plus(self, other: Late) -> Late {
        Late {
            moves: self.moves + other.moves,
            void: self.void + other.void,
            fair: self.fair + other.fair,
            wall: self.wall + other.wall,
            cpu: self.cpu + other.cpu,
        }
    }
}

fn kept_lines(path: &str, key: &str) -> Vec<Late> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let numbers = lines.map(|line| line.split(' ').filter_map(|word| word.parse().ok()).collect());
    let late = |numbers: Vec<usize>| match numbers[..] {
        [moves, void, fair, wall, cpu] => Some(Late { moves, void, fair, wall, cpu }),
        _ => None,
    };
    numbers.filter_map(late).collect()
}

fn keep(path: &str, key: &str, Late { moves, void, fair, wall, cpu }: Late) {
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    writeln!(file.expect("the file can be written"), "{key}: {moves} {void} {fair} {wall} {cpu}")
        .expect("there is room");
}
