//! The floods of small grids in vector registers, where the processor has them: a named corner in
//! which `unsafe` lives. The safe twin is [`portable`](super::zones::portable).

use super::plane::{Plane, Small, Spot};
use std::arch::x86_64::*;

/// The three groups of rows.
type Groups = [__m256i; 3];

/// [`portable`](super::zones::portable), if the processor has AVX2.
#[inline]
#[allow(unsafe_code)]
pub fn zones(free: &Small, from: [Spot; 2]) -> Option<[Small; 2]> {
    if !is_x86_feature_detected!("avx2") {
        return None;
    }
    // SAFETY: the processor has AVX2.
    Some(unsafe { flood(free, from) })
}

#[target_feature(enable = "avx2")]
fn flood(free: &Small, from: [Spot; 2]) -> [Small; 2] {
    let mut free = load(free);
    let [mut one, mut two] = from.map(|spot| load(&Small::one(spot)));
    let mut zones = [[_mm256_setzero_si256(); 3]; 2];
    loop {
        one = spread_into(one, free);
        free = without(free, one);
        two = spread_into(two, free);
        free = without(free, two);
        for group in 0..3 {
            zones[0][group] = _mm256_or_si256(zones[0][group], one[group]);
            zones[1][group] = _mm256_or_si256(zones[1][group], two[group]);
        }
        let both = [0, 1, 2].map(|group| _mm256_or_si256(one[group], two[group]));
        let any = _mm256_or_si256(_mm256_or_si256(both[0], both[1]), both[2]);
        if _mm256_testz_si256(any, any) != 0 {
            return [store(zones[0]), store(zones[1])];
        }
    }
}

/// The neighbours of the cells that are in `free`.
///
/// A group that moves by a word takes its last word round to the first place: that is a row of the
/// border, which is never in `free`, and empty.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_into(cells: Groups, free: Groups) -> Groups {
    let later = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    let earlier = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    let above = [_mm256_permutevar8x32_epi32(cells[2], later), cells[0], cells[1]];
    let below = [cells[1], cells[2], _mm256_permutevar8x32_epi32(cells[0], earlier)];
    [0, 1, 2].map(|group| {
        let row = cells[group];
        let beside = _mm256_or_si256(_mm256_slli_epi32(row, 1), _mm256_srli_epi32(row, 1));
        let others = _mm256_or_si256(above[group], below[group]);
        _mm256_and_si256(_mm256_or_si256(beside, others), free[group])
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn without(cells: Groups, others: Groups) -> Groups {
    [0, 1, 2].map(|group| _mm256_andnot_si256(others[group], cells[group]))
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn load(plane: &Small) -> Groups {
    // SAFETY: each group is eight words of 32 bits, which is what is read.
    [0, 1, 2].map(|group| unsafe { _mm256_loadu_si256(plane.0[group].as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn store(groups: Groups) -> Small {
    let mut plane = Small::NONE;
    for (group, words) in groups.into_iter().zip(&mut plane.0) {
        // SAFETY: each group is eight words of 32 bits, which is what is written.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), group) };
    }
    plane
}
