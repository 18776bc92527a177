//! The evaluation in the widest registers that the processor has: a named corner in which `unsafe`
//! lives.
//!
//! What is to be found is written once, for any plane. Here the planes of small grids are made of
//! vectors of 256 bits, if the processor has AVX2, which is found out at run time; their safe twin are
//! the arrays of [`Small`].

use super::chambers::Chambers;
use super::duel::Duel;
use super::evaluate::evaluate;
use super::melee::judge::{judge, View};
use super::plane::{Large, Plane, Small, Spot};
use super::zones::zones;

/// A plane, and what is done on it in the widest registers.
pub trait Wide: Plane {
    /// See [`zones`].
    #[inline]
    fn zones(free: Self, from: [Spot; 2]) -> [Self; 2] {
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
}

impl Wide for Large {}

#[cfg(not(target_arch = "x86_64"))]
impl Wide for Small {}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::super::group::Group;
    use super::super::plane::Rows;
    use super::*;
    use std::arch::x86_64::*;

    impl Wide for Small {
        #[inline]
        fn zones(free: Small, from: [Spot; 2]) -> [Small; 2] {
            match there_is_avx2() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_zones(&free, from) },
                false => zones(free, from),
            }
        }

        #[inline]
        fn evaluate(duel: &Duel<Small>, window: (i32, i32), chambers: &mut Chambers) -> i32 {
            match there_is_avx2() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_evaluate(duel, window, chambers) },
                false => evaluate(duel, window, chambers),
            }
        }

        #[inline]
        fn judge(view: &View<Small>, alpha: i32, chambers: &mut Chambers) -> i32 {
            match there_is_avx2() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_judge(view, alpha, chambers) },
                false => judge(view, alpha, chambers),
            }
        }
    }

    #[inline]
    fn there_is_avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt")
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_zones(free: &Small, from: [Spot; 2]) -> [Small; 2] {
        let [one, two] = zones(load(free), from);
        [store(one), store(two)]
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_evaluate(duel: &Duel<Small>, window: (i32, i32), chambers: &mut Chambers) -> i32 {
        evaluate(&Duel { free: load(&duel.free), heads: duel.heads }, window, chambers)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_judge(view: &View<Small>, alpha: i32, chambers: &mut Chambers) -> i32 {
        let &View { free, heads, alive, mover } = view;
        judge(&View { free: load(&free), heads, alive, mover }, alpha, chambers)
    }

    /// Eight rows in a register. There are some only within the functions above, which are compiled
    /// for AVX2: that is why whatever is done with one may use its instructions.
    #[derive(Clone, Copy)]
    struct Vector(__m256i);

    #[inline(always)]
    fn load(plane: &Small) -> Rows<Vector> {
        let Rows([first, second, third]) = plane;
        Rows([Vector::from(first), Vector::from(second), Vector::from(third)])
    }

    #[inline(always)]
    fn store(plane: Rows<Vector>) -> Small {
        let Rows([first, second, third]) = plane;
        Rows([first.words(), second.words(), third.words()])
    }

    impl Vector {
        #[inline(always)]
        fn from(words: &[u32; 8]) -> Vector {
            // SAFETY: there is AVX2, and so many words are read.
            Vector(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
        }

        #[inline(always)]
        fn words(self) -> [u32; 8] {
            let mut words = [0; 8];
            // SAFETY: there is AVX2, and so many words are written.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
            words
        }
    }

    impl Group for Vector {
        const SHAPE: (usize, usize) = <[u32; 8]>::SHAPE;
        // SAFETY: a register may hold any bits.
        const NONE: Vector = Vector(unsafe { std::mem::transmute::<[u32; 8], __m256i>([0; 8]) });

        #[inline(always)]
        fn one(row: usize, column: u32) -> Vector {
            static ROWS: [[u32; 8]; 8] = {
                let mut rows = [[0; 8]; 8];
                let mut row = 0;
                while row < 8 {
                    rows[row][row] = u32::MAX;
                    row += 1;
                }
                rows
            };
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_set1_epi32((1u32 << column) as i32) })
                .and(Vector::from(&ROWS[row]))
        }

        #[inline(always)]
        fn has(&self, row: usize, column: u32) -> bool {
            self.words()[row] >> column & 1 != 0
        }

        #[inline(always)]
        fn and(self, other: Vector) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Vector) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn xor(self, other: Vector) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_xor_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Vector) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn right_to_here(self) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_srli_epi32(self.0, 1) })
        }

        #[inline(always)]
        fn left_to_here(self) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe { _mm256_slli_epi32(self.0, 1) })
        }

        #[inline(always)]
        fn above_to_here(self) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe {
                _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6))
            })
        }

        #[inline(always)]
        fn below_to_here(self) -> Vector {
            // SAFETY: there is AVX2.
            Vector(unsafe {
                _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0))
            })
        }

        #[inline(always)]
        fn count(self) -> u32 {
            // SAFETY: there is AVX2.
            let quarters = unsafe {
                [
                    _mm256_extract_epi64::<0>(self.0),
                    _mm256_extract_epi64::<1>(self.0),
                    _mm256_extract_epi64::<2>(self.0),
                    _mm256_extract_epi64::<3>(self.0),
                ]
            };
            quarters.iter().map(|quarter| quarter.count_ones()).sum()
        }

        #[inline(always)]
        fn is_empty(self) -> bool {
            // SAFETY: there is AVX2.
            unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
        }

        #[inline(always)]
        fn chessboard(colour: usize) -> Vector {
            static BOARDS: [[u32; 8]; 2] = {
                let (one, two) = (u32::MAX / 3, u32::MAX / 3 * 2);
                [[one, two, one, two, one, two, one, two], [two, one, two, one, two, one, two, one]]
            };
            Vector::from(&BOARDS[colour])
        }

        #[inline(always)]
        fn rows(&self) -> impl Iterator<Item = u64> {
            self.words().into_iter().map(u64::from)
        }
    }
}
