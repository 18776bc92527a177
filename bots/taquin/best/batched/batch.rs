//! Depth-first search that expands several boards at once, step by step for all of them. Lookups in
//! large tables wait for memory together, and the steps avoid branches that the processor would
//! mispredict.

use super::expander::BatchedSearch;
use super::lookup::{EntryAddress, GroupLookup, GroupSlide};
use super::node::{BatchNode, BoardWord, LOOKUPS};
use crate::taquin::best::fsm_pruning::DEAD;
use crate::taquin::best::parallel_deepening::NodeCounts;
use crate::taquin::best::pattern::MOST_GROUPS;
use crate::taquin::grid::{CAP, DIRECTIONS};

/// Boards expanded at once. On 2026-11-22, 32 took the same time as 16 (`bots/taquin/diary.md`).
pub const BATCH: usize = 16;
/// Largest number of slides of the boards expanded at once.
const MOST_SLIDES: usize = BATCH * DIRECTIONS;

/// Boards waiting for expansion, with buffers for one step.
pub struct NodeBatch<W: BoardWord, L: GroupLookup> {
    nodes: Vec<BatchNode<W, L::Group>>,
    /// Indices of unused nodes.
    free: Vec<u32>,
    /// Indices of waiting nodes, the next one last.
    waiting: Vec<u32>,
    children: [BatchSuccessor<L::Group>; MOST_SLIDES],
    /// Indices of the slides known to be within the bound so far.
    within: [u8; MOST_SLIDES],
    /// Depth reached in each subtree.
    pub depths: Vec<u8>,
}

/// A slide. It is looked up twice, first in the orientation with less slack.
#[derive(Clone, Copy, Default)]
struct BatchSuccessor<G> {
    /// Placements, lookups and slack of both orientations, in order of lookup.
    groups: [G; 2],
    lookups: [u8; 2],
    slack: [u8; 2],
    /// Prefetched entry.
    entry: EntryAddress,
    parent: u32,
    tile: u8,
    direction: u8,
    /// Cell that the tile leaves.
    from: u8,
}

impl<W: BoardWord, L: GroupLookup> NodeBatch<W, L> {
    /// Creates an empty batch for boards of `subtrees` subtrees.
    pub fn new(subtrees: usize) -> Self {
        let children = [BatchSuccessor::default(); MOST_SLIDES];
        let (nodes, free, waiting) = (Vec::new(), Vec::new(), Vec::new());
        let (within, depths) = ([0; MOST_SLIDES], vec![0; subtrees]);
        NodeBatch { nodes, free, waiting, children, within, depths }
    }

    /// Returns the number of waiting boards.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a board that is expanded after all others.
    pub fn push_last(&mut self, node: &BatchNode<W, L::Group>) {
        let index = self.unused_node();
        self.nodes[index as usize] = *node;
        self.waiting.insert(0, index);
    }

    /// Returns the index of an unused node.
    #[inline(always)]
    fn unused_node(&mut self) -> u32 {
        match self.free.pop() {
            Some(index) => index,
            None => {
                self.nodes.push(BatchNode::default());
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Removes all waiting boards, the next one first.
    pub fn take(&mut self) -> Vec<BatchNode<W, L::Group>> {
        self.free.extend(&self.waiting);
        self.waiting.drain(..).rev().map(|index| self.nodes[index as usize]).collect()
    }

    /// Expands the next boards. Returns the goal if it is among their successors.
    #[inline(always)]
    pub fn step(
        &mut self,
        search: &BatchedSearch<W, L>,
        bound: u32,
        counts: &mut NodeCounts,
    ) -> Option<BatchNode<W, L::Group>> {
        let rest = self.waiting.len().saturating_sub(BATCH);
        let mut parents = [0; BATCH];
        let count = self.waiting.len() - rest;
        parents[..count].copy_from_slice(&self.waiting[rest..]);
        self.waiting.truncate(rest);
        counts.expanded += count as u64;
        let generated = self.slide(search, &parents[..count]);
        counts.generated += generated as u64;
        let within = self.keep_within_bound::<0>(search, generated);
        self.look_up_second_orientation(search, within);
        let within = self.keep_within_bound::<1>(search, within);
        let goal = self.keep(search, within, bound);
        self.free.extend_from_slice(&parents[..count]);
        goal
    }

    /// Lists the slides of the boards `parents` and prefetches an entry for each. Returns the
    /// number of slides.
    #[inline(always)]
    fn slide(&mut self, search: &BatchedSearch<W, L>, parents: &[u32]) -> usize {
        let (nodes, children, within) = (&self.nodes[..], &mut self.children, &mut self.within);
        let mut slides = [(0, 0); MOST_SLIDES];
        let mut count = 0;
        for &parent in parents {
            let states = search.fsm.after(nodes[parent as usize].state);
            // In reverse, because the last board that waits is expanded first.
            for (direction, &state) in states.iter().enumerate().rev() {
                // Written without a branch: the next slide overwrites a pruned one.
                slides[count % MOST_SLIDES] = (parent, direction as u8);
                count += usize::from(state != DEAD);
            }
        }
        count = count.min(MOST_SLIDES);
        for (at, &(parent, direction)) in slides[..count].iter().enumerate() {
            let node = &nodes[parent as usize];
            let (blank, direction) =
                (usize::from(node.blank) % CAP, usize::from(direction) % DIRECTIONS);
            let from = search.targets[blank][direction];
            // The orientations are swapped if the second one has less slack, so that it is looked
            // up first.
            let rotation = if node.slack[1] < node.slack[0] { u8::BITS } else { 0 };
            let swapped =
                |both: [u8; 2]| u16::from_ne_bytes(both).rotate_left(rotation).to_ne_bytes();
            let tile = node.board.tile(from.into()) % CAP;
            let lookups = swapped(search.lookup_of[tile]);
            let lookup = usize::from(lookups[0]) % LOOKUPS;
            let slide = GroupSlide { lookup, tile, from: from.into(), blank, direction };
            let child = &mut children[at];
            (child.groups[0], child.entry) = search.lookup.slide(node.groups[lookup], &slide);
            (child.lookups, child.slack) = (lookups, swapped(node.slack));
            (child.parent, child.direction) = (parent, direction as u8);
            (child.tile, child.from) = (tile as u8, from);
            within[at] = at as u8;
        }
        count
    }

    /// Prefetches the second entry of the first `count` slides.
    #[inline(always)]
    fn look_up_second_orientation(&mut self, search: &BatchedSearch<W, L>, count: usize) {
        let nodes = &self.nodes[..];
        for &at in &self.within[..count] {
            let child = &mut self.children[usize::from(at) % MOST_SLIDES];
            let node = &nodes[child.parent as usize];
            let lookup = usize::from(child.lookups[1]) % LOOKUPS;
            let (tile, from) = (child.tile.into(), child.from.into());
            let (blank, direction) = (node.blank.into(), child.direction.into());
            let slide = GroupSlide { lookup, tile, from, blank, direction };
            (child.groups[1], child.entry) = search.lookup.slide(node.groups[lookup], &slide);
        }
    }

    /// Keeps the slides that are within the bound by entry `ENTRY`, of the first `count`. Returns
    /// their number.
    #[inline(always)]
    fn keep_within_bound<const ENTRY: usize>(
        &mut self,
        search: &BatchedSearch<W, L>,
        count: usize,
    ) -> usize {
        let mut kept = 0;
        for place in 0..count.min(MOST_SLIDES) {
            let at = self.within[place];
            let child = &mut self.children[usize::from(at) % MOST_SLIDES];
            let lookup = usize::from(child.lookups[ENTRY]) % LOOKUPS;
            let is_more = search.lookup.count(&mut child.groups[ENTRY], lookup, child.entry);
            let is_within = child.slack[ENTRY] >= is_more;
            child.slack[ENTRY] = child.slack[ENTRY].wrapping_sub(is_more);
            // Written without a branch: the next slide overwrites one that is not kept.
            self.within[kept % MOST_SLIDES] = at;
            kept += usize::from(is_within);
        }
        kept
    }

    /// Adds the boards after the first `count` slides to the waiting ones. Returns the goal if it
    /// is one of them: only the goal can be as far from the root as the bound.
    #[inline(always)]
    fn keep(
        &mut self,
        search: &BatchedSearch<W, L>,
        count: usize,
        bound: u32,
    ) -> Option<BatchNode<W, L::Group>> {
        let mut goal = None;
        for place in 0..count.min(MOST_SLIDES) {
            let index = self.unused_node() as usize;
            let child = &self.children[usize::from(self.within[place]) % MOST_SLIDES];
            // The node is copied first and then changed in place. Copying data just written in
            // other pieces would stall, because store forwarding fails.
            let parent = self.nodes[child.parent as usize];
            self.nodes[index] = parent;
            let node = &mut self.nodes[index];
            let (direction, from) = (usize::from(child.direction), usize::from(child.from));
            let (tile, blank) = (child.tile.into(), parent.blank.into());
            node.board = parent.board.slid(tile, search.blank_tile, from, blank);
            node.state = search.fsm.after(parent.state)[direction % DIRECTIONS];
            for (entry, &lookup) in child.lookups.iter().enumerate() {
                let lookup = usize::from(lookup) % LOOKUPS;
                node.groups[lookup] = child.groups[entry];
                node.slack[lookup / MOST_GROUPS] = child.slack[entry];
            }
            node.blank = child.from;
            node.push(direction);
            let depth = &mut self.depths[node.subtree as usize];
            *depth = node.depth.max(*depth);
            if u32::from(node.depth) == bound {
                goal = Some(*node);
            }
            self.waiting.push(index as u32);
        }
        goal
    }
}
