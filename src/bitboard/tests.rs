//! All kinds of bitboards compared with sets of pairs of numbers.

use super::*;
use crate::rng::Rng;
use std::collections::BTreeSet;

type Cells = BTreeSet<(usize, usize)>;

fn random(rng: &mut Rng, (width, height): (usize, usize)) -> Cells {
    let density = 1 + rng.below(9);
    let all = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
    all.filter(|_| rng.below(10) < density).collect()
}

fn bitboard<P: Bitboard>(cells: &Cells) -> P {
    let mut bitboard = P::NONE;
    cells.iter().for_each(|&(x, y)| bitboard.insert(Cell::new(x, y)));
    bitboard
}

fn neighbours((x, y): (usize, usize)) -> Vec<(usize, usize)> {
    let mut beside = vec![(x + 1, y), (x, y + 1)];
    beside.extend(x.checked_sub(1).map(|x| (x, y)));
    beside.extend(y.checked_sub(1).map(|y| (x, y)));
    beside
}

/// Reference implementation of [`Bitboard::neighbour_mask`], for a cell counted from 1.
fn neighbour_mask(cells: &Cells, (x, y): (usize, usize)) -> u8 {
    let (before, beyond) = (|at: usize| at - 1, |at: usize| at + 1);
    let around = [
        (x, before(y)),
        (beyond(x), before(y)),
        (beyond(x), y),
        (beyond(x), beyond(y)),
        (x, beyond(y)),
        (before(x), beyond(y)),
        (before(x), y),
        (before(x), before(y)),
    ];
    let has = |(x, y): (usize, usize)| x > 0 && y > 0 && cells.contains(&(x - 1, y - 1));
    (0..8).map(|bit| u8::from(has(around[bit])) << bit).sum()
}

/// Reference implementation of [`Bitboard::flood_fill`], cell by cell.
fn flood_fill(cells: &Cells, from: &Cells) -> Cells {
    let (mut reached, mut waiting) = (from.clone(), Vec::from_iter(from.iter().copied()));
    while let Some(cell) = waiting.pop() {
        let next = neighbours(cell).into_iter().filter(|next| cells.contains(next));
        waiting.extend(next.filter(|&next| reached.insert(next)));
    }
    reached
}

/// Compares a bitboard with sets of pairs.
fn agree<P: Bitboard + PartialEq + std::fmt::Debug>(seed: u64) {
    let mut rng = Rng::new(seed);
    let grid = (1 + rng.below(P::LARGEST.0), 1 + rng.below(P::LARGEST.1));
    let (one, two) = (random(&mut rng, grid), random(&mut rng, grid));
    let (fast, other): (P, P) = (bitboard(&one), bitboard(&two));
    assert_eq!(fast.and(other), bitboard(&one.intersection(&two).copied().collect()));
    assert_eq!(fast.or(other), bitboard(&one.union(&two).copied().collect()));
    assert_eq!(fast.and_not(other), bitboard(&one.difference(&two).copied().collect()));
    assert_eq!(fast.count() as usize, one.len());
    let all: P = bitboard(&(0..grid.0).flat_map(|x| (0..grid.1).map(move |y| (x, y))).collect());
    let spread: Cells = one.iter().copied().flat_map(neighbours).collect();
    assert_eq!(fast.dilate().and(all), bitboard::<P>(&spread).and(all));
    let few: Cells = two.iter().copied().filter(|_| rng.below(20) == 0).collect();
    assert_eq!(fast.flood_fill(bitboard(&few)), bitboard(&flood_fill(&one, &few)));
    for x in 0..grid.0 {
        for y in 0..grid.1 {
            assert_eq!(
                fast.neighbour_mask(Cell::new(x, y)),
                neighbour_mask(&one, (x + 1, y + 1)),
                "({x}, {y})"
            );
        }
    }
    for colour in 0..2 {
        let coloured = one.iter().filter(|(x, y)| Cell::new(*x, *y).colour() == colour);
        assert_eq!(fast.of_colour(colour), bitboard(&coloured.copied().collect()));
    }
    assert_eq!(fast.any().is_some(), !one.is_empty());
    assert!(fast.any().is_none_or(|cell| fast.has(cell)));
    let mut met = P::NONE;
    fast.each(|cell| met.insert(cell));
    assert_eq!(met, fast);
    let mut rest = fast;
    fast.any().into_iter().for_each(|cell| rest.remove(cell));
    assert_eq!(rest.count(), fast.count().saturating_sub(1));
}

#[test]
fn bitboards_match_sets_of_pairs() {
    for seed in 0..300 {
        agree::<InterleavedBitboard<[u32; 8], 3>>(seed);
        agree::<InterleavedBitboard<[u64; 18], 3>>(seed);
        agree::<InterleavedBitboard<[u32; 8], 4>>(seed);
        agree::<InterleavedBitboard<[u64; 18], 4>>(seed);
        agree::<SmallBitboard>(seed);
    }
}

#[test]
fn neighbours_have_the_other_colour() {
    let cell = Cell::new(5, 7);
    for next in cell.neighbours() {
        assert_eq!(next.colour(), 1 - cell.colour());
        assert!(InterleavedBitboard::<[u32; 8], 3>::one(cell).dilate().has(next));
    }
}
