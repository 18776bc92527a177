//! Villains: Awélé bots with one fault each. Usage: `villain NAME DIARY`.
//!
//! Each villain is the honest bot with one behaviour replaced. The program uses only the standard
//! library, so that the tests can compile it with plain `rustc`.
//!
//! A villain only affects itself and its children, except those of `HOSTILE`, which act only inside
//! namespaces that the test made. An alarm ends each of them, so that no process
//! is left even if its test dies. The diary tells the test what it cannot observe: `pid N` for
//! every process that played, and `go T` for every request, with T in nanoseconds since 1970. In a
//! moment `jump T` the host of the machine took the processor.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Lifetime of every villain in seconds.
const LIFE: u32 = 30;
/// Lifetime in seconds of children, and of villains that the referee might wait for. A test detects
/// them and still continues.
const CHILDS_LIFE: u32 = 8;
/// Least step of the clock of CPU time between two readings that the host of the machine causes. A
/// reading takes less than a microsecond.
const JUMP: Duration = Duration::from_millis(3);
/// Length limit of a line in the dialect, in bytes without the line break.
const LINE_LIMIT: usize = 64 * 1024;

/// A bot, as its behaviour at each event.
struct Villain {
    name: &'static str,
    /// Runs before any input is read.
    start: fn(),
    /// Runs at `begin`; the games are counted from 1.
    ready: fn(game: u32),
    /// Runs at `go`.
    turn: fn(&Turn),
    /// Runs at `result`.
    over: fn(),
    /// Runs at the end of input.
    end: fn(),
}

/// A request for a move.
struct Turn<'a> {
    /// Number of the game, from 1.
    game: u32,
    /// Number of the turn in the game, from 1.
    number: u32,
    /// Time for the answer.
    time: Duration,
    /// Legal moves.
    legal: &'a [String],
}

impl Turn<'_> {
    /// Returns the first legal move.
    fn good(&self) -> &str {
        &self.legal[0]
    }

    /// Returns a pit that is illegal now.
    fn bad(&self) -> Option<String> {
        (0..6).map(|pit| pit.to_string()).find(|pit| !self.legal.contains(pit))
    }
}

const HONEST: Villain = Villain {
    name: "honest",
    start: || {},
    ready: be_ready,
    turn: answer,
    over: || {},
    end: || {},
};

/// A bot that stays for further games, each of which has the lifetime of a villain.
const KEPT: Villain = Villain { ready: |_| stay(), ..HONEST };

const TROUPE: &[Villain] = &[
    HONEST,
    // Silent villains.
    Villain { name: "hang", turn: |_| idle(), ..HONEST },
    Villain { name: "hang-at-start", ready: |_| idle(), ..HONEST },
    Villain { name: "never-reads", start: idle, ..HONEST },
    Villain { name: "spin", turn: |_| spin(), ..HONEST },
    Villain { name: "stop-itself", turn: |_| sys::raise(sys::SIGSTOP), ..HONEST },
    Villain { name: "drip", turn: |_| drip(), ..HONEST },
    Villain { name: "late", turn: be_late, ..HONEST },
    Villain { name: "half-a-line", turn: |turn| say(turn.good()), ..HONEST },
    // Villains that end.
    Villain { name: "crash-at-start", start: || exit(1), ..HONEST },
    Villain { name: "crash", turn: crash_with_last_words, ..HONEST },
    Villain { name: "abort", turn: |_| std::process::abort(), ..HONEST },
    Villain { name: "segv", turn: |_| sys::raise(sys::SIGSEGV), ..HONEST },
    Villain { name: "exit-0", turn: |_| exit(0), ..HONEST },
    Villain { name: "exit-with-half-a-line", turn: |turn| last_words(turn.good()), ..HONEST },
    Villain { name: "exit-after-move", turn: |turn| last_words(&line(turn.good())), ..HONEST },
    // Villains with invalid answers,
    Villain { name: "move-for-ready", ready: |_| say("0\n"), ..HONEST },
    Villain { name: "illegal", turn: play_illegally, ..HONEST },
    Villain { name: "garbage", turn: |_| say("resign?\n"), ..HONEST },
    Villain { name: "long-garbage", turn: |_| say(line(&"x".repeat(60_000))), ..HONEST },
    Villain { name: "empty-line", turn: |_| say("\n"), ..HONEST },
    Villain { name: "bad-utf-8", turn: |_| say([b'0', 0xff, b'\n']), ..HONEST },
    Villain { name: "nul", turn: |_| say("0\0\n"), ..HONEST },
    Villain { name: "byte-order-mark", turn: |turn| say(wrapped("\u{feff}", turn)), ..HONEST },
    Villain { name: "ansi", turn: |turn| say(wrapped("\x1b[2J\x1b]0;title\x07", turn)), ..HONEST },
    Villain { name: "c1", turn: |turn| say(wrapped("\u{9b}2J", turn)), ..HONEST },
    Villain { name: "right-to-left", turn: |turn| say(wrapped("\u{202e}", turn)), ..HONEST },
    Villain { name: "ansi-on-stderr", turn: |_| crash_in_colour(), ..HONEST },
    // with unrequested answers,
    Villain { name: "eager", ready: |_| say("ready eager\n0\n"), ..HONEST },
    Villain { name: "ready-twice", ready: |_| say("ready one\nready two\n"), ..HONEST },
    Villain { name: "two-moves", turn: |turn| say(line(turn.good()).repeat(2)), ..HONEST },
    Villain { name: "half-ahead", turn: half_ahead, ..HONEST },
    Villain { name: "flood", turn: |turn| pour(usize::MAX, &line(turn.good())), ..HONEST },
    // or with too much output.
    Villain { name: "endless-bytes", turn: |_| pour(usize::MAX, "0"), ..HONEST },
    Villain { name: "long-line-100mb", turn: |_| long_line(100_000_000), ..HONEST },
    Villain { name: "wide-pipe", turn: |_| fill_a_wide_pipe(), ..HONEST },
    Villain { name: "longest-line", turn: |turn| say(padded(turn, LINE_LIMIT)), ..HONEST },
    Villain { name: "too-long-line", turn: |turn| say(padded(turn, LINE_LIMIT + 1)), ..HONEST },
    Villain { name: "name-50mb", ready: |_| say_name(50_000_000), ..HONEST },
    Villain { name: "name-65", ready: |_| say_name(65), ..HONEST },
    Villain { name: "name-64", ready: |_| say_name(64), ..HONEST },
    Villain { name: "stderr-20mb", turn: complain_first, ..HONEST },
    Villain { name: "stderr-endless", turn: |_| complain(usize::MAX), ..HONEST },
    // Unusual but correct villains.
    Villain { name: "cr-lf", turn: |turn| say(format!("{}\r\n", turn.good())), ..HONEST },
    Villain { name: "blanks", turn: |turn| say(format!("{} \t \n", turn.good())), ..HONEST },
    Villain { name: "comment", turn: |turn| say(format!("{} # \x1b[2J\n", turn.good())), ..HONEST },
    // Villains that close their pipes.
    Villain { name: "close-stdin", turn: answer_deafly, end: idle, ..HONEST },
    Villain { name: "close-stdout", turn: |_| close_and_idle(1), ..HONEST },
    Villain { name: "close-stderr", start: || sys::close(2), ..HONEST },
    // Villains that refuse to end, alone or with children.
    Villain { name: "ignore-signals", start: sys::ignore_signals, end: idle, ..HONEST },
    Villain {
        name: "hang-ignoring-signals",
        start: sys::ignore_signals,
        turn: |_| idle(),
        ..HONEST
    },
    Villain { name: "busy-child", start: || bear(spin), ..HONEST },
    Villain { name: "zombies", start: || (0..100).for_each(|_| bear(|| exit(0))), ..HONEST },
    Villain { name: "orphan", turn: |_| leave_behind(idle), ..HONEST },
    Villain { name: "orphan-on-stderr", turn: leave_a_noisy_crowd, ..HONEST },
    Villain { name: "orphan-on-stdout", turn: |_| leave_behind(drip), ..HONEST },
    Villain { name: "daemon", turn: |_| leave_behind(serve_nobody), ..HONEST },
    Villain { name: "leave-group", start: leave_group, turn: |_| idle(), ..HONEST },
    Villain { name: "leave-group-at-end", start: leave_group, end: idle, ..HONEST },
    // Villains that think on their opponent's time, or are stopped during it.
    Villain { name: "ponder", start: ponder_everywhere, ..HONEST },
    Villain { name: "hop", start: || bear(hop), ..HONEST },
    Villain { name: "drift", start: || bear(drift), ..HONEST },
    Villain { name: "stopped-child", start: || bear(stop_and_spin), ..HONEST },
    Villain { name: "continues-by-timer", start: continue_by_timer, ..HONEST },
    Villain { name: "continues-by-deaths", start: continue_by_deaths, ..HONEST },
    Villain { name: "without-first-thread", start: lose_the_first_thread, ..HONEST },
    Villain { name: "farewell", end: || eprintln!("farewell"), ..HONEST },
    // Villains that offer to play again.
    Villain { name: "kept", ..KEPT },
    Villain { name: "kept-leftovers", over: || say("thank you\nfor the game\n"), ..KEPT },
    Villain { name: "kept-late-leftovers", over: leave_late_leftovers, ..KEPT },
    Villain { name: "kept-crash-in-second", turn: crash_in_second, ..KEPT },
    Villain { name: "kept-exit-between", over: || exit(4), ..KEPT },
];

/// Bots that use their time in various ways. Most of them try to use more than they are charged.
const TIMED: &[Villain] = &[
    Villain { name: "work-most", turn: |turn| after(turn, || work(turn.time * 8 / 10)), ..KEPT },
    Villain { name: "work-over", turn: |turn| after(turn, || work(over(turn))), ..HONEST },
    Villain { name: "work-twice", turn: |turn| after(turn, || work(2 * turn.time)), ..HONEST },
    Villain { name: "sleep-twice", turn: |turn| after(turn, || sleep(2 * turn.time)), ..HONEST },
    Villain { name: "child-works", turn: |turn| after(turn, || delegate(1, turn)), ..HONEST },
    Villain { name: "orphan-works", turn: orphan_answers, ..HONEST },
    Villain {
        name: "unwaited-children-work",
        start: sys::ignore_children,
        turn: |turn| after(turn, || delegate(1, turn)),
        ..HONEST
    },
    Villain {
        name: "many-unwaited-children-work",
        start: sys::ignore_children,
        turn: |turn| after(turn, || delegate(40, turn)),
        ..HONEST
    },
    Villain {
        name: "decoys-spin",
        start: || (0..4).for_each(|_| drop(std::thread::spawn(decoy))),
        turn: |turn| after(turn, || work(2 * turn.time)),
        ..HONEST
    },
    Villain {
        name: "decoy-spins-while-unwaited-children-work",
        start: || {
            sys::ignore_children();
            bear(decoy);
        },
        turn: |turn| after(turn, || delegate(40, turn)),
        ..HONEST
    },
    Villain {
        name: "sharing-children-work",
        start: sys::ignore_children,
        turn: |turn| after(turn, || delegate_sharing(200, turn)),
        ..HONEST
    },
    Villain {
        name: "brief-sharing-children-work",
        start: || {
            sys::ignore_children();
            drop(std::thread::spawn(decoy));
        },
        turn: |turn| after(turn, || delegate_sharing(1_000, turn)),
        ..HONEST
    },
    Villain {
        name: "brief-children-work",
        start: || {
            sys::ignore_children();
            drop(std::thread::spawn(decoy));
        },
        turn: |turn| after(turn, || delegate(500, turn)),
        ..HONEST
    },
    Villain {
        name: "uncounted-sharing-children-work",
        start: || {
            become_unreadable();
            sys::ignore_children();
        },
        turn: |turn| after(turn, || delegate_sharing(200, turn)),
        ..HONEST
    },
    Villain {
        name: "decoy-waits-while-sharing-children-work",
        start: || {
            sys::ignore_children();
            drop(std::thread::spawn(decoy));
        },
        turn: |turn| after(turn, || delegate_sharing(200, turn)),
        ..HONEST
    },
    Villain {
        name: "decoy-waits-while-a-thread-works",
        start: || drop(std::thread::spawn(decoy)),
        turn: |turn| after(turn, || work(2 * turn.time)),
        ..HONEST
    },
    Villain {
        name: "decoys-wait-while-threads-work-in-turn",
        start: || (0..3).for_each(|_| drop(std::thread::spawn(decoy))),
        turn: |turn| after(turn, || work_in_turn(2 * turn.time)),
        ..HONEST
    },
    Villain {
        name: "decoy-of-a-poor-session-waits-while-threads-work-in-turn",
        start: || bear(spin_in_a_poor_session),
        turn: |turn| after(turn, || work_in_turn(2 * turn.time)),
        ..HONEST
    },
    Villain { name: "yields", turn: |turn| after(turn, || yield_often(2 * turn.time)), ..HONEST },
    Villain {
        name: "idle-priority",
        start: sys::take_idle_priority,
        turn: |turn| after(turn, || work(Duration::from_millis(2))),
        ..HONEST
    },
    Villain { name: "works-before-ready", start: || work(Duration::from_millis(300)), ..KEPT },
    Villain { name: "ponder-thread", start: || drop(std::thread::spawn(spin)), ..HONEST },
    Villain { name: "ponder-child", start: || bear(spin), ..HONEST },
    Villain { name: "ponder-in-a-session", start: || bear(spin_in_a_session), ..HONEST },
    Villain { name: "ponder-orphan", start: || bear(|| bear(spin)), ..HONEST },
];

/// Villains that act on other processes. They refuse to play outside of the namespaces of their
/// test.
const HOSTILE: &[Villain] = &[
    Villain { name: "tracer", turn: |turn| once(turn, || hostile::trace(opponent())), ..HONEST },
    Villain { name: "stopper", turn: |turn| once(turn, || hostile::stop(opponent())), ..HONEST },
    Villain { name: "killer", turn: |turn| once(turn, || hostile::kill(opponent())), ..HONEST },
    Villain {
        name: "launcher-killer",
        start: || bear(serve_nobody),
        turn: |turn| once(turn, hostile::kill_launcher),
        ..HONEST
    },
    Villain {
        name: "launcher-killer-that-waits",
        turn: |turn| {
            once(turn, hostile::kill_launcher);
            idle();
        },
        ..HONEST
    },
    Villain {
        name: "few-files",
        turn: |turn| once(turn, || limit(hostile::FILES, 3, None)),
        ..HONEST
    },
    Villain {
        name: "few-files-for-good",
        turn: |turn| once(turn, || limit(hostile::FILES, 3, Some(3))),
        ..HONEST
    },
    Villain {
        name: "small-files",
        turn: |turn| once(turn, || limit(hostile::FILE_SIZE, 0, None)),
        ..HONEST
    },
    Villain {
        name: "small-files-for-good",
        turn: |turn| once(turn, || limit(hostile::FILE_SIZE, 0, Some(0))),
        ..HONEST
    },
];

/// Word in the command of the first process of the namespaces made for hostile villains.
const NAMESPACE: &str = "arbitre-villains";

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, name, diary] = &words[..] else { fail("usage: villain NAME DIARY") };
    let hostile = HOSTILE.iter().find(|villain| villain.name == *name);
    if hostile.is_some() && !command_of(1).iter().any(|word| word == NAMESPACE) {
        fail("this villain plays only inside the namespaces of its test");
    }
    let mut harmless = TROUPE.iter().chain(TIMED);
    let villain = harmless.find(|villain| villain.name == *name).or(hostile);
    let villain = villain.unwrap_or_else(|| fail(&format!("nobody here is called {name}")));
    sys::live_for(LIFE);
    sys::leave_no_core();
    note(Path::new(diary), &format!("pid {}", std::process::id()));
    // To write a file takes time that is charged.
    let is_timed = TIMED.iter().any(|timed| timed.name == villain.name);
    play(villain, Some(Path::new(diary)).filter(|_| !is_timed));
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    exit(2)
}

/// Returns the path of the diary.
fn diary() -> String {
    std::env::args().nth(2).expect("the command names the diary")
}

/// Adds a line to the diary.
fn note(diary: &Path, line: &str) {
    let file = OpenOptions::new().create(true).append(true).open(diary);
    file.and_then(|mut file| writeln!(file, "{line}")).expect("the folder of the diary exists");
}

/// Handles the input until its end.
fn play(villain: &Villain, diary: Option<&Path>) {
    (villain.start)();
    let (mut game, mut number, mut legal) = (0, 0, Vec::new());
    for line in io::stdin().lines().map_while(Result::ok) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "begin" => {
                (game, number) = (game + 1, 0);
                (villain.ready)(game);
            }
            "legal" => legal = rest.split(' ').map(str::to_owned).collect(),
            "go" => {
                number += 1;
                diary.iter().for_each(|diary| note(diary, &format!("go {}", now())));
                let time = Duration::from_millis(rest.parse().unwrap_or(0));
                (villain.turn)(&Turn { game, number, time, legal: &legal });
            }
            "result" => (villain.over)(),
            _ => {}
        }
    }
    (villain.end)();
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("1970 is over").as_nanos()
}

/// Writes `bytes`, in one write if the pipe takes them all. Ends the process if the pipe is closed.
fn say(bytes: impl AsRef<[u8]>) {
    let mut bytes = bytes.as_ref();
    while !bytes.is_empty() {
        match sys::write_stdout(bytes) {
            Some(written) => bytes = &bytes[written..],
            None => exit(0),
        }
    }
}

fn be_ready(_: u32) {
    say("ready villain\n");
}

fn stay() {
    sys::live_for(LIFE);
    say("ready kept again\n");
}

fn answer(turn: &Turn) {
    say(line(turn.good()));
}

fn line(text: &str) -> String {
    format!("{text}\n")
}

/// Returns a move with a prefix.
fn wrapped(before: &str, turn: &Turn) -> String {
    format!("{before}{}\n", turn.good())
}

/// Returns a line of `bytes` bytes that begins with a legal move.
fn padded(turn: &Turn, bytes: usize) -> String {
    let text = format!("{} # ", turn.good());
    line(&format!("{text}{}", "x".repeat(bytes - text.len())))
}

fn idle() {
    loop {
        sleep(Duration::from_secs(1));
    }
}

fn spin() {
    loop {
        std::hint::spin_loop();
    }
}

/// Writes one byte at a time, without end.
fn drip() {
    loop {
        say("0");
        sleep(Duration::from_millis(10));
    }
}

/// Answers too late, and twice.
fn be_late(turn: &Turn) {
    sleep(turn.time + Duration::from_millis(100));
    answer(turn);
    answer(turn);
}

fn last_words(text: &str) {
    say(text);
    exit(0);
}

fn crash_with_last_words(_: &Turn) {
    eprintln!("last words");
    exit(3);
}

fn crash_in_colour() {
    eprintln!("\x1b[31mred\x1b[0m \u{9b}31m and \u{202e}back\x07");
    exit(3);
}

fn play_illegally(turn: &Turn) {
    match turn.bad() {
        Some(pit) => say(line(&pit)),
        None => answer(turn),
    }
}

/// Sends half of the next answer with this one, and its line break at the next turn.
fn half_ahead(turn: &Turn) {
    match turn.number {
        1 => say(format!("{}\n{}", turn.good(), turn.good())),
        _ => say("\n"),
    }
}

/// Writes at least `bytes` bytes in pieces of whole words. The first piece holds several words.
fn pour(bytes: usize, word: &str) {
    let piece = word.repeat(4096 / word.len());
    let mut poured = 0;
    while poured < bytes {
        say(&piece);
        poured += piece.len();
    }
}

fn long_line(bytes: usize) {
    pour(bytes, "0");
    say("\n");
}

/// Puts a whole megabyte into the pipe before the referee reads it.
fn fill_a_wide_pipe() {
    sys::widen_pipe(1, 1 << 20);
    pour(1 << 20, "0");
    idle();
}

fn say_name(bytes: usize) {
    say(format!("ready {}\n", "x".repeat(bytes)));
}

/// Writes at least `bytes` bytes to standard error.
fn complain(bytes: usize) {
    let piece = b"it is not fair\n".repeat(4096);
    let mut left = bytes;
    while left > 0 && io::stderr().write_all(&piece).is_ok() {
        left = left.saturating_sub(piece.len());
    }
}

fn complain_first(turn: &Turn) {
    if turn.number == 1 {
        complain(20_000_000);
    }
    answer(turn);
}

fn answer_deafly(turn: &Turn) {
    sys::close(0);
    answer(turn);
}

fn close_and_idle(fd: i32) {
    sys::close(fd);
    idle();
}

/// Starts a child that runs `life` within its own lifetime.
fn bear(life: fn()) {
    bear_with(life);
}

fn bear_with(life: impl FnOnce()) {
    if sys::fork() == 0 {
        sys::live_for(CHILDS_LIFE);
        life();
        exit(0);
    }
}

/// Ends and leaves a child that runs `life` and holds the pipes.
fn leave_behind(life: fn()) {
    bear(life);
    exit(0);
}

/// Starts children that together write faster than one reader can read.
fn leave_a_noisy_crowd(_: &Turn) {
    sys::widen_pipe(2, 1 << 20);
    (0..8).for_each(|_| bear(|| complain(usize::MAX)));
    sleep(Duration::from_millis(5));
    exit(0);
}

fn serve_nobody() {
    sys::new_session();
    idle();
}

fn ponder_aside() {
    sys::new_session();
    spin();
}

/// Thinks in a child, in a session, in an orphan and in threads, all at once.
fn ponder_everywhere() {
    bear(spin);
    bear(ponder_aside);
    bear(|| bear(ponder_aside));
    // No process is forked once there are threads.
    (0..2).for_each(|_| drop(std::thread::spawn(spin)));
}

/// Moves to a new process every millisecond.
fn hop() {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(CHILDS_LIFE.into()) {
        let hopped = Instant::now();
        while hopped.elapsed() < Duration::from_millis(1) {}
        if sys::fork() != 0 {
            exit(0);
        }
    }
}

/// Leaves the group of its parent and joins it again, all the time.
fn drift() {
    loop {
        sys::lead_a_group();
        sys::join_parents_group();
    }
}

fn stop_and_spin() {
    sys::raise(sys::SIGSTOP);
    spin();
}

fn leave_group() {
    sys::live_for(CHILDS_LIFE);
    sys::join_parents_group();
}

fn leave_late_leftovers() {
    sleep(Duration::from_millis(50));
    say("thank you for the game\n");
}

fn crash_in_second(turn: &Turn) {
    match turn.game {
        1 => answer(turn),
        _ => exit(5),
    }
}

/// Acts, then answers.
fn after(turn: &Turn, act: impl FnOnce()) {
    act();
    answer(turn);
}

/// Uses CPU time of this thread. A moment in which its clock jumps is noted: the host of the
/// machine had taken the processor, and the system counts that as work.
fn work(time: Duration) {
    let mut last = sys::cpu_time();
    let (until, mut has_jumped) = (last + time, false);
    while last < until {
        std::hint::spin_loop();
        let now = sys::cpu_time();
        has_jumped |= now - last > JUMP;
        last = now;
    }
    if has_jumped {
        note(Path::new(&diary()), &format!("jump {}", now()));
    }
}

/// Returns a tenth more than the limit of the turn with the margin of the tests.
fn over(turn: &Turn) -> Duration {
    (turn.time + Duration::from_millis(10)) * 11 / 10
}

/// Has `count` children work, one after another, twice as long as the turn may take.
fn delegate(count: u32, turn: &Turn) {
    for _ in 0..count {
        let child = sys::fork();
        if child == 0 {
            work(2 * turn.time / count);
            exit(0);
        }
        sys::wait_for(child);
    }
}

/// Works likewise in children that share the memory of this process, which waits for each.
fn delegate_sharing(count: u32, turn: &Turn) {
    (0..count).for_each(|_| sys::work_in_a_sharing_child(2 * turn.time / count));
}

/// Becomes a copy of this program that its user may only execute. The kernel takes such a program
/// out of the counts of CPU time.
fn become_unreadable() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let own = std::env::current_exe().expect("there is a /proc");
    if own.extension().is_some() {
        return;
    }
    let words: Vec<String> = std::env::args().collect();
    let copy = Path::new(&words[2]).with_extension("copy");
    std::fs::copy(own, &copy).expect("there is room");
    std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o111)).expect("it is ours");
    let error = std::process::Command::new(&copy).args(&words[1..]).exec();
    fail(&format!("it cannot be executed: {error}"));
}

/// Works in one thread after another.
fn work_in_turn(time: Duration) {
    (0..4).for_each(|_| std::thread::spawn(move || work(time / 4)).join().expect("it works"));
}

/// Thinks all the time, and has itself continued every ten milliseconds for two seconds. Each timer
/// is for one signal: a timer with an interval ends if another stop meets its pending signal.
fn continue_by_timer() {
    drop(std::thread::spawn(spin));
    sys::handle(sys::SIGCONT);
    (1..=200).for_each(|number| sys::start_timer(sys::SIGCONT, Duration::from_millis(10 * number)));
}

/// Thinks in children that the kernel continues when their parents die, one after another for eight
/// seconds: on a busy machine the first ones die before the program is frozen.
fn continue_by_deaths() {
    for number in 1..=40 {
        bear_with(move || {
            let parent = std::process::id();
            bear_with(|| {
                sys::be_continued_at_parents_death();
                while std::os::unix::process::parent_id() == parent {
                    sleep(Duration::from_millis(1));
                }
                spin();
            });
            let death = Duration::from_millis(200 * number);
            sys::start_timer(sys::SIGKILL, death);
            idle();
        });
    }
}

/// Plays on in another thread than the first.
fn lose_the_first_thread() {
    std::thread::spawn(|| {
        play(&HONEST, None);
        exit(0);
    });
    sys::end_thread();
}

/// Lets an orphan work and answer, while this process waits for its next turn.
fn orphan_answers(turn: &Turn) {
    if sys::fork() == 0 {
        if sys::fork() == 0 {
            sys::live_for(CHILDS_LIFE);
            work(2 * turn.time);
            answer(turn);
        }
        exit(0);
    }
}

/// Waits for a processor nearly all the time, as any other task is preferred to it.
fn decoy() {
    sys::take_idle_priority();
    spin();
}

/// Works, and offers its processor to others many times.
fn yield_often(time: Duration) {
    let until = sys::cpu_time() + time;
    while sys::cpu_time() < until {
        work(Duration::from_micros(20));
        std::thread::yield_now();
    }
}

fn spin_in_a_session() {
    sys::new_session();
    spin();
}

/// Works in a session to which the kernel gives a processor only where no other wants it.
fn spin_in_a_poor_session() {
    sys::new_session();
    // Where the kernel does not weigh sessions, there is no such file.
    let _ = std::fs::write("/proc/self/autogroup", "19");
    spin();
}

/// Acts at the first turn of a game, then answers.
fn once(turn: &Turn, act: fn()) {
    // In its trial before the match a villain has no opponent.
    if turn.number == 1 && starts() > 1 {
        act();
    }
    answer(turn);
}

/// Returns the number of times that the villain was started, this one included.
fn starts() -> usize {
    std::fs::read_to_string(diary()).unwrap_or_default().matches("pid ").count()
}

/// Returns the words with which a process was started.
fn command_of(pid: i32) -> Vec<String> {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    words.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into()).collect()
}

/// Returns the process whose command contains this word.
fn find(word: &str) -> i32 {
    let processes = std::fs::read_dir("/proc").expect("there is a /proc").flatten();
    let mut pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let found = pids.find(|&pid| pid != 1 && command_of(pid).iter().any(|text| text == word));
    found.unwrap_or_else(|| fail(&format!("there is no process with {word}")))
}

fn opponent() -> i32 {
    find("honest")
}

/// Lowers a limit of the referee, in the first game after the trial. Later the referee may be
/// storing a game, and a limit that falls between its check and its write ends the match.
fn limit(resource: i32, soft: u64, hard: Option<u64>) {
    if starts() == 2 {
        hostile::limit(find("--seed=1"), resource, soft, hard);
    }
}

/// System calls that affect other processes.
#[allow(unsafe_code)]
mod hostile {
    use std::os::raw::{c_int, c_ulong};

    extern "C" {
        #[link_name = "kill"]
        fn c_kill(pid: c_int, signal: c_int) -> c_int;
        #[link_name = "prlimit64"]
        fn c_prlimit(pid: c_int, resource: c_int, new: *const Limit, old: *mut Limit) -> c_int;
        #[link_name = "ptrace"]
        fn c_ptrace(request: c_int, pid: c_int, address: c_ulong, data: c_ulong) -> isize;
    }

    #[repr(C)]
    #[derive(Default)]
    struct Limit {
        soft: u64,
        hard: u64,
    }

    pub const FILES: c_int = 7;
    pub const FILE_SIZE: c_int = 1;
    const SIGKILL: c_int = 9;
    const SIGSTOP: c_int = 19;
    const PTRACE_SEIZE: c_int = 0x4206;

    /// Attaches to a process. While this process lives, the other one cannot be reaped.
    pub fn trace(pid: c_int) {
        // SAFETY: this request reads and writes no memory of this process.
        assert_eq!(unsafe { c_ptrace(PTRACE_SEIZE, pid, 0, 0) }, 0, "it cannot be traced");
    }

    pub fn stop(pid: c_int) {
        signal(pid, SIGSTOP);
    }

    pub fn kill(pid: c_int) {
        signal(pid, SIGKILL);
    }

    /// Kills the launcher, the parent of this process.
    pub fn kill_launcher() {
        kill(std::os::unix::process::parent_id() as c_int);
    }

    fn signal(pid: c_int, signal: c_int) {
        assert!(pid > 1, "signals go to one process");
        // SAFETY: a signal to another process touches no memory of this one.
        assert_eq!(unsafe { c_kill(pid, signal) }, 0, "it cannot be signalled");
    }

    /// Sets a limit of another process. Without `hard` its hard limit stays.
    pub fn limit(pid: c_int, resource: c_int, soft: u64, hard: Option<u64>) {
        let mut limit = Limit::default();
        // SAFETY: both pointers are null or those of local structures of the system's layout.
        unsafe {
            c_prlimit(pid, resource, std::ptr::null(), &mut limit);
            limit = Limit { soft, hard: hard.unwrap_or(limit.hard) };
            let set = c_prlimit(pid, resource, &limit, std::ptr::null_mut());
            assert_eq!(set, 0, "the limit cannot be set");
        }
    }
}

/// System calls missing from the standard library. Each affects only this process.
#[allow(unsafe_code)]
mod sys {
    use std::os::raw::{c_int, c_long, c_uint, c_ulong, c_void};
    use std::time::Duration;

    /// Function of a new process.
    type Run = extern "C" fn(*mut c_void) -> c_int;

    extern "C" {
        #[link_name = "clone"]
        fn c_clone(run: Run, stack: *mut c_void, flags: c_int, data: *mut c_void) -> c_int;
        #[link_name = "syscall"]
        fn c_syscall(number: c_long, ...) -> c_long;
        #[link_name = "timer_create"]
        fn c_timer_create(clock: c_int, event: *const Event, timer: *mut usize) -> c_int;
        #[link_name = "timer_settime"]
        fn c_timer_settime(
            timer: usize,
            flags: c_int,
            new: *const [Time; 2],
            old: *mut c_void,
        ) -> c_int;
        #[link_name = "alarm"]
        fn c_alarm(seconds: c_uint) -> c_uint;
        #[link_name = "close"]
        fn c_close(fd: c_int) -> c_int;
        #[link_name = "clock_gettime"]
        fn c_clock_gettime(clock: c_int, time: *mut Time) -> c_int;
        #[link_name = "fcntl"]
        fn c_fcntl(fd: c_int, command: c_int, ...) -> c_int;
        #[link_name = "fork"]
        fn c_fork() -> c_int;
        #[link_name = "getpgid"]
        fn c_getpgid(pid: c_int) -> c_int;
        #[link_name = "prctl"]
        fn c_prctl(option: c_int, ...) -> c_int;
        #[link_name = "raise"]
        fn c_raise(signal: c_int) -> c_int;
        #[link_name = "sched_setscheduler"]
        fn c_sched_setscheduler(pid: c_int, policy: c_int, priority: *const c_int) -> c_int;
        #[link_name = "setpgid"]
        fn c_setpgid(pid: c_int, group: c_int) -> c_int;
        #[link_name = "setsid"]
        fn c_setsid() -> c_int;
        #[link_name = "signal"]
        fn c_signal(signal: c_int, handler: usize) -> usize;
        #[link_name = "waitpid"]
        fn c_waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
        #[link_name = "write"]
        fn c_write(fd: c_int, bytes: *const c_void, count: usize) -> isize;
    }

    /// The C library's `struct timespec` on 64-bit Linux.
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }

    /// The C library's `struct sigevent` for a signal, with its unused rest.
    #[repr(C)]
    struct Event {
        value: usize,
        signal: c_int,
        notify: c_int,
        rest: [c_int; 12],
    }

    pub const SIGKILL: c_int = 9;
    pub const SIGCONT: c_int = 18;
    pub const SIGSEGV: c_int = 11;
    pub const SIGSTOP: c_int = 19;
    const SIGCHLD: c_int = 17;
    const CLOCK_MONOTONIC: c_int = 1;
    const CLOCK_THREAD_CPUTIME_ID: c_int = 3;
    const CLONE_VM: c_int = 0x100;
    const CLONE_VFORK: c_int = 0x4000;
    const PR_SET_PDEATHSIG: c_int = 1;
    /// Number of the system call `exit`, which ends one thread.
    #[cfg(target_arch = "x86_64")]
    const EXIT: c_long = 60;
    #[cfg(not(target_arch = "x86_64"))]
    const EXIT: c_long = 93;
    const SCHED_IDLE: c_int = 5;
    const SIGHUP: c_int = 1;
    const SIGINT: c_int = 2;
    const SIGALRM: c_int = 14;
    const SIGTERM: c_int = 15;
    const DEFAULT: usize = 0;
    const IGNORE: usize = 1;
    const F_SETPIPE_SZ: c_int = 1031;
    const PR_SET_DUMPABLE: c_int = 4;

    /// Ends this process after `seconds`. A forked child inherits no alarm and sets its own.
    pub fn live_for(seconds: u32) {
        // SAFETY: the default handler runs no code of this program, and an alarm touches no memory.
        unsafe {
            c_signal(SIGALRM, DEFAULT);
            c_alarm(seconds);
        }
    }

    /// Prevents a core file after a crash.
    pub fn leave_no_core() {
        // SAFETY: the option takes one number and touches no memory.
        unsafe { c_prctl(PR_SET_DUMPABLE, 0 as c_ulong) };
    }

    /// Sends a signal with its default effect to this process. If the process stops itself, the
    /// kernel ends it with its parent, because its group is then orphaned.
    pub fn raise(signal: c_int) {
        // SAFETY: the default handler runs no code of this program; SIGSTOP has no other.
        unsafe {
            c_signal(signal, DEFAULT);
            c_raise(signal);
        }
    }

    /// Ignores the signals that ask for an end; the alarm still works.
    pub fn ignore_signals() {
        // SAFETY: ignoring a signal runs no code of this program.
        [SIGHUP, SIGINT, SIGTERM].iter().for_each(|&signal| unsafe {
            c_signal(signal, IGNORE);
        });
    }

    /// Has children disappear when they end, without a trace in the times of this process.
    pub fn ignore_children() {
        // SAFETY: ignoring a signal runs no code of this program.
        unsafe { c_signal(SIGCHLD, IGNORE) };
    }

    /// Uses CPU time in a child that has the memory of this process, and so no page of its own.
    /// This process waits until it ends.
    pub fn work_in_a_sharing_child(time: Duration) {
        extern "C" fn run(time: *mut c_void) -> c_int {
            // SAFETY: the parent waits, and its value lives on.
            super::work(unsafe { *time.cast::<Duration>() });
            0
        }
        let mut time = time;
        let mut stack = vec![0u128; 4096];
        // SAFETY: the stack outlives the child, as the call returns at its end. The parent, which
        // alone has the same memory, does not run before.
        unsafe {
            let top = stack.as_mut_ptr().add(stack.len()).cast();
            let data = std::ptr::addr_of_mut!(time).cast();
            assert!(c_clone(run, top, CLONE_VM | CLONE_VFORK | SIGCHLD, data) > 0, "no child");
        }
    }

    /// Handles a signal by doing nothing. Linux 6.13 and later stop a timer whose signal is
    /// ignored.
    pub fn handle(signal: c_int) {
        extern "C" fn nothing(_: c_int) {}
        // SAFETY: the handler runs no other code.
        unsafe { c_signal(signal, nothing as *const () as usize) };
    }

    /// Sends a signal to this process after a time.
    pub fn start_timer(signal: c_int, after: Duration) {
        let time = |of: Duration| Time {
            seconds: of.as_secs() as i64,
            nanoseconds: i64::from(of.subsec_nanos()),
        };
        let (event, mut timer) = (Event { value: 0, signal, notify: 0, rest: [0; 12] }, 0);
        let times = [time(Duration::ZERO), time(after)];
        // SAFETY: both calls access only the local structures, which have the system's layout.
        unsafe {
            assert_eq!(c_timer_create(CLOCK_MONOTONIC, &event, &mut timer), 0);
            assert_eq!(c_timer_settime(timer, 0, &times, std::ptr::null_mut()), 0);
        }
    }

    /// Has this process continued when its parent ends.
    pub fn be_continued_at_parents_death() {
        // SAFETY: the option takes one number and touches no memory.
        unsafe { c_prctl(PR_SET_PDEATHSIG, SIGCONT as c_ulong) };
    }

    /// Ends this thread and no other one.
    pub fn end_thread() {
        // SAFETY: no value of this thread is used by others.
        unsafe { c_syscall(EXIT, 0) };
    }

    /// Waits for the end of a child.
    pub fn wait_for(child: c_int) {
        // SAFETY: a null pointer means that the status is not wanted.
        unsafe { c_waitpid(child, std::ptr::null_mut(), 0) };
    }

    /// Has every task of usual priority preferred to this thread.
    pub fn take_idle_priority() {
        // SAFETY: the call reads one number, which is local.
        unsafe { c_sched_setscheduler(0, SCHED_IDLE, &0) };
    }

    /// Returns the CPU time of this thread.
    pub fn cpu_time() -> Duration {
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the call writes one structure of this layout.
        unsafe { c_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
        Duration::new(time.seconds as u64, time.nanoseconds as u32)
    }

    /// Closes one of the three standard streams.
    pub fn close(fd: c_int) {
        // SAFETY: nothing in this program owns the three descriptors. The library treats a closed
        // one as an end of input, or as a sink for output.
        unsafe { c_close(fd) };
    }

    /// Writes past the library's buffer, in a single write. Returns `None` if the pipe is closed.
    pub fn write_stdout(bytes: &[u8]) -> Option<usize> {
        // SAFETY: the pointer and the length are those of a live slice.
        let written = unsafe { c_write(1, bytes.as_ptr().cast(), bytes.len()) };
        usize::try_from(written).ok()
    }

    /// Sets the capacity of a standard stream's pipe to `bytes`.
    pub fn widen_pipe(fd: c_int, bytes: c_int) {
        // SAFETY: this command of `fcntl` takes one number and touches no memory.
        unsafe { c_fcntl(fd, F_SETPIPE_SZ, bytes) };
    }

    /// Forks. Returns 0 in the child.
    pub fn fork() -> c_int {
        // SAFETY: this program has one thread, so no lock can be held by a thread that is missing
        // in the child.
        unsafe { c_fork() }
    }

    /// Moves this process to a new session, out of reach of signals to its group.
    pub fn new_session() {
        // SAFETY: this touches no memory.
        unsafe { c_setsid() };
    }

    /// Makes this process the leader of a group of its own.
    pub fn lead_a_group() {
        // SAFETY: the call touches no memory.
        unsafe { c_setpgid(0, 0) };
    }

    /// Moves this process into the group of its parent, where the referee does not look for it. If
    /// its parent is in another session it stays where it is.
    pub fn join_parents_group() {
        let parent = std::os::unix::process::parent_id() as c_int;
        // SAFETY: this touches no memory.
        unsafe { c_setpgid(0, c_getpgid(parent)) };
    }
}
