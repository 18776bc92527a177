//! Facts on the page of a player: those of both of its forms.

use super::notes::PlayerNotes;
use super::steps::Step;
use crate::play::FaultReport;
use crate::report::summary::{PlayerSummary, Status, Summary};
use crate::report::table::{absence_lines, report_lines};
use crate::report::{counted, rounded};
use serde::Serialize;

/// Format of the document.
const FORMAT: u32 = 1;

/// Facts on a player.
#[derive(Serialize)]
pub struct PlayerPage<'a> {
    format: u32,
    /// Name of the player.
    pub name: &'a str,
    /// Name in the standings and on the pages of others, if it is another one.
    pub shown: Option<&'a str>,
    /// Title of the tournament.
    pub title: &'a str,
    /// Result, as sentences.
    pub result: String,
    /// Rating and times, in words.
    pub figures: Vec<String>,
    /// Reason why it plays no games.
    pub absence: Option<AbsenceFacts>,
    /// Next steps of its author.
    pub steps: Vec<Step>,
    /// Results by opponent, in the order of the standings.
    pub opponents: Vec<OpponentFacts<'a>>,
    /// Numbers and scores of its first solo games.
    pub instances: &'a [(u64, i64)],
    /// Number of solo games that are left out.
    pub more_instances: usize,
    /// Games to look at.
    pub games: Vec<GameFacts>,
    /// Data that it printed.
    pub data: Vec<DataFacts<'a>>,
    /// Number of faults by kind, in words; empty without faults.
    pub fault_kinds: String,
    /// First faults.
    pub faults: Vec<FaultFacts>,
    /// Number of faults that are left out.
    pub more_faults: usize,
    /// Numbers of the games with all positions, and the seat of the player in each.
    pub replays: Vec<(u64, usize)>,
}

/// Reason why a player plays no games.
#[derive(Serialize)]
pub struct AbsenceFacts {
    /// End of a sentence: `was withdrawn`.
    pub what: &'static str,
    /// Reason, as lines.
    pub lines: String,
}

/// Results against an opponent.
#[derive(Serialize)]
pub struct OpponentFacts<'a> {
    pub name: &'a str,
    pub games: u64,
    pub points: f64,
    pub percent: f64,
}

/// Game to look at.
#[derive(Serialize)]
pub struct GameFacts {
    /// Description: `the closest loss, by 3`.
    pub what: String,
    pub number: u64,
    /// Turn at which it is most interesting; `None` for the start.
    pub turn: Option<usize>,
    /// Reason why the page cannot show it.
    pub missing: Option<&'static str>,
}

/// Values of a key that it printed.
#[derive(Serialize)]
pub struct DataFacts<'a> {
    pub key: &'a str,
    pub games: u64,
    pub mean: String,
    pub last: &'a str,
}

/// Fault of the player.
#[derive(Serialize)]
pub struct FaultFacts {
    pub word: &'static str,
    pub number: u64,
    /// Number of plies before.
    pub ply: usize,
    /// Facts of it, as lines.
    pub lines: String,
}

impl<'a> PlayerPage<'a> {
    /// Collects the facts on the player `number`, without its next steps and its replays.
    pub fn new(
        number: usize,
        notes: Option<&'a PlayerNotes>,
        summary: &'a Summary,
        title: &'a str,
        shown: &'a [String],
    ) -> PlayerPage<'a> {
        let player = &summary.players[number];
        let (instances, all) = match notes {
            Some(PlayerNotes { instances: (first, all), .. }) => (&first[..], *all),
            None => (&[][..], 0),
        };
        let faults = notes.iter().flat_map(|notes| notes.faults.values());
        let faults: Vec<FaultFacts> = faults.map(|(game, report)| fault(*game, report)).collect();
        let fault_count = notes.map_or(0, |notes| notes.fault_count);
        PlayerPage {
            format: FORMAT,
            name: &player.name,
            shown: Some(&*shown[number]).filter(|shown| *shown != player.name),
            title,
            result: result(player, summary),
            figures: figures(player),
            absence: absence(player, summary),
            steps: Vec::new(),
            opponents: notes.map_or_else(Vec::new, |notes| opponents(notes, summary, shown)),
            instances,
            more_instances: all - instances.len(),
            games: notes.map_or_else(Vec::new, games),
            data: notes.map_or_else(Vec::new, data),
            fault_kinds: if fault_count > 0 { player.faults_text() } else { String::new() },
            more_faults: fault_count - faults.len(),
            faults,
            replays: Vec::new(),
        }
    }
}

/// Returns the result of a player, as sentences.
fn result(player: &PlayerSummary, summary: &Summary) -> String {
    let ranked = summary.players.iter().filter(|player| player.rank.is_some()).count();
    let Some(rank) = player.rank else {
        return match player.status {
            Some(Status::Struck) => "Not ranked: none of its games counts.".into(),
            Some(Status::Late) => "Not ranked: it joined when nothing more was paired.".into(),
            _ if player.games == 0 => "Not ranked: it played no game.".into(),
            _ => format!("Not ranked: it {}.", absence_words(player)),
        };
    };
    let mark = player.mark_text().map_or(String::new(), |mark| format!("Mark {mark} of 20. "));
    let (points, games) = (rounded(player.points, 2), counted(player.games, "game"));
    let point = if points == 1.0 { "point" } else { "points" };
    let solo = player.solo.map(|of| {
        format!(" Solved {} of {}, with a total of {}.", of.solved, player.games, of.total)
    });
    let percent = player.percent.filter(|_| player.solo.is_none());
    let percent = percent.map_or(String::new(), |percent| format!(", {percent:.0} %"));
    let byes = if player.has_bye_points() { ", with those of byes," } else { "" };
    let missing = if summary.complete { "" } else { " Not all games were played yet." };
    format!(
        "{mark}Rank {rank} of {ranked}: {points} {point}{byes} in {games}{percent}.{}{missing}",
        solo.unwrap_or_default()
    )
}

/// Returns the figures of a player that need an explanation.
fn figures(player: &PlayerSummary) -> Vec<String> {
    let rating = player.rating_text();
    let rating =
        rating.map(|rating| format!("rating {rating}: Elo above the players' mean, ± 95 %"));
    let time = player.time_ms.as_ref();
    let time = time.map(|of| format!("{:.1} ms per move, at most {:.1}", of.mean, of.max));
    rating.into_iter().chain(time).collect()
}

/// Returns what became of a player that plays no games, as the end of a sentence.
fn absence_words(player: &PlayerSummary) -> &'static str {
    match player.status {
        Some(Status::Struck | Status::Withdrawn) => "was withdrawn",
        _ if player.games > 0 => "plays no more games",
        _ => "could not be started",
    }
}

fn absence(player: &PlayerSummary, summary: &Summary) -> Option<AbsenceFacts> {
    let why = player.not_started.as_ref()?;
    let what = absence_words(player);
    let report = summary.not_started.get(&player.name).map(absence_lines);
    let lines = report.map_or_else(|| why.clone(), |lines| lines.join("\n"));
    Some(AbsenceFacts { what, lines })
}

fn opponents<'a>(
    notes: &PlayerNotes,
    summary: &Summary,
    shown: &'a [String],
) -> Vec<OpponentFacts<'a>> {
    // The order of the players says which of them is which number.
    let ordered = summary.order().into_iter().filter_map(|number| {
        // No game against a struck player counts.
        let is_struck = summary.players[number].status == Some(Status::Struck);
        let against = notes.against.get(&number).filter(|_| !is_struck)?;
        let percent = (100.0 * against.share()).round();
        let (games, points) = (against.count(), against.points());
        Some(OpponentFacts { name: &shown[number], games, points, percent })
    });
    ordered.collect()
}

fn games(notes: &PlayerNotes) -> Vec<GameFacts> {
    let mut games: Vec<GameFacts> = Vec::new();
    let mut add = |what, number, turn| match games.iter_mut().find(|of| of.number == number) {
        Some(known) => {
            known.what += &format!(", and {what}");
            known.turn = known.turn.or(turn);
        }
        None => games.push(GameFacts { what, number, turn, missing: None }),
    };
    if let Some((distance, number)) = notes.closest_loss() {
        add(format!("the closest loss, by {distance}"), number, None);
    }
    if let Some((number, report)) = notes.faults.values().next() {
        add(format!("the first fault, {}", report.fault.word()), *number, Some(report.ply));
    }
    if let Some((moves, number)) = notes.longest {
        add(format!("the longest game, of {}", counted(moves, "move")), number, None);
    }
    games
}

fn data(notes: &PlayerNotes) -> Vec<DataFacts<'_>> {
    let row = |(key, of)| {
        let (key, of): (&String, &super::notes::KeyNotes) = (key, of);
        DataFacts { key, games: of.games, mean: of.mean(), last: &of.last }
    };
    notes.data.iter().map(row).collect()
}

fn fault(number: u64, report: &FaultReport) -> FaultFacts {
    let lines = report_lines(report).join("\n");
    FaultFacts { word: report.fault.word(), number, ply: report.ply, lines }
}
