//! The seam between a bot and whatever it is connected to: lines in, lines out.

use crate::game::ParseError;
use std::process::ExitCode;

/// A bot as a state machine on lines; its game and its engine are hidden.
pub trait Console: Send {
    /// Appends to `out` what the bot says before the first line arrives.
    fn start(&mut self, out: &mut String);

    /// Takes one line without its end, and appends to `out` what the bot answers.
    ///
    /// # Errors
    /// Returns an error if the conversation cannot continue.
    fn hear(&mut self, line: &str, out: &mut String) -> Result<(), ParseError>;
}

/// A bot that ships with the referee: the program of one game, with its strategies.
pub trait BundledBot: Sync {
    /// Name on the command line, which is its game's.
    fn name(&self) -> &'static str;

    /// Strategies with a line about each; the first is the default.
    fn strategies(&self) -> &'static [(&'static str, &'static str)];

    /// Opens the console that these arguments describe.
    ///
    /// # Errors
    /// Returns an error if a strategy or an option is unknown, or a value is malformed.
    fn console(&self, arguments: &[String]) -> Result<Box<dyn Console>, ParseError>;

    /// Runs the bot, or one of its commands, on standard input and output.
    fn run(&self, arguments: &[String]) -> ExitCode;
}
