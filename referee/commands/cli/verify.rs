//! `referee verify`: checks the pages, the checksums and the games of a match file.

use super::args::VerifyArgs;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::counted;
use arbitre_referee::report::output::{print, print_either};
use arbitre_referee::store::{verify, Address, Archive};
use serde_json::json;
use std::process::ExitCode;

/// Checks a match file and prints its problems.
pub fn run(args: &VerifyArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let path = Address::of(args.stored.db.as_deref()).path(registry)?;
    let archive = Archive::open(&path, registry)?;
    let viewer = args.rules.viewer(&archive, archive.config(), registry);
    let viewer = match &viewer {
        Err(Failure::Usage(_)) => return Err(viewer.err().expect("it is an error")),
        viewer => viewer.as_ref().map_err(ToString::to_string),
    };
    let found = verify::verify_by(&archive, viewer)?;
    let (games, problems) = (found.games, &found.problems);
    let document =
        json!({ "db": path.display().to_string(), "games": games, "problems": problems });
    let lines: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
    print_either(&document, &lines, args.json)?;
    let (path, looked_at) = (path.display(), counted(games, "game"));
    if !problems.is_empty() {
        let count = counted(problems.len() as u64, "problem");
        return Err(Failure::Condition(format!("{path}: {count} in {looked_at}")));
    }
    if !args.json {
        print(&format!("{path}: {looked_at}, all as they were played\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
