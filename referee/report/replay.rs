//! Document of a game that a viewer can draw without knowing the rules. `referee/report/web` draws
//! it.

use super::ending::Ending;
use super::game::names;
use crate::config::Contest;
use crate::play::adjudicator::{number_after, score_of};
use crate::play::record::{Record, ENDED_BY_THE_RULES};
use crate::play::{FaultReport, Ply};
use crate::registry::drawing::Step;
use crate::registry::scene::{GameScenes, Look, Scene, SceneBoard, Zone};
use crate::registry::DynGame;
use arbitre_games::game::ParseError;
use serde::Serialize;
use std::collections::HashMap;

/// Format of the document.
const FORMAT: u32 = 1;

/// A game to be drawn.
#[derive(Serialize)]
pub struct ReplayDocument<'a> {
    format: u32,
    game: &'a str,
    rules: &'a str,
    setup: &'a str,
    number: Option<u64>,
    round: u64,
    /// Players by seat.
    players: Vec<ReplayPlayer<'a>>,
    scores: Option<&'a [i64]>,
    ranks: Option<Vec<usize>>,
    ending: &'static str,
    /// Reasons for the end, as sentences.
    reasons: Vec<String>,
    board: BoardDocument,
    start: FrameDocument,
    steps: Vec<StepDocument<'a>>,
}

#[derive(Serialize)]
struct ReplayPlayer<'a> {
    name: &'a str,
    version: &'a str,
    limits: String,
    /// Number of steps after which the player is out, if it goes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<usize>,
}

#[derive(Serialize)]
struct BoardDocument {
    shape: &'static str,
    width: usize,
    height: usize,
    slides: bool,
    /// Kinds of cells, to which the frames refer by number.
    kinds: Vec<KindDocument>,
}

#[derive(Serialize)]
struct KindDocument {
    paint: String,
    text: String,
}

/// A move, or an elimination.
#[derive(Default, Serialize)]
struct StepDocument<'a> {
    /// Number of the move, counted from 1.
    ply: Option<usize>,
    seat: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    /// Time that was charged, in milliseconds.
    ms: Option<f64>,
    /// Limit of that time.
    limit_ms: Option<f64>,
    comment: Option<&'a str>,
    /// Evaluation of the mover, from its comment.
    score: Option<f64>,
    /// Share of the points that the mover expects, from its comment.
    win: Option<f64>,
    stderr: &'a str,
    /// Faults, as sentences.
    out: Vec<String>,
    /// Frames, at least one. The last one shows the position after the step.
    frames: Vec<FrameDocument>,
}

/// Changes from one scene to the next.
#[derive(Serialize)]
struct FrameDocument {
    /// Cells that changed, with their kinds.
    set: Vec<(usize, usize)>,
    /// Zones that changed, with their seats: -1 for none, and the number of players for several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zones: Vec<(usize, i64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<usize>,
    /// Scores by seat, if they changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl<'a> ReplayDocument<'a> {
    /// Creates the document of a record.
    ///
    /// # Errors
    /// Returns an error if the record does not fit the rules.
    pub fn new(
        record: &'a Record,
        config: &'a Contest,
        game: &dyn DynGame,
    ) -> Result<ReplayDocument<'a>, ParseError> {
        let events = record.played.steps();
        let taken: Vec<Step> = events.iter().map(|(step, _)| *step).collect();
        let scenes = game.scenes(&record.setup, record.pairing.players.len(), &taken)?;
        let mut differ = Differ { seats: config.seats, ..Differ::default() };
        let start = differ.next(scenes.start);
        let mut documents = Vec::with_capacity(events.len());
        let mut moved = vec![false; config.seats];
        for ((step, number), scenes) in events.iter().zip(scenes.steps) {
            let frames = scenes.into_iter().map(|scene| differ.next(scene)).collect();
            documents.push(match (step, number) {
                (Step::Moved(seat, _), Some(number)) => {
                    let is_first = !std::mem::replace(&mut moved[seat.index()], true);
                    let ply = &record.played.plies[number - 1];
                    let player = &config.players[record.pairing.players[seat.index()]];
                    let clock = &player.limits.clock;
                    let limit = if is_first { clock.first } else { clock.per_move };
                    let limit_ms = limit.map(|limit| limit.as_secs_f64() * 1e3);
                    StepDocument { limit_ms, ..StepDocument::of(*number, ply, frames) }
                }
                (step, _) => StepDocument::elimination(step, record, config, frames),
            });
        }
        let ending = Ending::of(record, config, game);
        let player = |(seat, &player): (usize, &usize)| {
            let player = &config.players[player];
            let limits = player.limits.to_string();
            let out = ending.steps_until_out(seat, &events);
            ReplayPlayer { name: &player.name, version: &player.version, limits, out }
        };
        let SceneBoard { shape, width, height, slides } = scenes.board;
        let kinds = differ
            .looks
            .into_iter()
            .map(|Look { paint, text }| KindDocument { paint: paint.to_string(), text });
        let kinds = kinds.collect();
        let reasons = ending.lines(str::to_owned);
        Ok(ReplayDocument {
            format: FORMAT,
            game: &config.game,
            rules: &config.rules,
            setup: &record.setup,
            number: record.number,
            round: record.pairing.round,
            players: record.pairing.players.iter().enumerate().map(player).collect(),
            scores: record.played.outcome.as_ref().map(|outcome| &outcome.scores[..]),
            ranks: record.ranks(),
            ending: record.end(),
            reasons: reasons.into_iter().map(|line| line.trim().to_owned()).collect(),
            board: BoardDocument { shape: shape.word(), width, height, slides, kinds },
            start,
            steps: documents,
        })
    }
}

/// Returns the scene after the first `turn` moves of a record.
///
/// # Errors
/// Returns an error if the record does not fit the rules.
pub fn scene_after(
    record: &Record,
    game: &dyn DynGame,
    turn: usize,
) -> Result<(SceneBoard, Scene), ParseError> {
    let mut events = record.played.steps();
    let beyond = events.iter().position(|(_, number)| number.is_some_and(|number| number > turn));
    events.truncate(beyond.unwrap_or(events.len()));
    let taken: Vec<Step> = events.iter().map(|(step, _)| *step).collect();
    let GameScenes { board, start, mut steps } =
        game.scenes(&record.setup, record.pairing.players.len(), &taken)?;
    let last = steps.pop().and_then(|mut scenes| scenes.pop());
    Ok((board, last.unwrap_or(start)))
}

impl ReplayDocument<'_> {
    /// Returns the document of a game that is still played: it has no end yet.
    pub fn unfinished(mut self) -> Self {
        (self.ending, self.ranks, self.scores) = (ENDED_BY_THE_RULES, None, None);
        self.reasons.clear();
        self
    }

    /// Returns the number of the game in its file.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// Returns the title: the game and its players.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.players.iter().map(|player| player.name).collect();
        let number = self.number.map_or(String::new(), |number| format!(" {number}"));
        format!("{}, game{number}: {}", self.game, names.join(", "))
    }
}

impl<'a> StepDocument<'a> {
    fn of(number: usize, ply: &'a Ply, frames: Vec<FrameDocument>) -> StepDocument<'a> {
        let comment = ply.comment.as_deref();
        StepDocument {
            ply: Some(number),
            seat: Some(ply.seat.index()),
            mv: Some(&ply.mv),
            ms: Some(ply.spent.as_secs_f64() * 1e3),
            comment,
            score: comment.and_then(score_of),
            win: comment.and_then(|comment| number_after("win", comment)),
            stderr: &ply.stderr,
            frames,
            ..StepDocument::default()
        }
    }

    fn elimination(
        step: &Step,
        record: &'a Record,
        config: &Contest,
        frames: Vec<FrameDocument>,
    ) -> StepDocument<'a> {
        let Step::Eliminated(seats) = step else { unreachable!("a move has a number") };
        let names = names(record, config);
        let reports = record.played.faults.iter().filter(|report| seats.contains(report.seat));
        let sentence = |report: &FaultReport| {
            format!("{}: {}", names[report.seat.index()], report.fault.in_brief())
        };
        StepDocument { out: reports.map(sentence).collect(), frames, ..StepDocument::default() }
    }
}

/// Writer of the changes between scenes.
#[derive(Default)]
struct Differ {
    seats: usize,
    /// Kinds of cells in the order of their first use.
    looks: Vec<Look>,
    kinds: HashMap<Look, usize>,
    /// Kind of each cell of the last scene.
    cells: Vec<usize>,
    zones: Vec<Zone>,
    scores: Vec<i64>,
}

impl Differ {
    /// Returns the changes from the last scene to the next one.
    fn next(&mut self, scene: Scene) -> FrameDocument {
        let Scene { cells, zones, marks, scores, label } = scene;
        let cells: Vec<usize> = cells.into_iter().map(|look| self.kind(look)).collect();
        let set = changes(&self.cells, &cells).collect();
        let seat = |zone| match zone {
            Zone::None => -1,
            Zone::Of(seat) => seat.index() as i64,
            Zone::Shared => self.seats as i64,
        };
        if self.zones.is_empty() {
            self.zones = vec![Zone::None; zones.len()];
        }
        let zones_set = changes(&self.zones, &zones).map(|(at, zone)| (at, seat(zone)));
        let zones_set = zones_set.collect();
        let scores_set = (scores != self.scores).then(|| scores.clone());
        (self.cells, self.zones, self.scores) = (cells, zones, scores);
        FrameDocument { set, zones: zones_set, marks, scores: scores_set, label }
    }

    /// Returns the number of a kind of cells.
    fn kind(&mut self, look: Look) -> usize {
        if let Some(&kind) = self.kinds.get(&look) {
            return kind;
        }
        self.looks.push(look.clone());
        self.kinds.insert(look, self.looks.len() - 1);
        self.looks.len() - 1
    }
}

/// Returns the items that differ from those before, with their numbers.
fn changes<'a, T: Copy + PartialEq>(
    before: &'a [T],
    after: &'a [T],
) -> impl Iterator<Item = (usize, T)> + 'a {
    let changed = after.iter().enumerate().filter(|(at, item)| before.get(*at) != Some(item));
    changed.map(|(at, item)| (at, *item))
}
