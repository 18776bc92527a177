//! Setting in which games are played: everything that the workers share.

use super::interrupt::Stop;
use super::roster::Field;
use crate::config::adjudication::Adjudication;
use crate::formats::openings::Openings;
use crate::formats::schedule::Schedule;
use crate::play::pairing::Pairing;
use crate::play::record::Record;
use crate::play::PlayedGame;
use crate::registry::drawing::PositionTexts;
use crate::registry::DynGame;
use arbitre_process::process_group::ProcessGroups;

/// Games that are ready to be played, with everything that the workers share.
pub struct Workers<'a> {
    /// The game.
    pub game: &'a dyn DynGame,
    /// The players.
    pub players: Field<'a>,
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
    /// Watcher of the games, if there is one.
    pub spectator: Option<&'a dyn Spectator>,
}

/// Watcher of games while they are played.
pub trait Spectator: Sync {
    /// Takes note that a game of this number begins, or begins again.
    fn begins(&self, number: u64, pairing: &Pairing, setup: &str);

    /// Takes the game as it is after a move or an elimination, with the texts of its positions.
    fn goes_on(&self, number: u64, played: &PlayedGame, texts: &[PositionTexts]);
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
