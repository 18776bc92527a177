//! A fast hash function for positions, for transposition tables and the maps of the standard
//! library.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies pairs of words, each with its own key, to 128 bits and folds the halves. Pairs are
/// independent, so their multiplications overlap.
///
/// `usize` values, lengths of slices and enum variants are not hashed: keys that differ only in
/// them always collide.
pub struct FoldHasher {
    key: u64,
    hash: u64,
}

impl Default for FoldHasher {
    #[inline]
    fn default() -> FoldHasher {
        // 2⁶⁴ divided by the golden ratio.
        FoldHasher { key: 0x9e37_79b9_7f4a_7c15, hash: 0 }
    }
}

/// Builds hashers for the maps and sets of the standard library.
pub type BuildFoldHasher = BuildHasherDefault<FoldHasher>;

impl FoldHasher {
    #[inline(always)]
    fn pair(&mut self, one: u64, two: u64) {
        // Each pair has new keys, so that equal pairs at different places hash differently. The
        // constants are the multiplier of xorshift64*, and 2⁶⁴ divided by the root of x⁴ = x + 1.
        let keys = [self.key, self.key.rotate_left(29) ^ 0x2545_f491_4f6c_dd1d];
        self.key = self.key.wrapping_add(0xd1b5_4a32_d192_ed03);
        self.hash = self.hash.wrapping_add(fold(one ^ keys[0], two ^ keys[1]));
    }
}

#[inline(always)]
fn fold(one: u64, two: u64) -> u64 {
    let product = u128::from(one) * u128::from(two);
    product as u64 ^ (product >> 64) as u64
}

impl Hasher for FoldHasher {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        let word = |at: usize| {
            let mut word = [0; 8];
            let end = bytes.len().min(at + 8);
            word[..end - at].copy_from_slice(&bytes[at..end]);
            u64::from_le_bytes(word)
        };
        for at in (0..bytes.len()).step_by(16) {
            let second = if at + 8 < bytes.len() { word(at + 8) } else { 0 };
            self.pair(word(at), second);
        }
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.pair(number.into(), 0);
    }

    #[inline(always)]
    fn write_u128(&mut self, number: u128) {
        self.pair(number as u64, (number >> 64) as u64);
    }

    /// Ignores the number. The standard library hashes the lengths of slices and arrays this way,
    /// and stable Rust cannot distinguish them. Keys of fixed size do not need them, and every
    /// array in a key would cost a multiplication more.
    #[inline(always)]
    fn write_usize(&mut self, _: usize) {}

    #[inline(always)]
    fn finish(&self) -> u64 {
        fold(self.hash, 0x9e6c_63d0_876a_68ee) ^ self.hash.rotate_left(32)
    }
}
