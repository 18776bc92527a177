//! Games as rankings of their players: the number of games with each ranking, and what follows
//! before strengths are computed.

use crate::play::record::half_points;
use std::collections::BTreeMap;

/// Ranking of a game: groups of players that share a rank, the first rank first, each group in
/// ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ranking(Vec<Vec<usize>>);

impl Ranking {
    /// Creates the ranking of `players` from their `ranks`; smaller is better.
    pub fn new(players: &[usize], ranks: &[usize]) -> Ranking {
        let mut ranked: Vec<(&usize, &usize)> = ranks.iter().zip(players).collect();
        ranked.sort_unstable();
        let groups = ranked.chunk_by(|(one, _), (other, _)| one == other);
        Ranking(groups.map(|group| group.iter().map(|&(_, &player)| player).collect()).collect())
    }

    /// Returns the groups, the first rank first.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.0
    }

    /// Returns all players with the number of their group.
    fn players(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let numbered = self.0.iter().enumerate();
        numbered.flat_map(|(place, group)| group.iter().map(move |&player| (player, place)))
    }
}

/// Number of games with each ranking. Strengths are computed from these counts alone, in an order
/// that does not depend on the order of the games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rankings(BTreeMap<Ranking, u64>);

impl Rankings {
    /// Counts a game.
    pub fn add(&mut self, ranking: Ranking) {
        *self.0.entry(ranking).or_default() += 1;
    }

    /// Counts all games of `other`.
    pub fn add_all(&mut self, other: &Rankings) {
        for (ranking, count) in other.iter() {
            match self.0.get_mut(ranking) {
                Some(sum) => *sum += count,
                None => drop(self.0.insert(ranking.clone(), count)),
            }
        }
    }

    /// Replaces the number of each player.
    pub fn renumber(&mut self, number: impl Fn(usize) -> usize) {
        let renumbered = |ranking: &Ranking| {
            let group = |group: &Vec<usize>| {
                let mut group: Vec<usize> = group.iter().map(|&player| number(player)).collect();
                group.sort_unstable();
                group
            };
            Ranking(ranking.0.iter().map(group).collect())
        };
        self.0 = self.0.iter().map(|(ranking, &count)| (renumbered(ranking), count)).collect();
    }

    /// Returns the rankings with their counts, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (&Ranking, u64)> {
        self.0.iter().map(|(ranking, &count)| (ranking, count))
    }

    /// Returns the half points of each of `players` players against each other: two for a game in
    /// which the first ranked above the second, one for a shared rank.
    pub fn against(&self, players: usize) -> Vec<Vec<u64>> {
        let mut against = vec![vec![0; players]; players];
        for (ranking, count) in self.iter() {
            for (one, place) in ranking.players() {
                for (other, their_place) in ranking.players().filter(|(other, _)| *other != one) {
                    against[one][other] += count * u64::from(half_points(place, their_place));
                }
            }
        }
        against
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranking_ignores_seats() {
        let one = Ranking::new(&[2, 1, 0], &[1, 2, 2]);
        assert_eq!(one, Ranking::new(&[0, 1, 2], &[2, 2, 1]));
        assert_eq!(one.groups(), [vec![2], vec![0, 1]]);
        assert_ne!(one, Ranking::new(&[0, 1, 2], &[2, 3, 1]));
    }

    #[test]
    fn equal_rankings_share_a_count() {
        let mut rankings = Rankings::default();
        for _ in 0..1000 {
            rankings.add(Ranking::new(&[0, 1, 2], &[1, 3, 2]));
        }
        rankings.add(Ranking::new(&[1, 2, 0], &[1, 1, 3]));
        assert_eq!(rankings.iter().count(), 2);
        assert_eq!(rankings.against(3), [[0, 2000, 2000], [2, 0, 1], [2, 2001, 0]]);
    }
}
