//! Conversation with a referee program in one game.

use crate::escape::escape;
use crate::player::fault::Fault;
use crate::player::last_words::{last_words, telling_line};
use crate::player::Player;
use crate::registry::table::RulesError;
use arbitre_games::dialect::LINE_LIMIT;
use arbitre_games::game::{Seat, Seats};
use arbitre_games::text::format_duration;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::stopwatch::{AnswerTime, Counting, Limit};
use log::Level;
use std::fmt;
use std::time::Duration;

/// Start of a command.
const COMMAND: &str = "###";

/// CPU time for a line of the program, and time after which one that does not work is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// Share of the time for which a program that works uses a processor: one in this number. The
/// threads of an idle Java machine use less. Not tuned.
const WORKING_SHARE: u32 = 50;

/// Largest size of the lines before a request, in bytes. Not tuned.
pub const MOST_BYTES: usize = 1 << 18;

/// Line of a referee program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// The lines that follow are for this seat.
    Input(Seat),
    /// The program reads these lines of the seat.
    Output(Seat, AnswerLines),
    /// Ranking: the best seats first, equal seats in one group.
    End(Vec<Seats>),
    /// The rules forbid an answer of this seat, for this reason. The original knows remarks only.
    Illegal(Seat, String),
    /// The program reads the remaining time before each answer. The original does not know it.
    TellTime,
    /// Remark, or a command that neither knows.
    Remark,
    /// Line without a command.
    Text(String),
}

/// Lines of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerLines {
    /// This number of lines.
    Count(usize),
    /// Lines up to one that is this word. The original does not know it.
    Until(String),
}

impl AnswerLines {
    /// Parses the words after the seat.
    fn parse(words: &[&str]) -> Option<AnswerLines> {
        match words {
            ["until", word] => Some(AnswerLines::Until((*word).into())),
            [count] => count.parse().ok().filter(|count| *count > 0).map(AnswerLines::Count),
            _ => None,
        }
    }
}

impl fmt::Display for AnswerLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerLines::Count(count) => count.fmt(f),
            AnswerLines::Until(word) => write!(f, "until {word}"),
        }
    }
}

impl Command {
    /// Parses a line for a table of `seats` seats.
    ///
    /// # Errors
    /// Returns an error if it is a command with other words than it has.
    pub fn parse(line: &str, seats: usize) -> Result<Command, RulesError> {
        let Some(command) = line.strip_prefix(COMMAND) else {
            return Ok(Command::Text(line.to_owned()));
        };
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let last = seats - 1;
        let seat = |word: &str| word.parse().ok().filter(|seat| *seat < seats).map(Seat::new);
        let expected =
            |what: String| RulesError(format!("expected {what}, got '{}'", escape(line)));
        match (word, &words[..]) {
            ("Input", [number]) => seat(number)
                .map(Command::Input)
                .ok_or_else(|| expected(format!("###Input with a seat from 0 to {last}"))),
            ("Output", [number, lines @ ..]) => seat(number)
                .zip(AnswerLines::parse(lines))
                .map(|(seat, lines)| Command::Output(seat, lines))
                .ok_or_else(|| {
                    expected(format!(
                        "###Output with a seat from 0 to {last} and a number of lines, or until WORD"
                    ))
                }),
            ("End", groups) => ranking(groups, seats).map(Command::End).ok_or_else(|| {
                expected(format!("###End with each seat from 0 to {last} at most once"))
            }),
            ("Error", [number, "illegal", why @ ..]) => Ok(match seat(number) {
                Some(seat) => Command::Illegal(seat, why.join(" ")),
                None => Command::Remark,
            }),
            ("Options", ["time"]) => Ok(Command::TellTime),
            ("Input" | "Output", _) => Err(expected("###Input SEAT or ###Output SEAT LINES".into())),
            ("Options", _) => Err(expected("###Options time".into())),
            _ => Ok(Command::Remark),
        }
    }
}

/// Parses groups of seats, each of which is a digit. No seat comes twice.
fn ranking(groups: &[&str], seats: usize) -> Option<Vec<Seats>> {
    let mut seen = Seats::NONE;
    let mut group = |digits: &&str| -> Option<Seats> {
        let mut group = Seats::NONE;
        for digit in digits.chars() {
            let number = digit.to_digit(10)? as usize;
            let seat = Some(number).filter(|number| *number < seats).map(Seat::new)?;
            if seen.contains(seat) {
                return None;
            }
            seen.insert(seat);
            group.insert(seat);
        }
        Some(group)
    };
    groups.iter().map(&mut group).collect()
}

/// Running referee program.
pub struct Conversation {
    process: Process,
    seats: usize,
    /// Last text that the program was sent, for messages.
    sent: String,
    /// Last remark of the program, for messages.
    remark: Option<String>,
}

impl Conversation {
    /// Starts the program for a game.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn start(
        program: Program,
        processes: ProcessGroups,
        seats: usize,
        seed: Option<u64>,
    ) -> Result<Conversation, RulesError> {
        let mut process = Process::new(program, processes);
        let fault = process.sit(&[]);
        fault.map_err(|fault| RulesError(format!("the referee program: {}", fault.in_brief())))?;
        let mut conversation = Conversation { process, seats, sent: String::new(), remark: None };
        if let Some(seed) = seed {
            conversation.send(&format!("###Seed {seed}"))?;
        }
        conversation.send(&format!("###Start {seats}"))?;
        Ok(conversation)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// Returns an error if the program does not read it.
    pub fn send(&mut self, line: &str) -> Result<(), RulesError> {
        self.sent = escape(line);
        let sent = self.process.send(&format!("{line}\n"), &limit(PATIENCE));
        sent.map_err(|error| self.failure(&error.into()))
    }

    /// Waits for a line that begins like a command. The program can read nothing more, so that it
    /// does not wait for another start.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn await_command(&mut self) -> Result<(), RulesError> {
        self.process.close_input();
        let mut bytes = 0;
        while bytes <= MOST_BYTES {
            let line = self.line()?;
            if line.starts_with(COMMAND) {
                return Ok(());
            }
            bytes += line.len() + 1;
            self.skip(&line);
        }
        Err(RulesError(format!("its first {MOST_BYTES} bytes have none")))
    }

    /// Reads the next command, and returns the length of its line too.
    ///
    /// # Errors
    /// Returns an error if the program ends or prints nothing, or the line is no command.
    pub fn read(&mut self) -> Result<(Command, usize), RulesError> {
        let line = self.line()?;
        let command = Command::parse(&line, self.seats)?;
        if command == Command::Remark {
            self.skip(&line);
        }
        Ok((command, line.len() + 1))
    }

    /// Skips a line that is for no seat. The first one of a game is logged as a warning.
    pub fn skip(&mut self, line: &str) {
        let line = escape(line);
        let level = if self.remark.is_none() { Level::Warn } else { Level::Info };
        log::log!(level, "the referee program: {line}");
        self.remark = Some(line);
    }

    /// Reads a line. A program that works has [`PATIENCE`] of CPU time. Its waits for a processor
    /// do not count, so that the load of the machine voids no game.
    fn line(&mut self) -> Result<String, RulesError> {
        let mut worked = Duration::ZERO;
        loop {
            let limit = limit(PATIENCE.saturating_sub(worked));
            let answer = self.process.ask("", &limit, None, &mut || {});
            match answer.map(|answer| answer.line.to_owned()) {
                Ok(line) => return Ok(line),
                Err(Fault::Timeout {
                    used: Some(AnswerTime { wall, cpu: Some(cpu), .. }), ..
                }) if cpu * WORKING_SHARE > wall && worked + cpu < PATIENCE => {
                    worked += cpu;
                }
                Err(fault) => return Err(self.failure(&fault)),
            }
        }
    }

    /// Returns the failure of a program that did not answer, with its last words.
    fn failure(&mut self, fault: &Fault) -> RulesError {
        let stderr = self.process.take_stderr();
        let (what, said) = match fault {
            // Nothing names an error, so all that is known is shown.
            Fault::Timeout { .. } => {
                let said = last_words(&stderr).into_iter().map(|line| format!("\n{line}"));
                (format!("timeout of {}", format_duration(PATIENCE)), said.collect::<String>())
            }
            _ => {
                let said = telling_line(&stderr).map(|line| format!(": {line}"));
                (fault.in_brief(), said.unwrap_or_default())
            }
        };
        let remark = self.remark.take().filter(|_| said.is_empty());
        let remark = remark.map_or(String::new(), |remark| format!(": {remark}"));
        RulesError(format!(
            "the referee program failed after '{}': {what}{said}{remark}",
            self.sent
        ))
    }
}

/// Returns the limit of a line. A wait for a processor does not count.
fn limit(time: Duration) -> Limit {
    let counting = Counting::Fair { threads: 1 };
    Limit { time: Some(time), counting, ..Limit::untimed(LINE_LIMIT) }
}
