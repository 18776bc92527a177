//! What a move does to a [`Board`](super::Board), worked out when this is compiled.

use super::{PITS, ROW, SEEDS};

/// The first byte of the row totals.
pub const TOTAL: usize = 14;

/// A table by pit and by number of seeds in it.
type BySeeds<T> = [[T; SEEDS as usize + 1]; ROW];

/// What sowing `seeds` from `pit` adds to a board: `SOWING[pit][seeds]`.
pub static SOWING: BySeeds<u128> = TABLES.0;
/// The bytes of the opponent's row from its first pit to the one of the last seed; none where the
/// last seed stays at home: `WALK[pit][seeds]`.
pub static WALK: BySeeds<u64> = TABLES.1;
/// The pit that the last of `seeds` seeds falls into, 0..=11: `LAST[pit][seeds]`. Without seeds it
/// means nothing.
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

/// The sum of what changes: the origin loses its seeds, and its row's total does; each pit that a
/// seed falls into gains one, and its row's total does. The origin is skipped on every lap.
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

/// The pit of the last seed. A lap is eleven pits, the origin being skipped.
const fn last(origin: usize, seeds: usize) -> usize {
    (origin + 1 + (seeds - 1) % (PITS - 1)) % PITS
}
