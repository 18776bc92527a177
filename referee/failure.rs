//! Failures of the referee and their exit codes.

use arbitre_games::diagnostics;
use arbitre_games::exit_code::{DATA, PLAYER, STORE, UNAVAILABLE, UNMET, USAGE};
use arbitre_games::game::{Cause, ParseError};
use arbitre_games::text::{io_reason, report, unknown};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use thiserror::Error;

/// Failure of the whole command, reported as an error and, where it helps, a remedy.
#[derive(Debug, Error)]
pub enum Failure {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// A player could not be started.
    #[error("{0}")]
    Player(String),
    /// The content of a file is invalid.
    #[error("{0}")]
    Data(String),
    /// The results file cannot be used.
    #[error("{0}")]
    Store(String),
    /// The results file holds a match already.
    #[error("{0}")]
    Occupied(String),
    /// This machine lacks what the user asked for.
    #[error("{0}")]
    Unavailable(String),
    /// A condition that the user set is not met.
    #[error("{0}")]
    Condition(String),
    /// The reader of our output is gone; this counts as success.
    #[error("the output is closed")]
    BrokenPipe,
    /// The operating system returned an error.
    #[error("{0}")]
    System(#[from] io::Error),
}

impl Failure {
    /// Prints the reason on standard error, except for a broken pipe. Returns the exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Failure::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Usage(_) => USAGE,
            Failure::Player(_) => PLAYER,
            Failure::Store(_) | Failure::Occupied(_) => STORE,
            Failure::Unavailable(_) => UNAVAILABLE,
            Failure::Data(_) => DATA,
            Failure::Condition(_) | Failure::System(_) => UNMET,
        };
        diagnostics::print(report(&self.to_string()));
        ExitCode::from(code)
    }

    /// Converts an error of the command-line parser into a failure of the form "expected …, got …".
    pub fn parser(error: &clap::Error) -> Failure {
        Failure::Usage(parser_message(error))
    }
}

/// Returns the conversion of the errors of a file or folder into failures that name it.
pub fn about(
    path: &Path,
    failure: fn(String) -> Failure,
) -> impl Fn(io::Error) -> Failure + Copy + '_ {
    move |error| failure(format!("{}: {}", path.display(), io_reason(&error)))
}

/// Returns the message for an error of the command-line parser, whose own texts are longer and
/// suggest options by a looser measure.
fn parser_message(error: &clap::Error) -> String {
    let value = context(error, ContextKind::InvalidValue).join(" ");
    let names = context(error, ContextKind::InvalidArg);
    let names: Vec<String> = names.iter().map(|name| bare(name)).collect();
    let prior = context(error, ContextKind::PriorArg);
    let prior = prior.iter().map(|name| bare(name)).collect::<Vec<_>>().join(" and ");
    let (name, all) = (names.first().map_or("", String::as_str), names.join(" and "));
    match error.kind() {
        ErrorKind::ValueValidation => {
            let why = error.source().map_or_else(String::new, ToString::to_string);
            // Some parsers name the option themselves.
            let own = format!("{}: ", name.trim_start_matches('-'));
            format!("{name}: {}", why.strip_prefix(&own).unwrap_or(&why))
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("{name}: expected a value, got none")
        }
        ErrorKind::InvalidValue => {
            let choices = context(error, ContextKind::ValidValue);
            let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
            unknown(name, &value, choices).to_string()
        }
        ErrorKind::TooManyValues => format!("{name}: expected no value, got '{value}'"),
        ErrorKind::UnknownArgument if name.starts_with('-') => format!("unknown option {name}"),
        ErrorKind::UnknownArgument => format!("unexpected argument '{name}'"),
        ErrorKind::MissingRequiredArgument => format!("expected {all}, got none"),
        ErrorKind::ArgumentConflict if prior == all => format!("{name}: expected once, got twice"),
        ErrorKind::ArgumentConflict if all.is_empty() => {
            let command = context(error, ContextKind::InvalidSubcommand).join(" ");
            format!("expected options of {command} after it, got {prior} before it")
        }
        ErrorKind::ArgumentConflict => format!("expected {name} or {prior}, got both"),
        ErrorKind::InvalidSubcommand => {
            format!("no command '{}'", context(error, ContextKind::InvalidSubcommand).join(" "))
        }
        ErrorKind::InvalidUtf8 => "expected UTF-8 text on the command line".into(),
        _ => error.kind().to_string(),
    }
}

/// Returns the texts that the parser attached to its error.
fn context(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

/// Returns the name of an option or argument without its value: `--games` for `--games <N>`.
fn bare(name: &str) -> String {
    let word = if name.starts_with('-') { name.split([' ', '=']).next() } else { None };
    word.unwrap_or(name).trim_matches(['<', '>', '[', ']', '.']).into()
}

/// Treats a malformed text as an error of the command line, unless it has another cause.
/// Callers that read other text convert it themselves.
impl From<ParseError> for Failure {
    fn from(why: ParseError) -> Failure {
        match why.cause() {
            Cause::Text | Cause::Move => Failure::Usage(why.to_string()),
            Cause::File => Failure::Data(why.to_string()),
            Cause::Machine => Failure::Unavailable(why.to_string()),
        }
    }
}
