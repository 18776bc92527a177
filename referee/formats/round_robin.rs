//! Formats in which the groups that meet are known beforehand: round robin and gauntlet.
//!
//! A stage is one round of all groups. A late joiner plays its missing rounds with the setups that
//! the others had.

use crate::formats::error::{check_table, MOST_GROUPS};
use crate::formats::schedule::groups;
use crate::formats::scores::{rank_by_share, rank_with_direct_encounter, Scores};
use crate::formats::{Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use std::collections::BTreeSet;

/// Every group of players meets in every round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundRobin {
    seats: usize,
    rounds: u64,
}

/// Each of the first players meets every group of the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gauntlet {
    first: usize,
    seats: usize,
    rounds: u64,
}

impl RoundRobin {
    /// Creates a round robin on `seats` seats of `rounds` rounds, at least one. One seat is a solo
    /// game: every player plays every round alone.
    ///
    /// # Errors
    /// Returns an error if there are fewer players than seats, no seat, or more than 5,000 groups.
    pub fn new(players: usize, seats: usize, rounds: u64) -> Result<RoundRobin, FormatError> {
        if seats != 1 {
            check_table(players, seats)?;
        }
        check_groups(combinations(players, seats), players, seats)?;
        Ok(RoundRobin::of_any_size(seats, rounds))
    }

    /// Creates a round robin of any number of groups.
    pub fn of_any_size(seats: usize, rounds: u64) -> RoundRobin {
        RoundRobin { seats, rounds: rounds.max(1) }
    }
}

impl Format for RoundRobin {
    fn next(&self, history: &History) -> Option<Stage> {
        let present = history.present();
        if present.len() < self.seats {
            return None;
        }
        let numbers = |group: Vec<usize>| group.into_iter().map(|place| present[place]).collect();
        let groups = groups(present.len(), self.seats).into_iter().map(numbers).collect();
        missing_round(history, groups, self.rounds)
    }

    fn ranking(&self, history: &History) -> Vec<Placing> {
        let scores = Scores::of(history);
        let key = |player: usize| scores.half_points[player];
        rank_with_direct_encounter(&scores, key, |player| (scores.half_points[player], vec![]))
    }

    fn games(&self, players: usize) -> GameCount {
        let groups = combinations(players, self.seats);
        GameCount::exactly(groups * self.rounds * self.seats as u64)
    }
}

impl Gauntlet {
    /// Creates a gauntlet of `rounds` rounds, at least one. Each of the `first` first players meets
    /// every group of the others that fills a table of `seats` seats.
    ///
    /// # Errors
    /// Returns an error if the others do not fill a table, or form more than 5,000 groups.
    pub fn new(
        players: usize,
        first: usize,
        seats: usize,
        rounds: u64,
    ) -> Result<Gauntlet, FormatError> {
        // Only one of the first players sits at a table.
        check_table(players.saturating_sub(first) + first.min(1), seats)?;
        let gauntlet = Gauntlet { first, seats, rounds: rounds.max(1) };
        check_groups(gauntlet.groups(players), players, seats)?;
        Ok(gauntlet)
    }

    /// Returns the number of groups.
    fn groups(&self, players: usize) -> u64 {
        let others = combinations(players.saturating_sub(self.first), self.seats - 1);
        others.saturating_mul(self.first.min(players) as u64)
    }
}

impl Format for Gauntlet {
    fn next(&self, history: &History) -> Option<Stage> {
        let (first, others): (Vec<usize>, Vec<usize>) =
            history.present().into_iter().partition(|&player| player < self.first);
        if others.len() < self.seats - 1 {
            return None;
        }
        let of_others = groups(others.len(), self.seats - 1);
        let with_first = |&one: &usize| {
            let group = |group: &Vec<usize>| {
                std::iter::once(one).chain(group.iter().map(|&place| others[place])).collect()
            };
            of_others.iter().map(group).collect::<Vec<_>>()
        };
        missing_round(history, first.iter().flat_map(with_first).collect(), self.rounds)
    }

    /// Ranks by the share of the possible points, because the first players have more games.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        rank_by_share(history)
    }

    fn games(&self, players: usize) -> GameCount {
        GameCount::exactly(self.groups(players) * self.rounds * self.seats as u64)
    }
}

/// Returns the first round that one of the groups has not played, with all groups that lack it.
fn missing_round(history: &History, groups: Vec<Vec<usize>>, rounds: u64) -> Option<Stage> {
    let mut played = BTreeSet::new();
    for of in history.meetings().map(|of| &of.meeting) {
        (0..of.rounds).for_each(|round| {
            played.insert((of.first_round + round, of.players.as_slice()));
        });
    }
    (0..rounds).find_map(|round| {
        let missing = groups.iter().filter(|group| !played.contains(&(round, group.as_slice())));
        let meeting =
            |group: &Vec<usize>| Meeting { players: group.clone(), first_round: round, rounds: 1 };
        let meetings: Vec<Meeting> = missing.map(meeting).collect();
        (!meetings.is_empty()).then_some(Stage { meetings, byes: vec![] })
    })
}

fn check_groups(groups: u64, players: usize, seats: usize) -> Result<(), FormatError> {
    if groups > MOST_GROUPS {
        return Err(FormatError::TooManyGroups { groups, players, seats });
    }
    Ok(())
}

/// Returns the number of groups of `size` out of `count`, or the largest number if there are more.
fn combinations(count: usize, size: usize) -> u64 {
    if size > count {
        return 0;
    }
    let mut groups: u128 = 1;
    for i in 0..size.min(count - size) as u128 {
        // The product of `i + 1` consecutive numbers is divisible by all of 1 to `i + 1`.
        groups = groups * (count as u128 - i) / (i + 1);
        if groups > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    groups as u64
}
