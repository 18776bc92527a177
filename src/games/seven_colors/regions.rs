//! Sets of regions.

/// Largest number of regions, one for each cell of the largest board.
pub const CAPACITY: usize = 1024;
const WORDS: usize = CAPACITY / 64;

/// A set of regions, one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Regions([u64; WORDS]);

impl Regions {
    /// The empty set.
    pub const NONE: Regions = Regions([0; WORDS]);

    /// Returns the set of a single region.
    pub fn one(region: usize) -> Regions {
        let mut set = Regions::NONE;
        set.insert(region);
        set
    }

    /// Adds a region.
    pub fn insert(&mut self, region: usize) {
        self.0[region / 64] |= 1 << (region % 64);
    }

    /// Returns `true` if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds the regions of another set.
    #[inline]
    pub fn add(&mut self, other: &Regions) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Removes the regions of another set.
    #[inline]
    pub fn remove(&mut self, other: &Regions) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Returns the intersection of both sets.
    #[inline]
    pub fn and(&self, other: &Regions) -> Regions {
        Regions(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the regions in ascending order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| Bits(word).map(move |bit| 64 * i + bit))
    }

    /// Returns the region with the lowest number.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }
}

/// Iterator over the set bits, lowest first.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
