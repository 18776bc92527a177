//! A game before it is played: index, players, seats and seeds.

/// Game that can be played, with its players on their seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Round of the game. All games of a round share one setup, whatever their group.
    pub round: u64,
    /// Rotation of the seats: in rotation 0 the players of the group sit in ascending order.
    pub rotation: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
    /// Seed of each seat's random choices. They depend only on round and rotation, so that the
    /// games of a group are the same beside any other players.
    pub seeds: Vec<u64>,
}

/// Identity of a game in its match. The rotation follows from the order of the players.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// Round of the game.
    pub round: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
}

impl Pairing {
    /// Returns the identity of the game.
    pub fn id(&self) -> GameId {
        GameId { round: self.round, players: self.players.clone() }
    }

    /// Returns the players in ascending order.
    pub fn group(&self) -> Vec<usize> {
        let mut group = self.players.clone();
        group.sort_unstable();
        group
    }

    /// Returns the index of the game among those of its group.
    pub fn index_in_group(&self) -> u64 {
        self.round * self.players.len() as u64 + self.rotation
    }
}
