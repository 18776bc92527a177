//! A bundled bot as a program: its command line, its commands and its output.

use crate::console::serve;
use crate::options::{Options, COMMON};
use arbitre_games::console::{BundledBot, Console};
use arbitre_games::diagnostics;
use arbitre_games::game::{Cause, ParseError};
use arbitre_games::text::{io_reason, report, unknown, HELP};
use std::fmt::{self, Display};
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use arbitre_games::exit_code::UNAVAILABLE;
pub use arbitre_games::exit_code::{DATA, UNMET, USAGE};

/// Creates the console of a strategy.
pub type Open = fn(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError>;

/// Runs a command that prints instead of playing. It checks all of its options before it begins.
pub type Run = fn(options: Options) -> Result<(), Failure>;

/// Error of a command.
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// Reason, in one line.
    pub why: String,
}

impl Failure {
    /// Creates a failure with this exit code.
    pub fn new(code: u8, why: impl Into<String>) -> Failure {
        Failure { code, why: why.into() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// Items of an input. Invalid ones are reported on standard error and left out.
#[derive(Default)]
pub struct InputReport {
    count: usize,
    invalid: usize,
    /// Error of the first item until the next one comes. If none does, it is the error of the
    /// input.
    first: Option<String>,
}

impl InputReport {
    /// Returns an item, or reports why it is invalid.
    pub fn take<T>(&mut self, item: Result<T, impl Display>) -> Option<T> {
        if let Some(why) = self.first.take() {
            warn(&why);
        }
        self.count += 1;
        match item {
            Ok(item) => return Some(item),
            Err(why) if self.count == 1 => self.first = Some(why.to_string()),
            Err(why) => warn(&why.to_string()),
        }
        self.invalid += 1;
        None
    }

    /// Ends the input; `items` is the name of its items.
    ///
    /// # Errors
    /// Returns an error if an item was invalid.
    pub fn finish(&self, items: &str) -> Result<(), Failure> {
        let InputReport { count, invalid, first } = self;
        match (first, invalid) {
            (Some(why), _) => Err(Failure::new(DATA, why.as_str())),
            (None, 0) => Ok(()),
            _ => {
                let why = format!("expected {count} valid {items}, got {}", count - invalid);
                Err(Failure::new(DATA, why))
            }
        }
    }
}

/// Prints a warning on standard error, on one line.
pub(crate) fn warn(why: &str) {
    // A closed standard error is not a failure.
    let _ = writeln!(io::stderr(), "warning: {}", why.replace(HELP, ", "));
}

/// Reads lines from standard input, each with its number and trimmed, without the word `state`.
///
/// # Errors
/// Each item is an error, which names the line, if the line is not text.
pub fn state_lines() -> impl Iterator<Item = Result<(usize, String), Failure>> {
    (1..).zip(io::stdin().lock().split(b'\n')).map(|(number, line)| {
        let line = line.map_err(|error| bad_line(number, io_reason(&error)))?;
        let line = String::from_utf8(line)
            .map_err(|_| bad_line(number, "expected UTF-8 text, got other bytes"))?;
        let text = line.trim();
        Ok((number, text.strip_prefix("state ").unwrap_or(text).to_owned()))
    })
}

/// Returns the failure of bad data in a line of standard input.
pub fn bad_line(number: usize, why: impl Display) -> Failure {
    Failure::new(DATA, format!("line {number}: {why}"))
}

impl From<ParseError> for Failure {
    /// Converts a parse error, whose cause decides the exit code.
    fn from(error: ParseError) -> Failure {
        let code = match error.cause() {
            Cause::Text | Cause::Move => USAGE,
            Cause::File => DATA,
            Cause::Machine => UNAVAILABLE,
        };
        Failure::new(code, error.to_string())
    }
}

/// A bundled bot: the program of one game, with its strategies.
pub struct BotProgram {
    /// Name on the command line, which is the name of its game.
    pub name: &'static str,
    /// Total of `NAME bench`, which distinguishes versions of the engines.
    pub signature: u64,
    /// Strategies, each with a one-line description; the first is the default.
    pub strategies: &'static [(&'static str, &'static str)],
    /// Commands besides playing, each with a one-line description.
    pub commands: &'static [(&'static str, &'static str, Run)],
    /// Options that the strategies add to [`COMMON`], each with a one-line description.
    pub options: &'static [(&'static str, &'static str)],
    /// Function that creates the console of a strategy.
    pub open: Open,
}

impl BotProgram {
    /// Runs the command that `arguments` begin with, if there is one.
    fn command(&self, arguments: &[String]) -> Option<Result<(), Failure>> {
        let mut options = Options::new(arguments);
        let word = options.take_word()?;
        let (_, _, run) = self.commands.iter().find(|(name, ..)| *name == word)?;
        Some(run(options))
    }

    /// Takes the name of a strategy; the first one if the options name none.
    ///
    /// # Errors
    /// Returns an error if there is no such strategy.
    pub fn take_strategy(&self, options: &mut Options) -> Result<&'static str, ParseError> {
        let Some(word) = options.take_word() else { return Ok(self.strategies[0].0) };
        let names = self.strategies.iter().map(|(name, _)| *name);
        let found = names.clone().find(|name| *name == word);
        found.ok_or_else(|| unknown(&format!("strategy of {}", self.name), &word, names))
    }

    /// Returns the text of `--help`.
    pub fn usage(&self) -> String {
        let longest = self.strategies.iter().map(|(name, _)| name.len()).max();
        let width = longest.unwrap_or_default().max(16);
        let indent = format!("\n{:1$}", "", width + 3);
        let line = |(name, summary): (&str, &str)| {
            format!("  {name:<width$} {}\n", summary.replace('\n', &indent))
        };
        let lines =
            |pairs: &[(&str, &str)]| pairs.iter().map(|&pair| line(pair)).collect::<String>();
        let commands = self.commands.iter().map(|&(name, summary, _)| line((name, summary)));
        format!(
            "Usage: {0} [STRATEGY] [OPTIONS]\n       {0} COMMAND\n\n\
             Strategies, the first by default:\n{1}\nCommands:\n{2}\nOptions:\n{3}{4}",
            self.name,
            lines(self.strategies),
            commands.collect::<String>(),
            lines(COMMON),
            lines(self.options),
        )
    }
}

impl BundledBot for BotProgram {
    fn name(&self) -> &'static str {
        self.name
    }

    fn signature(&self) -> u64 {
        self.signature
    }

    fn strategies(&self) -> &'static [(&'static str, &'static str)] {
        self.strategies
    }

    fn console(&self, arguments: &[String]) -> Result<Box<dyn Console>, ParseError> {
        let mut options = Options::new(arguments);
        let strategy = self.take_strategy(&mut options)?;
        let console = (self.open)(strategy, &mut options)?;
        options.finish()?;
        Ok(console)
    }

    fn run(&self, arguments: &[String]) -> ExitCode {
        if arguments.iter().any(|word| word == "--help" || word == "-h") {
            say(&self.usage());
            return ExitCode::SUCCESS;
        }
        if let Some(outcome) = self.command(arguments) {
            return outcome.map_or_else(|failure| refuse(&failure), |()| ExitCode::SUCCESS);
        }
        match self.console(arguments) {
            Ok(mut console) => {
                match serve(&mut *console, io::stdin().lock(), io::stdout().lock()) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(error) => refuse(&Failure::new(USAGE, error.to_string())),
                }
            }
            Err(error) => {
                let mut failure = Failure::from(error);
                if failure.code == USAGE && !failure.why.contains(HELP) {
                    failure.why += &format!("{HELP}see {} --help", self.name);
                }
                refuse(&failure)
            }
        }
    }
}

/// Runs a stand-alone bot with the arguments of this process.
pub fn main(bot: &BotProgram) -> ExitCode {
    let words = std::env::args_os().skip(1);
    bot.run(&words.map(|word| word.to_string_lossy().into()).collect::<Vec<_>>())
}

/// Prints text, in which no character acts on a terminal; a closed output is not an error.
pub(crate) fn say(text: &str) {
    say_unchanged(&diagnostics::visible(text));
}

/// Shows `text` on standard error if that is a terminal; an empty text clears the line.
pub(crate) fn progress(text: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K{text}");
    }
}

/// Prints codes of a terminal.
pub(crate) fn say_unchanged(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn refuse(failure: &Failure) -> ExitCode {
    diagnostics::print(report(&failure.why));
    ExitCode::from(failure.code)
}
