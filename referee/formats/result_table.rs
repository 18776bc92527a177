//! Results of the games of a tournament, in one byte for each seat.

use crate::play::pairing::GameId;
use std::collections::{BTreeMap, HashMap};

/// Rounds whose results stand side by side. Not tuned.
const BLOCK: u64 = 256;
/// Bit of a seat whose player failed to start. The other bits are its rank.
const FAILED: u8 = 1 << 7;

/// Results of games.
#[derive(Clone, Default)]
pub(super) struct ResultTable {
    /// Results of the players on their seats, for each block of rounds.
    blocks: HashMap<Vec<usize>, BTreeMap<u64, Vec<u8>>>,
}

/// Result of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry<'a>(&'a [u8]);

impl TableEntry<'_> {
    /// Returns the rank on each seat.
    pub fn ranks(self) -> Vec<usize> {
        self.0.iter().map(|byte| usize::from(byte & !FAILED)).collect()
    }

    /// Returns whether the player on each seat failed to start.
    pub fn failed(self) -> Vec<bool> {
        self.0.iter().map(|byte| byte & FAILED != 0).collect()
    }
}

impl ResultTable {
    /// Adds a game with the rank on each seat, and whether its player failed to start. An earlier
    /// result of the game is replaced.
    ///
    /// # Panics
    /// Panics if a rank is not between 1 and 127.
    pub fn add(&mut self, id: GameId, ranks: &[usize], failed: &[bool]) {
        let (seats, at) = (id.players.len(), (id.round % BLOCK) as usize);
        let block = self.blocks.entry(id.players).or_default().entry(id.round / BLOCK).or_default();
        if block.len() < (at + 1) * seats {
            block.resize((at + 1) * seats, 0);
        }
        let bytes = block[at * seats..].iter_mut();
        for (byte, (&rank, &failed)) in bytes.zip(ranks.iter().zip(failed)) {
            assert!((1..usize::from(FAILED)).contains(&rank), "rank {rank}");
            *byte = rank as u8 | if failed { FAILED } else { 0 };
        }
    }

    /// Returns the result of a game, if it is there.
    pub fn get(&self, id: &GameId) -> Option<TableEntry<'_>> {
        let block = self.blocks.get(&id.players)?.get(&(id.round / BLOCK))?;
        let at = (id.round % BLOCK) as usize;
        let entry = block.chunks_exact(id.players.len()).nth(at)?;
        // A game that is not there has no ranks.
        (entry[0] != 0).then_some(TableEntry(entry))
    }

    /// Returns the games that are there.
    pub fn ids(&self) -> impl Iterator<Item = GameId> + '_ {
        let rounds = self.blocks.iter().flat_map(|(players, blocks)| {
            let rounds = blocks.iter().flat_map(|(block, bytes)| {
                let rounds = (bytes.len() / players.len()) as u64;
                (0..rounds).map(move |at| block * BLOCK + at)
            });
            rounds.map(move |round| GameId { round, players: players.clone() })
        });
        rounds.filter(|id| self.get(id).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;

    /// The oracle is a map of whole results.
    #[test]
    fn random_results_are_kept() {
        let mut rng = Rng::new(1);
        for seats in [1, 2, 5] {
            let (mut table, mut expected) = (ResultTable::default(), HashMap::new());
            for _ in 0..2000 {
                let mut players: Vec<usize> = (0..seats + 2).collect();
                rng.shuffle(&mut players);
                players.truncate(seats);
                let round = (rng.below(600) as u64) << if rng.below(50) == 0 { 40 } else { 0 };
                let ranks: Vec<usize> = (0..seats).map(|_| 1 + rng.below(seats)).collect();
                let failed: Vec<bool> = (0..seats).map(|_| rng.below(2) == 0).collect();
                let id = GameId { round, players };
                table.add(id.clone(), &ranks, &failed);
                expected.insert(id, (ranks, failed));
                let other = GameId { round: rng.below(600) as u64, players: (0..seats).collect() };
                let result = table.get(&other).map(|of| (of.ranks(), of.failed()));
                assert_eq!(result.as_ref(), expected.get(&other));
            }
            assert_eq!(table.ids().count(), expected.len());
            for id in table.ids() {
                let result = table.get(&id).map(|of| (of.ranks(), of.failed()));
                assert_eq!(result.as_ref(), expected.get(&id), "{id:?}");
            }
        }
    }
}
