//! `referee arena …`: interfaces to other arenas and to those who train programs.

use super::args::{ArenaCommand, StepArgs};
use crate::arena::{batch, step};
use crate::failure::Failure;
use crate::registry::Registry;
use crate::report::output::unwritten;
use std::io;
use std::process::ExitCode;

/// Runs an interface.
pub fn run(command: &ArenaCommand, registry: &Registry) -> Result<ExitCode, Failure> {
    match command {
        ArenaCommand::Step(args) => step(args, registry),
    }
}

/// Serves the rules of a game until the input ends.
fn step(args: &StepArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let served = match args.json {
        true => batch::serve(&*registry.open(&args.game, &args.rules)?, input, output),
        false => {
            registry.open(&args.game, "")?;
            step::serve(registry, &args.game, input, output)
        }
    };
    served.map(|()| ExitCode::SUCCESS).map_err(unwritten)
}
