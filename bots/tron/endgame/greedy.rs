//! Greedy filling of a region: a path without proof, found at once.

use super::blocks::Blocks;
use super::region::FreeRegion;
use arbitre_games::games::tron::Direction;
use arbitre_games::search::budget::Limiter;

/// Returns a path that ends in a dead end. Each step keeps the block bound as high as possible. Of
/// equal steps it enters the cell with the fewest free neighbours, which removes the fewest edges.
/// Once the limiter has stopped, only the second criterion counts.
pub(super) fn fill(region: &FreeRegion, limiter: &mut Limiter) -> Vec<Direction> {
    let mut region = region.clone();
    let mut blocks = Blocks::default();
    let mut path = Vec::new();
    while let Some(direction) = next(&mut region, &mut blocks, limiter) {
        let to = region.step(region.head(), direction);
        region.set(to, false, to);
        path.push(direction);
    }
    path
}

fn next(region: &mut FreeRegion, blocks: &mut Blocks, limiter: &mut Limiter) -> Option<Direction> {
    let ways: Vec<Direction> = region.ways().collect();
    if ways.len() <= 1 {
        return ways.first().copied();
    }
    let mut score = |direction: &Direction| {
        let (from, to) = (region.head(), region.step(region.head(), *direction));
        let edges = region.neighbours(to).iter().filter(|&&cell| region.free()[cell]).count();
        region.set(to, false, to);
        let reach = if limiter.stopped() { edges.min(1) as u32 } else { blocks.bound(region) };
        region.set(to, true, from);
        // The bound visits every cell, so it costs one node per 16 cells.
        (0..region.free().len() / 16).for_each(|_| _ = limiter.tick());
        (reach, 4 - edges)
    };
    ways.iter().copied().max_by_key(|direction| score(direction))
}
