//! Balanced schedule: a given number of games per player, where a round robin has too many groups.
//!
//! Players sit on a circle. A base block is a group of places. Turned by one place at a time, it
//! gives one group per player. A player is in one of these groups for each place of the block, and
//! has one game on each seat there. The number of games per player is therefore rounded up to a
//! multiple of the square of the seats. The groups of all blocks are the first stage.
//!
//! Two players meet once per block for each pair in it that is as far apart on the circle. The base
//! blocks are searched so that all distances occur equally often within one, or nearly so where the
//! search finds no such blocks. Over the whole schedule:
//! * every player has the same number of games, whether or not the seats divide the players;
//! * every player has every seat equally often;
//! * all pairs of players meet equally often within one where such blocks were found.
//!
//! The circle has the players that can play at the start. Players that lack games later, as they
//! joined or lost an opponent, meet those that they met least, until each has the number of games.
//! A player is in one group of such a stage at most. Others may get more games, and pairs are no
//! longer equal within one.

use crate::formats::error::check_table;
use crate::formats::scores::{rank_by_share, Scores};
use crate::formats::{Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use arbitre_games::rng::Rng;
use std::collections::BTreeMap;

/// Starts of the search for base blocks. Not tuned.
const STARTS: u64 = 200;

/// Balanced schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    seats: usize,
    /// Number of base blocks.
    blocks: usize,
}

impl Balanced {
    /// Creates a schedule with at least `games` games for each player.
    ///
    /// # Errors
    /// Returns an error if the players do not fill a table of at least two seats.
    pub fn new(players: usize, seats: usize, games: u64) -> Result<Balanced, FormatError> {
        check_table(players, seats)?;
        Ok(Balanced { seats, blocks: games.div_ceil((seats * seats) as u64) as usize })
    }

    /// Returns the groups of these players on a circle.
    fn circle(&self, players: &[usize]) -> Option<Stage> {
        let count = players.len();
        if count < self.seats {
            return None;
        }
        let (mut meetings, mut first_round) = (Vec::new(), 0);
        for block in base_blocks(count, self.seats, self.blocks) {
            // A block that turns into itself repeats groups, which then play several rounds.
            let mut groups: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
            for turn in 0..count {
                let at = |place: &usize| players[(place + turn) % count];
                let mut group: Vec<usize> = block.iter().map(at).collect();
                group.sort_unstable();
                *groups.entry(group).or_default() += 1;
            }
            let last = groups.values().copied().max().unwrap_or(0);
            let meeting = |(players, rounds)| Meeting { players, first_round, rounds };
            meetings.extend(groups.into_iter().map(meeting));
            first_round += last;
        }
        Some(Stage { meetings, byes: vec![] })
    }

    /// Returns a stage for the players that lack games.
    fn catch_up(&self, history: &History) -> Option<Stage> {
        let scores = Scores::of(history);
        let rounds = |player: usize| scores.games[player] / self.seats as u64;
        let wanted = (self.blocks * self.seats) as u64;
        let mut free = history.present();
        free.sort_by_key(|&player| (rounds(player), player));
        let first_round = history.next_round();
        let mut meetings = Vec::new();
        while free.len() >= self.seats && rounds(free[0]) < wanted {
            let mut players = vec![free.remove(0)];
            while players.len() < self.seats {
                let least = (0..free.len())
                    .min_by_key(|&place| (scores.met_at(&players, free[place]), place))?;
                players.push(free.remove(least));
            }
            players.sort_unstable();
            meetings.push(Meeting { players, first_round, rounds: 1 });
        }
        free.sort_unstable();
        (!meetings.is_empty()).then_some(Stage { meetings, byes: vec![] })
    }
}

impl Format for Balanced {
    fn next(&self, history: &History) -> Option<Stage> {
        match history.stages.is_empty() {
            true => self.circle(&history.present()),
            false => self.catch_up(history),
        }
    }

    /// Ranks by the share of the possible points, because a player that left has fewer games.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        rank_by_share(history)
    }

    fn games_of_struck(&self) -> Option<u64> {
        Some((self.blocks * self.seats * self.seats) as u64)
    }

    fn games(&self, players: usize) -> GameCount {
        GameCount::exactly((self.blocks * players * self.seats) as u64)
    }
}

/// Returns `count` base blocks of `seats` places on a circle of `players` places. All distances are
/// equally frequent within one, or nearly so.
///
/// The search moves one place of one block at a time to where the distances are most even, until no
/// move helps, then starts anew.
fn base_blocks(players: usize, seats: usize, count: usize) -> Vec<Vec<usize>> {
    let mut rng = Rng::new(0);
    let mut best: Option<(u64, Vec<Vec<usize>>)> = None;
    for _ in 0..STARTS {
        let mut blocks: Vec<Vec<usize>> = (0..count)
            .map(|_| {
                let mut places: Vec<usize> = (0..players).collect();
                rng.shuffle(&mut places);
                places.truncate(seats);
                places
            })
            .collect();
        let mut distances = Distances::new(players, &blocks);
        while improve(&mut blocks, &mut distances, &mut rng) {}
        if distances.are_even() {
            return blocks;
        }
        let unevenness = distances.unevenness();
        if best.as_ref().is_none_or(|(least, _)| unevenness < *least) {
            best = Some((unevenness, blocks));
        }
    }
    best.map_or_else(Vec::new, |(_, blocks)| blocks)
}

/// Moves each place of each block, in random order, to a better one if there is any. Returns `true`
/// if the distances became more even.
fn improve(blocks: &mut [Vec<usize>], distances: &mut Distances, rng: &mut Rng) -> bool {
    let before = distances.unevenness();
    let mut moves: Vec<(usize, usize)> = blocks
        .iter()
        .enumerate()
        .flat_map(|(block, places)| (0..places.len()).map(move |place| (block, place)))
        .collect();
    rng.shuffle(&mut moves);
    for (block, place) in moves {
        let from = blocks[block].swap_remove(place);
        distances.count(&blocks[block], from, false);
        let players = distances.players;
        let offset = rng.below(players);
        let free = (0..players).map(|to| (to + offset) % players);
        let best = free.filter(|to| !blocks[block].contains(to)).min_by_key(|&to| {
            distances.count(&blocks[block], to, true);
            let unevenness = distances.unevenness();
            distances.count(&blocks[block], to, false);
            unevenness
        });
        let to = best.unwrap_or(from);
        distances.count(&blocks[block], to, true);
        blocks[block].push(to);
    }
    distances.unevenness() < before
}

/// Meetings of two players per distance on the circle.
struct Distances {
    players: usize,
    meetings: Vec<u64>,
}

impl Distances {
    fn new(players: usize, blocks: &[Vec<usize>]) -> Distances {
        let mut distances = Distances { players, meetings: vec![0; players / 2 + 1] };
        for block in blocks {
            (0..block.len()).for_each(|i| distances.count(&block[..i], block[i], true));
        }
        distances
    }

    /// Adds or removes the distances between `place` and the others of its block.
    fn count(&mut self, others: &[usize], place: usize, is_added: bool) {
        for &other in others {
            let apart = place.abs_diff(other);
            let distance = apart.min(self.players - apart);
            // Opposite places meet in two of the turned blocks.
            let meetings = if 2 * distance == self.players { 2 } else { 1 };
            let of = &mut self.meetings[distance];
            *of = if is_added { *of + meetings } else { *of - meetings };
        }
    }

    /// Returns the sum of the squared meetings of all pairs of players.
    fn unevenness(&self) -> u64 {
        let pairs = |distance: usize| {
            if 2 * distance == self.players {
                self.players / 2
            } else {
                self.players
            }
        };
        let squares = self.meetings.iter().enumerate().skip(1);
        squares.map(|(distance, &meetings)| pairs(distance) as u64 * meetings * meetings).sum()
    }

    fn are_even(&self) -> bool {
        let meetings = &self.meetings[1..];
        let (least, most) = (meetings.iter().min(), meetings.iter().max());
        least.zip(most).is_none_or(|(least, most)| most - least <= 1)
    }
}
