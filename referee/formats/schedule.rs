//! Schedule of a tournament: players, seats, setup and seeds of every game, as a value without any
//! input or output. A game is identified by its round, which determines the setup, and by its
//! players in the order of the seats. Its seeds follow from the seed of the tournament, the round
//! and the rotation of the seats. If the schedule has names, they depend on those of its players,
//! too. A game is therefore the same at any concurrency, in any order, on any machine, and beside
//! any other players. Its moves are the same only if the players ignore the clock.

use crate::config::shard::Shard;
use crate::play::pairing::{GameId, Pairing};
use arbitre_games::rng::Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use chacha20::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// ChaCha8 stream of the seeds of games.
const GAMES_STREAM: u64 = 0;
/// ChaCha8 stream of the openings.
const OPENINGS_STREAM: u64 = 1;

/// Order in which the groups of a schedule play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// All groups play a round before the next round begins. A tournament that is cut short is then
    /// balanced.
    Rounds,
    /// One group plays after another, so that its programs can be kept.
    Groups,
}

/// Schedule of a tournament: its stages so far, one after another.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    stages: Vec<ScheduledStage>,
    rotations: u64,
    seed: u64,
    /// Part whose games are played; `None` for all games.
    shard: Option<Shard>,
    /// Digests of the players' names; none if seeds do not depend on them.
    names: Arc<[u64]>,
}

/// Groups that all meet in the same rounds.
#[derive(Clone, Debug)]
struct ScheduledStage {
    groups: Vec<Vec<usize>>,
    rounds: Range<u64>,
    order: Order,
    /// Index of its first game.
    first: u64,
}

impl ScheduledStage {
    fn rounds(&self) -> u64 {
        self.rounds.end - self.rounds.start
    }
}

impl Schedule {
    /// Creates a round robin of all groups of `seats` out of `players`. `games` counts per group
    /// and is rounded up to whole rotations of the seats.
    ///
    /// # Panics
    /// Panics if there are more seats than players, or no seats.
    pub fn new(players: usize, seats: usize, games: u64, seed: u64) -> Schedule {
        assert!((1..=players).contains(&seats), "{seats} seats for {players} players");
        let rounds = games.div_ceil(seats as u64);
        let mut schedule = Schedule::staged(seats, seed);
        schedule.add(groups(players, seats), 0..rounds, Order::Rounds);
        schedule
    }

    /// Creates a schedule of `rounds` rounds of these groups, all of one size and each in ascending
    /// order. One group plays after another.
    ///
    /// # Panics
    /// Panics if there is no group, or no seat.
    pub fn apart(groups: Vec<Vec<usize>>, rounds: u64, seed: u64) -> Schedule {
        let mut schedule = Schedule::staged(groups[0].len(), seed);
        schedule.add(groups, 0..rounds, Order::Groups);
        schedule
    }

    /// Creates a schedule that has no stages yet.
    ///
    /// # Panics
    /// Panics if there is no seat.
    pub fn staged(seats: usize, seed: u64) -> Schedule {
        assert!(seats > 0, "a group has players");
        let rotations = seats as u64;
        Schedule { stages: Vec::new(), rotations, seed, shard: None, names: Arc::default() }
    }

    /// Forgets the stages whose games are all before this index. Returns the number of these games,
    /// by which the indices of the others are now lower.
    pub fn forget_before(&mut self, index: u64) -> u64 {
        let ends = self.stages.iter().skip(1).map(|stage| stage.first).chain([self.games()]);
        let over = ends.take_while(|end| *end <= index).count().min(self.stages.len());
        let forgotten = self.stages.get(over).map_or(self.games(), |stage| stage.first);
        self.stages.drain(..over);
        self.stages.iter_mut().for_each(|stage| stage.first -= forgotten);
        forgotten
    }

    /// Restricts the games that are played to a part of the schedule.
    pub fn of_shard(self, shard: Option<Shard>) -> Schedule {
        Schedule { shard, ..self }
    }

    /// Lets the seeds of a game depend on the names of its players by seat.
    pub fn with_names<'a>(self, names: impl Iterator<Item = &'a str>) -> Schedule {
        Schedule { names: names.map(digest).collect(), ..self }
    }

    /// Adds a stage in which each of these groups, which are in ascending order, plays all of the
    /// rounds.
    pub fn add_stage(&mut self, groups: Vec<Vec<usize>>, rounds: Range<u64>) {
        self.add(groups, rounds, Order::Rounds);
    }

    fn add(&mut self, groups: Vec<Vec<usize>>, rounds: Range<u64>, order: Order) {
        let first = self.games();
        self.stages.push(ScheduledStage { groups, rounds, order, first });
    }

    /// Returns the number of seats at a table.
    pub fn seats(&self) -> usize {
        self.rotations as usize
    }

    /// Returns the groups of players that meet in the first stage, each in ascending order.
    pub fn groups(&self) -> &[Vec<usize>] {
        self.stages.first().map_or(&[], |stage| &stage.groups)
    }

    /// Returns the number of games of each group of the first stage.
    pub fn games_per_group(&self) -> u64 {
        self.stages.first().map_or(0, ScheduledStage::rounds) * self.rotations
    }

    /// Returns the number of games of the tournament.
    pub fn games(&self) -> u64 {
        self.stages.last().map_or(0, |stage| {
            stage.first + stage.groups.len() as u64 * stage.rounds() * self.rotations
        })
    }

    /// Returns the seed of the tournament.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of games that are played: those of the shard, if there is one.
    pub fn own_games(&self) -> u64 {
        let (unit, in_round) = self.unit();
        self.shard
            .map_or(self.games(), |shard| unit * shard.count_of(self.games() / unit, in_round))
    }

    /// Returns `true` if only the games of a shard are played.
    pub fn is_part(&self) -> bool {
        self.shard.is_some()
    }

    /// Returns `true` if the game at `index` is played: the shard has it, or there is none.
    pub fn is_own(&self, index: u64) -> bool {
        let (unit, in_round) = self.unit();
        self.shard.is_none_or(|shard| shard.has(index / unit, in_round))
    }

    /// Returns the number of successive games that a shard keeps together, and the number of such
    /// units in a round. A unit is a group on one setup, with all rotations of its seats. In solo
    /// games it is all players on one instance, as their results are compared.
    fn unit(&self) -> (u64, u64) {
        let groups = self.groups().len().max(1) as u64;
        match self.rotations {
            1 => (groups, 1),
            seats => (seats, groups),
        }
    }

    /// Returns the games that can be played now, in the order in which they should begin: those
    /// that are not in `played`.
    pub fn next<'a>(
        &'a self,
        played: &'a HashSet<GameId>,
    ) -> impl Iterator<Item = Pairing> + use<'a> {
        let indices = self.own_indices().filter(|&index| !played.contains(&self.id(index)));
        indices.map(|index| self.pairing(index))
    }

    /// Returns the identities of the games in the order in which they should begin. It is much
    /// quicker than [`Schedule::pairings`], which computes seeds.
    pub fn ids(&self) -> impl Iterator<Item = GameId> + use<'_> {
        self.own_indices().map(|index| self.id(index))
    }

    fn own_indices(&self) -> impl Iterator<Item = u64> + use<'_> {
        (0..self.games()).filter(|&index| self.is_own(index))
    }

    /// Returns all games in the order in which they should begin.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + use<'_> {
        (0..self.games()).map(|index| self.pairing(index))
    }

    /// Returns `true` if the seeds of a game are those of its place in the schedule.
    pub fn has_seeds(&self, pairing: &Pairing) -> bool {
        pairing.seeds == self.seeds(pairing.round, pairing.rotation, &pairing.players)
    }

    /// Returns the game at `index` in the order of the games.
    pub fn pairing(&self, index: u64) -> Pairing {
        let rotation = index % self.rotations;
        let GameId { round, players } = self.id(index);
        let seeds = self.seeds(round, rotation, &players);
        Pairing { round, rotation, players, seeds }
    }

    /// Returns the identity of the game at `index` in the order of the games.
    pub fn id(&self, index: u64) -> GameId {
        let at = self.stages.partition_point(|stage| stage.first <= index);
        let stage = &self.stages[at.checked_sub(1).expect("the schedule has the game")];
        let index = index - stage.first;
        let (in_group, rotation) = (index / self.rotations, index % self.rotations);
        let groups = stage.groups.len() as u64;
        let (round, group) = match stage.order {
            Order::Rounds => (in_group / groups, in_group % groups),
            Order::Groups => (in_group % stage.rounds(), in_group / stage.rounds()),
        };
        let mut players = stage.groups[group as usize].clone();
        players.rotate_left(rotation as usize);
        GameId { round: stage.rounds.start + round, players }
    }

    /// Returns a function from the identity of a game to its index. `None` if the schedule does not
    /// have the game.
    pub fn indices(&self) -> impl Fn(&GameId) -> Option<u64> + use<'_> {
        let mut places: HashMap<&[usize], Vec<(&ScheduledStage, u64)>> = HashMap::new();
        for stage in &self.stages {
            for (place, group) in stage.groups.iter().enumerate() {
                places.entry(group).or_default().push((stage, place as u64));
            }
        }
        move |id| {
            let mut group = id.players.clone();
            group.sort_unstable();
            let of_group = places.get(group.as_slice())?.iter();
            let mut having = of_group.filter(|(stage, _)| stage.rounds.contains(&id.round));
            let &(stage, place) = having.next()?;
            let rotation = group.iter().position(|player| *player == id.players[0])?;
            group.rotate_left(rotation);
            let round = id.round - stage.rounds.start;
            let in_group = match stage.order {
                Order::Rounds => round * stage.groups.len() as u64 + place,
                Order::Groups => place * stage.rounds() + round,
            };
            let index = stage.first + in_group * self.rotations + rotation as u64;
            (group == id.players).then_some(index)
        }
    }

    /// Returns the seeds of the game of a round with this rotation of the seats and these players
    /// on them. A game without players, such as a trial, has seeds of its own.
    pub fn seeds(&self, round: u64, rotation: u64, players: &[usize]) -> Vec<u64> {
        let number = round.wrapping_mul(self.rotations).wrapping_add(rotation);
        let mut game_seed = Rng::new(stream(self.seed, GAMES_STREAM, number));
        for name in players.iter().filter_map(|&player| self.names.get(player)) {
            game_seed = game_seed.fork(*name);
        }
        (0..self.rotations).map(|seat| game_seed.fork(seat).next_u64()).collect()
    }

    /// Returns the generator from which openings are drawn.
    pub fn openings_rng(&self) -> Rng {
        Rng::new(stream(self.seed, OPENINGS_STREAM, 0))
    }
}

/// Returns all groups of `size` out of `0..players`, in lexicographic order.
pub(crate) fn groups(players: usize, size: usize) -> Vec<Vec<usize>> {
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

/// Returns the first bytes of the digest of a name.
fn digest(name: &str) -> u64 {
    let digest = Sha256::digest(name.as_bytes());
    digest.iter().take(size_of::<u64>()).fold(0, |number, byte| number << 8 | u64::from(*byte))
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
    fn longer_tournament_keeps_its_games() {
        let (short, long) = (Schedule::new(3, 2, 4, 1), Schedule::new(3, 2, 40, 1));
        let games = |schedule: &Schedule| schedule.pairings().take(12).collect();
        let (of_short, of_long): (Vec<Pairing>, Vec<Pairing>) = (games(&short), games(&long));
        assert_eq!(of_short, of_long);
        let groups: Vec<Vec<usize>> = of_short.iter().step_by(2).map(Pairing::group).collect();
        let each = [[0, 1], [0, 2], [1, 2]];
        assert_eq!(groups, [each, each].concat());
    }

    #[test]
    fn games_of_a_group_do_not_depend_on_other_players() {
        let alone = Schedule::new(2, 2, 10, 2026);
        let expected: Vec<(u64, u64, Vec<u64>)> =
            alone.pairings().map(|game| (game.round, game.rotation, game.seeds)).collect();
        for schedule in
            [Schedule::apart(vec![vec![0, 7], vec![3, 7]], 5, 2026), Schedule::new(4, 2, 10, 2026)]
        {
            for group in schedule.groups() {
                let own = schedule.pairings().filter(|game| game.group() == *group);
                let games: Vec<_> =
                    own.map(|game| (game.round, game.rotation, game.seeds)).collect();
                assert_eq!(games, expected);
            }
        }
    }

    #[test]
    fn played_games_are_skipped() {
        let schedule = Schedule::new(3, 2, 4, 1);
        let all: Vec<Pairing> = schedule.pairings().collect();
        assert_eq!(all.iter().map(Pairing::id).collect::<HashSet<_>>().len(), 12);
        let played = [&all[2], &all[7]].map(Pairing::id).into();
        let left: Vec<Pairing> = schedule.next(&played).collect();
        assert_eq!(left, [&all[..2], &all[3..7], &all[8..]].concat());
    }

    /// The games of a pairing on one setup stay together, and all players of a solo instance.
    #[test]
    fn shards_have_each_game_once() {
        for (players, seats, games, parts) in
            [(2, 2, 100, 20), (5, 2, 8, 3), (4, 3, 9, 4), (3, 1, 7, 2)]
        {
            let whole = Schedule::new(players, seats, games, 1);
            let mut owners: HashMap<(u64, Vec<usize>), u64> = HashMap::new();
            let mut all = Vec::new();
            for number in 1..=parts {
                let shard = Shard::parse(&format!("{number}/{parts}")).unwrap();
                let part = whole.clone().of_shard(Some(shard));
                assert_eq!(part.ids().count() as u64, part.own_games());
                let nothing = HashSet::new();
                for game in part.next(&nothing) {
                    let group = if seats == 1 { vec![] } else { game.group() };
                    assert_eq!(*owners.entry((game.round, group)).or_insert(number), number);
                    all.push(game.id());
                }
            }
            all.sort_unstable();
            let mut expected: Vec<GameId> = whole.ids().collect();
            expected.sort_unstable();
            assert_eq!(all, expected);
        }
    }

    #[test]
    fn groups_play_one_after_another() {
        let apart = Schedule::apart(vec![vec![0, 7], vec![3, 7]], 5, 2026);
        let first: Vec<usize> = apart.pairings().map(|game| game.group()[0]).collect();
        assert_eq!(first, [[0; 10], [3; 10]].concat());
        let index_of = apart.indices();
        assert!(apart.ids().map(|id| index_of(&id)).eq((0..20).map(Some)));
    }

    /// A stage plays its own rounds, so that no game of it is one of another stage.
    #[test]
    fn stages_follow_each_other() {
        let mut schedule = Schedule::staged(2, 2026);
        assert_eq!(schedule.games(), 0);
        schedule.add_stage(vec![vec![0, 3], vec![1, 2]], 0..2);
        schedule.add_stage(Vec::new(), 2..2);
        schedule.add_stage(vec![vec![0, 1]], 2..3);
        let ids: Vec<(u64, Vec<usize>)> =
            schedule.ids().map(|game| (game.round, game.players)).collect();
        let of = |round, players: [usize; 2]| (round, players.to_vec());
        assert_eq!(
            ids,
            [
                of(0, [0, 3]),
                of(0, [3, 0]),
                of(0, [1, 2]),
                of(0, [2, 1]),
                of(1, [0, 3]),
                of(1, [3, 0]),
                of(1, [1, 2]),
                of(1, [2, 1]),
                of(2, [0, 1]),
                of(2, [1, 0]),
            ]
        );
        let index_of = schedule.indices();
        assert!(schedule.ids().map(|id| index_of(&id)).eq((0..10).map(Some)));
        assert_eq!(index_of(&GameId { round: 2, players: vec![1, 2] }), None, "not in this round");
        let alone = Schedule::new(2, 2, 6, 2026);
        assert_eq!(schedule.pairing(8), alone.pairing(4), "the seeds are those of the round");
    }

    /// The games of a seed must never change.
    #[test]
    fn seeds_are_stable() {
        let schedule = Schedule::new(2, 2, 100, 2026);
        assert_eq!(schedule.pairing(7).seeds, [10338632806116598232, 7751889872702546095]);
        assert_eq!(schedule.openings_rng().next_u64(), 2839490974111315463);
    }
}
