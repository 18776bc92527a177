//! Failures of the referee and their exit codes.

use arbitre_games::exit_code::{DATA, PLAYER, STORE, UNMET, USAGE};
use arbitre_games::game::ParseError;
use std::process::ExitCode;
use thiserror::Error;

/// Failure of the whole command, reported in one line.
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
    /// A condition that the user set is not met.
    #[error("{0}")]
    Condition(String),
    /// The reader of our output is gone; this counts as success.
    #[error("nobody reads the output")]
    BrokenPipe,
    /// The operating system returned an error.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

impl Failure {
    /// Prints the reason on standard error, except for a broken pipe. Returns the exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Failure::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Usage(_) => USAGE,
            Failure::Player(_) => PLAYER,
            Failure::Store(_) => STORE,
            Failure::Data(_) => DATA,
            Failure::Condition(_) | Failure::System(_) => UNMET,
        };
        eprintln!("error: {self}");
        ExitCode::from(code)
    }

    /// Converts an error of the command-line parser into a failure of one line.
    pub fn parser(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        // The rest is usage and hints, which would not fit into one line.
        let asides = ["Usage:", "For more"];
        let lines =
            text.lines().take_while(|line| !asides.iter().any(|aside| line.starts_with(aside)));
        let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        Failure::Usage(lines.join("; ").trim_start_matches("error: ").into())
    }
}

/// Treats a malformed text as an error of the command line. Callers that read other text convert it
/// themselves.
impl From<ParseError> for Failure {
    fn from(why: ParseError) -> Failure {
        Failure::Usage(why.to_string())
    }
}
