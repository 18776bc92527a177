//! Stages of a tournament and their results.

use crate::statistics::ranking::Rankings;

/// Games of the same players: `rounds` rounds, each on every rotation of the seats.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Meeting {
    /// The players, in ascending order.
    pub players: Vec<usize>,
    /// First round.
    pub first_round: u64,
    /// Number of rounds.
    pub rounds: u64,
}

impl Meeting {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.rounds * self.players.len() as u64
    }
}

/// Meetings that depend on earlier stages alone, so that they can be played in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// Meetings of the stage, at least one.
    pub meetings: Vec<Meeting>,
    /// Players that take part in the stage without a game, in ascending order.
    pub byes: Vec<usize>,
}

/// Result of a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMeeting {
    /// The meeting as the format returned it.
    pub meeting: Meeting,
    /// Half points of each player, in the order of `meeting.players`, summed over the games. In a
    /// game they are two for each opponent ranked below and one for each of equal rank.
    pub half_points: Vec<u64>,
    /// Rankings of the rated games.
    pub rankings: Rankings,
}

/// Results of a stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedStage {
    /// Results of the meetings, in any order.
    pub meetings: Vec<PlayedMeeting>,
    /// Players with a bye, as the format returned them.
    pub byes: Vec<usize>,
}

impl PlayedStage {
    /// Returns `true` if the player has a meeting or a bye in the stage.
    pub(super) fn includes(&self, player: usize) -> bool {
        self.byes.contains(&player)
            || self.meetings.iter().any(|of| of.meeting.players.contains(&player))
    }
}

/// Knowledge of a format: the complete stages and the players of today.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// The complete stages.
    pub stages: Vec<PlayedStage>,
    /// Whether each player can be paired now: it joined and was not withdrawn.
    pub present: Vec<bool>,
}

impl History {
    /// Returns the number of players that ever joined.
    pub fn players(&self) -> usize {
        self.present.len()
    }

    /// Returns the players that can be paired now, in ascending order.
    pub(super) fn present(&self) -> Vec<usize> {
        (0..self.players()).filter(|&player| self.present[player]).collect()
    }

    /// Returns the results of all meetings.
    pub(super) fn meetings(&self) -> impl Iterator<Item = &PlayedMeeting> {
        self.stages.iter().flat_map(|stage| &stage.meetings)
    }

    /// Returns the first round that no stage has used.
    pub(super) fn next_round(&self) -> u64 {
        let ends = self.meetings().map(|of| of.meeting.first_round + of.meeting.rounds);
        ends.max().unwrap_or(0)
    }
}
