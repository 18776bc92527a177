//! The evaluation in the widest registers that the processor has: a named corner in which `unsafe`
//! lives.
//!
//! Here the planes of small grids are made of vectors (`bitboard::vector`); their safe twin
//! are the arrays of [`Small`].

use super::chambers::Chambers;
use super::duel::Duel;
use super::evaluate::evaluate;
use super::melee::judge::{judge, Mortals, View};
use super::melee::outlook::lead;
use super::melee::playout::{meets, share};
use super::plane::{Bitboard, Cell, Large, Small};
use super::zones::zones;

/// A plane, and what is done on it in the widest registers.
pub trait Wide: Bitboard {
    /// See [`zones`].
    #[inline]
    fn zones(free: Self, from: [Cell; 2]) -> [Self; 2] {
        zones(free, from)
    }

    /// See [`evaluate`].
    #[inline]
    fn evaluate(duel: &Duel<Self>, window: (i32, i32), chambers: &mut Chambers) -> i32 {
        evaluate(duel, window, chambers)
    }

    /// See [`judge`].
    #[inline]
    fn judge(view: &View<Self>, alpha: i32, chambers: &mut Chambers) -> i32 {
        judge(view, alpha, chambers)
    }

    /// See [`lead`].
    #[inline]
    fn lead(
        view: &View<Self>,
        mortals: Option<&Mortals<Self>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        lead(view, mortals, seat, target)
    }

    /// See [`share`].
    #[inline]
    fn share(free: &Self, others: &Self, from: Cell) -> u32 {
        share(*free, *others, from)
    }

    /// See [`meets`].
    #[inline]
    fn meets(free: &Self, others: &Self, from: Cell) -> bool {
        meets(*free, *others, from)
    }

    /// See [`Bitboard::reach`].
    #[inline]
    fn reach_from(free: &Self, from: Cell) -> Self {
        free.reach(from)
    }
}

impl Wide for Large {}

#[cfg(not(target_arch = "x86_64"))]
impl Wide for Small {}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::*;
    use arbitre_games::bitboard::vector::{available, Vector};
    use arbitre_games::bitboard::{Loaded, WideBitboard};

    type Registers = WideBitboard<Vector, 3>;

    impl Wide for Small {
        #[inline]
        fn zones(free: Small, from: [Cell; 2]) -> [Small; 2] {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_zones(&free, from) },
                false => zones(free, from),
            }
        }

        #[inline]
        fn evaluate(duel: &Duel<Small>, window: (i32, i32), chambers: &mut Chambers) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_evaluate(duel, window, chambers) },
                false => evaluate(duel, window, chambers),
            }
        }

        #[inline]
        fn judge(view: &View<Small>, alpha: i32, chambers: &mut Chambers) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_judge(view, alpha, chambers) },
                false => judge(view, alpha, chambers),
            }
        }

        #[inline]
        fn lead(
            view: &View<Small>,
            mortals: Option<&Mortals<Small>>,
            seat: usize,
            target: Option<usize>,
        ) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_lead(view, mortals, seat, target) },
                false => lead(view, mortals, seat, target),
            }
        }

        #[inline]
        fn share(free: &Small, others: &Small, from: Cell) -> u32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_share(free, others, from) },
                false => share(*free, *others, from),
            }
        }

        #[inline]
        fn meets(free: &Small, others: &Small, from: Cell) -> bool {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_meets(free, others, from) },
                false => meets(*free, *others, from),
            }
        }

        #[inline]
        fn reach_from(free: &Small, from: Cell) -> Small {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_reach(free, from) },
                false => free.reach(from),
            }
        }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_zones(free: &Small, from: [Cell; 2]) -> [Small; 2] {
        let [one, two] = zones(Registers::load(free), from);
        [one.store(), two.store()]
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_evaluate(duel: &Duel<Small>, window: (i32, i32), chambers: &mut Chambers) -> i32 {
        evaluate(&Duel { free: Registers::load(&duel.free), heads: duel.heads }, window, chambers)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_judge(view: &View<Small>, alpha: i32, chambers: &mut Chambers) -> i32 {
        judge(&in_registers(view), alpha, chambers)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_lead(
        view: &View<Small>,
        mortals: Option<&Mortals<Small>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        let view = in_registers(view);
        let Some(&Mortals { seats, ribbons: [one, two, three, four], lives }) = mortals else {
            return lead(&view, None, seat, target);
        };
        let ribbons = [
            Registers::load(one),
            Registers::load(two),
            Registers::load(three),
            Registers::load(four),
        ];
        lead(&view, Some(&Mortals { seats, ribbons: &ribbons, lives }), seat, target)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    #[inline]
    fn in_registers(view: &View<Small>) -> View<Registers> {
        let &View { free, heads, alive, mover } = view;
        View { free: Registers::load(&free), heads, alive, mover }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_share(free: &Small, others: &Small, from: Cell) -> u32 {
        share(Registers::load(free), Registers::load(others), from)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_meets(free: &Small, others: &Small, from: Cell) -> bool {
        meets(Registers::load(free), Registers::load(others), from)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_reach(free: &Small, from: Cell) -> Small {
        Registers::load(free).reach(from).store()
    }
}
