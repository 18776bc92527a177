//! Blocks of a region: its biconnected components.
//!
//! An articulation point is a cell whose removal disconnects the region. A block is a maximal part
//! without such a cell of its own. A path enters a block once, by one cell, as all ways back lead
//! through that cell. It leaves the block at most once, into a block behind one of its cells. The
//! blocks thus form a tree, and each is a problem of its own. That problem is the longest path from
//! the entry to any cell, plus the value of what lies behind that cell.
//!
//! The blocks are found by the algorithm of Hopcroft and Tarjan (Communications of the ACM 16,
//! 1973), without recursion.

use super::region::FreeRegion;

/// Decomposition into blocks; its memory is reused for each region.
#[derive(Default)]
pub(super) struct Blocks {
    /// Discovery time of each cell, from 1; 0 if it is not found yet.
    found: Vec<u16>,
    /// Earliest discovery time beside each cell or a cell found through it.
    low: Vec<u16>,
    /// Depth-first stack from the head, each cell with its next neighbour.
    trail: Vec<(usize, u8)>,
    /// Cells not assigned to a block yet.
    waiting: Vec<usize>,
    /// Upper bound on the moves behind each cell, while a bound is computed.
    behind: Vec<u32>,
}

impl Blocks {
    /// Calls `visit` for each block with its entry and its other cells. A block comes after all
    /// blocks behind its cells.
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

    /// Leaves a cell whose neighbours were all visited. The cell before it may be an entry.
    fn leave(&mut self, cell: usize, visit: &mut impl FnMut(usize, &[usize])) {
        let Some(&(before, _)) = self.trail.last() else { return };
        self.low[before] = self.low[before].min(self.low[cell]);
        if self.low[cell] >= self.found[before] {
            let last = self.waiting.iter().rposition(|&waiting| waiting == cell);
            let last = last.expect("a cell is in the list until its block is known");
            visit(before, &self.waiting[last..]);
            self.waiting.truncate(last);
        }
    }

    /// Returns an upper bound on the moves of any path from the head.
    ///
    /// Colours alternate on a path. If it enters a block on white and makes `k` moves there, it
    /// needs `k / 2` black cells, rounded up. It also needs `k / 2` white cells, rounded down.
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
    // An even number of moves ends on the entry's colour, an odd number on the other.
    let (even, odd) = (2 * same.min(other), (2 * same + 1).min(2 * other - 1));
    let most = |&cell: &usize| match region.is_white(cell) == white {
        true => even + behind[cell],
        false => odd + behind[cell],
    };
    cells.iter().map(most).max().unwrap_or(0)
}
