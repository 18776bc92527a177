//! The bracket of a knockout for people and programs: a list of its rounds.

use super::markdown::cell;
use super::summary::Summary;
use super::{rounded, shortened};
use crate::escape::escape;
use crate::formats::bracket::{Bracket, BracketMeeting, BracketRound, Decision, Side};
use arbitre_games::text::{join, word_of};
use comfy_table::{presets, CellAlignment, Table};
use serde::Serialize;
use std::fmt::Write;

/// Largest number of characters of a name. Two of them and their points then fit [`WIDEST_LINE`].
const WIDEST_NAME: usize = 30;
/// Largest number of columns of a list of players. A terminal has 80.
const WIDEST_LINE: usize = 80;

/// Bracket in the standings.
#[derive(Serialize)]
pub struct BracketDocument<'a> {
    rounds: Vec<RoundDocument<'a>>,
    winner: Option<&'a str>,
}

#[derive(Serialize)]
struct RoundDocument<'a> {
    round: usize,
    meetings: Vec<MeetingDocument<'a>>,
    byes: Vec<ByeDocument<'a>>,
    absent: Vec<&'a str>,
}

#[derive(Serialize)]
struct MeetingDocument<'a> {
    side: &'static str,
    players: Vec<PlayerDocument<'a>>,
    tie_breaks: u64,
    decision: Option<&'static str>,
}

#[derive(Serialize)]
struct PlayerDocument<'a> {
    name: &'a str,
    points: f64,
    /// Whether it goes on, or won a last meeting; `None` while that is open.
    advances: Option<bool>,
}

#[derive(Serialize)]
struct ByeDocument<'a> {
    side: &'static str,
    name: &'a str,
}

/// Returns the bracket as a document; `None` if the format has none.
pub fn document(summary: &Summary) -> Option<BracketDocument<'_>> {
    let name = |player: usize| summary.players[player].name.as_str();
    let side = |side: Side| word_of(side, &Side::WORDS);
    let meeting = |of: &BracketMeeting| MeetingDocument {
        side: side(of.side),
        players: (of.players.iter().enumerate())
            .map(|(place, seat)| PlayerDocument {
                name: name(seat.player),
                points: points(seat.half_points, summary),
                advances: of.decision.map(|_| place < of.advancing),
            })
            .collect(),
        tie_breaks: of.tie_breaks,
        decision: of.decision.map(|decision| word_of(decision, &Decision::WORDS)),
    };
    let round = |(number, of): (usize, &BracketRound)| RoundDocument {
        round: number + 1,
        meetings: of.meetings.iter().map(meeting).collect(),
        byes: (of.byes.iter())
            .map(|&(player, of)| ByeDocument { side: side(of), name: name(player) })
            .collect(),
        absent: of.absent.iter().map(|&player| name(player)).collect(),
    };
    let Bracket { rounds, winner } = summary.bracket.as_ref()?;
    let rounds = rounds.iter().enumerate().map(round).collect();
    Some(BracketDocument { rounds, winner: winner.map(name) })
}

/// Returns the bracket for a terminal; nothing if the format has none.
pub fn text(summary: &Summary) -> String {
    let Some(bracket) = &summary.bracket else { return String::new() };
    let name = |player: usize| shortened(&escape(&summary.players[player].name), WIDEST_NAME);
    let names = |players: &mut dyn Iterator<Item = usize>| players.map(name).collect::<Vec<_>>();
    let mut text = "\nbracket:\n".to_owned();
    for (number, round) in bracket.rounds.iter().enumerate() {
        for (place, side) in sides(round).into_iter().enumerate() {
            let meetings: Vec<_> = round.meetings.iter().filter(|of| of.side == side).collect();
            let is_open = meetings.iter().any(|of| of.decision.is_none());
            let progress = if is_open { ", not complete" } else { "" };
            let _ = writeln!(text, "{}{progress}", title(number, side));
            text += &match summary.seats {
                2 => pairs(&meetings, summary, name),
                _ => tables(&meetings, summary, name),
            };
            for (label, decision) in [
                ("level after all tie-breaks, the better seed goes on", Decision::Seed),
                ("goes on, as another was absent from the tie-break", Decision::Absence),
            ] {
                let decided = meetings.iter().filter(|of| of.decision == Some(decision));
                let going = decided.flat_map(|of| of.players.iter().take(of.advancing));
                text += &list(label, names(&mut going.map(|of| of.player)));
            }
            let with_ties = meetings.iter().filter(|of| of.tie_breaks > 0);
            let told =
                with_ties.map(|of| format!("{} ({})", name(of.players[0].player), of.tie_breaks));
            text += &list("tie-breaks of", told.collect());
            let byes = round.byes.iter().filter(|(_, of)| *of == side);
            text += &list("bye", names(&mut byes.map(|(player, _)| *player)));
            if place == 0 {
                text += &list("out, as it was absent", names(&mut round.absent.iter().copied()));
            }
        }
    }
    text + &bracket.winner.map_or(String::new(), |player| format!("winner: {}\n", name(player)))
}

/// Returns the bracket as Markdown; nothing if the format has none.
pub fn markdown(summary: &Summary) -> String {
    let Some(bracket) = &summary.bracket else { return String::new() };
    let name = |player: usize| cell(&summary.players[player].name);
    let mut text =
        "\n## Bracket\n\n| round | players | points | note |\n|---|---|---|---|\n".to_owned();
    for (number, round) in bracket.rounds.iter().enumerate() {
        for side in sides(round) {
            let title = title(number, side);
            for meeting in round.meetings.iter().filter(|of| of.side == side) {
                let names = join(meeting.players.iter().map(|of| name(of.player)), " - ");
                let points = meeting.players.iter().map(|of| points(of.half_points, summary));
                let (points, note) = (join(points, " - "), note(meeting));
                let _ = writeln!(text, "| {title} | {names} | {points} | {note} |");
            }
            for (player, _) in round.byes.iter().filter(|(_, of)| *of == side) {
                let _ = writeln!(text, "| {title} | {} | | bye |", name(*player));
            }
        }
        for &player in &round.absent {
            let _ =
                writeln!(text, "| round {} | {} | | absent, and out |", number + 1, name(player));
        }
    }
    text + &bracket.winner.map_or(String::new(), |of| format!("\nWinner: {}.\n", name(of)))
}

fn points(half_points: u64, summary: &Summary) -> f64 {
    rounded(half_points as f64 / (2.0 * (summary.seats as f64 - 1.0)), 2)
}

/// Returns the sides of a round, in their order.
fn sides(round: &BracketRound) -> Vec<Side> {
    let meetings = round.meetings.iter().map(|of| of.side);
    let mut sides: Vec<Side> = meetings.chain(round.byes.iter().map(|(_, side)| *side)).collect();
    sides.sort_unstable();
    sides.dedup();
    match sides.is_empty() {
        // A round in which all opponents of the winner were absent.
        true => vec![Side::Main],
        false => sides,
    }
}

fn title(number: usize, side: Side) -> String {
    let what = match side {
        Side::Main => "",
        Side::Winners => ", winners' side",
        Side::Losers => ", losers' side",
        Side::Final => ", final",
        Side::ThirdPlace => ", third place",
    };
    format!("round {}{what}", number + 1)
}

/// Returns meetings of two as lines `ada  3 - 1  bea`, with `…` while a meeting is open.
fn pairs(
    meetings: &[&BracketMeeting],
    summary: &Summary,
    name: impl Fn(usize) -> String,
) -> String {
    let rows = meetings.iter().filter_map(|meeting| {
        let [one, other] = &meeting.players[..] else { return None };
        let [left, right] = [one, other].map(|of| points(of.half_points, summary).to_string());
        let sign = if meeting.decision.is_some() { "-" } else { "…" };
        Some(vec![name(one.player), left, sign.into(), right, name(other.player)])
    });
    lines(rows.collect(), 1)
}

/// Returns meetings of more players as a line for each of them, with a blank line between two.
fn tables(
    meetings: &[&BracketMeeting],
    summary: &Summary,
    name: impl Fn(usize) -> String,
) -> String {
    let mut rows = Vec::new();
    for (number, meeting) in meetings.iter().enumerate() {
        if number > 0 {
            rows.push(vec![String::new(); 3]);
        }
        rows.extend(meeting.players.iter().enumerate().map(|(place, of)| {
            let goes_on = match meeting.decision {
                Some(_) if place < meeting.advancing => "goes on",
                Some(_) => "",
                None => "…",
            };
            vec![name(of.player), points(of.half_points, summary).to_string(), goes_on.into()]
        }));
    }
    lines(rows, 1)
}

/// Returns rows as lines without borders. The column `right` is aligned to the right.
fn lines(rows: Vec<Vec<String>>, right: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.add_rows(rows);
    if let Some(column) = table.column_mut(right) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// Returns a labelled list, in lines of a terminal; nothing without items.
fn list(label: &str, items: Vec<String>) -> String {
    let mut text = format!("  {label}:");
    let mut width = text.chars().count();
    let last = items.len().saturating_sub(1);
    for (number, item) in items.iter().enumerate() {
        let item = if number < last { format!("{item},") } else { item.clone() };
        let own = 1 + item.chars().count();
        if width + own > WIDEST_LINE {
            text += "\n   ";
            width = 3;
        }
        text += &format!(" {item}");
        width += own;
    }
    match items.is_empty() {
        true => String::new(),
        false => text + "\n",
    }
}

/// Returns remarks on a meeting.
fn note(meeting: &BracketMeeting) -> String {
    let mut notes = Vec::new();
    match meeting.decision {
        None => notes.push("not complete".into()),
        Some(Decision::Points) => {}
        Some(Decision::Seed) => notes.push("level, the better seed goes on".into()),
        Some(Decision::Absence) => notes.push("decided by absence".into()),
    }
    match meeting.tie_breaks {
        0 => {}
        1 => notes.push("1 tie-break".into()),
        count => notes.push(format!("{count} tie-breaks")),
    }
    if meeting.players.len() > 2 && meeting.side == Side::Main {
        notes.push(format!("{} go on", meeting.advancing));
    }
    notes.join(", ")
}
