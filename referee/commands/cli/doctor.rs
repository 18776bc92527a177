//! `referee doctor`: shows what this machine can do, and what to ask an administrator for.

use super::args::DoctorArgs;
use crate::doctor::examine;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::print_either;
use std::process::ExitCode;

/// Examines this machine and prints the findings.
pub fn run(args: &DoctorArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let found = examine(registry.executable);
    print_either(&found.document(), &found.text(), args.json)?;
    match args.require_sandbox {
        Some(required) if found.level < required => Err(Failure::Unavailable(format!(
            "--require-sandbox {required}: expected a machine that gives it, got {}",
            found.level
        ))),
        _ => Ok(ExitCode::SUCCESS),
    }
}
