//! Conversation with a running referee of CodinGame's SDK.

use super::course::Course;
use super::message::{header, Message};
use crate::escape::escape;
use crate::player::fault::Fault;
use crate::player::Player;
use crate::registry::table::RulesError;
use arbitre_process::process::Process;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::program::Program;
use arbitre_process::stopwatch::Limit;
use std::collections::VecDeque;
use std::time::Duration;

/// Time for the first message of a process, which may be a virtual machine that starts. It takes 1
/// to 5 s on an idle machine (2026-11-27).
const START: Duration = Duration::from_secs(60);
/// Time for each later line. Not tuned.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest line in bytes. A game may send 1 MiB to its viewer.
const LINE: usize = 4 << 20;
/// Most bytes from one question to the next. Not tuned.
const MOST_BYTES: usize = 16 << 20;

/// Running referee.
pub struct Conversation {
    process: Process,
    /// Last text that was sent, for messages.
    sent: String,
    has_spoken: bool,
    /// Lines of which the last one that was read consists.
    parts: VecDeque<String>,
    /// Bytes since text was sent.
    bytes: usize,
    /// Number of games that were begun in this process.
    pub games: usize,
    /// Course of its first game, while it has played one and may play another.
    pub first: Option<Course>,
}

impl Conversation {
    /// Starts the program.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub fn start(program: Program, processes: ProcessGroups) -> Result<Conversation, RulesError> {
        let mut process = Process::new(program, processes);
        let fault = process.sit(&[]);
        fault.map_err(|fault| RulesError(format!("the game: {}", fault.in_brief())))?;
        let (sent, has_spoken, parts) = (String::new(), false, VecDeque::new());
        Ok(Conversation { process, sent, has_spoken, parts, bytes: 0, games: 0, first: None })
    }

    /// Sends a message: its name, and its lines.
    ///
    /// # Errors
    /// Returns an error if the program does not read it.
    pub fn send(&mut self, name: &str, lines: &[String]) -> Result<(), RulesError> {
        self.sent = name.into();
        self.bytes = 0;
        let mut text = format!("[[{name}] {}]\n", lines.len());
        lines.iter().for_each(|line| text += &format!("{line}\n"));
        let sent = self.process.send(&text, &self.limit());
        sent.map_err(|error| self.failure(&error.into()))
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// Returns an error if the program ends or prints nothing, or the line is no message.
    pub fn read(&mut self) -> Result<Message, RulesError> {
        let (name, count) = header(&self.line()?)?;
        let lines: Result<Vec<String>, RulesError> = (0..count).map(|_| self.line()).collect();
        Ok(Message { name, lines: lines? })
    }

    /// Reads the next line. The SDK counts those that end with a carriage return alone, too.
    fn line(&mut self) -> Result<String, RulesError> {
        if self.parts.is_empty() {
            let line = self.raw_line()?;
            self.parts.extend(line.split('\r').map(str::to_owned));
        }
        Ok(self.parts.pop_front().unwrap_or_default())
    }

    fn raw_line(&mut self) -> Result<String, RulesError> {
        let limit = self.limit();
        let answer = self.process.ask("", &limit, None, &mut || {});
        match answer.map(|answer| answer.line.to_owned()) {
            Ok(line) => {
                self.has_spoken = true;
                self.bytes += line.len();
                match self.bytes > MOST_BYTES {
                    true => Err(RulesError(format!(
                        "expected at most {MOST_BYTES} bytes of the game after '{}', got more",
                        self.sent
                    ))),
                    false => Ok(line),
                }
            }
            Err(fault) => Err(self.failure(&fault)),
        }
    }

    fn limit(&self) -> Limit {
        let time = if self.has_spoken { PATIENCE } else { START };
        Limit { time: Some(time), ..Limit::untimed(LINE) }
    }

    /// Returns the failure of a program that did not answer, with the line of its standard error
    /// that tells most.
    fn failure(&mut self, fault: &Fault) -> RulesError {
        let stderr = self.process.take_stderr();
        // The lines of a stack trace are indented.
        let is_message = |line: &&str| line.starts_with(|c: char| !c.is_whitespace());
        let said = stderr.lines().rfind(is_message).map(|line| format!(": {}", escape(line)));
        let (what, said) = (fault.in_brief(), said.unwrap_or_default());
        RulesError(format!("the game failed after '{}': {what}{said}", self.sent))
    }
}
