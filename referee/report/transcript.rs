//! A game for a person: move by move, with times, comments and the board.

use super::game::names;
use super::table::{ordinal, story_lines};
use crate::config::MatchConfig;
use crate::escape::escape;
use crate::play::record::Record;
use crate::play::{Played, Ply};
use crate::registry::drawing::{Step, View};
use crate::registry::DynGame;
use arbitre_games::game::{ParseError, Seat, Seats};
use std::fmt::Write;

/// What is shown of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// The position after each move.
    All,
    /// Moves alone.
    None,
    /// One position, after so many moves, and nothing else.
    After(usize),
}

/// The text.
///
/// # Errors
/// If the record does not fit the rules, or is shorter than the position that was asked for.
pub fn text(
    record: &Record,
    config: &MatchConfig,
    game: &dyn DynGame,
    boards: Boards,
    colour: bool,
) -> Result<String, ParseError> {
    let names: Vec<String> = names(record, config).into_iter().map(escape).collect();
    let steps = steps(&record.played);
    let pictures = || {
        let names = names.iter().map(String::as_str).collect();
        let view = View { seat: Seat::FIRST, colour, names };
        let bare: Vec<Step> = steps.iter().map(|(step, _)| *step).collect();
        game.pictures(&record.setup, &bare, &view)
    };
    match boards {
        Boards::After(plies) => picture_after(&steps, plies, pictures()?),
        Boards::All => Ok(whole(record, config, &names, &steps, Some(&pictures()?))),
        Boards::None => Ok(whole(record, config, &names, &steps, None)),
    }
}

/// What happened, in order; a move with its number, counted from 1.
fn steps(played: &Played) -> Vec<(Step<'_>, Option<usize>)> {
    let out_after = |plies: usize| {
        let stories = played.faults.iter().filter(|report| report.ply == plies);
        let seats: Seats = stories.map(|report| report.seat).collect();
        (!seats.is_empty()).then_some((Step::Eliminated(seats), None))
    };
    let mut steps: Vec<_> = out_after(0).into_iter().collect();
    for (i, ply) in played.plies.iter().enumerate() {
        steps.push((Step::Moved(ply.seat, &ply.mv), Some(i + 1)));
        steps.extend(out_after(i + 1));
    }
    steps
}

fn picture_after(
    steps: &[(Step, Option<usize>)],
    plies: usize,
    mut pictures: Vec<String>,
) -> Result<String, ParseError> {
    let step = match plies {
        0 => 0,
        _ => {
            1 + steps.iter().position(|(_, number)| *number == Some(plies)).ok_or_else(|| {
                let moves = steps.iter().filter(|(_, number)| number.is_some()).count();
                ParseError::new(format!(
                    "the game has {moves} moves, so there is no position after {plies}"
                ))
            })?
        }
    };
    Ok(pictures.swap_remove(step))
}

fn whole(
    record: &Record,
    config: &MatchConfig,
    names: &[String],
    steps: &[(Step, Option<usize>)],
    pictures: Option<&[String]>,
) -> String {
    let mut text = String::new();
    write_all(record, config, names, steps, pictures, &mut text)
        .expect("a string takes every line");
    text
}

fn write_all(
    record: &Record,
    config: &MatchConfig,
    names: &[String],
    steps: &[(Step, Option<usize>)],
    pictures: Option<&[String]>,
    text: &mut String,
) -> std::fmt::Result {
    let picture = |step: usize| pictures.map_or("", |pictures| &pictures[step]);
    write_head(record, config, names, text)?;
    text.push_str(picture(0));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (i, (step, number)) in steps.iter().enumerate() {
        match (step, number) {
            (Step::Moved(seat, _), Some(number)) => {
                let ply = &record.played.plies[number - 1];
                write_ply(*number, &names[seat.index()], width, ply, text)?;
            }
            _ => write_faults(record, names, step, text)?,
        }
        text.push_str(picture(i + 1));
    }
    writeln!(text, "{}", ending(record, names))
}

fn write_head(
    record: &Record,
    config: &MatchConfig,
    names: &[String],
    text: &mut String,
) -> std::fmt::Result {
    let (index, round) = (record.pairing.index, record.pairing.round);
    writeln!(text, "game {index} of {} ({}), round {round}", config.game, config.rules)?;
    for (seat, name) in names.iter().enumerate() {
        let player = &config.players[record.pairing.players[seat]];
        let start_report = record.played.start_reports.get(seat).and_then(Option::as_ref);
        let ready = start_report.and_then(|start_report| start_report.ready.as_deref());
        let ready = ready.map_or("never ready".into(), |line| format!("said '{}'", escape(line)));
        writeln!(text, "  seat {seat}: {name}  ({})  {ready}", escape(&player.command))?;
    }
    writeln!(text, "starts from {}\n", record.setup)
}

fn write_ply(
    number: usize,
    name: &str,
    width: usize,
    ply: &Ply,
    text: &mut String,
) -> std::fmt::Result {
    let millis = ply.spent.as_secs_f64() * 1000.0;
    let comment =
        ply.comment.as_deref().map_or(String::new(), |said| format!("  # {}", escape(said)));
    writeln!(text, "{number:>4}. {name:<width$}  {:<4} {millis:>9.3} ms{comment}", ply.mv)?;
    ply.stderr.lines().try_for_each(|line| writeln!(text, "      | {}", escape(line)))
}

fn write_faults(
    record: &Record,
    names: &[String],
    step: &Step,
    text: &mut String,
) -> std::fmt::Result {
    let Step::Eliminated(seats) = step else { return Ok(()) };
    let stories = record.played.faults.iter().filter(|report| seats.contains(report.seat));
    stories.into_iter().try_for_each(|report| {
        writeln!(text, "      {}: {}", names[report.seat.index()], report.fault.word())?;
        story_lines(report).iter().try_for_each(|line| writeln!(text, "        {line}"))
    })
}

fn ending(record: &Record, names: &[String]) -> String {
    let seconds = record.duration.as_secs_f64();
    let Some(outcome) = &record.played.outcome else {
        return "void: a player could not be started".into();
    };
    let scores: Vec<String> = outcome.scores.iter().map(i64::to_string).collect();
    let ranks = record.ranks().expect("it has an outcome");
    let verdict = match names.len() {
        2 => duel_verdict(&ranks, names),
        _ => places(&ranks, names),
    };
    format!("result {}: {verdict}, after {seconds:.3} s", scores.join(" "))
}

fn duel_verdict(ranks: &[usize], names: &[String]) -> String {
    match ranks {
        [1, 2] => format!("{} wins", names[0]),
        [2, 1] => format!("{} wins", names[1]),
        _ => "a draw".into(),
    }
}

/// Who came where: `1st c, 2nd a and d, 4th b`.
fn places(ranks: &[usize], names: &[String]) -> String {
    let at = |rank: usize| -> Vec<&str> {
        let here = ranks.iter().zip(names).filter(|(of, _)| **of == rank);
        here.map(|(_, name)| name.as_str()).collect()
    };
    let groups = (1..=ranks.len()).map(|rank| (rank, at(rank)));
    let taken = groups.filter(|(_, names)| !names.is_empty());
    let parts = taken.map(|(rank, names)| format!("{} {}", ordinal(rank), names.join(" and ")));
    parts.collect::<Vec<_>>().join(", ")
}
