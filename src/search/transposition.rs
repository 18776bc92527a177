//! A transposition table: what a search knows of positions that it has been to.

/// Values from here on, and below the negative, are proven: such a win or loss holds however deep the
/// search was that saw it.
pub const WON: i32 = 100_000_000;

/// What is known of a position.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    value: i32,
    depth: u16,
    bound: Bound,
    /// The number of the best move.
    pub best: u8,
}

/// What the value is.
#[derive(Clone, Copy, PartialEq, Default)]
enum Bound {
    /// What the position is worth.
    #[default]
    Exact,
    /// It is worth as much at least.
    Least,
    /// It is worth as much at most.
    Most,
}

impl Entry {
    /// What a search to this depth with the window (alpha, beta) found.
    pub fn new(depth: u32, value: i32, best: u8, alpha: i32, beta: i32) -> Entry {
        let bound = match value {
            _ if value <= alpha => Bound::Most,
            _ if value >= beta => Bound::Least,
            _ => Bound::Exact,
        };
        Entry { value, depth: depth as u16, bound, best }
    }

    /// The value, if it settles a search to this depth with the window (alpha, beta). A win that
    /// was seen is one at any depth.
    #[inline]
    pub fn settles(&self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        if u32::from(self.depth) < depth && self.value.abs() < WON {
            return None;
        }
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Least => self.value >= beta,
            Bound::Most => self.value <= alpha,
        };
        settles.then_some(self.value)
    }
}

/// A place in the table.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    entry: Entry,
    /// The search that wrote it; 0 if none did.
    search: u8,
}

/// The table.
pub struct TranspositionTable {
    slots: Vec<Slot>,
    search: u8,
}

impl TranspositionTable {
    /// A table of so many entries, rounded up to a power of two.
    pub fn new(entries: usize) -> TranspositionTable {
        TranspositionTable { slots: vec![Slot::default(); entries.next_power_of_two()], search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.search = 0;
    }

    /// From now on entries are those of a new search, which may take the place of older ones.
    pub fn next_search(&mut self) {
        self.search = self.search % u8::MAX + 1;
    }

    /// What is known of this position.
    #[inline]
    pub fn look(&self, hash: u64) -> Option<Entry> {
        let slot = &self.slots[self.place(hash)];
        (slot.hash == hash && slot.search != 0).then_some(slot.entry)
    }

    /// Keeps an entry, unless a deeper one of this search is in its place.
    #[inline]
    pub fn keep(&mut self, hash: u64, entry: Entry) {
        let (place, search) = (self.place(hash), self.search);
        let slot = &mut self.slots[place];
        if slot.search != search || entry.depth >= slot.entry.depth {
            *slot = Slot { hash, entry, search };
        }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}
