//! Transposition table: results of earlier searches by position, kept during a game and shared by
//! all threads without locks.
//!
//! A bucket has two tiers. The deepest results of the current searches stay in the first three
//! slots, and the last slot takes whatever the others do not.

use arbitre_games::games::awele::{Board, Pit};
use arbitre_games::search::prefetch::prefetch;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of slots in a bucket, a cache line of 64 bytes.
const SLOTS: usize = 4;
/// Bytes of a bucket.
const BUCKET_BYTES: usize = 64;
/// Stored in place of a pit where no move is known.
const NO_PIT: u8 = 7;

/// Meaning of a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is at most this.
    Upper,
    /// The value is at least this.
    Lower,
    /// The value is this.
    Exact,
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Value or bound, from the view of the player to move.
    pub value: i16,
    /// Depth in plies.
    pub depth: u8,
    /// Meaning of the value.
    pub bound: Bound,
    /// Best move, if one is known.
    pub best: Option<Pit>,
}

impl Entry {
    /// Packs the entry with the number of its search.
    fn pack(self, generation: u16) -> u64 {
        let best = self.best.map_or(NO_PIT, |pit| pit.index() as u8);
        u64::from(self.value as u16)
            | u64::from(self.depth) << 16
            | u64::from(self.bound as u8) << 24
            | u64::from(best) << 28
            | u64::from(generation) << 32
    }

    fn unpack(data: u64) -> Entry {
        let bound = match data >> 24 & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        };
        let best = Pit::new((data >> 28 & 7) as usize);
        Entry { value: data as u16 as i16, depth: (data >> 16) as u8, bound, best }
    }
}

/// A slot. Another thread may write it in between two reads, so the key is stored combined with the
/// data: torn slots then match no key.
#[derive(Default)]
struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// Table of fixed size.
pub struct Table {
    buckets: Vec<Bucket>,
    /// Number of the current search, from 1.
    generation: u16,
    /// Number of the first search of this game; entries before it count as absent.
    first: u16,
}

impl Table {
    /// Creates a table of `megabytes` megabytes, rounded down to a power of two of buckets.
    ///
    /// # Panics
    /// Panics without the memory; see [`try_new`](Table::try_new).
    pub fn new(megabytes: usize) -> Table {
        Table::try_new(megabytes).expect("a table of a fixed size fits into memory")
    }

    /// Creates a table of a size that the user chose.
    ///
    /// # Errors
    /// Returns an error if the system does not give the memory.
    pub fn try_new(megabytes: usize) -> Result<Table, TryReserveError> {
        let count = (megabytes * (1 << 20) / BUCKET_BYTES).max(1);
        let count = 1 << count.ilog2();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        buckets.extend((0..count).map(|_| Bucket::default()));
        Ok(Table { buckets, generation: 1, first: 1 })
    }

    /// Begins a game: the entries of earlier games do not influence it.
    pub fn next_game(&mut self) {
        self.next_search();
        self.first = self.generation;
    }

    /// Begins a search, whose entries replace older ones.
    pub fn next_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
            (self.generation, self.first) = (1, 1);
        }
    }

    /// Returns the entry of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let is_it = slot.key_and_data.load(Relaxed) ^ data == key && self.is_of_game(data);
            is_it.then(|| Entry::unpack(data))
        })
    }

    /// Loads the bucket of a position that is needed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Stores the entry of a position.
    ///
    /// Without a best move the one that was known stays.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let slots = &self.bucket(key).0;
        let mut place = SLOTS - 1;
        let mut least = i32::from(entry.depth);
        let mut entry = entry;
        for (number, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if slot.key_and_data.load(Relaxed) ^ data == key && self.is_of_game(data) {
                place = number;
                entry.best = entry.best.or(Entry::unpack(data).best);
                break;
            }
            let worth = self.worth(data);
            if number + 1 < SLOTS && worth <= least {
                (place, least) = (number, worth);
            }
        }
        let data = entry.pack(self.generation);
        slots[place].data.store(data, Relaxed);
        slots[place].key_and_data.store(key ^ data, Relaxed);
    }

    /// Returns the depth of an entry of this search, or less than any depth for an older one.
    #[inline]
    fn worth(&self, data: u64) -> i32 {
        match (data >> 32) as u16 == self.generation {
            true => i32::from((data >> 16) as u8),
            false => -1,
        }
    }

    #[inline]
    fn is_of_game(&self, data: u64) -> bool {
        (data >> 32) as u16 >= self.first
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }
}

/// Returns the key of a board.
#[inline]
pub fn key(board: Board) -> u64 {
    let [own, other] = board.sides();
    // The constants are 2⁶⁴ divided by the golden ratio, and by the root of x⁴ = x + 1.
    let product =
        u128::from(own ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;

    fn entry(depth: u8) -> Entry {
        Entry { value: -1234, depth, bound: Bound::Lower, best: Pit::new(5) }
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for best in (0..6).map(Pit::new).chain([None]) {
                for value in [i16::MIN, -1, 0, 1, 10_000] {
                    let entry = Entry { value, depth: 255, bound, best };
                    assert_eq!(Entry::unpack(entry.pack(u16::MAX)), entry);
                }
            }
        }
    }

    /// A bucket that overflows keeps the deepest three entries and the newest.
    #[test]
    fn deep_entries_stay_and_the_newest_too() {
        let table = Table::new(0);
        for (key, depth) in [(1, 9), (2, 8), (3, 7), (4, 2), (5, 1), (6, 3)] {
            table.store(key, entry(depth));
        }
        let depths: Vec<_> = (1..=6).map(|key| table.probe(key).map(|entry| entry.depth)).collect();
        assert_eq!(depths, [Some(9), Some(8), Some(7), None, None, Some(3)]);
    }

    #[test]
    fn older_searches_give_way_and_earlier_games_are_forgotten() {
        let mut table = Table::new(0);
        (1..=3).for_each(|key| table.store(key, entry(9)));
        table.next_search();
        assert!((1..=3).all(|key| table.probe(key) == Some(entry(9))));
        (5..=7).for_each(|key| table.store(key, entry(1)));
        assert!((5..=7).all(|key| table.probe(key) == Some(entry(1))));
        table.next_game();
        assert!((1..=7).all(|key| table.probe(key).is_none()));
        // The numbers of searches wrap around, and nothing old comes back.
        for _ in 0..=u16::MAX {
            table.next_search();
        }
        assert!((1..=7).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn a_known_move_is_kept() {
        let table = Table::new(0);
        table.store(1, entry(3));
        table.store(1, Entry { best: None, ..entry(4) });
        assert_eq!(table.probe(1), Some(entry(4)));
    }

    /// Threads that overwrite each other's slots never read a mixture.
    #[test]
    fn torn_entries_match_no_key() {
        let table = &Table::new(0);
        let value = |key: u64| (key * 77) as i16;
        let seen = arbitre_games::parallel::run(4, |thread| {
            let mut rng = Rng::new(thread as u64);
            let mut seen = 0;
            for _ in 0..100_000 {
                let key = 1 + rng.below(40) as u64;
                if let Some(found) = table.probe(key) {
                    assert_eq!(found.value, value(key));
                    seen += 1;
                }
                table.store(key, Entry { value: value(key), ..entry(rng.below(9) as u8) });
            }
            seen
        });
        assert!(seen.into_iter().sum::<usize>() > 1000);
    }

    #[test]
    fn random_boards_have_different_keys() {
        let mut rng = Rng::new(1);
        let mut boards = std::collections::HashMap::new();
        for _ in 0..200_000 {
            let mut pits = [0; 12];
            let mut captures = [0; 2];
            for _ in 0..48 {
                match rng.below(14) {
                    pit @ 0..12 => pits[pit] += 1,
                    side => captures[side - 12] += 1,
                }
            }
            let board = Board::new(pits, captures);
            assert_eq!(*boards.entry(key(board)).or_insert(board), board);
        }
    }
}
