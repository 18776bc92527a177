//! Players of a run: a fixed list, or one that grows while games are played.

use super::player::PlannedPlayer;
use crate::config::limits::PlayerLimits;
use std::ops::Index;
use std::sync::OnceLock;

/// Largest number of players that one run of a room can seat, those that left included. Not tuned.
pub const MOST_SEATED: usize = 1 << 16;

/// Players of a run, by number.
#[derive(Clone, Copy)]
pub enum Field<'a> {
    /// Players of a contest.
    Fixed(&'a [PlannedPlayer]),
    /// Players of a room.
    Growing(&'a Roster),
}

impl Field<'_> {
    /// Returns the limits of each player.
    pub fn limits(&self) -> Box<dyn Iterator<Item = &PlayerLimits> + '_> {
        match self {
            Field::Fixed(players) => Box::new(players.iter().map(|of| &of.config.limits)),
            Field::Growing(roster) => Box::new(roster.iter().map(|of| &of.config.limits)),
        }
    }
}

impl Index<usize> for Field<'_> {
    type Output = PlannedPlayer;

    fn index(&self, number: usize) -> &PlannedPlayer {
        match self {
            Field::Fixed(players) => &players[number],
            Field::Growing(roster) => roster.get(number).expect("a player of a game has a seat"),
        }
    }
}

/// List of players to which workers hold references while it grows.
pub struct Roster(Box<[OnceLock<Box<PlannedPlayer>>]>);

impl Default for Roster {
    fn default() -> Roster {
        Roster((0..MOST_SEATED).map(|_| OnceLock::new()).collect())
    }
}

impl Roster {
    /// Adds a player under the next number. Returns `false` if there is no number left, or it is
    /// taken.
    pub fn add(&self, number: usize, player: PlannedPlayer) -> bool {
        self.0.get(number).is_some_and(|slot| slot.set(Box::new(player)).is_ok())
    }

    /// Returns the player of this number.
    pub fn get(&self, number: usize) -> Option<&PlannedPlayer> {
        self.0.get(number)?.get().map(|player| &**player)
    }

    fn iter(&self) -> impl Iterator<Item = &PlannedPlayer> {
        self.0.iter().map_while(OnceLock::get).map(|player| &**player)
    }
}
