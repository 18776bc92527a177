//! Document of a game, for `--events` and for exports.

use crate::config::Contest;
use crate::play::metadata::{Metadata, Values};
use crate::play::record::Record;
use crate::play::FaultReport;
use crate::registry::drawing::PositionTexts;
use crate::statistics::health::disturbed;
use arbitre_games::clock::Clock;
use arbitre_games::text::word_of;
use arbitre_process::launcher::layers::Level;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// A finished game.
#[derive(Serialize)]
pub struct GameDocument<'a> {
    /// Number of the game in the file of its match. Exports leave it out: it depends on the order
    /// in which the games ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Number of the round, which determines the setup.
    pub round: u64,
    /// Rotation of the seats.
    pub rotation: u64,
    /// Setup that the game started from.
    pub setup: &'a str,
    /// Players by seat.
    pub players: Vec<&'a str>,
    /// Version of each player: the digest of its program, or the words of a bundled bot with the
    /// signature of its engines.
    pub versions: Vec<&'a str>,
    /// Dialect of each player.
    pub dialects: Vec<&'a str>,
    /// Limits of each player, with the clock that counts.
    pub limits: Vec<String>,
    /// Seats whose programs ran on machines of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_machine: Vec<usize>,
    /// Scores by seat; `None` if the game is void.
    pub scores: Option<&'a [i64]>,
    /// Ranks by seat, counted from 1 as in [`Record::ranks`]; `None` if the game is void.
    pub ranks: Option<Vec<usize>>,
    /// Reason for the end: the word of the adjudication or of the fault that ended the game, or
    /// `rules`.
    pub ending: &'static str,
    /// Moves in order of play.
    pub moves: Vec<&'a str>,
    /// Seat of each move.
    pub movers: Vec<usize>,
    /// Faults in the order in which they were found.
    pub faults: Vec<FaultDocument<'a>>,
    /// Fields that may differ between two runs of the same games, if requested.
    #[serde(flatten)]
    pub details: Option<VolatileFields<'a>>,
}

/// A fault of a player.
#[derive(Serialize)]
pub struct FaultDocument<'a> {
    /// Name of the player.
    pub player: &'a str,
    /// Seat of the player.
    pub seat: usize,
    /// Kind of the fault.
    pub fault: &'static str,
    /// Number of plies played before the fault.
    pub ply: usize,
    /// Position as seen from that seat.
    pub position: &'a str,
    /// Legal moves, if the game has few of them.
    pub legal: &'a [String],
    /// Description and end of standard error, if requested.
    #[serde(flatten)]
    pub details: Option<FaultDetails<'a>>,
}

/// Fields that may differ between two runs of the same games.
#[derive(Serialize)]
pub struct VolatileFields<'a> {
    /// Duration of the game in seconds.
    pub seconds: f64,
    /// Level of protection that a sandbox gave: the least among the programs that are not bundled.
    pub sandbox: &'static str,
    /// Time charged for each move, in milliseconds.
    pub times_ms: Vec<f64>,
    /// Wall time of each move, if others were read too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wall_ms: Vec<f64>,
    /// CPU time of each move, where it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpu_ms: Vec<Option<f64>>,
    /// Time for which each move waited for a processor, where it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wait_ms: Vec<Option<f64>>,
    /// Numbers of the moves that waited for more than a tenth of their limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<usize>,
    /// Comments of players by ply.
    pub comments: BTreeMap<usize, &'a str>,
    /// Standard error of players by ply.
    pub stderr: BTreeMap<usize, &'a str>,
    /// Texts of the positions, where rules in another process gave them.
    #[serde(skip_serializing_if = "<[PositionTexts]>::is_empty")]
    pub texts: &'a [PositionTexts],
    /// Data of the game that its rules or players gave, if any.
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub test_data: Values,
    /// Data of each player, if any.
    #[serde(skip_serializing_if = "has_no_data")]
    pub player_data: Vec<Values>,
}

fn has_no_data(players: &[Values]) -> bool {
    players.iter().all(Values::is_empty)
}

/// Details of a fault.
#[derive(Serialize)]
pub struct FaultDetails<'a> {
    /// Description of the fault, as the end of a sentence that begins with the player's name.
    pub message: String,
    /// End of the player's standard error.
    pub stderr: &'a str,
}

impl<'a> GameDocument<'a> {
    /// Creates the document of a record. Without details it is equal for two runs of the same
    /// games.
    pub fn new(record: &'a Record, config: &'a Contest, detailed: bool) -> GameDocument<'a> {
        let players = names(record, config);
        let played = &record.played;
        let outcome = played.outcome.as_ref();
        let fault = |report| fault(report, &players, detailed);
        let seated = || record.pairing.players.iter().map(|&player| &config.players[player]);
        GameDocument {
            game: record.number,
            round: record.pairing.round,
            rotation: record.pairing.rotation,
            versions: seated().map(|player| player.version.as_str()).collect(),
            dialects: seated().map(|player| player.dialect.as_str()).collect(),
            limits: seated().map(|player| player.limits.to_string()).collect(),
            own_machine: (0..)
                .zip(seated())
                .filter(|(_, of)| of.is_connected())
                .map(|(seat, _)| seat)
                .collect(),
            ending: record.end(),
            setup: &record.setup,
            scores: outcome.map(|outcome| &outcome.scores[..]),
            ranks: record.ranks(),
            moves: played.plies.iter().map(|ply| ply.mv.as_str()).collect(),
            movers: played.plies.iter().map(|ply| ply.seat.index()).collect(),
            faults: played.faults.iter().map(fault).collect(),
            players,
            details: detailed.then(|| details(record, config)),
        }
    }

    /// Returns the faults in a few words: `timeout of a, crash of b`.
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

fn details<'a>(record: &'a Record, config: &Contest) -> VolatileFields<'a> {
    let plies = || record.played.plies.iter().enumerate();
    let millis = |time: Duration| time.as_nanos() as f64 / 1e6;
    let is_read = plies().any(|(_, ply)| ply.time.cpu.or(ply.time.wait).is_some());
    let read = || plies().filter(|_| is_read).map(|(_, ply)| ply.time);
    let stderr = plies().filter(|(_, ply)| !ply.stderr.is_empty());
    let Metadata { game: test_data, players: player_data } = record.metadata();
    VolatileFields {
        texts: &record.played.texts,
        test_data,
        player_data,
        seconds: record.duration.as_secs_f64(),
        sandbox: word_of(record.sandbox, &Level::WORDS),
        times_ms: plies().map(|(_, ply)| millis(ply.spent)).collect(),
        wall_ms: read().map(|time| millis(time.wall)).collect(),
        cpu_ms: read().map(|time| time.cpu.map(millis)).collect(),
        wait_ms: read().map(|time| time.wait.map(millis)).collect(),
        disturbed: disturbed_moves(record, config),
        comments: plies().filter_map(|(i, ply)| Some((i, ply.comment.as_deref()?))).collect(),
        stderr: stderr.map(|(i, ply)| (i, ply.stderr.as_str())).collect(),
    }
}

/// Returns the numbers of the moves of a game that waited for more than a tenth of their limit.
pub fn disturbed_moves(record: &Record, config: &Contest) -> Vec<usize> {
    let clock = |&player: &usize| &config.players[player].limits.clock;
    let clocks: Vec<&Clock> = record.pairing.players.iter().map(clock).collect();
    disturbed(&record.details().times, &clocks)
}

/// Returns the names of a game's players by seat.
pub fn names<'a>(record: &Record, config: &'a Contest) -> Vec<&'a str> {
    record.pairing.players.iter().map(|&player| config.players[player].name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::format::FormatConfig;
    use crate::config::limits::PlayerLimits;
    use crate::config::{OpeningSource, PlayerConfig, Seeding, Source};
    use crate::formats::schedule::Schedule;
    use crate::play::{PlayedGame, Ply};
    use arbitre_games::game::Seat;
    use arbitre_process::stopwatch::AnswerTime;
    use serde_json::json;

    const MS: Duration = Duration::from_millis(1);

    fn document(times: &[AnswerTime]) -> serde_json::Value {
        let player = || PlayerConfig { limits: PlayerLimits::default(), ..PlayerConfig::default() };
        let config = Contest {
            game: "awele".into(),
            rules: String::new(),
            external: None,
            seats: 2,
            games: 1,
            seed: 1,
            openings: OpeningSource::Drawn(0),
            players: vec![player(), player()],
            format: FormatConfig::RoundRobin,
            sprt: None,
            adjudication: None,
            shard: None,
            seeding: Seeding::default(),
            source: Source::Words,
        };
        let ply = |(number, &time): (usize, &AnswerTime)| Ply {
            seat: Seat::new(number % 2),
            mv: "0".into(),
            time,
            spent: 20 * MS,
            comment: None,
            stderr: String::new(),
        };
        let plies = times.iter().enumerate().map(ply).collect();
        let played = PlayedGame { plies, ..PlayedGame::not_started(2, Vec::new()) };
        let pairing = Schedule::new(2, 2, 1, 1).pairing(0);
        let (number, setup, duration) = (None, String::new(), Duration::ZERO);
        let record = Record { number, pairing, setup, played, duration, sandbox: Level::Weak };
        serde_json::to_value(GameDocument::new(&record, &config, true)).unwrap()
    }

    /// The limits are 1 s for a first move and 100 ms for each later one.
    #[test]
    fn disturbed_moves_are_marked() {
        let quick = AnswerTime::of_wall(MS);
        let slow = |wait| AnswerTime { wall: 90 * MS, cpu: Some(20 * MS), wait: Some(wait) };
        let told = document(&[quick, slow(50 * MS), slow(9 * MS), slow(50 * MS)]);
        assert_eq!(told["disturbed"], json!([3]));
        assert_eq!(told["wait_ms"], json!([null, 50.0, 9.0, 50.0]));
        assert_eq!(told["cpu_ms"], json!([null, 20.0, 20.0, 20.0]));
        assert_eq!(told["wall_ms"], json!([1.0, 90.0, 90.0, 90.0]));
        let told = document(&[quick, quick]);
        assert!(["disturbed", "wait_ms", "cpu_ms", "wall_ms"]
            .iter()
            .all(|key| told.get(key).is_none()));
    }
}
