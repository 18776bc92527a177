//! A depth-first search that is done in steps: boards are expanded in one, and their successors judged in the
//! next, when the entries that were asked for have come.

use super::expander::{Child, Expander, Node, LONGEST, WAYS};
use crate::bots::taquin::automaton::DEAD;
use crate::bots::taquin::pattern::CAP;

/// What was counted.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Boards that slides led to.
    pub generated: u64,
    /// Boards whose successors were generated.
    pub expanded: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
    }
}

/// A search of a subtree.
pub struct Lane {
    /// Boards that wait, the next one last: so many of these. If slides are asked for, that one is expanded. A board is
    /// changed in place into the first of its successors: what is written must not be read at once in other pieces,
    /// for which the processor would wait.
    slots: Vec<Node>,
    len: usize,
    children: [Child; WAYS],
    count: usize,
    is_expanded: bool,
    /// The moves to the last board.
    path: [u8; LONGEST],
}

impl Default for Lane {
    fn default() -> Lane {
        let children = Default::default();
        let (slots, path) = (Vec::new(), [0; LONGEST]);
        Lane { slots, len: 0, children, count: 0, is_expanded: false, path }
    }
}

impl Lane {
    /// Begins with a board and the way there.
    pub fn begin(&mut self, node: &Node, path: &[u8]) {
        self.path[..path.len()].copy_from_slice(path);
        self.make_room();
        self.slots[0] = *node;
        self.len = 1;
    }

    /// For as many boards as one has successors.
    #[cold]
    fn make_room(&mut self) {
        self.slots.resize(2 * self.len + 2 * WAYS, Node::default());
    }

    /// How many boards wait.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Gives away the first of two boards that wait or more, with the way there. It is nearest to the root, and what
    /// it has of the path did not change since it came.
    pub fn give(&mut self) -> Option<(Node, Vec<u8>)> {
        if self.len < 2 {
            return None;
        }
        let node = self.slots[0];
        self.slots.copy_within(1..self.len, 0);
        self.len -= 1;
        Some((node, self.way_to(&node)))
    }

    /// All boards that wait, the next one first.
    pub fn subtrees(&self) -> Vec<(Node, Vec<u8>)> {
        let waiting = self.slots[..self.len].iter().rev();
        waiting.map(|node| (*node, self.way_to(node))).collect()
    }

    fn way_to(&self, node: &Node) -> Vec<u8> {
        let Some(before) = usize::from(node.depth).checked_sub(1) else { return Vec::new() };
        let mut path = self.path[..before].to_vec();
        path.push(node.way);
        path
    }

    /// Expands the next board: asks for the entries of its successors. Returns how many they are.
    #[inline(always)]
    pub fn expand(&mut self, expander: &Expander, bound: u32) -> u64 {
        let node = &self.slots[self.len - 1];
        if let Some(last) = usize::from(node.depth).checked_sub(1) {
            self.path[last % LONGEST] = node.way;
        }
        let most = bound - u32::from(node.depth) - 1;
        let blank = usize::from(node.blank) % CAP;
        let states = expander.automaton.after(node.state);
        let (mut generated, mut count) = (0, 0);
        for (way, &state) in states.iter().enumerate() {
            if state == DEAD {
                continue;
            }
            generated += 1;
            let slid = &expander.slides[blank][way];
            let from = usize::from(slid.target) % CAP;
            let tile = usize::from(node.cells[from]) % CAP;
            let distance = node.distance.wrapping_add_signed(slid.changes[tile]);
            let child = &mut self.children[count % WAYS];
            // What the other groups exceed may be too much by itself.
            if !child.ask(expander, node, (tile, blank, way), most.wrapping_sub(distance.into())) {
                continue;
            }
            child.state = state;
            child.distance = distance;
            child.way = way as u8;
            child.from = from as u8;
            count += 1;
        }
        self.count = count;
        self.is_expanded = true;
        generated
    }

    /// Replaces the board that was expanded by those of its successors that are within the bound. Returns the way to
    /// the goal, if it is one of them.
    #[inline(always)]
    pub fn resolve(&mut self, expander: &Expander, bound: u32) -> Option<Vec<u8>> {
        if !self.is_expanded {
            return None;
        }
        self.is_expanded = false;
        let parent = self.len - 1;
        let most = bound - u32::from(self.slots[parent].depth) - 1;
        let (mut judged, mut within) = ([(0, [0; 2]); WAYS], 0);
        for (at, child) in self.children[..self.count.min(WAYS)].iter().enumerate() {
            if let Some(excesses) = child.judge(expander, most) {
                judged[within % WAYS] = (at, excesses);
                within += 1;
            }
        }
        self.len = parent + within;
        if self.len > self.slots.len() {
            self.make_room();
        }
        let mut goal = None;
        for (place, &(at, excesses)) in judged[..within.min(WAYS)].iter().enumerate() {
            // The first one is to be the next, and the last one takes the place of the board itself.
            let slot = parent + within - 1 - place;
            if slot != parent {
                self.slots[slot] = self.slots[parent];
            }
            let child = &self.children[at % WAYS];
            self.slots[slot].slide(child, excesses);
            if child.distance == 0 && expander.estimate(&self.slots[slot]) == 0 {
                goal = Some(slot);
            }
        }
        goal.map(|slot| self.way_to(&self.slots[slot]))
    }
}
