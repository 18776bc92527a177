//! One JSON line per finished game.

use super::summary::names;
use crate::referee::play::Story;
use crate::referee::tally::Record;
use crate::referee::tournament::Contestant;
use serde::Serialize;

/// A finished game.
#[derive(Serialize)]
pub struct GameEvent<'a> {
    event: &'static str,
    game: u64,
    round: u64,
    setup: &'a str,
    /// The players by seat.
    players: Vec<&'a str>,
    /// The scores by seat; nothing if the game is void.
    scores: Option<&'a [i64]>,
    /// The places by seat, from 0; nothing if the game is void.
    places: Option<Vec<usize>>,
    /// The moves in order of play.
    moves: Vec<&'a str>,
    faults: Vec<FaultEvent<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct FaultEvent<'a> {
    player: &'a str,
    seat: usize,
    fault: &'static str,
    ply: usize,
    message: String,
    position: &'a str,
    legal: &'a [String],
    stderr: &'a str,
}

impl<'a> GameEvent<'a> {
    /// The event of a record.
    pub fn new(record: &'a Record, contestants: &'a [Contestant]) -> GameEvent<'a> {
        let players = names(record, contestants);
        let outcome = record.played.outcome.as_ref();
        GameEvent {
            event: "game",
            game: record.fixture.index,
            round: record.fixture.round,
            setup: &record.setup,
            scores: outcome.map(|outcome| &outcome.scores[..]),
            places: outcome.map(|outcome| outcome.places()),
            moves: record.played.plies.iter().map(|ply| ply.mv.as_str()).collect(),
            faults: record.played.faults.iter().map(|story| fault(story, &players)).collect(),
            players,
            seconds: record.duration.as_secs_f64(),
        }
    }
}

fn fault<'a>(story: &'a Story, players: &[&'a str]) -> FaultEvent<'a> {
    FaultEvent {
        player: players[story.seat.index()],
        seat: story.seat.index(),
        fault: story.fault.word(),
        ply: story.ply,
        message: story.fault.to_string(),
        position: &story.position,
        legal: &story.legal,
        stderr: &story.stderr,
    }
}
