//! Random numbers of the contest, which choose the units.

/// The linear congruential generator of the task. The first number is taken from the seed itself.
///
/// ```
/// use arbitre_games::games::hextris::Lcg;
/// let first: Vec<u32> = Lcg::new(17).take(5).collect();
/// assert_eq!(first, [0, 24107, 16552, 12125, 9427]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lcg {
    state: u32,
}

impl Lcg {
    /// Creates the generator for a seed.
    pub const fn new(seed: u32) -> Lcg {
        Lcg { state: seed }
    }
}

impl Iterator for Lcg {
    type Item = u32;

    /// Returns the next number, of 15 bits. The sequence never ends.
    fn next(&mut self) -> Option<u32> {
        let number = self.state >> 16 & 0x7FFF;
        self.state = self.state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        Some(number)
    }
}
