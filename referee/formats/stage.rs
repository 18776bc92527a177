//! Stages of a tournament and their results.

use crate::statistics::ranking::Rankings;
use crate::statistics::sprt::evidence::GameText;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

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
    /// Texts of the games in the order of the schedule, if the format has a test.
    pub texts: Vec<GameText>,
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
    /// Removes the meetings of these players. The others of each have a bye in its place.
    pub(super) fn strike(&mut self, struck: &[usize]) {
        let has_struck =
            |of: &PlayedMeeting| of.meeting.players.iter().any(|of| struck.contains(of));
        let without = self.meetings.iter().filter(|of| has_struck(of));
        let others = without.flat_map(|of| of.meeting.players.iter().copied());
        self.byes.extend(others.filter(|player| !struck.contains(player)));
        self.meetings.retain(|of| !has_struck(of));
        self.byes.retain(|player| !struck.contains(player));
        self.byes.sort_unstable();
    }

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

/// Stage with its circumstances, as it is stored. One without meetings notes the players that take
/// part no more from then on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredStage {
    /// Players of each meeting, its first round and its number of rounds.
    pub meetings: Vec<(Vec<usize>, u64, u64)>,
    /// Players with a bye.
    pub byes: Vec<usize>,
    /// Players that took part no more when the stage was computed.
    pub absent: Vec<usize>,
}

impl StoredStage {
    /// Creates the stored form of a stage that began without the players `absent`.
    pub fn new(stage: Stage, absent: Vec<usize>) -> StoredStage {
        let of = |Meeting { players, first_round, rounds }| (players, first_round, rounds);
        let meetings = stage.meetings.into_iter().map(of).collect();
        StoredStage { meetings, byes: stage.byes, absent }
    }

    /// Returns `true` unless the row only notes the players that are absent.
    pub fn has_meetings(&self) -> bool {
        !self.meetings.is_empty()
    }

    /// Returns the first round of the stage.
    pub fn first_round(&self) -> u64 {
        self.meetings.iter().map(|(_, first, _)| *first).min().unwrap_or(0)
    }

    /// Returns the number of games of a player in its meeting, which all have the same length in a
    /// Swiss stage; `None` without meetings.
    pub(super) fn games_of_player(&self) -> Option<u64> {
        self.meetings.first().map(|(players, _, rounds)| rounds * players.len() as u64)
    }

    /// Returns the groups that meet and their rounds, for a schedule.
    pub fn rounds(&self) -> Vec<(Vec<Vec<usize>>, Range<u64>)> {
        let groups = |places: Vec<usize>| {
            places.into_iter().map(|place| self.meetings[place].0.clone()).collect()
        };
        let segments = self.segments().into_iter();
        segments.map(|(rounds, places)| (groups(places), rounds)).collect()
    }

    /// Returns the rounds in which the same meetings play, with the indices of these meetings.
    pub fn segments(&self) -> Vec<(Range<u64>, Vec<usize>)> {
        let ranges = self.meetings.iter().map(|(_, first, count)| *first..first + count);
        let bounds = ranges.clone().flat_map(|rounds| [rounds.start, rounds.end]);
        let mut playing: BTreeMap<u64, Vec<usize>> =
            bounds.map(|bound| (bound, Vec::new())).collect();
        for (place, rounds) in ranges.enumerate() {
            playing.range_mut(rounds).for_each(|(_, places)| places.push(place));
        }
        let ends: Vec<u64> = playing.keys().copied().skip(1).collect();
        let segments = playing.into_iter().zip(ends);
        let segments = segments.map(|((start, places), end)| (start..end, places));
        segments.filter(|(_, places)| !places.is_empty()).collect()
    }

    /// Returns the stage with other words for its players; `None` if one of them has none.
    pub fn renumbered(self, number: impl Fn(usize) -> Option<usize>) -> Option<StoredStage> {
        let all =
            |players: Vec<usize>| players.into_iter().map(&number).collect::<Option<Vec<_>>>();
        let of = |(players, first, rounds)| Some((all(players)?, first, rounds));
        let meetings = self.meetings.into_iter().map(of).collect::<Option<_>>()?;
        Some(StoredStage { meetings, byes: all(self.byes)?, absent: all(self.absent)? })
    }

    /// Returns the stage without the meetings of a player.
    pub fn without(mut self, player: usize) -> StoredStage {
        self.meetings.retain(|(players, ..)| !players.contains(&player));
        for players in [&mut self.byes, &mut self.absent] {
            players.retain(|&other| other != player);
        }
        self
    }

    /// Returns `true` if the player has a meeting or a bye in the stage.
    pub fn includes(&self, player: usize) -> bool {
        let mut meetings = self.meetings.iter();
        meetings.any(|(players, ..)| players.contains(&player)) || self.byes.contains(&player)
    }

    /// Returns `true` if the stage names the player.
    pub fn names(&self, player: usize) -> bool {
        self.includes(player) || self.absent.contains(&player)
    }
}
