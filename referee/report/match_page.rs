//! Page of a match: standings, charts, and its games. `referee/report/web/report.js` draws it.

use super::anonymity::hide_texts;
use super::bracket::{self, BracketDocument};
use super::replay::ReplayDocument;
use super::results::{ListedGame, Results};
use super::rounded;
use super::summary::Summary;
use super::table::{notes, report_lines};
use super::{charts, lead, page, selection};
use crate::chart::Place;
use crate::config::{Contest, Source, TournamentSource};
use crate::failure::Failure;
use crate::play::record::Record;
use crate::play::viewer::Viewer;
use crate::store::{folder, Archive};
use serde::Serialize;
use std::collections::BTreeMap;

/// Format of the document.
const FORMAT: u32 = 1;
/// Largest number of games with all positions.
const FRAMED: usize = 1000;
/// Largest number of games with all positions or with their moves as text.
const TOLD: usize = 10_000;
/// Room for games with all positions, in bytes of the page. With [`MOVES_ROOM`] and the rest, a
/// page of 10,000 games of Awele stays below 8 MB.
const FRAMES_ROOM: usize = 4_600_000;
/// Room for games with their moves as text, in bytes of the page.
const MOVES_ROOM: usize = 3_000_000;
/// Number of games that are compressed together. The page unpacks one such block to show a game.
/// Not tuned.
const FRAMES_BLOCK: usize = 8;
/// Number of games that are compressed together as text. Not tuned.
const MOVES_BLOCK: usize = 64;
/// Number of characters of a setup in the list of games. Not tuned.
const SETUP: usize = 80;

/// Extent of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All games that have room.
    Whole,
    /// The last games of a match that is being played. The page loads itself again.
    Last(usize),
}

/// Document of a match.
#[derive(Serialize)]
struct ReportDocument<'a> {
    format: u32,
    title: String,
    /// Format of the tournament, in words.
    kind: Option<String>,
    is_solo: bool,
    summary: &'a Summary,
    /// Players in the order of their ranks.
    order: Vec<usize>,
    /// Result in plain words, as sentences.
    lead: Vec<String>,
    /// Bracket of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    bracket: Option<BracketDocument<'a>>,
    /// Notes that help to judge the standings, as lines.
    notes: Vec<String>,
    /// Meetings: two players, the points of the first, and the number of games.
    meetings: Vec<(usize, usize, f64, u64)>,
    first_faults: Vec<FaultDocument>,
    begun: Option<String>,
    /// Whether the match is being played.
    is_live: bool,
    games: GameColumns<'a>,
    /// Numbers of the games in each block with all positions.
    frames: Vec<Vec<u64>>,
    /// Numbers of the games in each block with moves as text.
    moves: Vec<Vec<u64>>,
}

/// First fault of a player.
#[derive(Serialize)]
struct FaultDocument {
    player: usize,
    game: Option<u64>,
    fault: &'static str,
    lines: Vec<String>,
}

/// Games of a list, a column for each property.
#[derive(Default, Serialize)]
struct GameColumns<'a> {
    number: Vec<u64>,
    players: Vec<&'a [usize]>,
    scores: Vec<&'a [i64]>,
    ranks: Vec<&'a [usize]>,
    ending: Vec<&'static str>,
    /// Faults by the index of the game, as few games have any.
    faults: BTreeMap<usize, &'a [(usize, &'static str)]>,
    /// Index of the setup.
    setup: Vec<usize>,
    setups: Vec<String>,
    moves: Vec<u64>,
    longest_ms: Vec<f64>,
}

/// Game with its moves as text.
#[derive(Serialize)]
struct MovesDocument<'a> {
    number: u64,
    /// Seats of the moves, a digit each; empty if they alternate from the first.
    seats: String,
    moves: Vec<&'a str>,
    /// Time charged for each move, in milliseconds with two digits.
    ms: Vec<f64>,
    /// Faults, as sentences without the player.
    faults: Vec<(usize, String)>,
}

/// Blocks of games.
#[derive(Default)]
struct Blocks {
    numbers: Vec<Vec<u64>>,
    /// Blocks as lines of letters.
    text: String,
}

impl Blocks {
    fn add(&mut self, numbers: Vec<u64>, block: &impl Serialize) {
        self.numbers.push(numbers);
        self.text += &page::packed(block);
        self.text.push('\n');
    }
}

/// Returns the page of a match.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn of(
    archive: &Archive,
    results: &Results,
    viewer: &Viewer,
    extent: Extent,
) -> Result<String, Failure> {
    let (games, is_live) = match extent {
        Extent::Whole => (&results.games[..], false),
        Extent::Last(count) => (&results.games[results.games.len().saturating_sub(count)..], true),
    };
    let config = &results.view.config;
    let wanted = selection::order(games, config.seed);
    let (frames, rest) = frames_of(&wanted, games, archive, results, viewer)?;
    let moves = moves_of(&rest, games, archive, results)?;
    let sessions = archive.sessions()?;
    let first = sessions.first_key_value().map(|(_, first)| first);
    let document = ReportDocument {
        format: FORMAT,
        title: title(config),
        kind: config.tournament().map(|_| config.format_text()),
        is_solo: viewer.meta().is_solo(),
        summary: &results.summary,
        order: results.summary.order(),
        lead: lead::sentences(results),
        bracket: bracket::document(&results.summary),
        notes: notes(&results.summary).lines().map(str::to_owned).collect(),
        meetings: meetings(results),
        first_faults: first_faults(results),
        begun: first.map(|of| folder::date(&of.begun.to_string(), "%Y-%m-%d %H:%M")),
        is_live,
        games: columns(games, &results.setups),
        frames: frames.numbers,
        moves: moves.numbers,
    };
    let parts = [
        ("ratings", charts::ratings(results, Place::Page).inline()),
        ("lengths", charts::lengths(results, Place::Page).inline()),
        ("times", charts::times(results, Place::Page).inline()),
        ("data", page::packed(&document)),
        ("frames", frames.text),
        ("moves", moves.text),
    ];
    Ok(page::of_match(&document.title, &parts))
}

/// Returns the title of a match: that of its tournament, or its game and players.
pub fn title(config: &Contest) -> String {
    match &config.source {
        Source::Tournament(TournamentSource { title, .. }) | Source::Room(title) => title.clone(),
        Source::Words if config.players.len() <= 4 => {
            format!("{}: {}", config.game, config.names().join(" - "))
        }
        Source::Words => format!("{}: {} players", config.game, config.players.len()),
    }
}

/// Returns the meetings of each player with each other: both, the points of the first, the games.
fn meetings(results: &Results) -> Vec<(usize, usize, f64, u64)> {
    let players = 0..results.view.config.players.len();
    let meetings = results.meetings();
    let pairs = players.clone().flat_map(|one| players.clone().map(move |other| (one, other)));
    let meeting =
        |(one, other)| meetings(one, other).map(|(points, games)| (one, other, points, games));
    pairs.filter_map(meeting).collect()
}

fn first_faults(results: &Results) -> Vec<FaultDocument> {
    let players = results.tally.players.iter().enumerate();
    let fault = |(player, counts): (usize, &crate::statistics::tally::PlayerTally)| {
        let first = counts.first_fault.as_ref()?;
        let (fault, lines) = (first.report.fault.word(), report_lines(&first.report));
        Some(FaultDocument { player, game: first.number, fault, lines })
    };
    players.filter_map(fault).collect()
}

fn columns<'a>(games: &'a [ListedGame], setups: &[String]) -> GameColumns<'a> {
    let cut = |text: &String| match text.char_indices().nth(SETUP) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.clone(),
    };
    let mut columns =
        GameColumns { setups: setups.iter().map(cut).collect(), ..GameColumns::default() };
    for (index, game) in games.iter().enumerate() {
        columns.number.push(game.number);
        columns.players.push(&game.players);
        columns.scores.push(&game.scores);
        columns.ranks.push(&game.ranks);
        columns.ending.push(game.ending);
        if !game.faults.is_empty() {
            columns.faults.insert(index, &game.faults);
        }
        columns.setup.push(game.setup);
        columns.moves.push(game.moves);
        columns.longest_ms.push(rounded(game.longest.as_secs_f64() * 1e3, 2));
    }
    columns
}

/// Returns blocks of games with all positions while there is room, and the indices of the others.
fn frames_of(
    wanted: &[usize],
    games: &[ListedGame],
    archive: &Archive,
    results: &Results,
    viewer: &Viewer,
) -> Result<(Blocks, Vec<usize>), Failure> {
    let (mut blocks, mut rest) = (Blocks::default(), Vec::new());
    for (number, chunk) in wanted.chunks(FRAMES_BLOCK).enumerate() {
        if number * FRAMES_BLOCK >= FRAMED || blocks.text.len() > FRAMES_ROOM {
            rest.extend(chunk);
            continue;
        }
        let records = records(chunk, games, archive, results)?;
        let mut documents = Vec::new();
        for (record, &index) in records.iter().zip(chunk) {
            match ReplayDocument::new(record, &results.view.config, &*viewer.of(record)) {
                Ok(document) => documents.push(document),
                // The rules may have changed since the game was played.
                Err(_) => rest.push(index),
            }
        }
        blocks.add(documents.iter().filter_map(ReplayDocument::number).collect(), &documents);
    }
    Ok((blocks, rest))
}

/// Returns blocks of games with their moves as text while there is room.
fn moves_of(
    wanted: &[usize],
    games: &[ListedGame],
    archive: &Archive,
    results: &Results,
) -> Result<Blocks, Failure> {
    let mut blocks = Blocks::default();
    // The other games have all positions.
    let room = TOLD.saturating_sub(games.len() - wanted.len());
    for chunk in wanted[..wanted.len().min(room)].chunks(MOVES_BLOCK) {
        if blocks.text.len() > MOVES_ROOM {
            break;
        }
        let records = records(chunk, games, archive, results)?;
        let documents: Vec<MovesDocument> = records.iter().map(MovesDocument::new).collect();
        blocks.add(documents.iter().map(|document| document.number).collect(), &documents);
    }
    Ok(blocks)
}

fn records(
    chunk: &[usize],
    games: &[ListedGame],
    archive: &Archive,
    results: &Results,
) -> Result<Vec<Record>, Failure> {
    let mut records = Vec::with_capacity(chunk.len());
    for &index in chunk {
        let found = archive.game(games[index].number, &results.view)?;
        records.extend(found.map(|(record, _)| record));
    }
    if results.is_anonymous {
        records.iter_mut().for_each(|record| hide_texts(record, None));
    }
    Ok(records)
}

impl<'a> MovesDocument<'a> {
    fn new(record: &'a Record) -> MovesDocument<'a> {
        let plies = &record.played.plies;
        let seats = record.pairing.players.len();
        let alternate = plies.iter().enumerate().all(|(ply, of)| of.seat.index() == ply % seats);
        let faults = record.played.faults.iter();
        let digits = || plies.iter().map(|ply| ply.seat.to_string()).collect();
        MovesDocument {
            number: record.number.unwrap_or_default(),
            seats: if alternate { String::new() } else { digits() },
            moves: plies.iter().map(|ply| ply.mv.as_str()).collect(),
            ms: plies.iter().map(|ply| two_digits(ply.spent.as_secs_f64() * 1e3)).collect(),
            faults: faults.map(|of| (of.seat.index(), of.fault.in_brief())).collect(),
        }
    }
}

/// Rounds a time to two significant digits, so that the page stays small.
fn two_digits(ms: f64) -> f64 {
    let digits = if ms > 0.0 { 1 - ms.log10().floor() as i32 } else { 0 };
    rounded(ms, digits.min(4))
}
