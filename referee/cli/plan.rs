//! From the words of a match to the plan of it.

use super::args::Duel;
use super::failure::Failure;
use super::limits::Limits;
use crate::bots;
use crate::game::{BadText, Meta};
use crate::referee::command::{Kind, Program, Spec};
use crate::referee::openings::Openings;
use crate::referee::registry::{self, Entry, Hosted, Tongue, DIALECTS, GAMES};
use crate::referee::schedule::Schedule;
use crate::referee::terms::{defaults, Terms};
use crate::referee::tournament::{Contestant, Source};
use crate::text::unknown;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// A match that can be played.
pub struct Plan {
    /// The game with its options.
    pub game: Box<dyn Hosted>,
    /// The players.
    pub contestants: Vec<Contestant>,
    /// Who meets whom, when.
    pub schedule: Schedule,
    /// What the rounds start from.
    pub openings: Openings,
    /// Games per pairing, before rounding.
    pub asked: u64,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Does a person sit at the terminal?
    pub with_a_person: bool,
}

impl Plan {
    /// The plan that the words describe.
    ///
    /// # Errors
    /// If they describe none, or a program or file that they name cannot be used.
    pub fn new(args: &Duel) -> Result<Plan, Failure> {
        let specs: Result<Vec<Spec>, BadText> =
            args.players.iter().map(|text| Spec::parse(text)).collect();
        let specs = specs.map_err(Failure::usage)?;
        let with_a_person = specs.iter().any(|spec| spec.kind == Kind::Human);
        let entry = choose_game(args.game.as_deref(), &specs)?;
        let game = (entry.open)(&args.rules).map_err(Failure::usage)?;
        let seats = choose_seats(args.seats, specs.len(), &entry.meta)?;
        let contestants = contestants(&specs, args)?;
        let asked = args.games.unwrap_or(if with_a_person { 2 } else { defaults::GAMES });
        // Short enough to be read out, and exact in every JSON reader.
        let seed = args.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let schedule = Schedule::new(specs.len(), seats, asked, seed);
        let plies = if with_a_person { 0 } else { entry.opening_plies };
        let openings = choose_openings(args.openings.as_deref(), plies, &*game, &schedule)?;
        let concurrency = if with_a_person { 1 } else { concurrency(args.concurrency) };
        let concurrency = concurrency.min(usize::try_from(schedule.games()).unwrap_or(usize::MAX));
        Ok(Plan { game, contestants, schedule, openings, asked, concurrency, with_a_person })
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
    if is_person && !spec.terms.is_empty() {
        return Err(Failure::Usage("a person has no clock: leave the limits out".into()));
    }
    let terms = if is_person { Terms::untimed() } else { args.limits.on(Terms::default())? };
    let terms = Limits::parse_words(&spec.terms)?.on(terms)?;
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
            let text = read_limited(file).map_err(|error| {
                Failure::Data(format!(
                    "--openings takes a number of plies or a file: {file}: {error}"
                ))
            })?;
            let openings = Openings::from_lines(game, &text);
            openings.map_err(|why| Failure::Data(format!("{file}: {why}")))?
        }
    };
    if openings.is_empty() {
        let plies = asked.map_or(default_plies.to_string(), str::to_owned);
        let message =
            format!("there is no opening of {plies} plies under these rules: try --openings 0");
        return Err(Failure::Usage(message));
    }
    Ok(openings)
}

/// The text of a file that is no larger than any list of openings.
fn read_limited(file: &str) -> io::Result<String> {
    const LIMIT: u64 = 64 << 20;
    let mut text = String::new();
    File::open(file)?.take(LIMIT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LIMIT {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    Ok(text)
}

fn concurrency(asked: Option<u16>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or(if processors > 2 { processors - 1 } else { processors }, usize::from)
}
