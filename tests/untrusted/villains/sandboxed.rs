//! The launcher hides nothing: each villain gets the same report in a sandbox as without one.

use crate::villains::harness::{Diary, Pair, Watched};
use crate::villains::{check, VERDICTS};
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::PlayedGame;
use arbitre::internals::player::fault::Fault;
use arbitre_process::launcher::layers::Level;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Number of bytes of standard error that only a flood reaches.
const FLOOD: usize = 1000;

/// Returns the reports of a game without times, and without amounts that depend on them.
fn reports(played: &PlayedGame) -> String {
    let mut faults = played.faults.clone();
    for report in &mut faults {
        if report.stderr.len() > FLOOD {
            // Of an endless repetition it depends on the moment what is kept.
            let halves: Vec<&str> = report.stderr.split("\n[…]\n").collect();
            let whole_lines = |half: &&str| -> Vec<String> {
                let lines: Vec<&str> = half.lines().collect();
                lines[1..lines.len() - 1].iter().map(|line| line.to_string()).collect()
            };
            let lines: BTreeSet<String> = halves.iter().flat_map(whole_lines).collect();
            report.stderr = format!("{lines:?}");
        }
        match &mut report.fault {
            Fault::Timeout { used, partial, .. } => {
                *used = None;
                // The number of bytes that drip in depends on the moment.
                *partial = partial.chars().take(1).collect();
            }
            Fault::Unjudged { used, .. } => *used = Default::default(),
            Fault::Unasked { answer, dropped } => {
                *dropped = 0;
                // Of a flood it depends on the moment how much is kept.
                *answer = answer.chars().take(100).collect();
            }
            Fault::NotStarted { why, .. } => {
                if let Some((before, (_, after))) = why
                    .split_once('(')
                    .and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
                {
                    *why = format!("{before}{after}");
                }
            }
            _ => {}
        }
    }
    format!("{faults:#?}")
}

const LEVELS: [Level; 3] = [Level::Weak, Level::Partial, Level::Full];

/// Plays a game in a sandbox. Returns it with the processes that are left, if there are any.
fn play(name: &str, level: Level, limits: PlayerLimits) -> (PlayedGame, Option<String>) {
    let diary = Diary::new();
    let mut pair = Pair::of(Watched::sandboxed(name, &diary, level), 0, limits);
    let played = pair.play();
    drop(pair);
    (played, diary.wait_until_gone().err())
}

/// `VILLAIN=hang cargo test --test untrusted villains::` runs one of them.
#[test]
fn report_is_the_same_in_a_sandbox() {
    let wanted = std::env::var("VILLAIN").ok();
    let mut wrong = String::new();
    for &(name, pace, expected) in VERDICTS {
        if wanted.as_deref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        // Most of them wait for a limit, so the levels share that time.
        let (outside, inside) = std::thread::scope(|scope| {
            let outside = scope.spawn(|| {
                let diary = Diary::new();
                Pair::new(name, &diary, 0, pace.limits()).play()
            });
            let inside = LEVELS.map(|level| scope.spawn(move || play(name, level, pace.limits())));
            (outside.join().unwrap(), inside.map(|thread| thread.join().unwrap()))
        });
        for (level, (played, left)) in LEVELS.into_iter().zip(inside) {
            let problem = left.or(check(&played, expected, 0).err()).or_else(|| {
                let [inside, outside] = [&played, &outside].map(reports);
                (inside != outside).then(|| format!("{inside}\ninstead of\n{outside}"))
            });
            if let Some(problem) = problem {
                writeln!(wrong, "{name} at {level}: {problem}").expect("it is text");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
