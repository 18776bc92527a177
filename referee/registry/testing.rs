//! A registry for unit tests: every game, and bundled bots that have only a name.

use super::Registry;
use arbitre_games::console::{BundledBot, Console};
use arbitre_games::game::ParseError;
use std::process::ExitCode;

struct NamedBot(&'static str);

impl BundledBot for NamedBot {
    fn name(&self) -> &'static str {
        self.0
    }

    fn signature(&self) -> u64 {
        0
    }

    fn strategies(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn console(&self, _: &[String]) -> Result<Box<dyn Console>, ParseError> {
        Err(ParseError::new("this bot has no console"))
    }

    fn run(&self, _: &[String]) -> ExitCode {
        ExitCode::FAILURE
    }
}

/// Returns every game, with a bundled bot called `awele`.
pub fn registry() -> Registry {
    let executable = std::path::Path::new("/proc/self/exe");
    let (games, experiments) = (crate::games::all(), &[]);
    Registry { games, bots: vec![&NamedBot("awele")], experiments, executable }
}
