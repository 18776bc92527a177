//! Balanced schedule: a given number of games per player, where a round robin has too many groups.
//!
//! Players sit on a circle. A base block is a group of places. Turned by one place at a time, it
//! gives one group per player, and these groups are a stage. A player is in one group for each
//! place of the block, and has one game on each seat there. The number of games per player is
//! therefore rounded up to a multiple of the square of the seats.
//!
//! Two players meet once per stage for each pair in the base block that is as far apart on the
//! circle. The base blocks are searched so that all distances occur equally often within one. Over
//! the whole schedule:
//! * every player has the same number of games, whether or not the seats divide the players;
//! * every player has every seat equally often;
//! * all pairs of players meet equally often within one.
//!
//! Where the search finds no such blocks, the schedule is refused.
//!
//! If players join or leave, the circle is given up. Players that lack games then meet those that
//! they met least, until each has the number of games. A player is in one group of such a stage at
//! most. Others may get more games, and pairs are no longer equal within one.

use crate::formats::error::check_table;
use crate::formats::scores::{rank_by, Scores};
use crate::formats::{
    Criterion, Format, FormatError, GameCount, History, Meeting, Placing, PlayedStage, Stage,
};
use arbitre_games::rng::Rng;
use std::collections::BTreeMap;

/// Starts of the search for base blocks. Not tuned.
const STARTS: u64 = 200;
/// Larger numbers of stages tried to name one that has a schedule.
const LARGER: u64 = 8;

/// Balanced schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    players: usize,
    seats: usize,
    /// Base block of each stage.
    blocks: Vec<Vec<usize>>,
}

impl Balanced {
    /// Creates a schedule with at least `games` games for each player.
    ///
    /// # Errors
    /// Returns an error if the players do not fill a table of at least two seats, or if no balanced
    /// schedule was found. The error names the next larger number of games that has one.
    pub fn new(players: usize, seats: usize, games: u64) -> Result<Balanced, FormatError> {
        check_table(players, seats)?;
        let of_stage = (seats * seats) as u64;
        let stages = games.div_ceil(of_stage);
        match base_blocks(players, seats, stages as usize) {
            Some(blocks) => Ok(Balanced { players, seats, blocks }),
            None => {
                let mut larger = stages + 1..=stages + LARGER;
                let has_schedule =
                    |stages: &u64| base_blocks(players, seats, *stages as usize).is_some();
                let nearest = larger.find(has_schedule).map(|stages| stages * of_stage);
                Err(FormatError::Unbalanced { players, seats, games, nearest })
            }
        }
    }

    /// Returns the stage of a base block, which begins at `first_round`.
    fn stage(&self, stage: usize, first_round: u64) -> Stage {
        // A block that turns into itself repeats groups, which then play several rounds.
        let mut groups: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
        for turn in 0..self.players {
            let mut group: Vec<usize> =
                self.blocks[stage].iter().map(|place| (place + turn) % self.players).collect();
            group.sort_unstable();
            *groups.entry(group).or_default() += 1;
        }
        let meeting = |(players, rounds)| Meeting { players, first_round, rounds };
        Stage { meetings: groups.into_iter().map(meeting).collect(), byes: vec![] }
    }

    /// Returns `true` if nothing but complete stages of the schedule was played, by the players of
    /// today.
    fn is_on_schedule(&self, history: &History) -> bool {
        let mut first_round = 0;
        let is_planned = |(i, played): (usize, &PlayedStage)| {
            if i >= self.blocks.len() {
                return false;
            }
            let planned = self.stage(i, first_round).meetings;
            first_round = end(&planned);
            let mut meetings: Vec<&Meeting> =
                played.meetings.iter().map(|of| &of.meeting).collect();
            meetings.sort_unstable();
            meetings.into_iter().eq(&planned)
        };
        history.present().len() == self.players
            && history.players() == self.players
            && history.stages.iter().enumerate().all(is_planned)
    }

    /// Returns a stage for the players that lack games.
    fn catch_up(&self, history: &History) -> Option<Stage> {
        let scores = Scores::of(history);
        let rounds = |player: usize| scores.games[player] / self.seats as u64;
        let wanted = (self.blocks.len() * self.seats) as u64;
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
        if !self.is_on_schedule(history) {
            return self.catch_up(history);
        }
        let stage = history.stages.len();
        (stage < self.blocks.len()).then(|| self.stage(stage, history.next_round()))
    }

    /// Ranks by the share of the possible points, because a player that left has fewer games.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        let scores = Scores::of(history);
        let shares = scores.shares();
        rank_by(
            history.players(),
            |player| shares[player],
            |player| {
                let half_points = scores.half_points[player];
                (half_points, vec![Criterion::Share(half_points, scores.possible[player])])
            },
        )
    }

    fn games(&self, players: usize) -> GameCount {
        GameCount::exactly((self.blocks.len() * players * self.seats) as u64)
    }
}

/// Returns the first round after the meetings.
fn end(meetings: &[Meeting]) -> u64 {
    meetings.iter().map(|of| of.first_round + of.rounds).max().unwrap_or(0)
}

/// Returns `count` base blocks of `seats` places on a circle of `players` places, with all
/// distances equally frequent within one. `None` if the search finds none.
///
/// The search moves one place of one block at a time to where the distances are most even, until no
/// move helps, then starts anew.
fn base_blocks(players: usize, seats: usize, count: usize) -> Option<Vec<Vec<usize>>> {
    let mut rng = Rng::new(0);
    (0..STARTS).find_map(|_| {
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
        distances.are_even().then_some(blocks)
    })
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
