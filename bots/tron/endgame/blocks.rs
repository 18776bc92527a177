//! The blocks of a region, in the sense of graph theory (biconnected components).
//!
//! An articulation point is a cell without which the region falls apart; a block is a largest
//! part without one of its own. A path enters a block once, by one cell, as all ways back lead
//! through that cell; and it leaves it at most once, into a block behind one of its cells. So the
//! blocks form a tree, and each is a problem of its own: the longest path from the entry to any
//! cell, where ending at a cell is worth what lies behind it.
//!
//! The blocks are found by the algorithm of Hopcroft and Tarjan (Communications of the ACM 16,
//! 1973), without recursion.

use super::region::FreeRegion;

/// Decomposes regions into blocks; the memory is kept from one region to the next.
#[derive(Default)]
pub(super) struct Blocks {
    /// By cell: when it was found, from 1, or 0 if it was not yet.
    found: Vec<u16>,
    /// By cell: the earliest cell that it or one found through it is next to.
    low: Vec<u16>,
    /// The cells from the head to where we are, and which neighbour is next.
    trail: Vec<(usize, u8)>,
    /// Cells that no block has taken yet.
    waiting: Vec<usize>,
    /// By cell, while a bound is computed: an upper bound on the moves that lie behind it.
    behind: Vec<u32>,
}

impl Blocks {
    /// Calls `visit` for each block with its entry and its other cells. A block comes later than
    /// all that lie behind its cells.
    pub fn for_each(&mut self, region: &FreeRegion, mut visit: impl FnMut(usize, &[usize])) {
        self.reset(region);
        let mut time = 1;
        while let Some(&mut (cell, ref mut next)) = self.trail.last_mut() {
            if *next == 4 {
                self.trail.pop();
                self.leave(cell, &mut visit);
                continue;
            }
            let neighbour = region.neighbours(cell)[usize::from(*next)];
            *next += 1;
            if self.found[neighbour] > 0 {
                self.low[cell] = self.low[cell].min(self.found[neighbour]);
            } else if region.free()[neighbour] {
                time += 1;
                self.enter(neighbour, time);
            }
        }
    }

    fn reset(&mut self, region: &FreeRegion) {
        self.found.clear();
        self.found.resize(region.free().len(), 0);
        self.low.resize(region.free().len(), 0);
        self.trail.clear();
        self.waiting.clear();
        self.enter(region.head(), 1);
    }

    fn enter(&mut self, cell: usize, time: u16) {
        self.found[cell] = time;
        self.low[cell] = time;
        self.trail.push((cell, 0));
        self.waiting.push(cell);
    }

    /// Leaves a cell whose neighbours were all seen. The cell before it may be an entry.
    fn leave(&mut self, cell: usize, visit: &mut impl FnMut(usize, &[usize])) {
        let Some(&(before, _)) = self.trail.last() else { return };
        self.low[before] = self.low[before].min(self.low[cell]);
        if self.low[cell] >= self.found[before] {
            let last = self.waiting.iter().rposition(|&waiting| waiting == cell);
            let last = last.expect("a cell waits until its block is known");
            visit(before, &self.waiting[last..]);
            self.waiting.truncate(last);
        }
    }

    /// No path from the head has more moves than this.
    ///
    /// In each block colours alternate, so a path that enters on white and makes `k` moves needs
    /// `k / 2` black cells, rounded up, and as many white ones, rounded down.
    pub fn bound(&mut self, region: &FreeRegion) -> u32 {
        let mut behind = std::mem::take(&mut self.behind);
        behind.clear();
        behind.resize(region.free().len(), 0);
        self.for_each(region, |entry, cells| {
            let most = block_bound(region, entry, cells, &behind);
            behind[entry] = behind[entry].max(most);
        });
        let bound = behind[region.head()];
        self.behind = behind;
        bound
    }
}

fn block_bound(region: &FreeRegion, entry: usize, cells: &[usize], behind: &[u32]) -> u32 {
    let white = region.is_white(entry);
    let same = cells.iter().filter(|&&cell| region.is_white(cell) == white).count() as u32;
    let other = cells.len() as u32 - same;
    let (even, odd) = (2 * same.min(other), (2 * same + 1).min(2 * other - 1));
    let most = |&cell: &usize| match region.is_white(cell) == white {
        true => even + behind[cell],
        false => odd + behind[cell],
    };
    cells.iter().map(most).max().unwrap_or(0)
}
