//! Setting of a tournament: everything that its workers share.

use super::interrupt::Stop;
use super::player::TournamentPlayer;
use crate::config::adjudication::Adjudication;
use crate::pairing::openings::Openings;
use crate::pairing::schedule::Schedule;
use crate::play::record::Record;
use crate::player::process_group::ProcessGroups;
use crate::registry::DynGame;

/// Tournament that is ready to run.
pub struct Tournament<'a> {
    /// The game.
    pub game: &'a dyn DynGame,
    /// The players.
    pub players: &'a [TournamentPlayer],
    /// Players, seats and seeds of each game.
    pub schedule: &'a Schedule,
    /// Setups of the rounds.
    pub openings: &'a Openings,
    /// Rules by which games end early.
    pub adjudication: Option<&'a Adjudication>,
    /// Number of games played at once.
    pub concurrency: usize,
    /// Whether each worker shares one processor with the players of its game.
    pub pinned: bool,
    /// List of the running programs.
    pub processes: &'a ProcessGroups,
    /// Request to stop.
    pub stop: &'a Stop,
}

/// Report of a worker.
pub enum Event {
    /// The trial of a player is over.
    Tried {
        /// Number of the player.
        player: usize,
    },
    /// A game was played.
    Game(Box<Record>),
    /// The program of a player changed. Later games are played by its new version.
    Changed {
        /// Number of the player.
        player: usize,
        /// Digest of the new version.
        version: String,
    },
}
