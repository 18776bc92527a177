//! A match: `referee A B`.

use super::args::Duel;
use super::failure::Failure;
use super::limits::Limits;
use super::output::{print, print_json};
use crate::bots;
use crate::game::{BadText, Meta};
use crate::referee::command::{Kind, Program, Spec};
use crate::referee::interrupt::{Listener, Stop, INTERRUPTED};
use crate::referee::openings::Openings;
use crate::referee::player::herd::Herd;
use crate::referee::registry::{self, Entry, Hosted, Tongue, DIALECTS, GAMES};
use crate::referee::report::events::GameEvent;
use crate::referee::report::progress::Progress;
use crate::referee::report::summary::{score_so_far, Circumstances, Summary};
use crate::referee::report::table;
use crate::referee::schedule::Schedule;
use crate::referee::tally::Tally;
use crate::referee::terms::{defaults, Terms};
use crate::referee::tournament::{Contestant, Source, Tournament};
use crate::text::unknown;
use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Plays the match that the words describe.
pub fn run(args: &Duel) -> Result<ExitCode, Failure> {
    let specs: Result<Vec<Spec>, BadText> =
        args.players.iter().map(|text| Spec::parse(text)).collect();
    let specs = specs.map_err(Failure::usage)?;
    let a_person_plays = specs.iter().any(|spec| spec.kind == Kind::Human);
    let entry = choose_game(args.game.as_deref(), &specs)?;
    let game = (entry.open)(&args.rules).map_err(Failure::usage)?;
    let seats = choose_seats(args.seats, specs.len(), &entry.meta)?;
    let contestants = contestants(&specs, args)?;

    // Short enough to be read out, and exact in every JSON reader.
    let seed = args.seed.unwrap_or_else(|| rand::random::<u32>().into());
    let games = args.games.unwrap_or(if a_person_plays { 2 } else { defaults::GAMES });
    let schedule = Schedule::new(specs.len(), seats, games, seed);
    let plies = if a_person_plays { 0 } else { entry.opening_plies };
    let openings = choose_openings(args.openings.as_deref(), plies, &*game, &schedule)?;
    announce(args, games, &schedule)?;

    let (stop, herd) = (Stop::default(), Herd::default());
    let progress = Progress::new(schedule.games(), !a_person_plays);
    let _listener = listen(&stop, &herd, &progress)?;
    let concurrency = if a_person_plays { 1 } else { concurrency(args.concurrency) };
    let tournament = Tournament {
        game: &*game,
        contestants: &contestants,
        schedule: &schedule,
        openings: &openings,
        concurrency,
        pinned: !args.no_pin,
        herd: &herd,
        stop: &stop,
    };
    let begun = Instant::now();
    let mut broken_pipe = None;
    let tally = tournament.run(|record, tally| {
        progress.game(score_so_far(tally, &contestants));
        if args.events && broken_pipe.is_none() {
            broken_pipe = print_json(&GameEvent::new(record, &contestants)).err();
            stop_if(broken_pipe.is_some(), &stop);
        }
    });
    progress.finish();
    if stop.at_once() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(failure) = broken_pipe {
        return Err(failure);
    }
    let summary = Summary::new(
        &tally,
        Circumstances {
            game: entry.meta.name,
            rules: game.rules(),
            seed,
            asked: schedule.games(),
            duration: begun.elapsed(),
            openings_ran_out: openings.ran_out_after(),
            contestants: &contestants,
        },
    );
    show(args, &summary, &tally, &contestants)?;
    conclude(&summary, &contestants)
}

fn stop_if(condition: bool, stop: &Stop) {
    if condition {
        stop.request();
    }
}

/// The game that was named, or the one that the bundled bots play.
fn choose_game(named: Option<&str>, specs: &[Spec]) -> Result<&'static Entry, Failure> {
    if let Some(name) = named {
        return registry::find(name).map_err(Failure::usage);
    }
    let mut bundled = specs.iter().filter_map(|spec| match &spec.kind {
        Kind::Bundled(name, _) => Some(name.as_str()),
        _ => None,
    });
    let Some(first) = bundled.next() else {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.meta.name).collect();
        let names = crate::text::alternatives(&names);
        return Err(Failure::Usage(format!("which game? say --game {names}")));
    };
    if let Some(other) = bundled.find(|other| *other != first) {
        return Err(Failure::Usage(format!("{first} and {other} play different games")));
    }
    registry::find(first).map_err(Failure::usage)
}

fn choose_seats(asked: Option<usize>, players: usize, meta: &Meta) -> Result<usize, Failure> {
    let (fewest, most) = meta.seats;
    let seats = asked.unwrap_or(if (fewest..=most).contains(&players) { players } else { 2 });
    let allowed = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
    if !(fewest..=most).contains(&seats) {
        return Err(Failure::Usage(format!("{} has {allowed} seats, not {seats}", meta.name)));
    }
    if players < seats {
        let message = format!("{} needs {seats} players, not {players}", meta.name);
        return Err(Failure::Usage(message));
    }
    Ok(seats)
}

/// The players, each with a name of its own.
fn contestants(specs: &[Spec], args: &Duel) -> Result<Vec<Contestant>, Failure> {
    let common = known_dialect(&args.dialect)?;
    let mut taken = HashSet::new();
    specs.iter().map(|spec| contestant(spec, args, common, &mut taken)).collect()
}

fn contestant(
    spec: &Spec,
    args: &Duel,
    common: &'static str,
    taken: &mut HashSet<String>,
) -> Result<Contestant, Failure> {
    let dialect = spec.dialect.as_deref().map_or(Ok(common), known_dialect)?;
    let is_person = spec.kind == Kind::Human;
    let terms = if is_person { Terms::untimed() } else { args.limits.on(Terms::default()) };
    let terms = Limits::parse_words(&spec.terms)?.on(terms);
    let tongue = match is_person {
        true => Tongue::Person { colour: colours() },
        false => Tongue::Dialect(dialect),
    };
    let source = match &spec.kind {
        Kind::Human => Source::Person,
        Kind::Bundled(name, arguments) => {
            bots::find(name)
                .expect("the words were compared")
                .console(arguments)
                .map_err(Failure::usage)?;
            Source::Bundled(Program::bundled(Path::new("/proc/self/exe"), name, arguments))
        }
        Kind::External(words) => {
            let program = Program::find(words).map_err(|why| Failure::Player(why.to_string()))?;
            Source::Program(program)
        }
    };
    let name = unique(&spec.name, taken);
    Ok(Contestant::new(name, spec.command.clone(), source, terms, tongue))
}

fn known_dialect(name: &str) -> Result<&'static str, Failure> {
    let found = DIALECTS.iter().find(|known| **known == name);
    found.copied().ok_or_else(|| Failure::usage(unknown("dialect", name, DIALECTS.iter().copied())))
}

/// The name, or the name with `-2`, `-3` and so on if it is taken.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).expect("there is always another number");
    taken.insert(free.clone());
    free
}

/// Colours are shown on a terminal unless NO_COLOR says otherwise (see no-color.org).
fn colours() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !refused && !dumb
}

/// Openings of so many plies, or the lines of a file.
fn choose_openings(
    asked: Option<&str>,
    default_plies: usize,
    game: &dyn Hosted,
    schedule: &Schedule,
) -> Result<Openings, Failure> {
    let drawn = |plies| Openings::drawn(game, plies, schedule.openings_rng());
    let openings = match asked.map(|text| (text, text.parse::<usize>())) {
        None => drawn(default_plies),
        Some((_, Ok(plies))) => drawn(plies),
        Some((file, Err(_))) => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                Failure::Data(format!(
                    "--openings takes a number of plies or a file: {file}: {error}"
                ))
            })?;
            let openings = Openings::from_lines(game, &text);
            openings.map_err(|why| Failure::Data(format!("{file}: {why}")))?
        }
    };
    if openings.is_empty() {
        return Err(Failure::Usage("there is no opening of that length".into()));
    }
    Ok(openings)
}

fn concurrency(asked: Option<u16>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(if processors > 2 { processors - 1 } else { processors }, usize::from)
}

/// Says what will be played: the first line of standard output, unless that is for programs.
fn announce(args: &Duel, asked: u64, schedule: &Schedule) -> Result<(), Failure> {
    let (pairings, games) = (schedule.groups().len(), schedule.games_per_group());
    let s = if pairings == 1 { "" } else { "s" };
    let mut line = format!("{pairings} pairing{s} x {games} games, seed {}\n", schedule.seed());
    if games != asked {
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
