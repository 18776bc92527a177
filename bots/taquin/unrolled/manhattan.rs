//! Manhattan distance as a guide on 4x4: the board is one word, and a slide away from a tile's place costs one of the
//! spare moves, together with the slide back that it makes needful.

use super::geometry::{away, beside, children};
use super::{Guide, Stand};
use crate::taquin::heuristic::Manhattan;
use arbitre_games::games::taquin::Board;

/// See [`Manhattan`].
pub struct Distance;

/// Four bits for each cell; the blank has 15.
type Word = u64;
/// The goal.
const GOAL: Word = 0xfedc_ba98_7654_3210;

impl Guide for Distance {
    const SIDE: usize = 4;
    const WAITS: bool = false;
    /// The counts are known of others who searched like that.
    const IS_ORDERED: bool = true;
    type Desk = ();
    type Mark = Word;
    type Slid = (Word, u64);
    type Old = ();

    fn root(&self, board: &Board) -> (u32, Stand<Self>) {
        let bound = Manhattan::new(Self::SIDE, Self::SIDE).of(board.cells(), board.blank());
        let word = board.cells().iter().rev().fold(0, |word, &tile| word << 4 | Word::from(tile));
        (bound, Stand { desk: (), mark: word, tally: 0 })
    }

    fn raised(&self, spare: u64) -> u64 {
        spare + 1
    }

    #[inline(always)]
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(&self, _: Word) -> u64 {
        const { children(Self::SIDE, BLANK, CAME, WAY) }
    }

    #[inline(always)]
    fn slide<const BLANK: usize, const WAY: usize>(
        &self,
        (): &(),
        word: Word,
        spare: u64,
    ) -> Option<(Word, u64)> {
        let to = const { beside(Self::SIDE, BLANK, WAY) };
        let tile = word >> (4 * to) & 15;
        let cost = const { away(Self::SIDE, BLANK, WAY) } >> tile & 1;
        let change = tile ^ 15;
        let next = word ^ (change << (4 * to)) ^ (change << (4 * BLANK));
        Some((next, spare.checked_sub(cost.into())?))
    }

    #[inline(always)]
    fn make<const BLANK: usize, const WAY: usize>(&self, (): &mut (), _: (Word, u64)) {}

    #[inline(always)]
    fn unmake<const BLANK: usize, const WAY: usize>(&self, (): &mut (), _: (Word, u64), (): ()) {}

    #[inline(always)]
    fn after(&self, slid: (Word, u64)) -> (Word, u64) {
        slid
    }

    #[inline(always)]
    fn is_goal(&self, word: Word, _: u64, _: &mut u64) -> bool {
        word == GOAL
    }

    fn bytes(&self) -> usize {
        0
    }
}
