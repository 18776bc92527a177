//! The interface between a bot and its input and output: lines in, lines out.

use crate::game::ParseError;
use std::process::ExitCode;

/// A bot as a state machine on lines; the caller sees neither its game nor its engine.
pub trait Console: Send {
    /// Appends the output of the bot before the first line arrives to `out`.
    fn start(&mut self, out: &mut String);

    /// Processes one line without its line break, and appends the answer of the bot to `out`.
    ///
    /// # Errors
    /// Returns an error if the conversation cannot continue.
    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError>;
}

/// A bot that ships with the referee: the program of one game and its strategies.
pub trait BundledBot: Sync {
    /// Returns the name on the command line, which is the name of its game.
    fn name(&self) -> &'static str;

    /// Returns a number that changes with the engines, which distinguishes their versions: the node
    /// count of a benchmark.
    fn signature(&self) -> u64;

    /// Returns the strategies, each with a one-line description; the first is the default.
    fn strategies(&self) -> &'static [(&'static str, &'static str)];

    /// Creates the console that `arguments` describe.
    ///
    /// # Errors
    /// Returns an error if a strategy or an option is unknown, or a value is malformed.
    fn console(&self, arguments: &[String]) -> Result<Box<dyn Console>, ParseError>;

    /// Runs the bot, or one of its commands, on standard input and output.
    fn run(&self, arguments: &[String]) -> ExitCode;
}
