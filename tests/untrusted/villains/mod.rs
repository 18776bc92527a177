//! Villains: bots that crash, stall, cheat, flood or refuse to end. Each gets exactly its verdict,
//! its opponent is not harmed, and no process is left behind.
//!
//! No test here asserts a tight time; `scripts/soak verdicts` does, on an idle machine.

mod command_line;
mod fair;
mod freezing;
mod harness;
mod hostile;
mod kept;
mod quota;
mod sandboxed;
mod times;
// Included for the tools only; the tests run it as a separate program.
#[allow(dead_code)]
mod bots;

use arbitre::clock::ClockKind;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::{FaultReport, PlayedGame};
use harness::{limits, patient_terms, Diary, Pair, HURRY, NET, PATIENCE};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Limit that a villain exceeds.
#[derive(Clone, Copy)]
enum Pace {
    /// None: all limits are generous.
    Patient,
    /// Time for a move.
    Move,
    /// CPU time for a move.
    Cpu,
    /// Time to be ready.
    Init,
}

use Pace::{Cpu, Init, Move, Patient};

impl Pace {
    fn limits(self) -> PlayerLimits {
        match self {
            Patient => patient_terms(),
            Move => limits(ClockKind::Wall, PATIENCE, HURRY),
            Cpu => limits(ClockKind::Cpu, PATIENCE, HURRY),
            Init => limits(ClockKind::Wall, HURRY, PATIENCE),
        }
    }

    /// Returns the time after which a verdict is too late on any machine.
    fn net(self) -> Duration {
        match self {
            Patient => NET,
            Move | Init => HURRY + NET,
            // A sleeping villain uses no CPU time, and its game is given up.
            Cpu => 10 * HURRY + Duration::from_secs(5) + NET,
        }
    }
}

/// Turn of the fault; a villain's own turns are counted from 1.
#[derive(Clone, Copy)]
enum When {
    /// Before the game.
    Start,
    /// At this turn.
    Turn(usize),
    /// At a turn that depends on the game.
    Sometime,
}

use When::{Sometime, Start, Turn};

impl When {
    fn is_at(self, story: &FaultReport) -> bool {
        match self {
            Start => story.ply == 0,
            Turn(number) => story.ply == 2 * (number - 1) + story.seat.index(),
            Sometime => true,
        }
    }
}

/// The fault's word, its turn, and a part of its message.
type Expected = Option<(&'static str, When, &'static str)>;

const FINE: Expected = None;

const fn fault(word: &'static str, when: When, part: &'static str) -> Expected {
    Some((word, when, part))
}

#[rustfmt::skip]
const VERDICTS: &[(&str, Pace, Expected)] = &[
    ("honest", Patient, FINE),
    // Silent villains.
    ("hang", Move, fault("timeout", Turn(1), "150ms")),
    ("hang", Cpu, fault("unjudged", Turn(1), "too little processor time")),
    ("hang-at-start", Init, fault("not-started", Start, "did not answer within 150ms")),
    ("never-reads", Init, fault("not-started", Start, "did not answer within 150ms")),
    ("spin", Move, fault("timeout", Turn(1), "150ms")),
    ("spin", Cpu, fault("timeout", Turn(1), "150ms")),
    ("stop-itself", Move, fault("timeout", Turn(1), "found stopped (state T) at the deadline")),
    ("drip", Move, fault("timeout", Turn(1), "150ms")),
    ("late", Move, fault("timeout", Turn(1), "150ms")),
    ("half-a-line", Move, fault("timeout", Turn(1), "150ms")),
    // Villains that end.
    ("crash-at-start", Patient, fault("not-started", Start, "exit code 1")),
    ("crash", Patient, fault("crash", Turn(1), "exit code 3")),
    ("abort", Patient, fault("crash", Turn(1), "signal 6, SIGABRT")),
    ("segv", Patient, fault("crash", Turn(1), "signal 11, SIGSEGV")),
    ("exit-0", Patient, fault("crash", Turn(1), "exit code 0")),
    ("exit-with-half-a-line", Patient, fault("crash", Turn(1), "exit code 0")),
    ("exit-after-move", Patient, fault("crash", Turn(2), "exit code 0")),
    // Villains with invalid answers,
    ("move-for-ready", Patient, fault("not-started", Start, "said '0': expected 'ready NAME'")),
    ("illegal", Patient, fault("illegal", Sometime, "which is illegal")),
    ("garbage", Patient, fault("invalid", Turn(1), "said 'resign?'")),
    ("long-garbage", Patient, fault("invalid", Turn(1), "(4096 of 60000 bytes kept)")),
    ("empty-line", Patient, fault("invalid", Turn(1), "said ''")),
    ("bad-utf-8", Patient, fault("invalid", Turn(1), "not UTF-8")),
    ("nul", Patient, fault("invalid", Turn(1), r"said '0\u{0}'")),
    ("byte-order-mark", Patient, fault("invalid", Turn(1), "said '")),
    ("ansi", Patient, fault("invalid", Turn(1), r"said '\u{1b}[2J\u{1b}]0;title\u{7}")),
    ("c1", Patient, fault("invalid", Turn(1), r"said '\u{9b}2J")),
    ("right-to-left", Patient, fault("invalid", Turn(1), r"said '\u{202e}")),
    ("ansi-on-stderr", Patient, fault("crash", Turn(1), "exit code 3")),
    // with unrequested answers,
    ("eager", Patient, fault("invalid", Turn(1), "before the player was asked")),
    ("ready-twice", Patient, fault("invalid", Turn(1), "before the player was asked")),
    ("two-moves", Patient, fault("invalid", Turn(2), "before the player was asked")),
    ("half-ahead", Patient, fault("invalid", Turn(2), "before the player was asked")),
    ("flood", Patient, fault("invalid", Turn(2), "before the player was asked")),
    // or with too much output.
    ("endless-bytes", Patient, fault("output-limit", Turn(1), "65536 bytes")),
    ("long-line-100mb", Patient, fault("output-limit", Turn(1), "65536 bytes")),
    ("wide-pipe", Patient, fault("output-limit", Turn(1), "65536 bytes")),
    ("longest-line", Patient, FINE),
    ("too-long-line", Patient, fault("output-limit", Turn(1), "65536 bytes")),
    ("name-50mb", Patient, fault("not-started", Start, "65536 bytes")),
    ("name-65", Patient, fault("not-started", Start, "64 bytes")),
    ("name-64", Patient, FINE),
    ("stderr-20mb", Patient, FINE),
    ("stderr-endless", Move, fault("timeout", Turn(1), "150ms")),
    // Unusual but correct villains.
    ("cr-lf", Patient, FINE),
    ("blanks", Patient, FINE),
    ("comment", Patient, FINE),
    // Villains that close their pipes.
    ("close-stdin", Move, fault("timeout", Turn(2), "150ms")),
    ("close-stdout", Patient, fault("disconnect", Turn(1), "closed its output")),
    ("close-stderr", Patient, FINE),
    // Villains that refuse to end, alone or with children.
    ("ignore-signals", Patient, FINE),
    ("hang-ignoring-signals", Move, fault("timeout", Turn(1), "150ms")),
    ("busy-child", Patient, FINE),
    ("zombies", Patient, FINE),
    ("orphan", Patient, fault("crash", Turn(1), "exit code 0")),
    ("orphan-on-stdout", Patient, fault("crash", Turn(1), "exit code 0")),
    ("orphan-on-stderr", Patient, fault("crash", Turn(1), "exit code 0")),
    // Descendants in a session or a process group of their own.
    ("daemon", Patient, fault("crash", Turn(1), "exit code 0")),
    ("leave-group", Move, fault("timeout", Turn(1), "150ms")),
    ("leave-group-at-end", Patient, FINE),
];

/// `VILLAIN=hang cargo test --test untrusted villains::` runs one of them.
#[test]
fn each_villain_gets_its_verdict() {
    let wanted = std::env::var("VILLAIN").ok();
    let mut wrong = String::new();
    for &(name, pace, expected) in VERDICTS {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            for seat in 0..2 {
                if let Err(why) = try_villain(name, pace, expected, seat) {
                    writeln!(wrong, "{name} in seat {seat}: {why}").expect("it is text");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn try_villain(name: &str, pace: Pace, expected: Expected, seat: usize) -> Result<(), String> {
    let diary = Diary::new();
    let mut pair = Pair::new(name, &diary, seat, pace.limits());
    let begun = Instant::now();
    let played = pair.play();
    let whole = begun.elapsed();
    let verdict = pair.villain.verdict;
    drop(pair);
    let gone = diary.wait_until_gone()?;
    let word = played.faults.first().map_or("-", |story| story.fault.word());
    println!("{name:22} {seat} {word:12} {verdict:8.1?} game {whole:8.1?} gone {gone:8.1?}");
    check(&played, expected, seat)?;
    (whole <= pace.net()).then_some(()).ok_or(format!("{verdict:?}, the game {whole:?}"))
}

/// Checks that the game ended as expected for both sides.
fn check(played: &PlayedGame, expected: Expected, seat: usize) -> Result<(), String> {
    let comments = played.plies.iter().filter_map(|ply| ply.comment.as_ref());
    if let Some(long) = comments.map(String::len).find(|&bytes| bytes > 1100) {
        return Err(format!("a comment of {long} bytes was kept"));
    }
    let places = played.outcome.as_ref().map(|outcome| outcome.places());
    let (word, when, part) = match (expected, &played.faults[..]) {
        (None, []) if places.is_some() => return Ok(()),
        (Some(expected), [_]) => expected,
        _ => return Err(format!("{:?}, {places:?}", played.faults)),
    };
    let story = &played.faults[0];
    let told = story.fault.to_string();
    let fits = story.fault.word() == word && when.is_at(story) && told.contains(part);
    if story.seat.index() != seat || !fits || told.chars().any(char::is_control) {
        return Err(format!("{story:?}"));
    }
    let won = places.map(|places| (places[seat], places[1 - seat]));
    let is_void = ["not-started", "unjudged"].contains(&word);
    let deserved = if is_void { None } else { Some((1, 0)) };
    (won == deserved).then_some(()).ok_or(format!("its place and the other's: {won:?}"))
}
