//! Tables of the effect of a move on a [`Board`](super::Board), computed at compile time.

use super::{PITS, ROW, SEEDS};

/// Index of the first byte of the row totals.
pub const TOTAL: usize = 14;

/// Table indexed by pit and by its number of seeds.
type BySeeds<T> = [[T; SEEDS as usize + 1]; ROW];

/// Change of a board by sowing `seeds` from `pit`: `SOWING[pit][seeds]`.
pub static SOWING: BySeeds<u128> = TABLES.0;
/// Mask of the opponent's row from its first pit to that of the last seed: `WALK[pit][seeds]`. It
/// is empty if the last seed stays in the own row.
pub static WALK: BySeeds<u64> = TABLES.1;
/// Pit of the last of `seeds` seeds, 0..=11: `LAST[pit][seeds]`. Meaningless without seeds.
pub static LAST: BySeeds<u8> = TABLES.2;

const TABLES: (BySeeds<u128>, BySeeds<u64>, BySeeds<u8>) = {
    let mut tables = (
        [[0; SEEDS as usize + 1]; ROW],
        [[0; SEEDS as usize + 1]; ROW],
        [[0; SEEDS as usize + 1]; ROW],
    );
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = 1;
        while seeds <= SEEDS as usize {
            let last = last(pit, seeds);
            tables.0[pit][seeds] = sowing(pit, seeds);
            if last >= ROW {
                tables.1[pit][seeds] = (1 << (8 * (last - ROW + 1))) - 1;
            }
            tables.2[pit][seeds] = last as u8;
            seeds += 1;
        }
        pit += 1;
    }
    tables
};

/// Returns the change of a board as a wrapped sum.
///
/// The origin and the total of its row lose the seeds. Each pit that receives a seed gains one, as
/// does the total of its row. The origin is skipped on every lap.
const fn sowing(origin: usize, seeds: usize) -> u128 {
    let mut sum = 0u128.wrapping_sub((seeds as u128) << (8 * origin));
    sum = sum.wrapping_sub((seeds as u128) << (8 * TOTAL));
    let (mut left, mut pit) = (seeds, origin);
    while left > 0 {
        pit = (pit + 1) % PITS;
        if pit != origin {
            let one_each = 1 << (8 * pit) | 1 << (8 * (TOTAL + pit / ROW));
            sum = sum.wrapping_add(one_each);
            left -= 1;
        }
    }
    sum
}

/// Returns the pit of the last seed. A lap has eleven pits, as the origin is skipped.
const fn last(origin: usize, seeds: usize) -> usize {
    (origin + 1 + (seeds - 1) % (PITS - 1)) % PITS
}
