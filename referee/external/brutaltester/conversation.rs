//! Conversation with a referee program in one game.

use crate::escape::escape;
use crate::player::fault::Fault;
use crate::player::Player;
use crate::registry::table::RulesError;
use arbitre_games::dialect::LINE_LIMIT;
use arbitre_games::game::{Seat, Seats};
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::stopwatch::Limit;
use log::Level;
use std::time::Duration;

/// Start of a command.
const COMMAND: &str = "###";

/// Time for a line of the program.
const PATIENCE: Duration = Duration::from_secs(10);

/// Line of a referee program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// The lines that follow are for this seat.
    Input(Seat),
    /// The program reads this number of lines of the seat.
    Output(Seat, usize),
    /// Ranking: the best seats first, equal seats in one group.
    End(Vec<Seats>),
    /// Remark on a player.
    Error(String),
    /// Line without a command.
    Text(String),
}

impl Command {
    /// Parses a line for a table of `seats` seats.
    ///
    /// # Errors
    /// Returns an error if it is an unknown command, or names a seat that does not exist.
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
            ("Output", [number, lines]) => seat(number)
                .zip(lines.parse().ok().filter(|lines| *lines > 0))
                .map(|(seat, lines)| Command::Output(seat, lines))
                .ok_or_else(|| {
                    expected(format!(
                        "###Output with a seat from 0 to {last} and a number of lines"
                    ))
                }),
            ("End", groups) => ranking(groups, seats).map(Command::End).ok_or_else(|| {
                expected(format!("###End with each seat from 0 to {last} at most once"))
            }),
            ("Error", _) => Ok(Command::Error(rest.to_owned())),
            _ => Err(expected("###Input SEAT, ###Output SEAT LINES or ###End RANKING".into())),
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
        let sent = self.process.send(&format!("{line}\n"), &limit());
        sent.map_err(|error| self.failure(&error.into()))
    }

    /// Waits for a first line that begins like a command. The program can read nothing more, so
    /// that it does not wait for another start.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn await_command(&mut self) -> Result<(), RulesError> {
        self.process.close_input();
        let answer = self.process.ask("", &limit(), None, &mut || {});
        match answer.map(|answer| answer.line.to_owned()) {
            Ok(line) if line.starts_with(COMMAND) => Ok(()),
            Ok(line) => Err(RulesError(format!("its first line is '{}'", escape(&line)))),
            Err(fault) => Err(self.failure(&fault)),
        }
    }

    /// Reads the next command, and returns the length of its line too. The first remark of a game
    /// is logged as a warning.
    ///
    /// # Errors
    /// Returns an error if the program ends or prints nothing, or the line is no command.
    pub fn read(&mut self) -> Result<(Command, usize), RulesError> {
        let answer = self.process.ask("", &limit(), None, &mut || {});
        let line = match answer.map(|answer| answer.line.to_owned()) {
            Ok(line) => line,
            Err(fault) => return Err(self.failure(&fault)),
        };
        let command = Command::parse(&line, self.seats)?;
        if let Command::Error(remark) = &command {
            let remark = escape(remark);
            let level = if self.remark.is_none() { Level::Warn } else { Level::Info };
            log::log!(level, "the referee program: ###Error {remark}");
            self.remark = Some(remark);
        }
        Ok((command, line.len() + 1))
    }

    /// Returns the failure of a program that did not answer, with its last words.
    fn failure(&mut self, fault: &Fault) -> RulesError {
        let stderr = self.process.take_stderr();
        // The lines of a stack trace are indented.
        let is_message = |line: &&str| line.starts_with(|c: char| !c.is_whitespace());
        let said = stderr.lines().rfind(is_message).map(escape).or_else(|| self.remark.take());
        let said = said.map_or(String::new(), |said| format!(": {said}"));
        let what = format!("the referee program failed after '{}'", self.sent);
        RulesError(format!("{what}: {}{said}", fault.in_brief()))
    }
}

fn limit() -> Limit {
    Limit { time: Some(PATIENCE), ..Limit::untimed(LINE_LIMIT) }
}
