//! Schedule of a tournament: players, seats, opening and seeds of every game. Everything follows
//! from the seed of the tournament and the index of the game. Game k therefore has the same
//! players, opening and seeds at any concurrency, in any order and on any machine. Its moves are
//! the same only if the players ignore the clock.

use arbitre_games::rng::Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// ChaCha8 stream of the seeds of games.
const GAMES_STREAM: u64 = 0;
/// ChaCha8 stream of the openings.
const OPENINGS_STREAM: u64 = 1;

/// Schedule of a tournament: the game at every index.
#[derive(Clone, Debug)]
pub struct Schedule {
    groups: Vec<Vec<usize>>,
    rotations: u64,
    rounds: u64,
    seed: u64,
    /// Whether each group has the games that it would have as the only group.
    apart: bool,
}

/// One game of the schedule, with its players on their seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Index of the game in the tournament.
    pub index: u64,
    /// Group of players that meet: an index into [`Schedule::groups`].
    pub group: usize,
    /// Round of the game. All games of a round share one opening, whatever their group.
    pub round: u64,
    /// Player on each seat.
    pub players: Vec<usize>,
    /// Seed of each seat's random choices.
    pub seeds: Vec<u64>,
}

impl Schedule {
    /// Creates a round robin of all groups of `seats` out of `players`. `games` counts per group
    /// and is rounded up to whole rotations of the seats.
    ///
    /// # Panics
    /// Panics if there are more seats than players, or no seats.
    pub fn new(players: usize, seats: usize, games: u64, seed: u64) -> Schedule {
        assert!((1..=players).contains(&seats), "{seats} seats for {players} players");
        let rotations = seats as u64;
        let rounds = games.div_ceil(rotations);
        Schedule { groups: groups(players, seats), rotations, rounds, seed, apart: false }
    }

    /// Creates a schedule of `rounds` rounds of these groups, all of one size and each in ascending
    /// order. Every group has the games that it would have alone, seeds included, so that groups
    /// can be compared. One group plays after another, so that its programs can be kept.
    ///
    /// # Panics
    /// Panics if there is no group, or no seat.
    pub fn apart(groups: Vec<Vec<usize>>, rounds: u64, seed: u64) -> Schedule {
        let rotations = groups[0].len() as u64;
        assert!(rotations > 0, "a group has players");
        Schedule { groups, rotations, rounds, seed, apart: true }
    }

    /// Returns the groups of players that meet, each in ascending order.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Returns the number of games of each group.
    pub fn games_per_group(&self) -> u64 {
        self.rounds * self.rotations
    }

    /// Returns the number of games of the tournament.
    pub fn games(&self) -> u64 {
        self.games_per_group() * self.groups.len() as u64
    }

    /// Returns the seed of the tournament.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the game at `index`. Unless the groups are apart, all groups play a round before the
    /// next round begins. A tournament that is cut short is then balanced, and one that is extended
    /// keeps its games.
    pub fn pairing(&self, index: u64) -> Pairing {
        let (in_group, rotation) = (index / self.rotations, index % self.rotations);
        let groups = self.groups.len() as u64;
        let (round, group) = match self.apart {
            false => (in_group / groups, in_group % groups),
            true => (in_group % self.rounds, in_group / self.rounds),
        };
        let group = group as usize;
        let mut players = self.groups[group].clone();
        players.rotate_left(rotation as usize);
        // A group apart draws the seeds that it would draw as the only group.
        let number = if self.apart { round * self.rotations + rotation } else { index };
        let game_seed = Rng::new(stream(self.seed, GAMES_STREAM, number));
        let seeds = (0..players.len()).map(|seat| game_seed.fork(seat as u64).next_u64()).collect();
        Pairing { index, group, round, players, seeds }
    }

    /// Returns the generator from which openings are drawn.
    pub fn openings_rng(&self) -> Rng {
        Rng::new(stream(self.seed, OPENINGS_STREAM, 0))
    }
}

/// Returns all groups of `size` out of `0..players`, in lexicographic order.
fn groups(players: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![vec![]];
    }
    let with_first = |first: usize| {
        let rest = groups(players - first - 1, size - 1).into_iter();
        rest.map(move |rest| {
            let rest = rest.into_iter().map(|player| player + first + 1);
            std::iter::once(first).chain(rest).collect()
        })
    };
    (0..=players - size).flat_map(with_first).collect()
}

/// Returns the number at `index` of a ChaCha8 stream. The crate keeps the stream of 64-bit numbers
/// stable.
fn stream(seed: u64, stream: u64, index: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(stream);
    // The position counts words of 32 bits, two for each number.
    rng.set_word_pos(u128::from(index) * 2);
    rng.next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paired_games_share_an_opening_and_swap_seats() {
        let schedule = Schedule::new(2, 2, 5, 1);
        assert_eq!(schedule.games(), 6, "5 games are rounded up to whole pairs");
        let games: Vec<Pairing> = (0..6).map(|index| schedule.pairing(index)).collect();
        let rounds: Vec<u64> = games.iter().map(|pairing| pairing.round).collect();
        assert_eq!(rounds, [0, 0, 1, 1, 2, 2]);
        assert_eq!(games[2].players, [0, 1]);
        assert_eq!(games[3].players, [1, 0]);
    }

    #[test]
    fn round_robin_is_balanced() {
        let schedule = Schedule::new(5, 3, 3, 1);
        assert_eq!(schedule.groups().len(), 10);
        let mut seated = [[0; 3]; 5];
        for index in 0..schedule.games() {
            let pairing = schedule.pairing(index);
            for (seat, player) in pairing.players.into_iter().enumerate() {
                seated[player][seat] += 1;
            }
        }
        assert_eq!(seated, [[6; 3]; 5]);
    }

    #[test]
    fn extended_tournament_keeps_its_games() {
        let (short, long) = (Schedule::new(3, 2, 4, 1), Schedule::new(3, 2, 40, 1));
        let games = |schedule: &Schedule| (0..12).map(|i| schedule.pairing(i)).collect();
        let (of_short, of_long): (Vec<Pairing>, Vec<Pairing>) = (games(&short), games(&long));
        assert_eq!(of_short, of_long);
        let groups: Vec<usize> = of_short.iter().map(|pairing| pairing.group).collect();
        assert_eq!(groups, [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn groups_apart_play_as_if_alone() {
        let apart = Schedule::apart(vec![vec![0, 7], vec![3, 7]], 5, 2026);
        let alone = Schedule::new(2, 2, 10, 2026);
        assert_eq!(apart.games(), 2 * alone.games());
        let mut numbers = [0; 2];
        for index in 0..apart.games() {
            let pairing = apart.pairing(index);
            let same = alone.pairing(numbers[pairing.group]);
            numbers[pairing.group] += 1;
            let first = apart.groups()[pairing.group][0];
            let players: Vec<usize> =
                same.players.iter().map(|&player| [first, 7][player]).collect();
            assert_eq!((pairing.round, pairing.players), (same.round, players));
            assert_eq!(pairing.seeds, same.seeds);
        }
        assert_eq!(numbers, [10, 10]);
    }

    /// The games of a seed must never change.
    #[test]
    fn seeds_are_stable() {
        let schedule = Schedule::new(2, 2, 100, 2026);
        assert_eq!(schedule.pairing(7).seeds, [10338632806116598232, 7751889872702546095]);
        assert_eq!(schedule.openings_rng().next_u64(), 2839490974111315463);
    }
}
