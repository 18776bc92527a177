//! Nodes of a breadth-first search as bits, one for each order of some tiles.

/// All nodes of both.
pub fn union(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
}

/// The same where nodes are kept as bytes.
pub fn add_to_bytes(into: &mut [u8], from: &[u64]) {
    for (into, from) in into.as_chunks_mut::<8>().0.iter_mut().zip(from) {
        *into = (u64::from_le_bytes(*into) | from).to_le_bytes();
    }
}

/// Adds the nodes of `from`, whose orders change as `after` says.
pub fn permute(into: &mut [u64], from: &[u64], after: impl Fn(usize) -> usize) {
    for (start, &word) in (0..).step_by(64).zip(from) {
        let mut left = word;
        while left != 0 {
            let order = after(start + left.trailing_zeros() as usize);
            into[order / 64] |= 1 << (order % 64);
            left &= left - 1;
        }
    }
}

/// Leaves the nodes that were not reached before, marks them as reached and returns how many they
/// are.
pub fn claim(next: &mut [u64], reached_nodes: &mut [u64]) -> usize {
    let mut count = 0;
    for (next, reached) in next.iter_mut().zip(reached_nodes) {
        *next &= !*reached;
        *reached |= *next;
        count += next.count_ones() as usize;
    }
    count
}

/// Writes the distance, halved, into the entries of nodes whose placements were not known.
pub fn write_new(next: &[u64], known: &[u64], entries: &mut [u8], distance: u32) {
    let value = (distance >> 1) as u8 & 15;
    for (at, (next, known)) in (0..).step_by(64).zip(next.iter().zip(known)) {
        let mut left = next & !known;
        while left != 0 {
            let order = at + left.trailing_zeros() as usize;
            entries[order / 2] |= value << (4 * (order % 2));
            left &= left - 1;
        }
    }
}
