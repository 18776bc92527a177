//! A stored game played again with programs: `referee rerun GAME`.

use super::args::Rerun;
use super::charter::{party, unique};
use super::failure::Failure;
use super::limits::Limits;
use super::match_file;
use super::output::{print, print_json};
use super::plan::Plan;
use super::records::{find, transcript_of};
use crate::config::command::Spec;
use crate::config::{Charter, Party};
use crate::escape::printable;
use crate::pairing::schedule::Fixture;
use crate::play::record::Record;
use crate::player::process_group::Herd;
use crate::report::game::GameDocument;
use crate::report::transcript::Boards;
use crate::tournament::interrupt::{Listener, Stop};
use serde::Serialize;
use std::process::ExitCode;

/// A game that was played again, and whether it went as before.
#[derive(Serialize)]
struct Again<'a> {
    #[serde(flatten)]
    game: GameDocument<'a>,
    /// The first ply at which it went otherwise; nothing if it is the same game.
    differs_at: Option<usize>,
}

/// Plays a game again.
pub fn run(args: &Rerun) -> Result<ExitCode, Failure> {
    let archive = match_file::open(args.stored.db.as_deref())?;
    let before = find(&archive, args.game)?;
    let charter = at_this_table(archive.charter(), &before, &args.replace)?;
    let plan = Plan::new(charter, Some(1))?;
    let mut versions = plan.versions();
    let replaced = |name: &String| !archive.charter().names().contains(&name.as_str());
    versions.retain(|name, _| !replaced(name));
    match_file::warn_of_changes(&archive, &versions)?;
    let players = (0..plan.contestants.len()).collect();
    let now = play(&plan, Fixture { players, ..before.fixture.clone() })?;
    let differs_at = difference(&before, &now);
    if args.json {
        let game = GameDocument::new(&now, &plan.charter, true);
        print_json(&Again { game, differs_at })?;
    } else {
        let boards = if args.brief { Boards::None } else { Boards::All };
        let text = transcript_of(&now, &plan.charter, boards).map_err(Failure::usage)?;
        print(&(text + &verdict(&before, &now, differs_at)))?;
    }
    match plan.contestants.iter().find_map(|who| Some((who, who.given_up()?))) {
        None => Ok(ExitCode::SUCCESS),
        Some((who, why)) => {
            Err(Failure::Player(format!("{} could not be started: {why}", who.party.name)))
        }
    }
}

/// The charter of this one game: its players by seat, some of them replaced.
fn at_this_table(
    charter: &Charter,
    record: &Record,
    replacements: &[(usize, String)],
) -> Result<Charter, Failure> {
    let seated = record.fixture.players.iter().map(|&player| charter.players[player].clone());
    let mut players: Vec<Party> = seated.collect();
    for (seat, words) in replacements {
        let seats = players.len();
        let missing =
            || Failure::Usage(format!("the game has seats 0 to {}, not {seat}", seats - 1));
        let old = players.get(*seat).ok_or_else(missing)?;
        let mut new = replacement(old, words)?;
        let others = players.iter().enumerate().filter(|(other, _)| other != seat);
        let mut taken = others.map(|(_, party)| party.name.clone()).collect();
        new.name = unique(&new.name, &mut taken);
        players[*seat] = new;
    }
    Ok(Charter { players, ..charter.clone() })
}

/// Who sits down instead: with the limits and the dialect of the old player, unless its own words
/// say otherwise.
fn replacement(old: &Party, words: &str) -> Result<Party, Failure> {
    let spec = Spec::parse(words).map_err(Failure::usage)?;
    let new = party(&spec, &old.dialect, &Limits::default(), spec.name.clone())?;
    let terms = Limits::parse_words(&spec.terms)?.on(old.terms.clone())?;
    Ok(Party { terms, ..new })
}

fn play(plan: &Plan, fixture: Fixture) -> Result<Record, Failure> {
    let (stop, herd) = (Stop::default(), Herd::default());
    let finishing = || eprintln!("finishing the game; once more to stop at once");
    let _listener = Listener::start(stop.clone(), herd.clone(), finishing, || {})?;
    Ok(plan.tournament(true, &herd, &stop).play_one(fixture))
}

/// The first ply at which two games differ, if they do.
fn difference(before: &Record, now: &Record) -> Option<usize> {
    let moves =
        |of: &Record| -> Vec<String> { of.played.plies.iter().map(|ply| ply.mv.clone()).collect() };
    let (before_moves, now_moves) = (moves(before), moves(now));
    let alike = before_moves.iter().zip(&now_moves).take_while(|(a, b)| a == b).count();
    let is_same = before_moves == now_moves && before.played.outcome == now.played.outcome;
    (!is_same).then_some(alike)
}

fn verdict(before: &Record, now: &Record, differs_at: Option<usize>) -> String {
    let Some(ply) = differs_at else { return "the same game as before, move for move\n".into() };
    let at = |of: &Record| match of.played.plies.get(ply) {
        Some(played) => format!("'{}'", printable(&played.mv)),
        None => match of.played.faults.first() {
            Some(story) => story.fault.word().into(),
            None => "the end".into(),
        },
    };
    format!("another game than before from move {}: {}, not {}\n", ply + 1, at(now), at(before))
}
