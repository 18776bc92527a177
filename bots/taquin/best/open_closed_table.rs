//! Table of open and closed boards. A board takes one word, and two bytes for its record. All
//! boards share a hash table with open addressing. Its shards grow independently, so that only
//! little is copied at a time.

use crate::taquin::packed_board::PackedBoard;
use arbitre_games::search::prefetch::prefetch;

/// Number of shards; the upper bits of the hash choose one. Not tuned.
const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 8;
/// Load factor in percent at which a shard grows by a quarter. On 2026-11-22, 80 % was faster than
/// 88 % with growth by a fifth (`docs/diary/taquin.md`).
const FULL: usize = 80;
/// Initial number of slots of a shard. Not tuned.
const FIRST: usize = 16;

/// Path by which a board was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRecord {
    /// The f-value: moves of the shortest known path to the board, plus its estimate.
    pub length: u8,
    /// Index of the last move to the board, or `NO_DIRECTION`.
    pub direction: u8,
    /// Whether the board is still to be expanded.
    pub is_open: bool,
}

/// Record in two bytes. In a free slot the first byte is [`FREE`].
#[derive(Clone, Copy)]
struct PackedRecord([u8; 2]);

const FREE: u8 = u8::MAX;
const OPEN: u8 = 1 << 7;

impl PackedRecord {
    fn new(record: NodeRecord) -> PackedRecord {
        assert!(record.length != FREE, "paths are shorter than {FREE}");
        PackedRecord([record.length, record.direction | if record.is_open { OPEN } else { 0 }])
    }

    fn record(self) -> NodeRecord {
        let [length, rest] = self.0;
        NodeRecord { length, direction: rest & !OPEN, is_open: rest & OPEN != 0 }
    }
}

/// Hash table of boards with their records.
pub struct OpenClosedTable<K> {
    shards: Vec<Shard<K>>,
    len: usize,
    /// Number of slots of all shards.
    slots: usize,
    /// Number of slots of the largest shard.
    largest: usize,
}

#[derive(Clone)]
struct Shard<K> {
    words: Vec<K>,
    records: Vec<PackedRecord>,
    taken: usize,
}

/// Slot of a board, valid until the next insertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSlot {
    shard: usize,
    at: usize,
}

impl<K: PackedBoard> OpenClosedTable<K> {
    /// Creates an empty table.
    pub fn new() -> OpenClosedTable<K> {
        let shard = Shard::with_slots(FIRST);
        let (shards, slots) = (vec![shard; SHARDS], SHARDS * FIRST);
        OpenClosedTable { shards, len: 0, slots, largest: FIRST }
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the size in bytes, including a copy of the largest shard while it grows.
    pub fn bytes(&self) -> usize {
        self.bytes_with(0)
    }

    /// Returns an upper limit of the size in bytes after `boards` more insertions.
    pub fn bytes_with(&self, boards: usize) -> usize {
        let slot = std::mem::size_of::<K>() + std::mem::size_of::<PackedRecord>();
        let larger = if boards > 0 { grown(self.largest) } else { self.largest };
        // While a shard grows, its old and its new slots exist together.
        slot * (self.slots + boards * (larger - self.largest) + grown(larger))
    }

    /// Returns the slot of a board, or `None` if it is not in the table.
    pub fn find(&self, word: K) -> Option<TableSlot> {
        let (shard, mixed) = split(word);
        let at = self.shards[shard].slot(word, mixed);
        (!self.shards[shard].is_free(at)).then_some(TableSlot { shard, at })
    }

    /// Returns the record of a board.
    pub fn record(&self, slot: TableSlot) -> NodeRecord {
        self.shards[slot.shard].records[slot.at].record()
    }

    /// Replaces the record of a board.
    pub fn set(&mut self, slot: TableSlot, record: NodeRecord) {
        self.shards[slot.shard].records[slot.at] = PackedRecord::new(record);
    }

    /// Inserts a board, or records a shorter path to a known one. Returns `true` if it did either.
    #[inline]
    pub fn improve(&mut self, word: K, record: NodeRecord) -> bool {
        let (number, mixed) = split(word);
        let shard = &mut self.shards[number];
        let at = shard.slot(word, mixed);
        if !shard.is_free(at) {
            let is_shorter = record.length < shard.records[at].0[0];
            if is_shorter {
                shard.records[at] = PackedRecord::new(record);
            }
            return is_shorter;
        }
        shard.words[at] = word;
        shard.records[at] = PackedRecord::new(record);
        shard.taken += 1;
        self.len += 1;
        if 100 * shard.taken >= FULL * shard.words.len() {
            let before = shard.words.len();
            shard.grow();
            self.slots += shard.words.len() - before;
            self.largest = self.largest.max(shard.words.len());
        }
        true
    }

    /// Prefetches the slot where a board is or belongs.
    #[inline]
    pub fn prefetch(&self, word: K) {
        let (shard, mixed) = split(word);
        let shard = &self.shards[shard];
        let at = shard.home(mixed);
        prefetch(shard.words.as_ptr().wrapping_add(at));
        prefetch(shard.records.as_ptr().wrapping_add(at));
    }

    /// Returns the first open board from slot `from` on whose f-value is at most `longest`, with
    /// its slot.
    pub fn next_open(&self, from: TableSlot, longest: u8) -> Option<(TableSlot, K)> {
        let mut slot = from;
        while let Some(shard) = self.shards.get(slot.shard) {
            let rest = shard.records[slot.at.min(shard.records.len())..].iter();
            // The f-value in a free slot is larger than any other.
            let is_it = |record: &PackedRecord| record.0[0] <= longest && record.0[1] & OPEN != 0;
            if let Some(skipped) = rest.into_iter().position(is_it) {
                slot.at += skipped;
                return Some((slot, shard.words[slot.at]));
            }
            slot = TableSlot { shard: slot.shard + 1, at: 0 };
        }
        None
    }
}

impl TableSlot {
    /// First slot of the table.
    pub const FIRST: TableSlot = TableSlot { shard: 0, at: 0 };
}

/// Returns the shard of a board, and the hash bits that choose its slot there.
#[inline]
fn split<K: PackedBoard>(word: K) -> (usize, u64) {
    let mixed = word.mixed();
    ((mixed >> (u64::BITS - SHARD_BITS)) as usize, mixed << SHARD_BITS)
}

/// Returns the number of slots of a shard after growth.
fn grown(slots: usize) -> usize {
    slots + slots / 4 + 1
}

impl<K: PackedBoard> Shard<K> {
    fn with_slots(slots: usize) -> Shard<K> {
        let (words, records) = (vec![K::default(); slots], vec![PackedRecord([FREE; 2]); slots]);
        Shard { words, records, taken: 0 }
    }

    fn is_free(&self, at: usize) -> bool {
        self.records[at].0[0] == FREE
    }

    /// Returns the slot where the search for a board starts.
    #[inline]
    fn home(&self, mixed: u64) -> usize {
        // The number of slots is not a power of two; a multiplication scales the hash to it.
        ((u128::from(mixed) * self.words.len() as u128) >> u64::BITS) as usize
    }

    /// Returns the slot of a board, or the free slot where it belongs.
    #[inline]
    fn slot(&self, word: K, mixed: u64) -> usize {
        let mut at = self.home(mixed);
        while !self.is_free(at) && self.words[at] != word {
            at = if at + 1 == self.words.len() { 0 } else { at + 1 };
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = Shard::with_slots(grown(self.words.len()));
        for (&word, &record) in
            self.words.iter().zip(&self.records).filter(|(_, record)| record.0[0] != FREE)
        {
            let at = larger.slot(word, split(word).1);
            larger.words[at] = word;
            larger.records[at] = record;
        }
        larger.taken = self.taken;
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::taquin::uniform;
    use arbitre_games::rng::Rng;
    use std::collections::{HashMap, HashSet};

    /// Compares the table with a map. Sweeps must find exactly the open boards up to an f-value.
    fn boards_come_back<K: PackedBoard + std::fmt::Debug>(rows: usize, columns: usize) {
        let (mut table, mut slow, mut rng) =
            (OpenClosedTable::<K>::new(), HashMap::new(), Rng::new(2));
        for _ in 0..30_000 {
            let word = K::pack(uniform(rows, columns, &mut rng).cells());
            let (length, direction) = (rng.below(80) as u8, rng.below(5) as u8);
            let record = NodeRecord { length, direction, is_open: rng.below(2) == 0 };
            let is_better = slow.get(&word).is_none_or(|known: &NodeRecord| length < known.length);
            assert_eq!(table.improve(word, record), is_better);
            if is_better {
                slow.insert(word, record);
            }
        }
        assert_eq!(table.len(), slow.len());
        for (&word, &record) in &slow {
            assert_eq!(table.record(table.find(word).expect("it is stored")), record);
        }
        let expected = slow.iter().filter(|(_, record)| record.is_open && record.length <= 40);
        let expected: HashSet<K> = expected.map(|(&word, _)| word).collect();
        let (mut found, mut slot) = (HashSet::new(), TableSlot::FIRST);
        while let Some((at, word)) = table.next_open(slot, 40) {
            assert!(found.insert(word) && table.find(word) == Some(at));
            table.set(at, NodeRecord { is_open: false, ..table.record(at) });
            slot = at;
        }
        assert_eq!(found, expected);
        let slot = std::mem::size_of::<K>() + 2;
        assert!(slow.len() < 1_000 || table.bytes() < 2 * slot * slow.len());
    }

    #[test]
    fn each_board_is_kept_once_with_its_shortest_path() {
        boards_come_back::<u64>(2, 3);
        boards_come_back::<u64>(4, 4);
        boards_come_back::<u128>(3, 3);
        boards_come_back::<u128>(5, 5);
    }
}
