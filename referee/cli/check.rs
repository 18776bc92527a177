//! A program tried at what goes wrong: `referee check COMMAND`.

use super::args::Check;
use super::charter::{choose_game, party};
use super::failure::Failure;
use super::output::{print, print_json};
use super::plan::contestant;
use crate::check::{self, Report, Trial};
use crate::config::command::{Kind, Spec};
use crate::player::process_group::Herd;
use crate::tournament::interrupt::{Listener, Stop, INTERRUPTED};
use std::process::ExitCode;

/// The exit code where something is to mend.
const TO_MEND: u8 = 1;

/// Tries a program and tells what to mend.
pub fn run(args: &Check) -> Result<ExitCode, Failure> {
    let spec = Spec::parse(&args.command).map_err(Failure::usage)?;
    if spec.kind == Kind::Human {
        return Err(Failure::Usage("a person is not checked; name a program".into()));
    }
    let entry = choose_game(args.game.as_deref(), std::slice::from_ref(&spec))?;
    let game = (entry.open)(&args.rules).map_err(Failure::usage)?;
    let party = party(&spec, &args.dialect, &args.limits, spec.name.clone())?;
    entry.check_dialect(&party.dialect).map_err(Failure::usage)?;
    let who = contestant(&party)?;
    let blind = entry.cannot_tell_openings(&party.dialect);
    let (stop, herd) = (Stop::default(), Herd::default());
    let finishing = || eprintln!("finishing the game; once more to stop at once");
    let _listener = Listener::start(stop.clone(), herd.clone(), finishing, || {})?;
    let trial = Trial {
        game: &*game,
        party: &party,
        source: &who.source,
        tongue: who.tongue,
        opening_plies: if blind { 0 } else { entry.opening_plies },
        games: args.games,
        seed: args.seed,
        herd: &herd,
        stop: &stop,
    };
    let report = check::run(&trial, &words(&spec)).map_err(Failure::Player)?;
    if stop.requested() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    show(args, &report)?;
    Ok(if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(TO_MEND) })
}

fn words(spec: &Spec) -> Vec<String> {
    match &spec.kind {
        Kind::External(words) => words.clone(),
        Kind::Bundled(..) | Kind::Human => Vec::new(),
    }
}

fn show(args: &Check, report: &Report) -> Result<ExitCode, Failure> {
    match (args.json, args.junit) {
        (true, _) => print_json(&check::document(report)),
        (_, true) => print(&check::junit(report)),
        _ => print(&check::text(report)),
    }
}
