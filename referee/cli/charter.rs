//! From the words of a match to what is agreed.

use super::args::Duel;
use super::failure::Failure;
use super::limits::Limits;
use crate::config::command::{Kind, Spec};
use crate::config::limits::{defaults, Terms};
use crate::config::{Charter, OpeningSource, Party};
use crate::pairing::openings::read_setups;
use crate::registry::{self, Entry, Hosted, Speech, GAMES};
use arbitre_games::game::{Meta, ParseError};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};

/// The charter that the words describe. `seed` and `games` stand where they name none; without
/// `games`, the default does.
///
/// # Errors
/// If they describe none, or the file of openings cannot be used.
pub fn read(args: &Duel, seed: u64, games: Option<u64>) -> Result<Charter, Failure> {
    let specs: Result<Vec<Spec>, ParseError> =
        args.players.iter().map(|text| Spec::parse(text)).collect();
    let specs = specs.map_err(Failure::usage)?;
    let with_a_person = specs.iter().any(|spec| spec.kind == Kind::Human);
    let entry = choose_game(args.game.as_deref(), &specs)?;
    let game = (entry.open)(&args.rules).map_err(Failure::usage)?;
    let seats = choose_seats(args.seats, specs.len(), &entry.meta)?;
    let players = parties(&specs, args)?;
    let blind = check_dialects(entry, seats, &players)?;
    let games = args.games.or(games).unwrap_or(match (with_a_person, args.sprt) {
        (true, _) => 2,
        (false, Some(_)) => defaults::GAMES_OF_A_TEST,
        (false, None) => defaults::GAMES,
    });
    if args.sprt.is_some() && (specs.len(), seats) != (2, 2) {
        return Err(Failure::Usage("--sprt compares two players, and no more".into()));
    }
    let plies = if with_a_person { 0 } else { entry.opening_plies };
    let openings = match blind {
        None => choose_openings(args.openings.as_deref(), entry, plies, &*game, seats)?,
        Some(dialect) => {
            eprintln!("note: {dialect} cannot tell an opening, so all games begin at the start");
            OpeningSource::Drawn(0)
        }
    };
    let rules = game.rules();
    let (game, seed) = (entry.meta.name.to_owned(), args.seed.unwrap_or(seed));
    Ok(Charter { game, rules, seats, games, seed, openings, players, sprt: args.sprt })
}

/// Checks that the game is spoken as its players do, at a table of this size. Returns a dialect that cannot tell openings, if
/// one of them has such a one.
fn check_dialects<'a>(
    entry: &Entry,
    seats: usize,
    players: &'a [Party],
) -> Result<Option<&'a str>, Failure> {
    let dialects = || {
        let dialects = players.iter().map(|party| party.dialect.as_str());
        dialects.filter(|dialect| *dialect != Speech::PERSON)
    };
    dialects().try_for_each(|dialect| entry.check_dialect(dialect)).map_err(Failure::usage)?;
    if let Some(dialect) = dialects().find(|dialect| seats > 2 && registry::is_for_two(dialect)) {
        let message =
            format!("{dialect} is spoken between two players, not {seats}: say --seats 2");
        return Err(Failure::Usage(message));
    }
    Ok(dialects().find(|dialect| entry.cannot_tell_openings(dialect)))
}

/// The game that was named, or the one that the bundled bots play.
///
/// # Errors
/// If there is no such game, the bots play different ones, or nobody says which.
pub fn choose_game(named: Option<&str>, specs: &[Spec]) -> Result<&'static Entry, Failure> {
    if let Some(name) = named {
        return registry::find(name).map_err(Failure::usage);
    }
    let mut bundled = specs.iter().filter_map(|spec| match &spec.kind {
        Kind::Bundled(name, _) => Some(name.as_str()),
        _ => None,
    });
    let Some(first) = bundled.next() else {
        let names: Vec<&str> = GAMES.iter().map(|entry| entry.meta.name).collect();
        let names = arbitre_games::text::alternatives(&names);
        return Err(Failure::Usage(format!("which game? say --game {names}")));
    };
    if let Some(other) = bundled.find(|other| *other != first) {
        return Err(Failure::Usage(format!("{first} and {other} play different games")));
    }
    registry::find(first).map_err(Failure::usage)
}

fn choose_seats(asked: Option<usize>, players: usize, meta: &Meta) -> Result<usize, Failure> {
    let (fewest, most) = meta.seats;
    let usual = if (fewest..=most).contains(&players) { players } else { 2.clamp(fewest, most) };
    let seats = asked.unwrap_or(usual);
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
fn parties(specs: &[Spec], args: &Duel) -> Result<Vec<Party>, Failure> {
    let mut taken = HashSet::new();
    specs
        .iter()
        .map(|spec| party(spec, &args.dialect, &args.limits, unique(&spec.name, &mut taken)))
        .collect()
}

/// A player with the limits and the dialect that all have, unless its own words say otherwise.
///
/// # Errors
/// If a limit or the dialect is unknown, or a person is given limits.
pub fn party(spec: &Spec, dialect: &str, limits: &Limits, name: String) -> Result<Party, Failure> {
    let is_person = spec.kind == Kind::Human;
    if is_person && !spec.terms.is_empty() {
        return Err(Failure::Usage("a person has no clock: leave the limits out".into()));
    }
    let terms = if is_person { Terms::untimed() } else { limits.on(Terms::default())? };
    let terms = Limits::parse_words(&spec.terms)?.on(terms)?;
    let dialect = spec.dialect.as_deref().unwrap_or(dialect);
    Speech::of(dialect).map_err(Failure::usage)?;
    let dialect = if is_person { Speech::PERSON } else { dialect }.to_owned();
    Ok(Party { name, command: spec.command.clone(), dialect, terms })
}

/// The name, or the name with `-2`, `-3` and so on if it is taken.
pub fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).expect("there is always another number");
    taken.insert(free.clone());
    free
}

/// Openings of so many plies, or the lines of a file.
fn choose_openings(
    asked: Option<&str>,
    entry: &Entry,
    default_plies: usize,
    game: &dyn Hosted,
    seats: usize,
) -> Result<OpeningSource, Failure> {
    match asked.map(|text| (text, text.parse::<usize>())) {
        None => Ok(OpeningSource::Drawn(default_plies)),
        Some((_, Ok(plies))) if plies > 0 && entry.opening_plies == 0 => {
            let name = entry.meta.name;
            Err(Failure::Usage(format!(
                "{name} has no openings, its starts are drawn: leave --openings {plies} out, or name a \
                 file of starts"
            )))
        }
        Some((_, Ok(plies))) => Ok(OpeningSource::Drawn(plies)),
        Some((file, Err(_))) => {
            let text = read_limited(file).map_err(|error| {
                Failure::Data(format!(
                    "--openings takes a number of plies or a file: {file}: {error}"
                ))
            })?;
            let setups = read_setups(game, seats, &text);
            Ok(OpeningSource::Listed(
                setups.map_err(|why| Failure::Data(format!("{file}: {why}")))?,
            ))
        }
    }
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
