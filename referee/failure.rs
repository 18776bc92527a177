//! Why the referee gives up, with the exit code that says so.

use arbitre_games::exit_code::{DATA, PLAYER, STORE, UNMET, USAGE};
use arbitre_games::game::ParseError;
use std::process::ExitCode;
use thiserror::Error;

/// A failure of the whole command, in one line.
#[derive(Debug, Error)]
pub enum Failure {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// A player could not be started.
    #[error("{0}")]
    Player(String),
    /// A file holds what it should not.
    #[error("{0}")]
    Data(String),
    /// The file of results does not serve.
    #[error("{0}")]
    Store(String),
    /// Something that was asked for does not hold.
    #[error("{0}")]
    Condition(String),
    /// Whoever reads our output has gone: success.
    #[error("nobody reads the output")]
    BrokenPipe,
    /// The system refused something.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

impl Failure {
    /// Says why on standard error. Returns the exit code.
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

    /// What the parser of the command line says, in one line.
    pub fn parser(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        let asides = ["Usage:", "For more"];
        let lines =
            text.lines().take_while(|line| !asides.iter().any(|aside| line.starts_with(aside)));
        let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
        Failure::Usage(lines.join("; ").trim_start_matches("error: ").into())
    }
}

/// A text that is malformed is a wrong word on the command line, unless the caller knows better.
impl From<ParseError> for Failure {
    fn from(why: ParseError) -> Failure {
        Failure::Usage(why.to_string())
    }
}
