//! A game as a document: what `--events` prints, and what is exported.

use crate::config::MatchConfig;
use crate::play::record::Record;
use crate::play::FaultReport;
use serde::Serialize;
use std::collections::BTreeMap;

/// A finished game.
#[derive(Serialize)]
pub struct GameDocument<'a> {
    /// Its index.
    pub game: u64,
    /// Which opening it started from.
    pub round: u64,
    /// What it started from.
    pub setup: &'a str,
    /// The players by seat.
    pub players: Vec<&'a str>,
    /// The scores by seat; nothing if the game is void.
    pub scores: Option<&'a [i64]>,
    /// The ranks by seat, 1 for the first, as [`Record::ranks`] counts them; nothing if the game is
    /// void.
    pub ranks: Option<Vec<usize>>,
    /// The moves in order of play.
    pub moves: Vec<&'a str>,
    /// The seat of each move.
    pub movers: Vec<usize>,
    /// The faults in the order in which they were found.
    pub faults: Vec<FaultDocument<'a>>,
    /// What two runs of the same games may differ in, if it was asked for.
    #[serde(flatten)]
    pub details: Option<VolatileFields<'a>>,
}

/// What a player did wrong.
#[derive(Serialize)]
pub struct FaultDocument<'a> {
    /// Who.
    pub player: &'a str,
    /// In which seat.
    pub seat: usize,
    /// The word for it.
    pub fault: &'static str,
    /// The plies played before.
    pub ply: usize,
    /// The position as that seat saw it.
    pub position: &'a str,
    /// What it could have played, where the game has few moves.
    pub legal: &'a [String],
    /// What happened, and the end of standard error, if they were asked for.
    #[serde(flatten)]
    pub details: Option<FaultDetails<'a>>,
}

/// What two runs of the same games may differ in.
#[derive(Serialize)]
pub struct VolatileFields<'a> {
    /// How long the game took.
    pub seconds: f64,
    /// The time of each move, in milliseconds.
    pub times_ms: Vec<f64>,
    /// What players said about moves, by ply.
    pub comments: BTreeMap<usize, &'a str>,
    /// What players wrote to standard error, by ply.
    pub stderr: BTreeMap<usize, &'a str>,
}

/// What is told of a fault besides the bare fact.
#[derive(Serialize)]
pub struct FaultDetails<'a> {
    /// What happened, as the end of a sentence that begins with the player's name.
    pub message: String,
    /// The end of its standard error.
    pub stderr: &'a str,
}

impl<'a> GameDocument<'a> {
    /// The document of a record. Without details it is the same in every honest run.
    pub fn new(record: &'a Record, config: &'a MatchConfig, detailed: bool) -> GameDocument<'a> {
        let players = names(record, config);
        let played = &record.played;
        let outcome = played.outcome.as_ref();
        let fault = |report| fault(report, &players, detailed);
        GameDocument {
            game: record.pairing.index,
            round: record.pairing.round,
            setup: &record.setup,
            scores: outcome.map(|outcome| &outcome.scores[..]),
            ranks: record.ranks(),
            moves: played.plies.iter().map(|ply| ply.mv.as_str()).collect(),
            movers: played.plies.iter().map(|ply| ply.seat.index()).collect(),
            faults: played.faults.iter().map(fault).collect(),
            players,
            details: detailed.then(|| details(record)),
        }
    }

    /// The faults in a few words: `timeout of a, crash of b`.
    pub fn faults_in_words(&self) -> String {
        let faults = self.faults.iter().map(|fault| format!("{} of {}", fault.fault, fault.player));
        faults.collect::<Vec<_>>().join(", ")
    }
}

fn fault<'a>(report: &'a FaultReport, players: &[&'a str], detailed: bool) -> FaultDocument<'a> {
    FaultDocument {
        player: players[report.seat.index()],
        seat: report.seat.index(),
        fault: report.fault.word(),
        ply: report.ply,
        position: &report.position,
        legal: &report.legal,
        details: detailed
            .then(|| FaultDetails { message: report.fault.to_string(), stderr: &report.stderr }),
    }
}

fn details(record: &Record) -> VolatileFields<'_> {
    let plies = || record.played.plies.iter().enumerate();
    let stderr = plies().filter(|(_, ply)| !ply.stderr.is_empty());
    VolatileFields {
        seconds: record.duration.as_secs_f64(),
        times_ms: plies().map(|(_, ply)| ply.spent.as_nanos() as f64 / 1e6).collect(),
        comments: plies().filter_map(|(i, ply)| Some((i, ply.comment.as_deref()?))).collect(),
        stderr: stderr.map(|(i, ply)| (i, ply.stderr.as_str())).collect(),
    }
}

/// The names of a game's players by seat.
pub fn names<'a>(record: &Record, config: &'a MatchConfig) -> Vec<&'a str> {
    record.pairing.players.iter().map(|&player| config.players[player].name.as_str()).collect()
}
