//! A transposition table: results of earlier searches by position, kept during a game and shared by
//! all threads without locks.
//!
//! A bucket of several slots has two tiers. The deepest results of the current searches stay in all
//! slots except the last, which takes whatever the others do not. A bucket of one slot keeps the
//! deepest result of a search.

use crate::search::prefetch::prefetch;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Smallest absolute value of a proven win or loss. Such a value holds at any search depth.
pub const WON: i32 = 100_000_000;
/// Largest depth that is stored, in plies. Deeper results are stored as ones of this depth.
const LARGEST_DEPTH: u32 = 1023;
/// Stored in place of a move where none is known.
const NO_MOVE: u8 = 31;
/// Number of searches after which their numbers begin anew.
const GENERATIONS: u16 = 1 << 15;
/// Number of slots in a cache line of 64 bytes.
const LINE_SLOTS: usize = 4;

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
    /// Value or bound, from the view that the engine chooses.
    pub value: i32,
    /// Depth in plies.
    pub depth: u16,
    /// Meaning of the value.
    pub bound: Bound,
    /// Best move, if one is known, in the game's own numbering from 0 to 30.
    pub best: Option<u8>,
}

impl Entry {
    /// Creates the entry of a search to `depth` with the window (`alpha`, `beta`).
    #[inline]
    pub fn new(depth: u32, value: i32, best: Option<u8>, alpha: i32, beta: i32) -> Entry {
        let bound = match value {
            _ if value <= alpha => Bound::Upper,
            _ if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        Entry { value, depth: depth.min(LARGEST_DEPTH) as u16, bound, best }
    }

    /// Returns the value, if it suffices for a search to `depth` with the window (`alpha`, `beta`).
    /// A proven win or loss suffices at any depth.
    #[inline]
    pub fn cutoff(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if u32::from(self.depth) < depth && self.value.abs() < WON {
            return None;
        }
        let suffices = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        suffices.then_some(self.value)
    }

    /// Packs the entry with the number of its search.
    #[inline]
    fn pack(self, generation: u16) -> u64 {
        u64::from(self.value as u32)
            | u64::from(self.depth) << 32
            | u64::from(self.bound as u8) << 42
            | u64::from(self.best.unwrap_or(NO_MOVE)) << 44
            | u64::from(generation) << 49
    }

    #[inline]
    fn unpack(data: u64) -> Entry {
        let bound = match data >> 42 & 3 {
            0 => Bound::Upper,
            1 => Bound::Lower,
            _ => Bound::Exact,
        };
        let best = Some((data >> 44) as u8 & NO_MOVE).filter(|&best| best != NO_MOVE);
        Entry { value: data as i32, depth: depth_of(data) as u16, bound, best }
    }
}

#[inline]
fn depth_of(data: u64) -> u32 {
    (data >> 32) as u32 & LARGEST_DEPTH
}

#[inline]
fn generation_of(data: u64) -> u16 {
    (data >> 49) as u16
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
struct Line([Slot; LINE_SLOTS]);

/// Table of fixed size, with buckets of `SLOTS` slots each: 1, 2 or 4.
pub struct TranspositionTable<const SLOTS: usize> {
    lines: Vec<Line>,
    buckets: usize,
    /// Number of the current search, from 1.
    generation: u16,
    /// Number of the first search of this game; entries before it count as absent.
    first: u16,
}

impl<const SLOTS: usize> TranspositionTable<SLOTS> {
    /// Number of entries in a megabyte.
    pub const ENTRIES_IN_A_MEGABYTE: usize = (1 << 20) / size_of::<Slot>();

    /// Creates a table of `entries` entries, rounded down to a power of two of buckets.
    ///
    /// # Panics
    /// Panics without the memory; see [`try_new`](TranspositionTable::try_new).
    pub fn new(entries: usize) -> Self {
        Self::try_new(entries).expect("a table of a fixed size fits into memory")
    }

    /// Creates a table of a size that the user chose.
    ///
    /// # Errors
    /// Returns an error if the system does not give the memory.
    pub fn try_new(entries: usize) -> Result<Self, TryReserveError> {
        let buckets = 1 << (entries / SLOTS).max(1).ilog2();
        let count = (buckets * SLOTS).div_ceil(LINE_SLOTS);
        let mut lines = Vec::new();
        lines.try_reserve_exact(count)?;
        lines.extend((0..count).map(|_| Line::default()));
        Ok(TranspositionTable { lines, buckets, generation: 1, first: 1 })
    }

    /// Begins a game: the entries of earlier games do not influence it.
    pub fn next_game(&mut self) {
        self.next_search();
        self.first = self.generation;
    }

    /// Begins a search, whose entries replace older ones.
    pub fn next_search(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.lines.iter_mut().for_each(|line| *line = Line::default());
            (self.generation, self.first) = (1, 1);
        }
    }

    /// Returns the entry of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            self.is_it(slot, data, key).then(|| Entry::unpack(data))
        })
    }

    /// Loads the bucket of a position that is needed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key).as_ptr());
    }

    /// Stores the entry of a position.
    ///
    /// In a bucket of several slots, the move that was known stays if the entry has none.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let slots = self.bucket(key);
        let mut place = (SLOTS > 1).then_some(SLOTS - 1);
        let mut least = i32::from(entry.depth);
        for (number, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if SLOTS > 1 && self.is_it(slot, data, key) {
                place = Some(number);
                entry.best = entry.best.or(Entry::unpack(data).best);
                break;
            }
            let worth = self.worth(data);
            if (number + 1 < SLOTS || SLOTS == 1) && worth <= least {
                (place, least) = (Some(number), worth);
            }
        }
        if let Some(place) = place {
            let data = entry.pack(self.generation);
            slots[place].data.store(data, Relaxed);
            slots[place].key_and_data.store(key ^ data, Relaxed);
        }
    }

    /// Returns the depth of an entry of this search, or less than any depth for an older one.
    #[inline]
    fn worth(&self, data: u64) -> i32 {
        match generation_of(data) == self.generation {
            true => depth_of(data) as i32,
            false => -1,
        }
    }

    /// Returns `true` if a slot with this data has the key and is of this game.
    #[inline]
    fn is_it(&self, slot: &Slot, data: u64, key: u64) -> bool {
        slot.key_and_data.load(Relaxed) ^ data == key && generation_of(data) >= self.first
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let start = (key as usize & (self.buckets - 1)) * SLOTS;
        &self.lines[start / LINE_SLOTS].0[start % LINE_SLOTS..start % LINE_SLOTS + SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn entry(depth: u16) -> Entry {
        Entry { value: -1234, depth, bound: Bound::Lower, best: Some(5) }
    }

    fn small() -> TranspositionTable<4> {
        TranspositionTable::new(0)
    }

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for best in (0..NO_MOVE).map(Some).chain([None]) {
                for value in [i32::MIN + 1, -WON, -1, 0, 1, 10_000, i32::MAX] {
                    let entry = Entry { value, depth: 1023, bound, best };
                    assert_eq!(Entry::unpack(entry.pack(GENERATIONS - 1)), entry);
                }
            }
        }
    }

    #[test]
    fn values_suffice_within_their_depth_and_bound() {
        let of = |value| Entry::new(5, value, None, 10, 20);
        assert_eq!(
            [5, 10, 15, 20, 25].map(|value| of(value).cutoff(5, 10, 20)),
            [Some(5), Some(10), Some(15), Some(20), Some(25)]
        );
        assert_eq!([5, 25].map(|value| of(value).cutoff(5, 0, 30)), [None; 2]);
        assert_eq!(of(15).cutoff(6, 10, 20), None);
        assert_eq!(of(WON).cutoff(6, 10, 20), Some(WON));
        assert_eq!(Entry::new(5000, 0, None, -1, 1).cutoff(1024, -1, 1), None);
    }

    /// A bucket that overflows keeps the deepest three entries and the newest.
    #[test]
    fn deep_entries_stay_and_the_newest_too() {
        let table = small();
        for (key, depth) in [(1, 9), (2, 8), (3, 7), (4, 2), (5, 1), (6, 3)] {
            table.store(key, entry(depth));
        }
        let depths: Vec<_> = (1..=6).map(|key| table.probe(key).map(|entry| entry.depth)).collect();
        assert_eq!(depths, [Some(9), Some(8), Some(7), None, None, Some(3)]);
    }

    /// A single slot keeps the deepest entry of a search, and the newest of equally deep ones.
    #[test]
    fn single_slot_keeps_the_deepest_entry() {
        let mut table = TranspositionTable::<1>::new(1);
        table.store(1, entry(4));
        table.store(2, entry(3));
        assert_eq!((table.probe(1), table.probe(2)), (Some(entry(4)), None));
        table.store(1, entry(3));
        assert_eq!(table.probe(1), Some(entry(4)));
        table.store(3, entry(4));
        assert_eq!((table.probe(1), table.probe(3)), (None, Some(entry(4))));
        table.next_search();
        table.store(4, entry(1));
        assert_eq!((table.probe(3), table.probe(4)), (None, Some(entry(1))));
    }

    #[test]
    fn older_searches_give_way_and_earlier_games_are_forgotten() {
        let mut table = small();
        (1..=3).for_each(|key| table.store(key, entry(9)));
        table.next_search();
        assert!((1..=3).all(|key| table.probe(key) == Some(entry(9))));
        (5..=7).for_each(|key| table.store(key, entry(1)));
        assert!((5..=7).all(|key| table.probe(key) == Some(entry(1))));
        table.next_game();
        assert!((1..=7).all(|key| table.probe(key).is_none()));
        // The numbers of searches wrap around, and nothing old comes back.
        for _ in 0..=GENERATIONS {
            table.next_search();
        }
        assert!((1..=7).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn a_known_move_is_kept() {
        let table = small();
        table.store(1, entry(3));
        table.store(1, Entry { best: None, ..entry(4) });
        assert_eq!(table.probe(1), Some(entry(4)));
    }

    /// Threads that overwrite each other's slots never read a mixture.
    #[test]
    fn torn_entries_match_no_key() {
        let table = &small();
        let value = |key: u64| (key * 77_777_777) as i32;
        let seen = crate::parallel::run(4, |thread| {
            let mut rng = Rng::new(thread as u64);
            let mut seen = 0;
            for _ in 0..100_000 {
                let key = 1 + rng.below(40) as u64;
                if let Some(found) = table.probe(key) {
                    assert_eq!(found.value, value(key));
                    seen += 1;
                }
                table.store(key, Entry { value: value(key), ..entry(rng.below(9) as u16) });
            }
            seen
        });
        assert!(seen.into_iter().sum::<usize>() > 1000);
    }
}
