//! Lanes in vector registers. The module uses `unsafe` for AVX2 intrinsics.
//!
//! Algorithms on a bitboard are written once, for any bitboard. Each bot compiles them for 256-bit
//! registers in a module of its own. It uses that module if the processor [has them](available),
//! which is checked at run time. The safe reference implementation is the same code on arrays.
#![allow(unsafe_code)]

use super::interleaved::InterleavedBitboard;
use super::loaded::Loaded;
use super::row_lane::RowLane;
use std::arch::x86_64::*;

/// Returns `true` if the processor has AVX2, BMI1 and POPCNT.
#[inline]
pub fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("popcnt")
}

/// Returns `true` if the processor also has AVX-512VL: 32 registers of 256 bits, and `vpternlog`,
/// which combines three operands.
#[inline]
pub fn avx512vl_available() -> bool {
    available() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
}

/// Eight rows in a register. Values only exist in functions compiled for AVX2, so every operation
/// on them may use its instructions.
#[derive(Clone, Copy)]
pub struct Vector(__m256i);

impl Vector {
    #[inline(always)]
    fn from(words: &[u32; 8]) -> Vector {
        // SAFETY: callers are compiled for AVX2, and the array has the 32 bytes that are read.
        Vector(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn words(self) -> [u32; 8] {
        let mut words = [0; 8];
        // SAFETY: callers are compiled for AVX2, and the array has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

impl RowLane for Vector {
    const SHAPE: (usize, usize) = <[u32; 8]>::SHAPE;
    const IS_REGISTER: bool = true;
    // SAFETY: every bit pattern is valid in a register.
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
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_set1_epi32((1u32 << column) as i32) }).and(Vector::from(&ROWS[row]))
    }

    #[inline(always)]
    fn row(&self, row: usize) -> u64 {
        self.words()[row].into()
    }

    #[inline(always)]
    fn and(self, other: Vector) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Vector) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Vector) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Vector) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn shift_left(self) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_srli_epi32(self.0, 1) })
    }

    #[inline(always)]
    fn shift_right(self) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe { _mm256_slli_epi32(self.0, 1) })
    }

    #[inline(always)]
    fn shift_down(self) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe {
            _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6))
        })
    }

    #[inline(always)]
    fn shift_up(self) -> Vector {
        // SAFETY: AVX2 is available.
        Vector(unsafe {
            _mm256_permutevar8x32_epi32(self.0, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0))
        })
    }

    #[inline(always)]
    fn count(self) -> u32 {
        // SAFETY: AVX2 is available.
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
        // SAFETY: AVX2 is available.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn chessboard(colour: usize, apart: usize) -> Vector {
        static BOARDS: [[[u32; 8]; 2]; 2] = {
            let (one, two) = (u32::MAX / 3, u32::MAX / 3 * 2);
            let mixed = [one, two, one, two, one, two, one, two];
            [[[one; 8], [two; 8]], [mixed, [two, one, two, one, two, one, two, one]]]
        };
        Vector::from(&BOARDS[apart % 2][colour])
    }

    #[inline(always)]
    fn rows(&self) -> impl Iterator<Item = u64> {
        self.words().into_iter().map(u64::from)
    }
}

/// Loads a bitboard into registers and stores it. Only for functions compiled for AVX2.
macro_rules! bitboards_in_registers {
    ($lanes:literal: $($name:ident),*) => {
        impl Loaded for InterleavedBitboard<Vector, $lanes> {
            type Stored = InterleavedBitboard<[u32; 8], $lanes>;

            #[inline(always)]
            fn load(bitboard: &Self::Stored) -> Self {
                let InterleavedBitboard([$($name),*]) = bitboard;
                InterleavedBitboard([$(Vector::from($name)),*])
            }

            #[inline(always)]
            fn store(self) -> Self::Stored {
                let InterleavedBitboard([$($name),*]) = self;
                InterleavedBitboard([$($name.words()),*])
            }
        }
    };
}

bitboards_in_registers!(3: a, b, c);
bitboards_in_registers!(4: a, b, c, d);
