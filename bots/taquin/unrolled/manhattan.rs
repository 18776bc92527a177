//! Manhattan distance as a guide: a slide away from a tile's place costs one of the spare moves, together with the slide
//! back that it makes needful.

use super::geometry::{children, AWAY, CELLS, SIDE, WAYS};
use super::Guide;
use crate::bots::taquin::heuristic::Manhattan;
use crate::games::taquin::Board;

/// See [`Manhattan`].
pub struct Distance;

impl Guide for Distance {
    const WAITS: bool = false;
    type Mark = ();

    fn root(&self, board: &Board) -> (u32, (), u64) {
        (Manhattan::new(SIDE, SIDE).of(board.cells(), board.blank()), (), 0)
    }

    fn raised(&self, spare: u64) -> u64 {
        spare + 1
    }

    #[inline(always)]
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(&self, _: u64) -> u64 {
        const { children(BLANK, CAME, WAY) }
    }

    #[inline(always)]
    fn after<const BLANK: usize, const WAY: usize>(
        &self,
        (): (),
        spare: u64,
        tile: usize,
    ) -> Option<((), u64)> {
        let cost = const { AWAY[BLANK][WAY] } >> tile & 1;
        Some(((), spare.checked_sub(cost.into())?))
    }

    fn bytes(&self) -> usize {
        std::mem::size_of::<[[u32; WAYS]; CELLS]>()
    }
}
