//! Build of a pattern's table, by breadth-first search backwards from the goal.
//!
//! A node is a placement with the zone of the blank, in which the blank moves at no cost. The nodes
//! of a zone form a block with one bit for each order of the tiles. A slide leads from one block to
//! another and changes the order of all its nodes alike, so whole blocks are moved at once. A slide
//! along a row passes no tile, so 64 nodes move as one word. Slides are reversible, so a block is
//! filled from the blocks it leads to.

use super::cell_sets::{neighbours, ones, BlankZones, CellSet, CombinationIndex};
use super::partition::Pattern;
use super::parts::for_each_part;
use super::placement::{count_below, moved, Placement, PlacementIndex, TileOrder};
use crate::taquin::node_bits::{add_to_bytes, claim, permute, union};
use std::ops::Range;

/// Parts into which the sets are divided for the threads. Not tuned.
const PARTS: usize = 64;

/// Parameters of a table build.
pub struct TableBuild<'p> {
    /// The pattern.
    pub pattern: &'p Pattern,
    /// Number of threads.
    pub threads: usize,
    /// Receives the share of the nodes reached, from 0 to 1.
    pub progress: &'p (dyn Fn(f64) + Sync),
}

/// Returns the entries of a table: the second lowest bits of the slides of its nodes. Each block
/// fills whole words of 64 bits.
pub fn build(build: &TableBuild, index: &PlacementIndex, zones: &BlankZones) -> Vec<u8> {
    let builder = TableBuilder::new(build, index, zones);
    let mut layers = BuildLayers::new(&builder);
    let nodes = (zones.count() * builder.orders.len()) as f64;
    let mut distance = 0;
    while layers.is_front {
        distance += 1;
        builder.advance(&mut layers, distance);
        (build.progress)(layers.reached as f64 / nodes);
    }
    layers.entries
}

/// Data that stays constant during a build.
struct TableBuilder<'p> {
    build: &'p TableBuild<'p>,
    index: &'p PlacementIndex,
    zones: &'p BlankZones,
    beside: Vec<CellSet>,
    sets: Vec<CellSet>,
    orders: Vec<TileOrder>,
    /// Words per block.
    words: usize,
    /// Rank of each order after a tile moved from one place to another, by both places.
    moves: Vec<Vec<u16>>,
}

/// Data that changes from layer to layer.
struct BuildLayers {
    /// All nodes reached, by block.
    reached_nodes: Vec<u64>,
    /// Nodes of the previous layer, by block.
    front: Vec<u64>,
    /// Nodes of this layer, by block.
    next: Vec<u64>,
    /// Whether each block has nodes in the previous layer.
    in_front: Vec<bool>,
    entries: Vec<u8>,
    reached: usize,
    is_front: bool,
}

/// Consecutive sets, with their part of the layers.
struct BuildPart<'l> {
    sets: Range<usize>,
    reached_nodes: &'l mut [u64],
    next: &'l mut [u64],
    in_next: &'l mut [bool],
    entries: &'l mut [u8],
}

impl<'p> TableBuilder<'p> {
    fn new(
        build: &'p TableBuild,
        index: &'p PlacementIndex,
        zones: &'p BlankZones,
    ) -> TableBuilder<'p> {
        let (cells, tiles) =
            (build.pattern.size.0 * build.pattern.size.1, build.pattern.tiles.len());
        let (sets, orders) = (CombinationIndex::all(cells, tiles).collect(), index.orders.all());
        let words = orders.len().div_ceil(64);
        let after = |from: usize, to: usize| {
            let after = |&order: &TileOrder| moved(order, from as u32, to as u32);
            // A slide along a row passes no tile, one along a column at most `columns - 1`.
            let passes = from.abs_diff(to);
            let is_possible = (1..build.pattern.size.1).contains(&passes);
            let rank = |order: TileOrder| index.orders.rank(order) as u16;
            let all = is_possible.then(|| orders.iter().map(after).map(rank).collect());
            all.unwrap_or_default()
        };
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let moves = pairs.map(|(from, to)| after(from, to)).collect();
        let beside = neighbours(build.pattern.size);
        TableBuilder { build, index, zones, beside, sets, orders, words, moves }
    }

    /// Reaches all nodes one slide away from those of the previous layer.
    fn advance(&self, layers: &mut BuildLayers, distance: u32) {
        let mut in_next = vec![false; layers.in_front.len()];
        let BuildLayers { reached_nodes, next, entries, .. } = layers;
        let sets = 0..self.sets.len();
        let whole = BuildPart { sets, reached_nodes, next, in_next: &mut in_next, entries };
        let front = (&layers.front[..], &layers.in_front[..]);
        let counts = for_each_part(self.build.threads, self.split(whole).into_iter(), |part| {
            self.advance_part(part, front, distance)
        });
        let count: usize = counts.into_iter().sum();
        layers.reached += count;
        layers.is_front = count > 0;
        layers.in_front = in_next;
        std::mem::swap(&mut layers.front, &mut layers.next);
    }

    /// Returns the ranges of sets that a thread works on at a time.
    fn set_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let (count, size) = (self.sets.len(), self.sets.len().div_ceil(PARTS));
        (0..count).step_by(size).map(move |start| start..count.min(start + size))
    }

    fn split<'l>(&self, whole: BuildPart<'l>) -> Vec<BuildPart<'l>> {
        let BuildPart { mut reached_nodes, mut next, mut in_next, mut entries, .. } = whole;
        let part = |sets: Range<usize>| {
            let blocks = self.zones.before(sets.end) - self.zones.before(sets.start);
            BuildPart {
                reached_nodes: take_front(&mut reached_nodes, blocks * self.words),
                next: take_front(&mut next, blocks * self.words),
                in_next: take_front(&mut in_next, blocks),
                entries: take_front(&mut entries, 8 * blocks * self.words),
                sets,
            }
        };
        self.set_ranges().map(part).collect()
    }

    /// Processes one part of a layer. Returns the number of new nodes.
    fn advance_part(&self, part: BuildPart, front: (&[u64], &[bool]), distance: u32) -> usize {
        let (first_block, mut count) = (self.zones.of_set(part.sets.start).start, 0);
        for set_rank in part.sets.clone() {
            let zones = self.zones.of_set(set_rank);
            let own = zones.start - first_block..zones.end - first_block;
            for (zone, block) in own.enumerate() {
                let bits = block * self.words..(block + 1) * self.words;
                let next = &mut part.next[bits.clone()];
                next.fill(0);
                let reached_nodes = &mut part.reached_nodes[bits];
                // All nodes of the block are reached; its unused bits are set from the start.
                if reached_nodes.iter().all(|word| *word == u64::MAX) {
                    continue;
                }
                self.gather(set_rank, zone, front, next);
                let fresh = claim(next, reached_nodes);
                part.in_next[block] = fresh > 0;
                count += fresh;
                // Entries start as zero, so only distances with the second bit set are written.
                if fresh > 0 && distance & 2 != 0 {
                    add_to_bytes(&mut part.entries[8 * block * self.words..], next);
                }
            }
        }
        count
    }

    /// Adds to `next` the nodes of a zone that slides from the previous layer reach.
    fn gather(&self, set_rank: usize, zone: usize, front: (&[u64], &[bool]), next: &mut [u64]) {
        let (set, free) =
            (self.sets[set_rank], self.zones.cells(self.sets[set_rank], set_rank, zone));
        for to in ones(set) {
            for from in ones(self.beside[to] & free) {
                let left = set & !(1 << to);
                let before = self.index.sets.rank(left | 1 << from);
                let block = self.zones.zone_index(before, to);
                if !front.1[block] {
                    continue;
                }
                let source = &front.0[block * self.words..][..self.words];
                let places = [from, to].map(|cell| count_below(left, cell) as usize);
                // The tile passes no other, so the order stays.
                if places[0] == places[1] {
                    union(next, source);
                } else {
                    let after = &self.moves[places[0] * self.build.pattern.tiles.len() + places[1]];
                    permute(next, source, |order| after[order].into());
                }
            }
        }
    }
}

/// Takes `count` items from the front of `items`.
fn take_front<'l, T>(items: &mut &'l mut [T], count: usize) -> &'l mut [T] {
    items.split_off_mut(..count).expect("there are as many items")
}

impl BuildLayers {
    /// Creates the first layer: the goal alone.
    fn new(builder: &TableBuilder) -> BuildLayers {
        let blocks = builder.zones.count();
        let mut reached_nodes = vec![0; blocks * builder.words];
        let unused = builder.orders.len() % 64;
        // Bits without an order count as reached, so that a full block is recognised.
        if unused > 0 {
            for last in reached_nodes.chunks_exact_mut(builder.words) {
                last[builder.words - 1] = u64::MAX << unused;
            }
        }
        let cells = builder.build.pattern.size.0 * builder.build.pattern.size.1;
        let home: Vec<usize> =
            builder.build.pattern.tiles.iter().map(|&tile| tile.into()).collect();
        let home = Placement::new(&home);
        let block = builder.zones.zone_index(builder.index.sets.rank(home.set), cells - 1);
        let order = builder.index.orders.rank(home.order);
        let (at, bit) = (block * builder.words + order / 64, 1 << (order % 64));
        let mut front = vec![0; blocks * builder.words];
        front[at] |= bit;
        reached_nodes[at] |= bit;
        let mut in_front = vec![false; blocks];
        in_front[block] = true;
        let entries = vec![0; 8 * blocks * builder.words];
        let next = vec![0; blocks * builder.words];
        BuildLayers { reached_nodes, front, next, in_front, entries, reached: 1, is_front: true }
    }
}
