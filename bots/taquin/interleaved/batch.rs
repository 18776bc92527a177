//! A depth-first search that expands several boards at once, in steps for all of them: looks into large tables wait for
//! memory together, and where the search goes on does not depend on guesses of the processor.

use super::expander::Expander;
use super::node::{Node, Slides, Word, LENSES, WAYS};
use crate::taquin::automaton::DEAD;
use crate::taquin::deepen::Counts;
use crate::taquin::pattern::{Placement, CAP, MOST_GROUPS};

/// How many boards are expanded at once, and how many slides they have at most.
pub const BATCH: usize = 16;
const MOST_SLIDES: usize = BATCH * WAYS;

/// Boards that wait, and room for the work on some of them.
pub struct Batch<W: Word> {
    nodes: Vec<Node<W>>,
    /// The numbers of nodes that are not used, and of those that wait, the next one last.
    free: Vec<u32>,
    waiting: Vec<u32>,
    children: [Child; MOST_SLIDES],
    /// Which of them are within the bound as far as is known.
    within: [u8; MOST_SLIDES],
    /// By subtree: the depth that was reached.
    pub depths: Vec<u8>,
}

/// A slide. It is asked twice: first from the side that has less to spare.
#[derive(Clone, Copy, Default)]
struct Child {
    /// Of the groups that slide.
    placements: [Placement; 2],
    lenses: [u8; 2],
    spare: [u8; 2],
    /// The entry that is asked for.
    number: u32,
    parent: u32,
    slides: Slides,
    way: u8,
    /// The cell that the tile leaves.
    from: u8,
}

impl<W: Word> Batch<W> {
    /// For boards of so many subtrees.
    pub fn new(subtrees: usize) -> Self {
        let children = [Child::default(); MOST_SLIDES];
        let (nodes, free, waiting) = (Vec::new(), Vec::new(), Vec::new());
        let (within, depths) = ([0; MOST_SLIDES], vec![0; subtrees]);
        Batch { nodes, free, waiting, children, within, depths }
    }

    /// How many boards wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Lets a board wait until all others were searched.
    pub fn push_last(&mut self, node: &Node<W>) {
        let number = self.place();
        self.nodes[number as usize] = *node;
        self.waiting.insert(0, number);
    }

    /// A free place.
    #[inline(always)]
    fn place(&mut self) -> u32 {
        match self.free.pop() {
            Some(number) => number,
            None => {
                self.nodes.push(Node::default());
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Takes out all boards that wait, the next one first.
    pub fn take(&mut self) -> Vec<Node<W>> {
        self.free.extend(&self.waiting);
        self.waiting.drain(..).rev().map(|number| self.nodes[number as usize]).collect()
    }

    /// Expands the boards that came last. Returns the goal, if it is among their successors.
    #[inline(always)]
    pub fn step(
        &mut self,
        expander: &Expander,
        bound: u32,
        counts: &mut Counts,
    ) -> Option<Node<W>> {
        let rest = self.waiting.len().saturating_sub(BATCH);
        let mut parents = [0; BATCH];
        let count = self.waiting.len() - rest;
        parents[..count].copy_from_slice(&self.waiting[rest..]);
        self.waiting.truncate(rest);
        counts.expanded += count as u64;
        let generated = self.slide(expander, &parents[..count]);
        counts.generated += generated as u64;
        let within = self.judge::<0>(expander, generated);
        self.ask_again(expander, within);
        let within = self.judge::<1>(expander, within);
        let goal = self.keep(expander, within, bound);
        self.free.extend_from_slice(&parents[..count]);
        goal
    }

    /// Lists the slides of boards and asks for an entry of each. Returns how many they are.
    #[inline(always)]
    fn slide(&mut self, expander: &Expander, parents: &[u32]) -> usize {
        let (nodes, children, within) = (&self.nodes[..], &mut self.children, &mut self.within);
        let mut slides = [(0, 0); MOST_SLIDES];
        let mut count = 0;
        for &parent in parents {
            let states = expander.automaton.after(nodes[parent as usize].state);
            // The first one is to be the next.
            for (way, &state) in states.iter().enumerate().rev() {
                slides[count % MOST_SLIDES] = (parent, way as u8);
                count += usize::from(state != DEAD);
            }
        }
        count = count.min(MOST_SLIDES);
        for (at, &(parent, way)) in slides[..count].iter().enumerate() {
            let node = &nodes[parent as usize];
            let (blank, way) = (usize::from(node.blank) % CAP, usize::from(way) % WAYS);
            let from = expander.targets[blank][way];
            let turn = if node.spare[1] < node.spare[0] { u8::BITS } else { 0 };
            let turned = |sides: [u8; 2]| u16::from_ne_bytes(sides).rotate_left(turn).to_ne_bytes();
            let lenses = turned(expander.lens_of[node.board.tile(from.into()) % CAP]);
            let lens = usize::from(lenses[0]) % LENSES;
            let look = expander.lenses[lens].look(node.placements[lens], blank, way);
            let child = &mut children[at];
            (child.placements[0], child.number) = look;
            (child.lenses, child.spare, child.slides) = (lenses, turned(node.spare), node.slides);
            (child.parent, child.way, child.from) = (parent, way as u8, from);
            within[at] = at as u8;
        }
        count
    }

    /// Asks for the other entries of so many slides.
    #[inline(always)]
    fn ask_again(&mut self, expander: &Expander, count: usize) {
        let nodes = &self.nodes[..];
        for &at in &self.within[..count] {
            let child = &mut self.children[usize::from(at) % MOST_SLIDES];
            let node = &nodes[child.parent as usize];
            let lens = usize::from(child.lenses[1]) % LENSES;
            let (blank, way) = (node.blank.into(), child.way.into());
            let look = expander.lenses[lens].look(node.placements[lens], blank, way);
            (child.placements[1], child.number) = look;
        }
    }

    /// Keeps those of so many slides that are within the bound by the first or the second entry. Returns how many
    /// they are.
    #[inline(always)]
    fn judge<const ENTRY: usize>(&mut self, expander: &Expander, count: usize) -> usize {
        let mut kept = 0;
        for place in 0..count.min(MOST_SLIDES) {
            let at = self.within[place];
            let child = &mut self.children[usize::from(at) % MOST_SLIDES];
            let lens = usize::from(child.lenses[ENTRY]) % LENSES;
            let is_more = child.slides.change(lens, expander.lenses[lens].bit(child.number)) as u8;
            let is_within = child.spare[ENTRY] >= is_more;
            child.spare[ENTRY] = child.spare[ENTRY].wrapping_sub(is_more);
            self.within[kept % MOST_SLIDES] = at;
            kept += usize::from(is_within);
        }
        kept
    }

    /// Lets the boards after so many slides wait. Returns the goal, if it is one of them: no board is so far from the
    /// root as the bound but the goal.
    #[inline(always)]
    fn keep(&mut self, expander: &Expander, count: usize, bound: u32) -> Option<Node<W>> {
        let mut goal = None;
        for place in 0..count.min(MOST_SLIDES) {
            let number = self.place() as usize;
            let child = &self.children[usize::from(self.within[place]) % MOST_SLIDES];
            // What is changed is written into the copy at once: the processor would wait for a copy of what was written
            // in other pieces.
            let parent = self.nodes[child.parent as usize];
            self.nodes[number] = parent;
            let node = &mut self.nodes[number];
            let (way, from) = (usize::from(child.way), usize::from(child.from));
            let (tile, blank) = (parent.board.tile(from), parent.blank.into());
            node.board = parent.board.slid(tile, expander.blank_tile, from, blank);
            node.state = expander.automaton.after(parent.state)[way % WAYS];
            for (entry, &lens) in child.lenses.iter().enumerate() {
                let lens = usize::from(lens) % LENSES;
                node.placements[lens] = child.placements[entry];
                node.spare[lens / MOST_GROUPS] = child.spare[entry];
            }
            (node.slides, node.blank) = (child.slides, child.from);
            node.push(way);
            let depth = &mut self.depths[node.subtree as usize];
            *depth = node.depth.max(*depth);
            if u32::from(node.depth) == bound {
                goal = Some(*node);
            }
            self.waiting.push(number as u32);
        }
        goal
    }
}
