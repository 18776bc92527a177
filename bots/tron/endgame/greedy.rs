//! Filling a region at once: never the longest path for sure, but always one.

use super::chambers::Chambers;
use super::region::Region;
use arbitre_games::games::tron::Direction;
use arbitre_games::search::budget::Limiter;

/// A path that ends in a dead end. Each step leaves as much as possible within reach, by the bound of
/// the chambers, and of such steps it takes the one into the cell with the fewest free neighbours,
/// which removes the fewest edges. Once the meter says stop only the second counts.
pub(super) fn fill(region: &Region, meter: &mut Limiter) -> Vec<Direction> {
    let mut region = region.clone();
    let mut chambers = Chambers::default();
    let mut path = Vec::new();
    while let Some(way) = next(&mut region, &mut chambers, meter) {
        let to = region.step(region.head(), way);
        region.set(to, false, to);
        path.push(way);
    }
    path
}

fn next(region: &mut Region, chambers: &mut Chambers, meter: &mut Limiter) -> Option<Direction> {
    let ways: Vec<Direction> = region.ways().collect();
    if ways.len() <= 1 {
        return ways.first().copied();
    }
    let mut worth = |way: &Direction| {
        let (from, to) = (region.head(), region.step(region.head(), *way));
        let edges = region.neighbours(to).iter().filter(|&&cell| region.free()[cell]).count();
        region.set(to, false, to);
        let reach = if meter.stopped() { edges.min(1) as u32 } else { chambers.bound(region) };
        region.set(to, true, from);
        (0..region.free().len() / 16).for_each(|_| _ = meter.tick());
        (reach, 4 - edges)
    };
    ways.iter().copied().max_by_key(|way| worth(way))
}
