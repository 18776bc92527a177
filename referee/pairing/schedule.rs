//! Who plays whom, in which seats, from which opening, with which seed. Everything here follows
//! from the one seed of the tournament and the index of a game, so that game k is the same game
//! whatever the concurrency, the order or the machine.

use arbitre_games::rng::Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The streams of ChaCha8 under one tournament seed.
const GAMES_STREAM: u64 = 0;
const OPENINGS_STREAM: u64 = 1;

/// The plan of a tournament: an index in, a game out.
#[derive(Clone, Debug)]
pub struct Schedule {
    groups: Vec<Vec<usize>>,
    rotations: u64,
    rounds: u64,
    seed: u64,
    /// Has each group the games that it would have if it were the only one?
    apart: bool,
}

/// One game of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its index in the tournament.
    pub index: u64,
    /// Which group of players meets: an index into [`Schedule::groups`].
    pub group: usize,
    /// Which opening it starts from. The games of one round differ only in the seats.
    pub round: u64,
    /// The player on each seat.
    pub players: Vec<usize>,
    /// The seed of each seat's random choices.
    pub seeds: Vec<u64>,
}

impl Schedule {
    /// A round robin over all groups of `seats` out of `players`. `games` counts per group and is
    /// rounded up to whole rotations of the seats.
    ///
    /// # Panics
    /// If there are more seats than players, or no seats.
    pub fn new(players: usize, seats: usize, games: u64, seed: u64) -> Schedule {
        assert!((1..=players).contains(&seats), "{seats} seats for {players} players");
        let rotations = seats as u64;
        let rounds = games.div_ceil(rotations);
        Schedule { groups: groups(players, seats), rotations, rounds, seed, apart: false }
    }

    /// So many rounds of these groups, all of one size and each in ascending order. Each has the games that
    /// it would have if it were the only one, seeds and all, so that they can be compared; and one
    /// plays after the other, so that its programs can be kept.
    ///
    /// # Panics
    /// If there is no group, or no seat.
    pub fn apart(groups: Vec<Vec<usize>>, rounds: u64, seed: u64) -> Schedule {
        let rotations = groups[0].len() as u64;
        assert!(rotations > 0, "a group has players");
        Schedule { groups, rotations, rounds, seed, apart: true }
    }

    /// The groups of players that meet, each in ascending order.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The games of each group.
    pub fn games_per_group(&self) -> u64 {
        self.rounds * self.rotations
    }

    /// The games of the tournament.
    pub fn games(&self) -> u64 {
        self.games_per_group() * self.groups.len() as u64
    }

    /// The seed of everything.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The game of this index. Unless they are apart, all groups play a round before any plays the next, so that a
    /// tournament that was cut short is balanced, and one that is made longer keeps its games.
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
        let number = if self.apart { round * self.rotations + rotation } else { index };
        let game_seed = Rng::new(stream(self.seed, GAMES_STREAM, number));
        let seeds = (0..players.len()).map(|seat| game_seed.fork(seat as u64).next_u64()).collect();
        Pairing { index, group, round, players, seeds }
    }

    /// The generator from which openings are drawn.
    pub fn openings_rng(&self) -> Rng {
        Rng::new(stream(self.seed, OPENINGS_STREAM, 0))
    }
}

/// All groups of `size` out of `0..players`, in lexicographic order.
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

/// The number at `index` of a stream of ChaCha8; the stream of 64-bit numbers is what the crate
/// keeps stable.
fn stream(seed: u64, stream: u64, index: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    rng.set_stream(stream);
    rng.set_word_pos(u128::from(index) * 2);
    rng.next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_share_an_opening_with_the_seats_exchanged() {
        let schedule = Schedule::new(2, 2, 5, 1);
        assert_eq!(schedule.games(), 6, "5 games are rounded up to whole pairs");
        let fixtures: Vec<Pairing> = (0..6).map(|index| schedule.pairing(index)).collect();
        let rounds: Vec<u64> = fixtures.iter().map(|pairing| pairing.round).collect();
        assert_eq!(rounds, [0, 0, 1, 1, 2, 2]);
        assert_eq!(fixtures[2].players, [0, 1]);
        assert_eq!(fixtures[3].players, [1, 0]);
    }

    #[test]
    fn everyone_meets_everyone_equally_often() {
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
    fn a_longer_tournament_begins_with_the_same_games() {
        let (short, long) = (Schedule::new(3, 2, 4, 1), Schedule::new(3, 2, 40, 1));
        let fixtures = |schedule: &Schedule| (0..12).map(|i| schedule.pairing(i)).collect();
        let (of_short, of_long): (Vec<Pairing>, Vec<Pairing>) = (fixtures(&short), fixtures(&long));
        assert_eq!(of_short, of_long);
        let groups: Vec<usize> = of_short.iter().map(|pairing| pairing.group).collect();
        assert_eq!(groups, [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn groups_apart_have_the_games_of_one_alone() {
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

    /// What a tournament's seed means may never change.
    #[test]
    fn a_seed_means_the_same_for_ever() {
        let schedule = Schedule::new(2, 2, 100, 2026);
        assert_eq!(schedule.pairing(7).seeds, [10338632806116598232, 7751889872702546095]);
        assert_eq!(schedule.openings_rng().next_u64(), 2839490974111315463);
    }
}
