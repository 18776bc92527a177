//! A candidate's game: all that it depends on, and what came of it.

use crate::config::limits::PlayerLimits;
use crate::config::PlayerConfig;
use crate::play::record::Record;
use crate::statistics::solo::Attempt;
use crate::store::{Evaluation, Start};
use serde::Serialize;

/// What all games of a candidate have in common: together with a [`Start`] it is all that a game
/// depends on, as far as its players do not look at the time.
#[derive(Serialize)]
pub struct EvaluationContext<'a> {
    /// The game's name.
    pub game: &'a str,
    /// Its options as resolved.
    pub rules: &'a str,
    /// The candidate.
    pub player: Entrant<'a>,
    /// Whom it plays against.
    pub against: Vec<Entrant<'a>>,
}

/// A player, without its name, which changes nothing.
#[derive(Serialize)]
pub struct Entrant<'a> {
    command: &'a str,
    dialect: &'a str,
    limits: &'a PlayerLimits,
    /// What its files are: another version of a program is another player.
    version: &'a str,
}

impl<'a> Entrant<'a> {
    /// What was agreed with a player, whose files have this digest.
    pub fn new(player: &'a PlayerConfig, version: &'a str) -> Entrant<'a> {
        Entrant {
            command: &player.command,
            dialect: &player.dialect,
            limits: &player.limits,
            version,
        }
    }
}

impl EvaluationContext<'_> {
    /// The document that stands for it in a file.
    pub fn document(&self) -> String {
        serde_json::to_string(self).expect("our documents have text keys only")
    }
}

/// The seat on which a player sits.
///
/// # Panics
/// If it does not play there.
pub fn seat_of(players: &[usize], player: usize) -> usize {
    players.iter().position(|&seated| seated == player).expect("the player has a seat")
}

/// Where a game began for this player.
pub fn start_of(record: &Record, player: usize) -> Start<'_> {
    let seat = seat_of(&record.pairing.players, player) as u8;
    Start { setup: &record.setup, seat, seeds: &record.pairing.seeds }
}

/// What came of a game for this player; nothing if it is void.
pub fn evaluation(record: &Record, player: usize) -> Option<Evaluation> {
    let seat = seat_of(&record.pairing.players, player);
    let score = match &record.half_points()?[..] {
        [_] => Attempt::new(record.played.outcome.as_ref()?, record).score,
        half_points => Some(half_points[seat].into()),
    };
    let own = record.played.plies.iter().filter(|ply| ply.seat.index() == seat);
    let spent = own.map(|ply| ply.spent).sum();
    let mut faults = record.played.faults.iter().filter(|story| story.seat.index() == seat);
    let fault = faults.next().map(|story| story.fault.word().to_owned());
    Some(Evaluation { score, spent, fault })
}
