//! `referee A B`: plays a match.

use super::args::{grammar, MatchArgs};
use super::clock::timed_here;
use super::listen::listen_beside;
use super::usage::check_players;
use super::{estimate, match_file, resumed, shard};
use crate::config::from_args::{self, Absent};
use crate::config::player_arg::PlayerArg;
use crate::config::{MatchConfig, ResolvedMatch};
use crate::doctor::size;
use crate::failure::Failure;
use crate::formats::GameCount;
use crate::play::record::Record;
use crate::player::fault::Fault;
use crate::player::process_group::ProcessGroups;
use crate::player::usage::tells_waits;
use crate::registry::table::RulesError;
use crate::registry::Registry;
use crate::report::game::GameDocument;
use crate::report::machines;
use crate::report::output::{print, print_json};
use crate::report::progress::Progress;
use crate::report::summary::{score_so_far, RunInfo, Summary};
use crate::report::table;
use crate::resource_limits::make_room_for_descriptors;
use crate::statistics::tally::Tally;
use crate::store::{folder, Versions, Writer};
use crate::tournament::collector::{tally_of, Collector};
use crate::tournament::containment::{Containment, ProgramSandboxes};
use crate::tournament::interrupt::Stop;
use crate::tournament::plan::MatchPlan;
use crate::tournament::Event;
use arbitre_games::clock::ClockKind;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::HELP;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Plays the match that the options describe, or its remaining games.
pub fn run(args: &MatchArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let common = &args.config.common;
    let has_game = common.game.is_some() || common.external.is_some();
    check_players(&args.config.players, has_game, registry, &grammar())?;
    let begun = match begin(args, registry) {
        // Another referee has begun and ended the match since this one found no file to resume.
        Err(Failure::Occupied(_)) if args.resume => begin(args, registry),
        begun => begun,
    };
    let Some((plan, mut store)) = begun? else { return Ok(ExitCode::SUCCESS) };
    let played = play(args, &plan, &mut store)?;
    drop(store);
    report(args, &plan, played)
}

/// Opens the file of the match, and plans the games. Returns `None` after a dry run.
fn begin(args: &MatchArgs, registry: &Registry) -> Result<Option<(MatchPlan, Writer)>, Failure> {
    let resumed = match_file::resumed(args, registry)?;
    // Before the folder may change, to which the path is relative.
    let stored = resumed.as_ref().map(|writer| writer.archive().path()).or(args.db.as_deref());
    let required = args.requirement.require_sandbox;
    let containment = Containment::new(registry.executable, required, stored);
    containment.check_rules(args.config.common.external.as_deref(), &args.options.sandbox)?;
    let resolved = configure(args, resumed.as_ref(), registry)?;
    let mut plan = MatchPlan::new(resolved, registry, args.concurrency, &containment)?;
    if args.dry_run {
        announce(args, &plan, resumed.map_or(Ok(0), |writer| writer.archive().count())?, None)?;
        let count = GameCount::exactly(plan.schedule.games());
        let estimate = estimate::describe(&plan, count, plan.schedule.own_games(), registry);
        return print(&estimate).map(|_| None);
    }
    let store =
        match_file::begin_session(args.db.as_deref(), args.durable, resumed, &plan, registry)?;
    plan.confine(&containment);
    Ok(Some((plan, store)))
}

/// Returns the configuration of the match from the options, which must agree with a resumed file.
fn configure(
    args: &MatchArgs,
    resumed: Option<&Writer>,
    registry: &Registry,
) -> Result<ResolvedMatch, Failure> {
    let mut resolved = match resumed {
        Some(writer) => resumed::resumed(args, writer.archive(), registry)?,
        None => {
            // 32 bits are short enough to be read aloud, and exact in every JSON reader.
            let absent = Absent { seed: rand::random::<u32>().into(), games: None };
            from_args::resolve(&args.config, &args.options, absent, registry)?
        }
    };
    let stored = resumed.map(Writer::archive);
    let has_seed = args.config.common.seed.is_some();
    shard::choose(args.shard, has_seed, stored, &mut resolved.config)?;
    let in_brackets = |text: &String| {
        let arg = PlayerArg::parse(text, registry);
        arg.is_ok_and(|arg| arg.options.iter().any(|word| word == "clock=fair"))
    };
    let is_asked_for = resumed.is_some()
        || args.options.limits.clock_kind() == Some(ClockKind::Fair)
        || args.config.players.iter().any(in_brackets);
    let resolved = timed_here(resolved, is_asked_for, tells_waits())?;
    if let Some(note) = &resolved.note {
        diagnostics::print(format_args!("{note}\n"));
    }
    // A condition on an unknown player or an undefined quantity would only fail after the last
    // game.
    let (names, seats) = (resolved.config.names(), resolved.config.seats);
    for condition in &args.require {
        if let Some(why) = condition.objection(&names, seats) {
            return Err(Failure::Usage(format!("--require {condition}: {why}")));
        }
    }
    Ok(resolved)
}

/// Counts of a match up to the last game played.
struct PlayedMatch {
    tally: Tally,
    /// Configuration whose players are counted.
    config: MatchConfig,
    info: RunInfo,
    /// First failure of the rules.
    rules_error: Option<RulesError>,
}

/// Plays all games that the store lacks, until the user asks to stop.
fn play(args: &MatchArgs, plan: &MatchPlan, store: &mut Writer) -> Result<PlayedMatch, Failure> {
    let db = kept_in(store);
    let mut collector = Collector::new(store)?;
    let played = collector.played().clone();
    let (games, done) = (plan.schedule.own_games(), played.len() as u64);
    announce(args, plan, done, db.as_deref())?;
    warn_of_sandbox(plan.sandboxes.as_ref());
    warn_of_memory(plan);
    let begun = Instant::now();
    make_room_for_descriptors(plan.concurrency);
    let (stop, processes) = (Stop::default(), ProcessGroups::default());
    let queue = plan.queue(played, collector.archive().ledger()?.next);
    queue.counted(collector.counted());
    let under_test = plan.config.sprt.is_some();
    let progress = Progress::new(games, done, under_test, !plan.has_a_person());
    let last = match &db {
        Some(path) => {
            format!("stopped; the games counted are in {path}; --resume continues")
        }
        None => "stopped".into(),
    };
    let _listener = listen_beside(&progress, &stop, &processes, last)?;
    let (mut failed, mut rules_error) = (None, None);
    // A resumed match may already be decided by its SPRT.
    if collector.decision().is_none() {
        plan.tournament(!args.no_pin, &processes, &stop).run(&queue, |event| {
            let limits = processes.limits().restore().map_err(Failure::Unavailable);
            let collected = limits.and_then(|()| match event {
                Event::Game(record) => {
                    rules_error = record.played.rules_error.clone();
                    let flow = collect(args, plan, &mut collector, *record, &progress)?;
                    // Rules that failed time and again will fail in other games too.
                    Ok(if rules_error.is_some() { ControlFlow::Break(()) } else { flow })
                }
                Event::Tried { .. } => Ok(ControlFlow::Continue(())),
                Event::Changed { player, version } => {
                    change(plan, &mut collector, player, version, &progress)
                }
            });
            queue.counted(collector.counted());
            collected.unwrap_or_else(|failure| {
                failed = Some(failure);
                ControlFlow::Break(())
            })
        });
    }
    progress.finish();
    failed.map_or(Ok(()), Err)?;
    // Another process may have lowered a limit before the first game, so that none could begin.
    processes.limits().restore().map_err(Failure::Unavailable)?;
    let void = collector.tally().void;
    let versions = if args.all_versions { Versions::All } else { Versions::Current };
    let view = collector.archive().view(versions);
    let mut tally = match versions {
        Versions::All => tally_of(collector.archive(), &view)?,
        Versions::Current => collector.tally().clone(),
    };
    tally.void = void;
    collector.check_count()?;
    let openings_ran_out = plan.openings.fewer_than(tally.rounds)?;
    let (is_full, not_started) = (plan.is_full(collector.played()), plan.not_started());
    let duration = begun.elapsed();
    let machines = machines::differing(collector.archive(), &view)?;
    let (crowd, sandbox) = (plan.crowd(), plan.sandboxes.as_ref().map(|of| of.level));
    let info = RunInfo {
        resumed: done,
        duration,
        openings_ran_out,
        db,
        crowd,
        machines,
        sandbox,
        is_full,
        not_started,
    };
    Ok(PlayedMatch { tally, config: view.config, info, rules_error })
}

/// Prints the result. Returns the exit code.
fn report(args: &MatchArgs, plan: &MatchPlan, played: PlayedMatch) -> Result<ExitCode, Failure> {
    let summary = Summary::new(&played.tally, &played.config, played.info);
    show(args, &summary, &played.tally)?;
    if let Some(error) = played.rules_error {
        let game = &plan.config.game;
        let message =
            format!("the rules of {game} failed: {error}; help: --resume plays the missing games");
        return Err(Failure::Data(message));
    }
    conclude(args, &summary)
}

/// Begins a new version of a player whose program changed.
pub fn change(
    plan: &MatchPlan,
    collector: &mut Collector,
    player: usize,
    version: String,
    progress: &Progress,
) -> Result<ControlFlow<()>, Failure> {
    collector.change(player, version)?;
    let name = &plan.config.players[player].name;
    progress.say(&format!(
        "note: the program of {name} changed; its new version plays all of its games"
    ));
    Ok(ControlFlow::Continue(()))
}

/// Stores a game and reports it.
fn collect(
    args: &MatchArgs,
    plan: &MatchPlan,
    collector: &mut Collector,
    record: Record,
    progress: &Progress,
) -> Result<ControlFlow<()>, Failure> {
    let mut unread = None;
    collector.take(record, |record, tally| {
        progress.game(score_so_far(tally, &plan.config));
        if args.events && unread.is_none() {
            unread = print_event(record, plan).err();
        }
    })?;
    // Reported only now: a closed pipe must not keep a game from being stored.
    unread.map_or(Ok(()), Err)?;
    // A void game leaves a gap in the order of games, beyond which the SPRT cannot count.
    let is_void = plan.config.sprt.is_some() && collector.tally().void > 0;
    Ok(match is_void || collector.decision().is_some() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
}

pub fn print_event(record: &Record, plan: &MatchPlan) -> Result<ExitCode, Failure> {
    #[derive(serde::Serialize)]
    struct GameEvent<'a> {
        event: &'static str,
        #[serde(flatten)]
        game: GameDocument<'a>,
    }
    print_json(&GameEvent { event: "game", game: GameDocument::new(record, &plan.config, true) })
}

/// Returns the path of the match file; `None` for a match in memory.
pub fn kept_in(store: &Writer) -> Option<String> {
    let path = store.archive().path();
    (path != Path::new(folder::IN_MEMORY)).then(|| path.display().to_string())
}

/// Prints the lines that describe the match, on standard error if standard output is for programs.
/// A closed pipe is no error if the games are stored in the file `db`, which has `done` of them.
fn announce(
    args: &MatchArgs,
    plan: &MatchPlan,
    done: u64,
    db: Option<&str>,
) -> Result<(), Failure> {
    let MatchPlan { schedule, config, .. } = plan;
    let (pairings, games, asked) =
        (schedule.groups().len(), schedule.games_per_group(), config.games);
    let s = if pairings == 1 { "" } else { "s" };
    let (pairing, what) = match config.seats {
        1 => (format!("player{s}"), "instances"),
        2 => (format!("pairing{s}"), "games"),
        seats => (format!("group{s} of {seats}"), "games"),
    };
    let most = if config.sprt.is_some() { "at most " } else { "" };
    let mut line =
        format!("{pairings} {pairing} x {most}{games} {what}, seed {}\n", schedule.seed());
    if let Some(shard) = config.shard {
        let (own, all) = (schedule.own_games(), schedule.games());
        line += &format!("shard {shard}: {own} of {all} {what}\n");
    }
    if games != asked {
        line += &format!(
            "({asked} rounded up to {games}, so that each player has each seat equally often)\n"
        );
    }
    if let Some(sandboxes) = &plan.sandboxes {
        line += &format!("{}\n", sandboxes.line());
    }
    if let Some(db) = db.filter(|_| done > 0) {
        line += &format!("({done} of these are in {db})\n");
    }
    if args.json || args.events {
        diagnostics::print(&line);
        return Ok(());
    }
    match print(&line) {
        Err(Failure::BrokenPipe) if db.is_some() => Ok(()),
        printed => printed.map(drop),
    }
}

/// Warns that this machine does not give a full sandbox.
pub fn warn_of_sandbox(sandboxes: Option<&ProgramSandboxes>) {
    if let Some(warning) = sandboxes.and_then(ProgramSandboxes::warning) {
        diagnostics::print(format_args!("{warning}\n"));
    }
}

/// Warns that the programs may use more memory together than they are granted.
pub fn warn_of_memory(plan: &MatchPlan) {
    if let Some((needed, granted)) = plan.memory_shortage() {
        let (needed, granted, games) = (size(needed), size(granted), plan.concurrency);
        diagnostics::print(format_args!(
            "warning: {games} games at once may take {needed} of memory, and {granted} are \
             granted{HELP}write a lower --memory or --concurrency\n"
        ));
    }
}

fn show(args: &MatchArgs, summary: &Summary, tally: &Tally) -> Result<(), Failure> {
    let text = table::text(summary, tally);
    let kept = summary.db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
    match (args.json, args.events) {
        (true, _) => {
            print_json(summary)?;
            diagnostics::print(kept);
        }
        (false, true) => diagnostics::print(text + &kept),
        (false, false) => drop(print(&(text + &kept))?),
    }
    Ok(())
}

fn conclude(args: &MatchArgs, summary: &Summary) -> Result<ExitCode, Failure> {
    if summary.started() < summary.seats.max(2).min(summary.players.len()) {
        let mut absent = summary.players.iter();
        let absent = absent.find_map(|player| Some((&player.name, player.not_started.as_ref()?)));
        let (name, why) = absent.expect("a player is missing");
        let what = match summary.not_started.get(name).map(|report| &report.fault) {
            Some(Fault::Unjudged { .. }) => "was withdrawn",
            _ => "could not be started",
        };
        return Err(Failure::Player(format!("{name} {what}: {why}")));
    }
    let starts = args.require.iter().filter(|condition| condition.is_about_starts());
    if let Some(failure) = starts.filter_map(|condition| condition.failure(summary)).next() {
        return Err(Failure::Player(failure));
    }
    if summary.void > 0 {
        let message =
            "a player could not be started or judged in every game; help: --resume plays the \
             missing games";
        return Err(Failure::Player(message.into()));
    }
    if !summary.complete {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let unmet: Vec<String> =
        args.require.iter().filter_map(|condition| condition.failure(summary)).collect();
    if !unmet.is_empty() {
        return Err(Failure::Condition(unmet.join("; ")));
    }
    Ok(ExitCode::SUCCESS)
}
