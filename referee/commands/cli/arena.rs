//! `referee arena …`: interfaces to other arenas and to those who train programs.

use super::args::{ArenaCommand, PsyleagueArgs, StepArgs};
use super::brutaltester;
use super::clock::timed_here;
use super::play::warn_of_sandbox;
use arbitre_games::clock::ClockKind;
use arbitre_games::text::HELP;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::usage::tells_waits;
use arbitre_referee::config::from_args::{self, new_seed, Absent, Tables};
use arbitre_referee::config::player_arg::CommandKind;
use arbitre_referee::external::psyleague::GameResult;
use arbitre_referee::external::{batch, step};
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_json, unwritten};
use arbitre_referee::run::descriptors::make_room_for_descriptors;
use arbitre_referee::run::interrupt::Stop;
use arbitre_referee::run::plan::{planned_player, Plan};
use arbitre_referee::run::sandboxes::SandboxPolicy;
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Runs an interface.
pub fn run(command: &ArenaCommand, registry: &Registry) -> Result<ExitCode, Failure> {
    match command {
        ArenaCommand::Step(args) => step(args, registry),
        ArenaCommand::Psyleague(args) => psyleague(args, registry),
        ArenaCommand::Brutaltester(args) => brutaltester::run(args, registry),
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

/// Plays games of one group of players, and prints their results as a list. Faults and missing
/// programs are results too: any exit code but 0 ends the server of psyleague.
fn psyleague(args: &PsyleagueArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let PsyleagueArgs { config, options, requirement } = args;
    let policy = SandboxPolicy::new(registry.executable, requirement.require_sandbox, None);
    policy.check_rules(config.common.external.as_deref(), &options.sandbox)?;
    // One round: every player has each seat once.
    let absent = Absent { seed: new_seed(), games: Some(1), tables: Tables::All };
    let resolved = from_args::resolve(config, options, absent, registry)?;
    let is_asked_for = options.limits.clock_kind() == Some(ClockKind::Fair);
    let mut resolved = timed_here(resolved, is_asked_for, tells_waits())?;
    let (players, seats) = (resolved.config.players.len(), resolved.config.seats);
    if players != seats {
        return Err(Failure::Usage(format!(
            "expected {seats} players, one for each seat, got {players}{HELP}write %ALL_PLAYERS%, or \
             --seats"
        )));
    }
    let game = &*resolved.game;
    for (player, kind) in resolved.config.players.iter().zip(&mut resolved.commands) {
        if let Err(Failure::Player(why)) = planned_player(player, kind, game, registry) {
            *kind = CommandKind::Absent(why);
        }
    }
    // psyleague runs several games at once, each with a referee of its own.
    let mut plan = Plan::new(resolved, None, registry, Some(1), &policy)?;
    plan.apply_sandboxes(&policy);
    warn_of_sandbox(plan.sandboxes.as_ref(), &plan.players);
    make_room_for_descriptors(plan.concurrency);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let (mut results, mut failed) = (Vec::new(), None);
    plan.workers(false, &processes, &stop).run_games(HashSet::new(), |record| {
        failed = record.played.rules_error.clone();
        results.push(GameResult::of(&record, plan.config.seed));
        if failed.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    plan.lack_of_resources().map_or(Ok(()), Err)?;
    if let Some(error) = failed {
        return Err(Failure::Data(format!("the rules of {} failed: {error}", plan.config.game)));
    }
    print_json(&results)
}
