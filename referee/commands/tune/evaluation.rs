//! Evaluation of a candidate in one game: the key of the game, and its result.

use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::PlayerConfig;
use arbitre_referee::play::record::Record;
use arbitre_referee::statistics::solo::Attempt;
use arbitre_referee::store::{Evaluation, Start};
use serde::Serialize;
use std::time::Duration;

/// Context that all games of a candidate share. Together with a [`Start`] it determines a game, as
/// far as the players do not look at the time.
#[derive(Serialize)]
pub struct EvaluationContext<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// Rules as resolved.
    pub rules: &'a str,
    /// The candidate.
    pub player: Entrant<'a>,
    /// Opponents of the candidate.
    pub against: Vec<Entrant<'a>>,
}

/// A player without its name, which does not affect a game.
#[derive(Serialize)]
pub struct Entrant<'a> {
    command: &'a str,
    dialect: &'a str,
    limits: &'a PlayerLimits,
    /// Digest of the player's files: another version of a program is another player.
    version: &'a str,
}

impl<'a> Entrant<'a> {
    /// Creates the entry of a player whose files have the digest `version`.
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
    /// Returns the context as the JSON text that identifies it in a file.
    pub fn document(&self) -> String {
        serde_json::to_string(self).expect("documents have string keys")
    }
}

/// Returns the seat of a player.
///
/// # Panics
/// Panics if the player is not among `players`.
pub fn seat_of(players: &[usize], player: usize) -> usize {
    players.iter().position(|&seated| seated == player).expect("the player has a seat")
}

/// Returns the start of a game for this player.
pub fn start_of(record: &Record, player: usize) -> Start<'_> {
    let seat = seat_of(&record.pairing.players, player) as u8;
    Start { setup: &record.setup, seat, seeds: &record.pairing.seeds }
}

/// Returns the result of a game for this player; `None` if the game is void.
pub fn evaluation(record: &Record, player: usize) -> Option<Evaluation> {
    let seat = seat_of(&record.pairing.players, player);
    let score = match &record.half_points()?[..] {
        // Half points need other players; a solo game counts its score.
        [_] => Attempt::new(record.played.outcome.as_ref()?, Duration::ZERO).score,
        half_points => Some(half_points[seat].into()),
    };
    let own = record.played.plies.iter().filter(|ply| ply.seat.index() == seat);
    let spent = own.map(|ply| ply.spent).sum();
    let mut faults = record.played.faults.iter().filter(|story| story.seat.index() == seat);
    let fault = faults.next().map(|story| story.fault.word().to_owned());
    Some(Evaluation { score, spent, fault })
}
