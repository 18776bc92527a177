//! The checks, and what they found.

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
pub enum CheckVerdict {
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
    pub findings: Vec<(Check, CheckVerdict)>,
}

impl Report {
    /// Is nothing to mend?
    pub fn is_ok(&self) -> bool {
        !self.findings.iter().any(|(_, verdict)| matches!(verdict, CheckVerdict::Failed(_)))
    }
}
