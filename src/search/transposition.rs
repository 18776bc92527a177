//! A transposition table: results of earlier searches by position.

/// Smallest absolute value of a proven win or loss. Such a value holds at any search depth.
pub const WON: i32 = 100_000_000;

/// Search result stored for a position.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    value: i32,
    depth: u16,
    bound: Bound,
    /// The best move, in the game's own numbering, for example of colours or directions.
    pub best_move: u8,
}

/// Meaning of a stored value.
#[derive(Clone, Copy, PartialEq, Default)]
enum Bound {
    /// Exact value.
    #[default]
    Exact,
    /// Lower bound.
    Lower,
    /// Upper bound.
    Upper,
}

impl Entry {
    /// Creates the entry of a search to `depth` with the window (`alpha`, `beta`).
    pub fn new(depth: u32, value: i32, best_move: u8, alpha: i32, beta: i32) -> Entry {
        let bound = match value {
            _ if value <= alpha => Bound::Upper,
            _ if value >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        Entry { value, depth: depth as u16, bound, best_move }
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
}

/// A slot of the table.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    entry: Entry,
    /// Number of the search that wrote it; 0 if it is empty.
    search: u8,
}

/// Table of fixed size with one entry per slot.
pub struct TranspositionTable {
    slots: Vec<Slot>,
    search: u8,
}

impl TranspositionTable {
    /// Creates a table of `entries` slots, rounded up to a power of two.
    pub fn new(entries: usize) -> TranspositionTable {
        TranspositionTable { slots: vec![Slot::default(); entries.next_power_of_two()], search: 0 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.search = 0;
    }

    /// Starts a new search, whose entries may replace older ones. Required before the first entry.
    pub fn next_search(&mut self) {
        // Counts from 1 to 255: 0 marks an empty slot.
        self.search = self.search % u8::MAX + 1;
    }

    /// Returns the entry of a position.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        let slot = &self.slots[self.slot_index(hash)];
        (slot.hash == hash && slot.search != 0).then_some(slot.entry)
    }

    /// Stores an entry, unless its slot holds a deeper one of the same search.
    #[inline]
    pub fn store(&mut self, hash: u64, entry: Entry) {
        let (index, search) = (self.slot_index(hash), self.search);
        let slot = &mut self.slots[index];
        if slot.search != search || entry.depth >= slot.entry.depth {
            *slot = Slot { hash, entry, search };
        }
    }

    #[inline]
    fn slot_index(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}
