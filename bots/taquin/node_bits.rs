//! Nodes of a breadth-first search as bits, one for each order of some tiles.

/// Adds the nodes of `from` to `into`.
pub fn union(into: &mut [u64], from: &[u64]) {
    into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
}

/// Adds the nodes of `from` to `into`, whose bits are stored as bytes.
pub fn add_to_bytes(into: &mut [u8], from: &[u64]) {
    for (into, from) in into.as_chunks_mut::<8>().0.iter_mut().zip(from) {
        *into = (u64::from_le_bytes(*into) | from).to_le_bytes();
    }
}

/// Adds the nodes of `from` to `into`, with each order mapped by `after`.
pub fn permute(into: &mut [u64], from: &[u64], after: impl Fn(usize) -> usize) {
    for (start, &word) in (0..).step_by(64).zip(from) {
        let mut left = word;
        while left != 0 {
            let order = after(start + left.trailing_zeros() as usize);
            into[order / 64] |= 1 << (order % 64);
            // Clears the lowest set bit.
            left &= left - 1;
        }
    }
}

/// Removes the nodes of `next` that are already reached, marks the others as reached, and returns
/// their number.
pub fn claim(next: &mut [u64], reached_nodes: &mut [u64]) -> usize {
    let mut count = 0;
    for (next, reached) in next.iter_mut().zip(reached_nodes) {
        *next &= !*reached;
        *reached |= *next;
        count += next.count_ones() as usize;
    }
    count
}
