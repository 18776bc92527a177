//! Features of a board for learned evaluations: one for the seeds of each pit, and one for the
//! captures of each side.

use arbitre_games::games::awele::{Board, PITS, SEEDS};

/// Number of distinguished numbers of seeds in a pit; larger numbers count as the last.
pub const SEED_LEVELS: usize = 24;
/// Number of distinguished captures of a side; larger ones win.
pub const CAPTURES: usize = 25;
/// Number of features, of which a board has one for each pit and for each side's captures.
pub const FEATURES: usize = PITS * SEED_LEVELS + 2 * CAPTURES;
/// Number of phases of the game, by the seeds on the board: up to 12, then steps of 8.
pub const PHASES: usize = 6;

/// Returns the features of a board.
#[inline(always)]
pub fn features(board: Board) -> [usize; PITS + 2] {
    let [own, other] = board.sides();
    std::array::from_fn(|number| {
        let (side, at) = match number {
            0..6 => (own, number),
            6..12 => (other, number - 6),
            12 => (own, 6),
            _ => (other, 6),
        };
        let count = (side >> (8 * at) & 0xFF) as usize;
        match number {
            0..PITS => SEED_LEVELS * number + count.min(SEED_LEVELS - 1),
            _ => PITS * SEED_LEVELS + CAPTURES * (number - PITS) + count.min(CAPTURES - 1),
        }
    })
}

/// Returns the phase of a board.
#[inline(always)]
pub fn phase(board: Board) -> usize {
    let [own, other] = board.sides();
    let seeds = (own >> 56) + (other >> 56);
    (seeds.min(SEEDS.into()).saturating_sub(5) / 8) as usize
}
