//! A match: `referee A B`.

use super::args::Duel;
use super::failure::Failure;
use super::output::{print, print_json};
use super::plan::Plan;
use crate::referee::interrupt::{Listener, Stop, INTERRUPTED};
use crate::referee::player::herd::Herd;
use crate::referee::report::events::GameEvent;
use crate::referee::report::progress::Progress;
use crate::referee::report::summary::{score_so_far, Circumstances, Summary};
use crate::referee::report::table;
use crate::referee::tally::Tally;
use crate::referee::tournament::{Contestant, Tournament};
use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use std::io;
use std::process::ExitCode;
use std::time::Instant;

/// Plays the match that the words describe.
pub fn run(args: &Duel) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args)?;
    announce(args, &plan)?;
    let begun = Instant::now();
    let Some(tally) = play(args, &plan)? else { return Ok(ExitCode::from(INTERRUPTED)) };
    let summary = Summary::new(
        &tally,
        Circumstances {
            game: plan.game.meta().name,
            rules: plan.game.rules(),
            seed: plan.schedule.seed(),
            asked: plan.schedule.games(),
            duration: begun.elapsed(),
            openings_ran_out: plan.openings.ran_out_after(),
            contestants: &plan.contestants,
        },
    );
    show(args, &summary, &tally, &plan.contestants)?;
    conclude(&summary, &plan.contestants)
}

/// Plays all games, or those until somebody asks to stop; nothing, if that was to be at once.
fn play(args: &Duel, plan: &Plan) -> Result<Option<Tally>, Failure> {
    make_room_for_descriptors(plan);
    let (stop, herd) = (Stop::default(), Herd::default());
    let progress = Progress::new(plan.schedule.games(), !plan.with_a_person);
    let _listener = listen(&stop, &herd, &progress)?;
    let tournament = Tournament {
        game: &*plan.game,
        contestants: &plan.contestants,
        schedule: &plan.schedule,
        openings: &plan.openings,
        concurrency: plan.concurrency,
        pinned: !args.no_pin,
        herd: &herd,
        stop: &stop,
    };
    let mut unread = None;
    let tally = tournament.run(|record, tally| {
        progress.game(score_so_far(tally, &plan.contestants));
        if args.events && unread.is_none() {
            unread = print_json(&GameEvent::new(record, &plan.contestants)).err();
            if unread.is_some() {
                stop.request();
            }
        }
    });
    progress.finish();
    unread.map_or(Ok(()), Err)?;
    Ok(Some(tally).filter(|_| !stop.at_once()))
}

/// Says what will be played: the first line of standard output, unless that is for programs.
fn announce(args: &Duel, plan: &Plan) -> Result<(), Failure> {
    let Plan { schedule, asked, .. } = plan;
    let (pairings, games) = (schedule.groups().len(), schedule.games_per_group());
    let s = if pairings == 1 { "" } else { "s" };
    let mut line = format!("{pairings} pairing{s} x {games} games, seed {}\n", schedule.seed());
    if games != *asked {
        line += &format!(
            "({asked} rounded up to {games}, so that each player has each seat equally often)\n"
        );
    }
    if args.json || args.events {
        eprint!("{line}");
        Ok(())
    } else {
        print(&line).map(drop)
    }
}

/// Each running program takes four descriptors, and a few more while it starts.
fn make_room_for_descriptors(plan: &Plan) {
    let needed = 64 + 16 * plan.concurrency as u64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, ..limit }) {
            log::warn!("there may be too few descriptors for so many games at once: {error}");
        }
    }
}

fn listen(stop: &Stop, herd: &Herd, progress: &Progress) -> io::Result<Listener> {
    let progress = progress.clone();
    Listener::start(stop.clone(), herd.clone(), move || {
        progress.say("finishing the games that run; once more to stop at once");
    })
}

fn show(
    args: &Duel,
    summary: &Summary,
    tally: &Tally,
    contestants: &[Contestant],
) -> Result<(), Failure> {
    let text = table::text(summary, tally, contestants);
    match (args.json, args.events) {
        (true, _) => print_json(summary)?,
        (false, true) => {
            eprint!("{text}");
            ExitCode::SUCCESS
        }
        (false, false) => print(&text)?,
    };
    Ok(())
}

fn conclude(summary: &Summary, contestants: &[Contestant]) -> Result<ExitCode, Failure> {
    let absent = contestants.iter().find_map(|who| Some((who, who.given_up()?)));
    if let Some((who, why)) = absent {
        return Err(Failure::Player(format!("{} could not be started: {why}", who.name)));
    }
    Ok(if summary.complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}
