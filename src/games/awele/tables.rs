//! Tables of the effect of a move on a [`Board`](super::Board), computed at compile time.

use super::{PITS, ROW, SEEDS};

/// Index of the byte of the row total in a side of a board.
pub const TOTAL: usize = 7;

/// Power of two above the number of seeds in a pit, so that an index needs no check of bounds.
pub const MANY: usize = 64;

/// Table indexed by pit and by its number of seeds.
type BySeeds<T> = [[T; MANY]; ROW];

/// Effect of sowing the seeds of a pit.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Sowing {
    /// Change of the mover's side, as a wrapped sum.
    pub own: u64,
    /// Change of the opponent's side.
    pub other: u64,
    /// Mask of the opponent's row from its first pit to that of the last seed; empty if the last
    /// seed stays in the own row.
    pub walk: u64,
}

/// Effect of sowing `seeds` from `pit`: `SOWING[pit][seeds]`.
pub static SOWING: BySeeds<Sowing> = TABLES.0;
/// Pit of the last of `seeds` seeds, 0..=11: `LAST[pit][seeds]`. Meaningless without seeds.
pub static LAST: BySeeds<u8> = TABLES.1;

const TABLES: (BySeeds<Sowing>, BySeeds<u8>) = {
    let none = Sowing { own: 0, other: 0, walk: 0 };
    let mut tables = ([[none; MANY]; ROW], [[0; MANY]; ROW]);
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = 1;
        while seeds <= SEEDS as usize {
            tables.0[pit][seeds] = sowing(pit, seeds);
            tables.1[pit][seeds] = last(pit, seeds) as u8;
            seeds += 1;
        }
        pit += 1;
    }
    tables
};

/// Returns the effect of a move.
///
/// The origin and the total of its row lose the seeds. Each pit that receives a seed gains one, as
/// does the total of its row. The origin is skipped on every lap.
const fn sowing(origin: usize, seeds: usize) -> Sowing {
    let gone = (seeds as u64) << (8 * origin) | (seeds as u64) << (8 * TOTAL);
    let mut sides = [0u64.wrapping_sub(gone), 0];
    let (mut left, mut pit) = (seeds, origin);
    while left > 0 {
        pit = (pit + 1) % PITS;
        if pit != origin {
            let one_each = 1 << (8 * (pit % ROW)) | 1 << (8 * TOTAL);
            sides[pit / ROW] = sides[pit / ROW].wrapping_add(one_each);
            left -= 1;
        }
    }
    let last = last(origin, seeds);
    let walk = if last < ROW { 0 } else { (1 << (8 * (last - ROW + 1))) - 1 };
    Sowing { own: sides[0], other: sides[1], walk }
}

/// Returns the pit of the last seed. A lap has eleven pits, as the origin is skipped.
const fn last(origin: usize, seeds: usize) -> usize {
    (origin + 1 + (seeds - 1) % (PITS - 1)) % PITS
}
