//! Lookups of the entries that the slides of a batch need, in tables of either kind.

use super::node::LOOKUPS;
use crate::taquin::best::pattern::{CellIndexedTables, MoveLookup, PairBits, Placement};

/// Slide of a tile, seen by the group of that tile.
pub struct GroupSlide {
    /// Lookup of the group in one orientation.
    pub lookup: usize,
    pub tile: usize,
    /// Cell that the tile leaves, and that of the blank before the slide.
    pub from: usize,
    pub blank: usize,
    /// Direction of the blank.
    pub direction: usize,
}

/// Address of an entry of one bit.
#[derive(Clone, Copy, Default)]
pub struct EntryAddress {
    /// Index of the word that contains the entry.
    pub word: u32,
    /// Index of the bit in the word.
    pub bit: u8,
}

/// Tables of the groups in both orientations. An entry is the second lowest bit of the slides that
/// a group needs.
pub trait GroupLookup: Sync {
    /// Placement of a group, with its slides modulo four.
    type Group: Copy + Default + Send + Sync;

    /// Returns the placement after a slide with the address of its entry, which is prefetched.
    fn slide(&self, group: Self::Group, slide: &GroupSlide) -> (Self::Group, EntryAddress);

    /// Returns 1 if the slide increased the slides that the group needs and 0 if it decreased them,
    /// and counts it.
    fn count(&self, group: &mut Self::Group, lookup: usize, address: EntryAddress) -> u8;
}

/// Returns the slides modulo four after one more or one less, of which `entry` is the second lowest
/// bit, and 1 if they increased.
#[inline(always)]
fn counted(slides: u32, entry: u32) -> (u32, u8) {
    // Of the two neighbours of a number modulo four, one has the second lowest bit set.
    let is_more = 1 ^ entry ^ (slides >> 1 & 1) ^ (slides & 1);
    (entry << 1 | (slides & 1 ^ 1), is_more as u8)
}

/// Position of the slides in the order of a placement, above eight slots.
pub const SLIDES_SHIFT: u32 = 30;

impl GroupLookup for [MoveLookup<'_>; LOOKUPS] {
    type Group = Placement;

    #[inline(always)]
    fn slide(&self, group: Placement, slide: &GroupSlide) -> (Placement, EntryAddress) {
        let lookup = &self[slide.lookup % LOOKUPS];
        let (group, index) = lookup.look(group, slide.blank, slide.direction);
        (group, EntryAddress { word: (index / 8) as u32, bit: index as u8 % 8 })
    }

    #[inline(always)]
    fn count(&self, group: &mut Placement, lookup: usize, address: EntryAddress) -> u8 {
        let entry = self[lookup % LOOKUPS].byte(address.word as usize) >> address.bit & 1;
        let (slides, is_more) = counted(group.order >> SLIDES_SHIFT, entry);
        group.order = group.order & !(3 << SLIDES_SHIFT) | slides << SLIDES_SHIFT;
        is_more
    }
}

impl<E: PairBits> GroupLookup for &CellIndexedTables<E> {
    type Group = u32;

    #[inline(always)]
    fn slide(&self, group: u32, slide: &GroupSlide) -> (u32, EntryAddress) {
        let GroupSlide { lookup, tile, from, direction, .. } = *slide;
        let (word, bit) = self.look(group >> 2, lookup, tile, (from, direction));
        (word << 2 | group & 3, EntryAddress { word, bit })
    }

    #[inline(always)]
    fn count(&self, group: &mut u32, _: usize, address: EntryAddress) -> u8 {
        let (slides, is_more) = counted(*group & 3, self.bit(address.word, address.bit));
        *group = *group & !3 | slides;
        is_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slide_counts_follow_the_bits_of_a_table() {
        for slides in 1..20u32 {
            for (after, is_more) in [(slides - 1, 0), (slides + 1, 1)] {
                assert_eq!(counted(slides % 4, after >> 1 & 1), (after % 4, is_more));
            }
        }
    }
}
