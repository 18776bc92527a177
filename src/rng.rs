//! A small pseudorandom number generator, fixed forever: a seed gives the same games, openings and
//! bots in every version.
//!
//! The generator is xoshiro256** of Blackman and Vigna, seeded by SplitMix64 as its authors
//! recommend ("Scrambled linear pseudorandom number generators", 2018).

use std::fmt;

/// A generator. A clone repeats its numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// Creates a generator from `seed`.
    pub fn new(seed: u64) -> Rng {
        let mut mix = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// Returns the generator that [`Display`](fmt::Display) wrote.
    pub fn parse(text: &str) -> Option<Rng> {
        let digits = |at: usize| text.get(16 * at..16 * (at + 1));
        let part = |at| u64::from_str_radix(digits(at)?, 16).ok();
        let state = [part(0)?, part(1)?, part(2)?, part(3)?];
        // The state of zeros alone would never change.
        (text.len() == 64 && state != [0; 4]).then_some(Rng { state })
    }

    /// Returns the next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Returns a number below `n`, uniformly distributed (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// Panics if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "no number is below 0");
        let n = n as u64;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            // Rejects the 2^64 mod n low halves that would make some numbers more likely.
            if product as u64 >= n.wrapping_neg() % n {
                return (product >> 64) as usize;
            }
        }
    }

    /// Returns one of the 2^53 multiples of 2^-53 from 0 to below 1, uniformly distributed.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles the items; every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns a separate generator for `branch`, a part of the work; this one does not advance.
    pub fn fork(&self, branch: u64) -> Rng {
        let mut mix = self.state[0] ^ self.state[3].rotate_left(32) ^ branch;
        Rng::new(split_mix(&mut mix))
    }
}

/// Writes the state as 64 hexadecimal digits.
impl fmt::Display for Rng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.iter().try_for_each(|part| write!(f, "{part:016x}"))
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mix(*state)
}

/// Second half of SplitMix64: a bijection in which every bit depends on every bit.
#[inline]
pub fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of the authors' reference program, started from the state 1, 2, 3, 4.
    #[test]
    fn agrees_with_the_reference_program() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360]);
    }

    /// Published first outputs of SplitMix64 from 0.
    #[test]
    fn seeds_as_published() {
        assert_eq!(Rng::new(0).state[..2], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[rng.below(6)] += 1);
        // Five standard deviations of a binomial of 60,000 draws at one in six are 456.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 456), "{counts:?}");
    }

    /// The sequence of a seed must never change.
    #[test]
    fn sequence_of_a_seed_is_fixed() {
        let mut rng = Rng::new(2026);
        let mut deck: Vec<usize> = (0..12).collect();
        rng.shuffle(&mut deck);
        assert_eq!(deck, [2, 1, 0, 10, 4, 7, 5, 11, 9, 8, 3, 6]);
        assert_eq!(rng.clone().unit(), (rng.clone().next_u64() >> 11) as f64 * 2f64.powi(-53));
        assert_eq!(rng.fork(1).next_u64(), 15905318859420191516);
    }

    #[test]
    fn generator_is_read_as_it_is_written() {
        let mut rng = Rng::new(7);
        rng.next_u64();
        let text = rng.to_string();
        let mut read = Rng::parse(&text).unwrap();
        assert_eq!(read.next_u64(), rng.next_u64());
        for wrong in ["", &text[1..], &format!("{text}0"), &"0".repeat(64), &"+".repeat(64)] {
            assert!(Rng::parse(wrong).is_none(), "{wrong}");
        }
    }
}
