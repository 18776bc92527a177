//! Network evaluation: each feature adds a row of numbers to a hidden layer, whose clamped values
//! are multiplied with the weights of the phase.

use super::characters;
use super::features::{features, phase, FEATURES, PHASES};
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::Board;

/// Number of hidden values. Compared with 16, 32 and 96: `bots/awele/diary.md`.
pub const HIDDEN: usize = 64;
/// Hidden value that stands for 1.
pub const ONE: i16 = 255;
/// Output weight that stands for 1.
pub const ONE_OUT: i16 = 512;

/// Hidden values of a feature.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Row(pub [i16; HIDDEN]);

/// A network.
#[derive(Clone)]
pub struct Network {
    /// Hidden values that each feature adds.
    rows: Box<[Row; FEATURES]>,
    /// Hidden values without features.
    bias: Row,
    /// Output weights of each phase.
    out: [Row; PHASES],
    /// Whether the processor has AVX2.
    wide: bool,
}

impl Network {
    /// Creates the network.
    ///
    /// # Panics
    /// Panics if there is not one row for each feature.
    pub fn new(rows: Vec<Row>, bias: Row, out: [Row; PHASES]) -> Network {
        let rows = rows.try_into().ok().expect("a row for each feature");
        Network { rows, bias, out, wide: has_wide_vectors() }
    }

    /// Returns the estimate, from the view of the player to move.
    #[inline]
    pub fn evaluate(&self, board: Board) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: `wide` says that the processor has AVX2.
            #[allow(unsafe_code)]
            return unsafe { self.forward_avx2(board) };
        }
        self.forward(board)
    }

    /// Compiles [`forward`](Network::forward) for AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn forward_avx2(&self, board: Board) -> i32 {
        self.forward(board)
    }

    #[inline(always)]
    fn forward(&self, board: Board) -> i32 {
        let rows = features(board).map(|feature| &self.rows[feature].0);
        let out = &self.out[phase(board)].0;
        let mut sum = 0;
        // One loop over the hidden values, which the compiler turns into vectors.
        for at in 0..HIDDEN {
            let mut hidden = self.bias.0[at];
            for row in rows {
                hidden = hidden.wrapping_add(row[at]);
            }
            sum += i32::from(hidden.clamp(0, ONE)) * i32::from(out[at]);
        }
        sum * 100 / (i32::from(ONE) * i32::from(ONE_OUT))
    }
}

#[cfg(target_arch = "x86_64")]
fn has_wide_vectors() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_wide_vectors() -> bool {
    false
}

/// First line of the file of a network.
pub const HEADER: &str = "awele-network 2";

impl Network {
    /// Parses a file: its first line, then a line for each row: those of the features, the bias and
    /// the output weights of the phases. Each number is a character.
    ///
    /// # Errors
    /// Returns an error if a number is missing or invalid.
    pub fn parse(text: &str) -> Result<Network, ParseError> {
        let numbers = characters::numbers(text, HIDDEN * (FEATURES + 1 + PHASES))?;
        let row = |number: usize| Row(std::array::from_fn(|at| numbers[HIDDEN * number + at]));
        let rows: Vec<Row> = (0..FEATURES).map(row).collect();
        let out = std::array::from_fn(|phase| row(FEATURES + 1 + phase));
        Ok(Network::new(rows, row(FEATURES), out))
    }

    /// Returns the file, with a line for each row.
    pub fn text(&self) -> String {
        let rows = self.rows.iter().chain([&self.bias]).chain(&self.out);
        format!("{HEADER}\n{}", rows.map(|row| characters::line(&row.0)).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::awele::commands::bench::positions;
    use arbitre_games::games::awele::SEEDS;
    use arbitre_games::rng::Rng;

    fn random_network() -> Network {
        let mut rng = Rng::new(7);
        let mut row = |most: usize| {
            Row(std::array::from_fn(|_| rng.below(2 * most + 1) as i16 - most as i16))
        };
        let rows = (0..FEATURES).map(|_| row(60)).collect();
        Network::new(rows, row(60), std::array::from_fn(|_| row(2000)))
    }

    /// Adds up one feature at a time, with whole numbers that cannot overflow.
    fn slow(network: &Network, board: Board) -> i32 {
        let pits = board.pits().into_iter().enumerate();
        let mut features: Vec<usize> =
            pits.map(|(pit, seeds)| 24 * pit + usize::from(seeds.min(23))).collect();
        let [own, other] = board.captures().map(|seeds| usize::from(seeds.min(24)));
        features.extend([288 + own, 313 + other]);
        let on_board: u8 = board.pits().iter().sum();
        let phase = [12, 20, 28, 36, 44].iter().filter(|&&most| on_board > most).count();
        let mut sum = 0i64;
        for at in 0..HIDDEN {
            let hidden: i64 = features.iter().map(|&row| i64::from(network.rows[row].0[at])).sum();
            let hidden = hidden + i64::from(network.bias.0[at]);
            sum += hidden.clamp(0, 255) * i64::from(network.out[phase].0[at]);
        }
        (sum * 100 / (255 * 512)) as i32
    }

    #[test]
    fn all_ways_give_the_same_value() {
        let (network, mut rng) = (random_network(), Rng::new(8));
        let mut values = std::collections::HashSet::new();
        let random = (0..2000).map(|_| {
            let (mut pits, mut left) = ([0; 12], SEEDS);
            for _ in 0..rng.below(60) {
                let seeds = rng.below(usize::from(left) + 1).min(26) as u8;
                pits[rng.below(12)] += seeds;
                left -= seeds;
            }
            let own = rng.below(usize::from(left) + 1) as u8;
            Board::new(pits, [own, left - own])
        });
        for board in random.chain(positions().map(|position| position.board())) {
            let value = slow(&network, board);
            assert_eq!(network.evaluate(board), value, "{board}");
            assert_eq!(network.forward(board), value, "{board}");
            values.insert(value);
        }
        assert!(values.len() > 500, "{} values", values.len());
    }
}
