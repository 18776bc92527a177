//! `referee check COMMAND`: tests a bot for common mistakes.

use super::args::CheckArgs;
use super::listen::listen;
use super::play_match::warn_of_sandbox;
use crate::check::{self, Report, Trial};
use crate::config::from_args::{choose_game, player_config};
use crate::config::player_arg::{CommandKind, PlayerArg};
use crate::failure::Failure;
use crate::player::process_group::ProcessGroups;
use crate::registry::Registry;
use crate::report::output::{print, print_json};
use crate::tournament::containment::{Containment, ProgramSandboxes};
use crate::tournament::interrupt::Stop;
use crate::tournament::plan::tournament_player;
use arbitre_games::exit_code::{INTERRUPTED, UNMET};
use std::process::ExitCode;

/// Tests a bot and prints the findings.
pub fn run(args: &CheckArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let arg = PlayerArg::parse(&args.command, registry)?;
    if arg.kind == CommandKind::Human {
        return Err(Failure::Usage("expected a program, got a person".into()));
    }
    let info = choose_game(args.game.as_deref(), std::slice::from_ref(&arg), registry)?;
    let game = (info.open)(&args.rules)?;
    let config = player_config(&arg, &args.dialect, &args.options, arg.name.clone(), registry)?;
    let dialect = info.dialect(&config.dialect)?;
    let mut player = tournament_player(&config, &arg.kind, &*game, registry)?;
    let required = args.requirement.require_sandbox;
    let containment = Containment::new(registry.executable, required, None);
    let sandboxes = containment.sandboxes(std::slice::from_ref(&player))?;
    containment.confine(std::slice::from_mut(&mut player));
    warn_of_sandbox(sandboxes.as_ref());
    let blind = info.hides_openings(dialect);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let _listener = listen(&stop, &processes, "the game")?;
    let trial = Trial {
        game: &*game,
        config: &config,
        source: &player.source,
        dialect,
        opponent: registry.bot(info.meta.name).expect("every game has a bundled bot"),
        opening_plies: if blind { 0 } else { info.opening_plies },
        games: args.games,
        seed: args.seed,
        processes: &processes,
        stop: &stop,
    };
    let report = check::run(&trial, &words(&arg)).map_err(Failure::Player)?;
    if stop.requested() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    show(args, &report, sandboxes.as_ref())?;
    Ok(if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(UNMET) })
}

fn words(arg: &PlayerArg) -> Vec<String> {
    match &arg.kind {
        CommandKind::External(words) => words.clone(),
        CommandKind::Bundled(..) | CommandKind::Human | CommandKind::Absent(_) => Vec::new(),
    }
}

fn show(
    args: &CheckArgs,
    report: &Report,
    sandboxes: Option<&ProgramSandboxes>,
) -> Result<ExitCode, Failure> {
    match (args.json, args.junit) {
        (true, _) => {
            let mut document = check::document(report);
            document["sandbox"] = sandboxes.map(|of| of.level.to_string()).into();
            print_json(&document)
        }
        (_, true) => print(&check::junit(report)),
        _ => {
            let line = sandboxes.map_or_else(String::new, |of| of.line() + "\n");
            print(&(line + &check::text(report)))
        }
    }
}
