//! A program is played through what goes wrong, and its author is told what to mend.
//!
//! Its games are games like any other; a `watch` between the program and the table writes down
//! what is said and looks for answers that do not come. A mistake is named once, by the check that
//! helps most, and what cannot be judged because of it is passed over.

mod diagnosis;
mod language;
mod patterns;
mod recorder;
mod report;
mod trial;
mod verdicts;

pub use report::{document, junit, text};
pub use trial::Trial;

use diagnosis::diagnose;
use language::Language;
use trial::Seen;

/// What is looked at, in the order in which it is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// It starts, and says that it is ready.
    Start,
    /// Its first move comes in time.
    FirstMove,
    /// Its answers do not wait in a buffer.
    Flush,
    /// It answers when it is asked, and not a line later.
    Answers,
    /// It prints nothing but answers.
    Output,
    /// It does not end before the game does.
    Crash,
    /// It follows what the others play.
    Moved,
    /// Its moves are legal.
    Legal,
    /// Its later moves come in time.
    Time,
    /// It passes over words that it does not know.
    Unknown,
    /// It plays one game after the other.
    Again,
    /// It ends when its input ends.
    End,
}

impl Check {
    /// Every check with its name and what it asks for.
    pub const ALL: [(Check, &'static str, &'static str); 12] = [
        (Check::Start, "start", "it starts and says that it is ready"),
        (Check::FirstMove, "first-move", "its first move comes in time"),
        (Check::Flush, "flush", "its answers do not wait in a buffer"),
        (Check::Answers, "answers", "it answers when it is asked, and not a line later"),
        (Check::Output, "output", "it prints its answers and nothing else"),
        (Check::Crash, "crash", "it does not end before the game does"),
        (Check::Moved, "moved", "it follows what the others play"),
        (Check::Legal, "legal", "its moves are legal"),
        (Check::Time, "time", "its later moves come in time"),
        (Check::Unknown, "unknown", "it passes over words that it does not know"),
        (Check::Again, "again", "it plays one game after the other"),
        (Check::End, "end", "it ends when its input ends, with exit code 0"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Check::ALL[self as usize].1
    }

    /// What it asks for.
    pub fn what(self) -> &'static str {
        Check::ALL[self as usize].2
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing is to mend.
    Ok(String),
    /// What happened, and what to mend, in lines.
    Failed(Vec<String>),
    /// Why it was not looked at.
    Skipped(String),
}

/// What a program was tried at, and what was found.
pub struct Report {
    /// The game.
    pub game: &'static str,
    /// Its options as resolved.
    pub rules: String,
    /// The program's name.
    pub player: String,
    /// Its command.
    pub command: String,
    /// How it is spoken to.
    pub dialect: String,
    /// The number that every random choice descended from.
    pub seed: u64,
    /// How many games were played.
    pub games: usize,
    /// The checks in their order.
    pub findings: Vec<(Check, Verdict)>,
}

impl Report {
    /// Is nothing to mend?
    pub fn is_ok(&self) -> bool {
        !self.findings.iter().any(|(_, verdict)| matches!(verdict, Verdict::Failed(_)))
    }
}

/// Tries a program.
///
/// # Errors
/// If it cannot be started at all; the message says why.
pub fn run(trial: &Trial, words: &[String]) -> Result<Report, String> {
    let language = Language::of(words);
    let fresh = trial.fresh();
    if let Some(why) = fresh.never_started() {
        return Err(why);
    }
    let mut games = fresh.cases.len();
    let findings = match fresh.first_fault() {
        Some((case, fault_report)) => {
            let (check, lines) = diagnose(trial, &fresh.cases, case, fault_report, language);
            verdicts::after_a_mistake(trial, &fresh, check, lines)
        }
        None => {
            let (strange, kept) =
                (trial.dialect.has_keywords.then(|| trial.strange()), trial.kept());
            games += kept.cases.len() + usize::from(strange.is_some());
            verdicts::of_games_without_fault(trial, &fresh, strange.as_ref(), &kept)
        }
    };
    let (player, game) = (trial.config, trial.game);
    Ok(Report {
        game: game.meta().name,
        rules: game.rules(),
        player: player.name.clone(),
        command: player.command.clone(),
        dialect: player.dialect.clone(),
        seed: trial.seed,
        games,
        findings,
    })
}

impl Seen {
    /// Why the program could not be executed, if it could not.
    fn never_started(&self) -> Option<String> {
        let first = self.cases.first()?;
        let fault = &first.fault_report()?.fault;
        first.exchanges.is_empty().then(|| fault.to_string())
    }
}
