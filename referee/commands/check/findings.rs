//! Checks of a bot, and their verdicts.

use arbitre_games::dialect::DialectInfo;

/// Checks in the order of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// The program starts and reports that it is ready.
    Start,
    /// The first move is in time.
    FirstMove,
    /// Answers are flushed.
    Flush,
    /// Answers come when asked, not a line later.
    Answers,
    /// Standard output holds nothing but answers.
    Output,
    /// The program does not exit during a game.
    Crash,
    /// The program tracks the moves of the other players.
    Moved,
    /// Moves are legal.
    Legal,
    /// Later moves are in time.
    Time,
    /// Unknown messages are ignored.
    Unknown,
    /// The program plays several games in a row.
    Again,
    /// The program exits at the end of its input.
    End,
    /// The program does not reach beyond its sandbox.
    Sandbox,
}

impl Check {
    /// All checks with their names and what they require.
    pub const ALL: [(Check, &'static str, &'static str); 13] = [
        (Check::Start, "start", "it starts and says that it is ready"),
        (Check::FirstMove, "first-move", "its first move comes in time"),
        (Check::Flush, "flush", "its answers do not wait in a buffer"),
        (Check::Answers, "answers", "it answers when it is asked, and not a line later"),
        (Check::Output, "output", "it prints its answers and nothing else"),
        (Check::Crash, "crash", "it does not end before the game does"),
        (Check::Moved, "moved", "it follows what the others play"),
        (Check::Legal, "legal", "its moves are legal"),
        (Check::Time, "time", "its later moves come in time"),
        (Check::Unknown, "unknown", "it ignores messages that it does not recognise"),
        (Check::Again, "again", "it plays one game after the other"),
        (Check::End, "end", "it ends when its input ends, with exit code 0"),
        (Check::Sandbox, "sandbox", "it does not reach beyond its sandbox"),
    ];

    /// Returns the name of the check.
    pub fn name(self) -> &'static str {
        Check::ALL[self as usize].1
    }

    /// Returns the requirement that is checked for a bot of this dialect.
    pub fn what(self, dialect: &DialectInfo) -> &'static str {
        match self {
            Check::Start if !dialect.has_keywords => "it starts",
            Check::End if dialect.kills_at_end => "the arena ends it after the game",
            _ => Check::ALL[self as usize].2,
        }
    }
}

/// Verdict of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckVerdict {
    /// Passed, with a detail.
    Ok(String),
    /// Failed: what happened and how to fix it, in lines.
    Failed(Vec<String>),
    /// Not checked, with the reason.
    Skipped(String),
}

/// Report of a check run.
pub struct Report {
    /// Rules as resolved.
    pub rules: String,
    /// Dialect of the program.
    pub dialect: &'static DialectInfo,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of games played.
    pub games: usize,
    /// Verdicts in the order of the checks.
    pub findings: Vec<(Check, CheckVerdict)>,
}

impl Report {
    /// Returns `true` if no check failed.
    pub fn is_ok(&self) -> bool {
        self.failures().is_empty()
    }

    /// Returns the checks that failed: what happened and how to fix it, in lines.
    pub fn failures(&self) -> Vec<(Check, &[String])> {
        let failed = self.findings.iter().filter_map(|(check, verdict)| match verdict {
            CheckVerdict::Failed(lines) => Some((*check, &lines[..])),
            CheckVerdict::Ok(_) | CheckVerdict::Skipped(_) => None,
        });
        failed.collect()
    }
}

/// Result for one of several players.
pub struct Checked {
    /// Name of the game.
    pub game: &'static str,
    /// Name of the program.
    pub player: String,
    /// Command of the program.
    pub command: String,
    /// Report of the checks, or the reason why the program could not be started.
    pub outcome: Result<Report, String>,
}

impl Checked {
    /// Returns `true` if the player was checked and no check failed.
    pub fn is_ok(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Report::is_ok)
    }
}
