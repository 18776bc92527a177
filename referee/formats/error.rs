//! Reasons why a format cannot be played.

use thiserror::Error;

/// Most groups of a round robin or gauntlet. A round of 30 players on four seats would have 27,405
/// groups. Not tuned.
pub(super) const MOST_GROUPS: u64 = 5_000;

/// Largest number of rounds with drawn tables. Not tuned.
pub(super) const MOST_DRAWN: u64 = 10_000;

/// Reason why a format cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// The players do not fill the seats.
    #[error("expected at least {seats} players for {seats} seats, got {players}")]
    TooFewPlayers {
        /// Seats of a game.
        seats: usize,
        /// Number of players.
        players: usize,
    },
    /// Every player would play alone.
    #[error("expected at least two seats for this format, got {seats}; help: use round-robin")]
    TooFewSeats {
        /// Seats of a game.
        seats: usize,
    },
    /// Too many groups of players would meet.
    #[error(
        "expected at most {most} groups, got {groups} of {players} players on {seats} seats; \
         help: use the format balanced",
        most = MOST_GROUPS
    )]
    TooManyGroups {
        /// Number of groups.
        groups: u64,
        /// Number of players.
        players: usize,
        /// Seats of a game.
        seats: usize,
    },
    /// Only two players can be tested against each other.
    #[error("expected two seats for a test, got {seats}; help: leave out sprt")]
    TestedTable {
        /// Seats of a game.
        seats: usize,
    },
    /// The fixed bots do not fill a table beside a player.
    #[error(
        "expected at least {needed} fixed bots for {seats} seats, got {bots}; help: add [[grade]], \
         or lower seats"
    )]
    TooFewBots {
        /// Fixed bots at a table.
        needed: usize,
        /// Seats of a game.
        seats: usize,
        /// Number of fixed bots.
        bots: usize,
    },
    /// All players are fixed bots.
    #[error("expected a player beside the fixed bots, got none; help: name a folder by from, or add [[player]]")]
    NothingToGrade,
    /// Too many tables would be drawn.
    #[error("expected at most {MOST_DRAWN} rounds with drawn fixed bots, got {rounds}; help: lower games")]
    TooManyDrawnRounds {
        /// Number of rounds.
        rounds: u64,
    },
    /// Double elimination is played on two seats only.
    #[error("expected two seats for double elimination, got {seats}; help: use knockout")]
    DoubleElimination {
        /// Seats of a game.
        seats: usize,
    },
}

/// Returns an error if the players do not fill a table of at least two seats.
pub(super) fn check_table(players: usize, seats: usize) -> Result<(), FormatError> {
    if seats < 2 {
        return Err(FormatError::TooFewSeats { seats });
    }
    if players < seats {
        return Err(FormatError::TooFewPlayers { seats, players });
    }
    Ok(())
}
