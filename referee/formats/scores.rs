//! Sums over the complete stages, and ranks by keys.

use crate::formats::{Criterion, History, Placing};
use crate::statistics::ranking::Rankings;

/// Sums over the complete stages. They do not depend on the order of the results.
pub(super) struct Scores {
    /// Half points of each player in its games.
    pub half_points: Vec<u64>,
    /// Games of each player.
    pub games: Vec<u64>,
    /// Most half points that each player could have won in its games.
    pub possible: Vec<u64>,
    /// Rounds in which two players met.
    pub met: Vec<Vec<u64>>,
    /// Byes of each player.
    pub byes: Vec<u64>,
    /// Rankings of all rated games.
    pub rankings: Rankings,
}

impl Scores {
    pub(super) fn of(history: &History) -> Scores {
        let players = history.players();
        let mut scores = Scores {
            half_points: vec![0; players],
            games: vec![0; players],
            possible: vec![0; players],
            met: vec![vec![0; players]; players],
            byes: vec![0; players],
            rankings: Rankings::default(),
        };
        for of in history.meetings() {
            let (group, games) = (&of.meeting.players, of.meeting.games());
            for (&player, half_points) in group.iter().zip(&of.half_points) {
                scores.half_points[player] += half_points;
                scores.games[player] += games;
                scores.possible[player] += 2 * (group.len() as u64 - 1) * games;
                for &other in group.iter().filter(|&&other| other != player) {
                    scores.met[player][other] += of.meeting.rounds;
                }
            }
            scores.rankings.add_all(&of.rankings);
        }
        for &player in history.stages.iter().flat_map(|stage| &stage.byes) {
            scores.byes[player] += 1;
        }
        scores
    }

    /// Returns the rounds in which a player met those at a table, summed over them.
    pub(super) fn met_at(&self, table: &[usize], player: usize) -> u64 {
        table.iter().map(|&other| self.met[player][other]).sum()
    }
}

/// Share of what was possible, such as half points or games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub won: u64,
    pub of: u64,
}

impl Share {
    /// Returns a number in the order of the shares, of which a share of nothing is the lowest. Only
    /// equal shares have equal numbers, below 2^32 possible points.
    pub fn in_order(self) -> Option<u128> {
        (u128::from(self.won) << 64).checked_div(self.of.into())
    }
}

/// Returns the players in groups of equal keys, the greatest key first.
fn groups_by<K: Ord>(players: &[usize], key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut sorted = players.to_vec();
    sorted.sort_by(|&one, &other| key(other).cmp(&key(one)).then(one.cmp(&other)));
    let groups = sorted.chunk_by(|&one, &other| key(one) == key(other));
    groups.map(<[usize]>::to_vec).collect()
}

/// Returns the placings of groups, the first rank first.
fn placings(groups: &[Vec<usize>], place: impl Fn(usize) -> (u64, Vec<Criterion>)) -> Vec<Placing> {
    let (mut placings, mut rank) = (Vec::new(), 1);
    for group in groups {
        for &player in group {
            let (half_points, criteria) = place(player);
            placings.push(Placing { rank, player, half_points, criteria });
        }
        rank += group.len();
    }
    placings
}

/// Ranks all players by `key`, the greatest first. Equal keys share a rank.
pub(super) fn rank_by<K: Ord>(
    players: usize,
    key: impl Fn(usize) -> K,
    place: impl Fn(usize) -> (u64, Vec<Criterion>),
) -> Vec<Placing> {
    let everyone: Vec<usize> = (0..players).collect();
    placings(&groups_by(&everyone, key), place)
}

/// Ranks all players by the share of their possible points, which compares players with different
/// numbers of games.
pub(super) fn rank_by_share(history: &History) -> Vec<Placing> {
    let scores = Scores::of(history);
    let share =
        |player: usize| Share { won: scores.half_points[player], of: scores.possible[player] };
    rank_by(
        history.players(),
        |player| share(player).in_order(),
        |player| {
            let Share { won, of } = share(player);
            (won, vec![Criterion::Share(won, of)])
        },
    )
}

/// Ranks all players by `key`, then by direct encounter: the half points against the players of
/// equal key. It decides only where all of them met each other.
pub(super) fn rank_with_direct_encounter<K: Ord>(
    scores: &Scores,
    key: impl Fn(usize) -> K,
    place: impl Fn(usize) -> (u64, Vec<Criterion>),
) -> Vec<Placing> {
    let players = scores.games.len();
    let against = scores.rankings.against(players);
    let everyone: Vec<usize> = (0..players).collect();
    let (mut groups, mut direct) = (Vec::new(), vec![None; players]);
    for tied in groups_by(&everyone, key) {
        let have_met = |one: usize, other: usize| {
            one == other || against[one][other] + against[other][one] > 0
        };
        let all_met = tied.iter().all(|&one| tied.iter().all(|&other| have_met(one, other)));
        if tied.len() > 1 && all_met {
            for &player in &tied {
                let half_points: u64 = tied.iter().map(|&other| against[player][other]).sum();
                direct[player] = Some(half_points);
            }
        }
        groups.extend(groups_by(&tied, |player| direct[player]));
    }
    placings(&groups, |player| {
        let (half_points, mut criteria) = place(player);
        criteria.extend(direct[player].map(Criterion::DirectEncounter));
        (half_points, criteria)
    })
}
