//! A match: `referee A B`.

use super::args::Duel;
use super::failure::Failure;
use super::match_file;
use super::output::{print, print_json};
use super::plan::Plan;
use crate::play::record::Record;
use crate::player::process_group::Herd;
use crate::report::game::GameDocument;
use crate::report::progress::Progress;
use crate::report::summary::{score_so_far, Circumstances, Summary};
use crate::report::table;
use crate::statistics::tally::Tally;
use crate::store::{folder, Writer};
use crate::tournament::collector::Collector;
use crate::tournament::interrupt::{Listener, Stop, INTERRUPTED};
use crate::tournament::Contestant;
use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Plays the match that the words describe, or what is left of it.
pub fn run(args: &Duel) -> Result<ExitCode, Failure> {
    let (plan, mut store) = match_file::begin(args)?;
    let db = kept_in(&store);
    let resumed = announce(args, &plan, &store, db.is_some())?;
    let begun = Instant::now();
    let tally = play(args, &plan, &mut store, db.as_deref())?;
    drop(store);
    let openings_ran_out = plan.openings.fewer_than(tally.rounds);
    let circumstances = Circumstances { resumed, duration: begun.elapsed(), openings_ran_out, db };
    let summary = Summary::new(&tally, &plan.charter, circumstances);
    show(args, &summary, &tally)?;
    conclude(args, &summary, &plan.contestants)
}

/// Plays all games that are not there yet, or those until somebody asks to stop.
fn play(args: &Duel, plan: &Plan, store: &mut Writer, db: Option<&str>) -> Result<Tally, Failure> {
    make_room_for_descriptors(plan.concurrency);
    let (stop, herd) = (Stop::default(), Herd::default());
    let mut collector = Collector::new(store)?;
    let before = collector.before().clone();
    plan.prove(&before.players);
    let (games, done) = (plan.schedule.games(), before.games.len() as u64);
    let under_test = plan.charter.sprt.is_some();
    let progress = Progress::new(games, done, under_test, !plan.has_a_person());
    let _listener = listen(&stop, &herd, &progress, db)?;
    let mut failed = None;
    if collector.decision().is_none() {
        plan.tournament(!args.no_pin, &herd, &stop).run(&before.games, |record| {
            match collect(args, plan, &mut collector, record, &progress) {
                Ok(flow) => flow,
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            }
        });
    }
    progress.finish();
    failed.map_or(Ok(()), Err)?;
    Ok(collector.tally().clone())
}

/// Keeps a game, and tells of it.
fn collect(
    args: &Duel,
    plan: &Plan,
    collector: &mut Collector,
    record: Record,
    progress: &Progress,
) -> Result<ControlFlow<()>, Failure> {
    let mut unread = None;
    collector.take(record, |record, tally| {
        progress.game(score_so_far(tally, &plan.charter));
        if args.events && unread.is_none() {
            unread = print_event(record, plan).err();
        }
    })?;
    unread.map_or(Ok(()), Err)?;
    // A void game leaves a gap, beyond which a test cannot read.
    let is_void = plan.charter.sprt.is_some() && collector.tally().void > 0;
    Ok(match is_void || collector.decision().is_some() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
}

fn print_event(record: &Record, plan: &Plan) -> Result<ExitCode, Failure> {
    #[derive(serde::Serialize)]
    struct Event<'a> {
        event: &'static str,
        #[serde(flatten)]
        game: GameDocument<'a>,
    }
    print_json(&Event { event: "game", game: GameDocument::new(record, &plan.charter, true) })
}

/// Where the games are kept, if they are.
fn kept_in(store: &Writer) -> Option<String> {
    let path = store.archive().path();
    (path != Path::new(folder::IN_MEMORY)).then(|| path.display().to_string())
}

/// Says what will be played: the first line of standard output, unless that is for programs. Where
/// games are kept, they are worth playing even if nobody reads it. Returns how many games are there.
fn announce(args: &Duel, plan: &Plan, store: &Writer, is_kept: bool) -> Result<u64, Failure> {
    let Plan { schedule, charter, .. } = plan;
    let (pairings, games, asked) =
        (schedule.groups().len(), schedule.games_per_group(), charter.games);
    let s = if pairings == 1 { "" } else { "s" };
    let (pairing, what) = match charter.seats {
        1 => (format!("player{s}"), "instances"),
        2 => (format!("pairing{s}"), "games"),
        seats => (format!("group{s} of {seats}"), "games"),
    };
    let most = if charter.sprt.is_some() { "at most " } else { "" };
    let mut line =
        format!("{pairings} {pairing} x {most}{games} {what}, seed {}\n", schedule.seed());
    if games != asked {
        line += &format!(
            "({asked} rounded up to {games}, so that each player has each seat equally often)\n"
        );
    }
    let done = store.archive().count()?;
    if done > 0 {
        line += &format!("({done} of these are in {})\n", store.archive().path().display());
    }
    if args.json || args.events {
        eprint!("{line}");
        return Ok(done);
    }
    match print(&line) {
        Err(Failure::BrokenPipe) if is_kept => Ok(done),
        printed => printed.map(|_| done),
    }
}

/// Each running program takes four descriptors, and a few more while it starts.
pub fn make_room_for_descriptors(concurrency: usize) {
    let needed = 64 + 16 * concurrency as u64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, ..limit }) {
            log::warn!("there may be too few descriptors for so many games at once: {error}");
        }
    }
}

fn listen(stop: &Stop, herd: &Herd, progress: &Progress, db: Option<&str>) -> io::Result<Listener> {
    let (first, second) = (progress.clone(), progress.clone());
    let kept = match db {
        Some(path) => {
            format!("stopped; the games that were counted are in {path}, and --resume goes on")
        }
        None => "stopped".into(),
    };
    Listener::start(
        stop.clone(),
        herd.clone(),
        move || first.say("finishing the games that run; once more to stop at once"),
        move || second.end_with(&kept),
    )
}

fn show(args: &Duel, summary: &Summary, tally: &Tally) -> Result<(), Failure> {
    let text = table::text(summary, tally);
    let kept = summary.db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
    match (args.json, args.events) {
        (true, _) => {
            print_json(summary)?;
            eprint!("{kept}");
        }
        (false, true) => eprint!("{text}{kept}"),
        (false, false) => drop(print(&(text + &kept))?),
    }
    Ok(())
}

fn conclude(
    args: &Duel,
    summary: &Summary,
    contestants: &[Contestant],
) -> Result<ExitCode, Failure> {
    let absent = contestants.iter().find_map(|who| Some((who, who.given_up()?)));
    if let Some((who, why)) = absent {
        return Err(Failure::Player(format!("{} could not be started: {why}", who.party.name)));
    }
    if summary.void > 0 {
        let message = "a player could not be started in every game; --resume plays what is missing";
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
