//! Making a pattern's table, by breadth-first search backwards from the goal.
//!
//! A node is a placement and the zone of the blank, which goes about there for nothing. The nodes of a zone
//! are a block, a bit for each order of the tiles; a slide leads from one block to another, and
//! changes the order of all its nodes alike. So whole blocks are moved at once: where no tile is passed, which is so
//! along a row, 64 nodes are a word. Slides can be taken back, so a block also knows where it is reached from.

use super::bits::{add_to_bytes, claim, permute, union, write_new};
use super::index::{count_below, moved, slot_at, Index, Order};
use super::sets::{neighbours, ones, Cells, Sets, Zones};
use crate::taquin::heuristic::Manhattan;
use arbitre_games::games::taquin::Size;
use std::sync::Mutex;

/// The sets are dealt out to the threads in so many parts.
const PARTS: usize = 64;

/// What a table is to be made of.
pub struct Plan<'p> {
    /// The size of the boards.
    pub size: Size,
    /// The pattern's tiles, by slot.
    pub tiles: &'p [u8],
    /// Does the table tell the zones of a set apart? Else it has the least of them.
    pub zoned: bool,
    /// How many threads work on it.
    pub threads: usize,
    /// Is told which part of the nodes, from 0 to 1, is reached.
    pub progress: &'p (dyn Fn(f64) + Sync),
}

/// The entries of a table: where zones are told apart the second lowest bit of each node's slides, the nodes of a block
/// in whole words of 64; else by how much the slides of each placement exceed its Manhattan distance, halved, two
/// entries in a byte. The first one is lower.
///
/// # Panics
/// If an excess does not fit.
pub fn build(plan: &Plan, index: &Index, zones: &Zones) -> Vec<u8> {
    let search = Search::new(plan, index, zones);
    let mut layers = Layers::new(&search);
    let nodes = (zones.count() * search.orders.len()) as f64;
    let mut distance = 0;
    while layers.is_front {
        distance += 1;
        search.advance(&mut layers, distance);
        (plan.progress)(layers.reached as f64 / nodes);
    }
    if !plan.zoned {
        search.subtract(&mut layers.entries);
    }
    layers.entries
}

/// What does not change.
struct Search<'p> {
    plan: &'p Plan<'p>,
    index: &'p Index,
    zones: &'p Zones,
    beside: Vec<Cells>,
    sets: Vec<Cells>,
    orders: Vec<Order>,
    /// The words of a block.
    words: usize,
    /// By the places that a tile leaves and comes to: the number of each order afterwards.
    moves: Vec<Vec<u16>>,
}

/// What changes from layer to layer.
struct Layers {
    /// By block: the nodes that were reached, those of the layer before, and of this one.
    reached_nodes: Vec<u64>,
    front: Vec<u64>,
    next: Vec<u64>,
    /// By block: has it nodes in the layer before?
    in_front: Vec<bool>,
    entries: Vec<u8>,
    reached: usize,
    is_front: bool,
}

/// Some sets after each other, and what belongs to them.
struct Part<'l> {
    sets: std::ops::Range<usize>,
    reached_nodes: &'l mut [u64],
    next: &'l mut [u64],
    in_next: &'l mut [bool],
    entries: &'l mut [u8],
}

impl<'p> Search<'p> {
    fn new(plan: &'p Plan, index: &'p Index, zones: &'p Zones) -> Search<'p> {
        let (cells, tiles) = (plan.size.0 * plan.size.1, plan.tiles.len());
        let (sets, orders) = (Sets::all(cells, tiles).collect(), index.orders().all());
        let words = orders.len().div_ceil(64);
        let after = |from: usize, to: usize| {
            let after = |&order: &Order| moved(order, from as u32, to as u32);
            let passes = from.abs_diff(to);
            let is_possible = (1..plan.size.1).contains(&passes);
            let number = |order: Order| index.orders().number(order) as u16;
            let all = is_possible.then(|| orders.iter().map(after).map(number).collect());
            all.unwrap_or_default()
        };
        let pairs = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let moves = pairs.map(|(from, to)| after(from, to)).collect();
        let beside = neighbours(plan.size);
        Search { plan, index, zones, beside, sets, orders, words, moves }
    }

    /// The bytes of a block of entries.
    fn entry_bytes(&self) -> usize {
        match self.plan.zoned {
            true => 8 * self.words,
            false => self.index.stride() / 2,
        }
    }

    /// The blocks of entries before those of this set, or of all.
    fn entry_blocks(&self, set_number: usize) -> usize {
        match self.plan.zoned {
            true => self.zones.before(set_number),
            false => set_number,
        }
    }

    /// Reaches all nodes that are one slide away from those of the layer before.
    fn advance(&self, layers: &mut Layers, distance: u32) {
        let mut in_next = vec![false; layers.in_front.len()];
        let Layers { reached_nodes, next, entries, .. } = layers;
        let sets = 0..self.sets.len();
        let whole = Part { sets, reached_nodes, next, in_next: &mut in_next, entries };
        let parts = Mutex::new(self.split(whole).into_iter());
        let front = (&layers.front[..], &layers.in_front[..]);
        let count = self.in_threads(&|| {
            let mut count = 0;
            loop {
                let part = parts.lock().expect("no thread panics with the lock").next();
                let Some(mut part) = part else { return count };
                count += self.advance_part(&mut part, front, distance);
            }
        });
        drop(parts);
        layers.reached += count;
        layers.is_front = count > 0;
        layers.in_front = in_next;
        std::mem::swap(&mut layers.front, &mut layers.next);
    }

    /// Adds up what the threads return.
    fn in_threads(&self, work: &(impl Fn() -> usize + Sync)) -> usize {
        std::thread::scope(|scope| {
            let started: Vec<_> = (1..self.plan.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others =
                started.into_iter().map(|thread| thread.join().expect("it does not panic"));
            own + others.sum::<usize>()
        })
    }

    fn split<'l>(&self, mut rest: Part<'l>) -> Vec<Part<'l>> {
        let count = self.sets.len().div_ceil(PARTS);
        let mut parts = Vec::new();
        while !rest.sets.is_empty() {
            let (start, end) = (rest.sets.start, rest.sets.end.min(rest.sets.start + count));
            let blocks = self.zones.of_set(end - 1).end - self.zones.of_set(start).start;
            let entries = self.entry_blocks(end) - self.entry_blocks(start);
            let (reached_nodes, reached_rest) =
                rest.reached_nodes.split_at_mut(blocks * self.words);
            let (next, next_rest) = rest.next.split_at_mut(blocks * self.words);
            let (in_next, in_next_rest) = rest.in_next.split_at_mut(blocks);
            let (own, entries_rest) = rest.entries.split_at_mut(entries * self.entry_bytes());
            parts.push(Part { sets: start..end, reached_nodes, next, in_next, entries: own });
            rest = Part {
                sets: end..rest.sets.end,
                reached_nodes: reached_rest,
                next: next_rest,
                in_next: in_next_rest,
                entries: entries_rest,
            };
        }
        parts
    }

    /// Returns how many nodes were reached.
    fn advance_part(&self, part: &mut Part, front: (&[u64], &[bool]), distance: u32) -> usize {
        let (first_block, mut count) = (self.zones.of_set(part.sets.start).start, 0);
        let mut known = vec![0; self.words];
        for set_number in part.sets.clone() {
            let zones = self.zones.of_set(set_number);
            let own = zones.start - first_block..zones.end - first_block;
            known.fill(0);
            if !self.plan.zoned {
                for block in own.clone() {
                    union(&mut known, &part.reached_nodes[block * self.words..][..self.words]);
                }
            }
            for (zone, block) in own.enumerate() {
                let bits = block * self.words..(block + 1) * self.words;
                let next = &mut part.next[bits.clone()];
                next.fill(0);
                let reached_nodes = &mut part.reached_nodes[bits];
                if reached_nodes.iter().all(|word| *word == u64::MAX) {
                    continue;
                }
                self.gather(set_number, zone, front, next);
                let fresh = claim(next, reached_nodes);
                part.in_next[block] = fresh > 0;
                count += fresh;
                if fresh > 0 && self.plan.zoned {
                    // Of all others the bit is none.
                    if distance & 2 != 0 {
                        add_to_bytes(&mut part.entries[block * self.entry_bytes()..], next);
                    }
                } else if fresh > 0 {
                    let at = (set_number - part.sets.start) * self.entry_bytes();
                    write_new(next, &known, &mut part.entries[at..], distance);
                    union(&mut known, next);
                }
            }
        }
        count
    }

    /// Gathers what slides into a zone of a set reach.
    fn gather(&self, set_number: usize, zone: usize, front: (&[u64], &[bool]), next: &mut [u64]) {
        let (set, free) =
            (self.sets[set_number], self.zones.cells(self.sets[set_number], set_number, zone));
        for to in ones(set) {
            for from in ones(self.beside[to] & free) {
                let left = set & !(1 << to);
                let before = self.index.sets().number(left | 1 << from);
                let block = self.zones.number(before, to);
                if !front.1[block] {
                    continue;
                }
                let source = &front.0[block * self.words..][..self.words];
                let places = [from, to].map(|cell| count_below(left, cell) as usize);
                match places[0] == places[1] {
                    true => union(next, source),
                    false => permute(
                        next,
                        source,
                        &self.moves[places[0] * self.plan.tiles.len() + places[1]],
                    ),
                }
            }
        }
    }

    /// Turns distances, of which an entry has the lower bits without the last, into excesses.
    fn subtract(&self, entries: &mut [u8]) {
        let manhattan = Manhattan::new(self.plan.size.0, self.plan.size.1);
        let per_part = self.sets.len().div_ceil(PARTS);
        let starts: Vec<usize> = (0..self.sets.len()).step_by(per_part).collect();
        let mut parts = Vec::new();
        let mut rest = entries;
        for &start in &starts {
            let end = self.sets.len().min(start + per_part);
            let count = self.entry_blocks(end) - self.entry_blocks(start);
            let (own, others) = rest.split_at_mut(count * self.entry_bytes());
            parts.push((start..end, own));
            rest = others;
        }
        let parts = Mutex::new(parts.into_iter());
        let most = std::sync::atomic::AtomicUsize::new(0);
        self.in_threads(&|| loop {
            let part = parts.lock().expect("no thread panics with the lock").next();
            let Some((sets, own)) = part else { return 0 };
            let found = self.subtract_part(&manhattan, sets, own);
            most.fetch_max(found, std::sync::atomic::Ordering::Relaxed);
        });
        assert!(most.into_inner() < MOST_EXCESS);
    }

    fn subtract_part(
        &self,
        manhattan: &Manhattan,
        sets: std::ops::Range<usize>,
        entries: &mut [u8],
    ) -> usize {
        let mut direct = vec![0u8; self.index.stride()];
        let mut most = 0;
        let first = self.entry_blocks(sets.start);
        for set_number in sets {
            let cells: Vec<usize> = ones(self.sets[set_number]).collect();
            for (direct, &order) in direct.iter_mut().zip(&self.orders) {
                let of = |(place, &cell): (usize, &usize)| {
                    manhattan.of_tile(self.plan.tiles[slot_at(order, place)].into(), cell)
                };
                *direct = cells.iter().enumerate().map(of).sum::<u32>() as u8 >> 1;
            }
            let own =
                self.entry_blocks(set_number) - first..self.entry_blocks(set_number + 1) - first;
            let bytes = self.entry_bytes();
            for block in entries[own.start * bytes..own.end * bytes].chunks_exact_mut(bytes) {
                for (entry, direct) in block.iter_mut().zip(direct.chunks_exact(2)) {
                    let low = (*entry).wrapping_sub(direct[0]) & 15;
                    let high = (*entry >> 4).wrapping_sub(direct[1]) & 15;
                    most = most.max(low).max(high);
                    *entry = high << 4 | low;
                }
            }
        }
        most.into()
    }
}

const MOST_EXCESS: usize = 15;

impl Layers {
    /// The goal alone.
    fn new(search: &Search) -> Layers {
        let blocks = search.zones.count();
        let mut reached_nodes = vec![0; blocks * search.words];
        let unused = search.orders.len() % 64;
        if unused > 0 {
            for last in reached_nodes.chunks_exact_mut(search.words) {
                last[search.words - 1] = u64::MAX << unused;
            }
        }
        let cells = search.plan.size.0 * search.plan.size.1;
        let home: Vec<usize> = search.plan.tiles.iter().map(|&tile| tile.into()).collect();
        let home = super::index::Placement::new(&home);
        let block = search.zones.number(search.index.sets().number(home.set), cells - 1);
        let order = search.index.orders().number(home.order);
        let (at, bit) = (block * search.words + order / 64, 1 << (order % 64));
        let mut front = vec![0; blocks * search.words];
        front[at] |= bit;
        reached_nodes[at] |= bit;
        let mut in_front = vec![false; blocks];
        in_front[block] = true;
        let entries = vec![0; search.entry_blocks(search.sets.len()) * search.entry_bytes()];
        let next = vec![0; blocks * search.words];
        Layers { reached_nodes, front, next, in_front, entries, reached: 1, is_front: true }
    }
}
