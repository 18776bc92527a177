//! Longest path of a region, block by block, by frontier searches of growing width.

use super::blocks::Blocks;
use super::frontier_dp::FrontierDp;
use super::region::FreeRegion;
use super::strip::Strip;
use arbitre_games::search::budget::Limiter;

/// A block with the best path found in it.
struct Block {
    entry: usize,
    cells: Vec<usize>,
    /// Cells from the one after the entry to the last one inside the block.
    path: Vec<usize>,
    /// Whether no path is better while the moves behind the block's cells stay the same.
    proved: bool,
}

/// Search for the longest path of a region. Its results are kept when a limiter stops it.
///
/// Every block is searched with the same width, those behind others first. The next round
/// multiplies the width by [`Self::WIDER`]. Proved blocks are not searched again.
pub(super) struct EndgameSolver {
    region: FreeRegion,
    /// Blocks in an order in which each comes after all blocks behind it.
    blocks: Vec<Block>,
    /// Number of moves that the best known paths make behind each cell.
    behind: Vec<u32>,
    /// Whether no path makes more moves behind each cell.
    settled: Vec<bool>,
    /// Number of the current block.
    block: usize,
    /// The interrupted search of the current block.
    dp: Option<FrontierDp>,
    width: usize,
    widest: usize,
}

impl EndgameSolver {
    /// First width, in states. Widths of 64, 512, 4096, … solved 200 of 200 boxes
    /// (bots/tron/diary.md, 2026-11-21).
    pub const NARROWEST: usize = 64;
    /// Factor between the widths of two rounds.
    const WIDER: usize = 8;
    /// Largest number of origins that a search keeps, four bytes each: 64 MiB. Not tuned.
    const MOST_KEPT: usize = 1 << 24;

    /// Creates a solver that knows a path, given as its cells without the head. Its searches begin
    /// with this width.
    pub fn new(region: FreeRegion, path: &[usize], width: usize) -> EndgameSolver {
        let mut blocks = Vec::new();
        let found = |entry, cells: &[usize]| {
            let (path, cells) = (Vec::new(), cells.to_vec());
            blocks.push(Block { entry, cells, path, proved: false });
        };
        Blocks::default().for_each(&region, found);
        let largest = blocks.iter().map(|block| block.cells.len() + 1).max().unwrap_or(1);
        let cells = region.free().len();
        let mut solver = EndgameSolver {
            region,
            blocks,
            behind: vec![0; cells],
            settled: vec![true; cells],
            block: 0,
            dp: None,
            width,
            widest: Self::MOST_KEPT / largest,
        };
        solver.learn(path);
        solver
    }

    /// Gives each block its part of a path.
    fn learn(&mut self, path: &[usize]) {
        let (mut path, mut cell) = (path, self.region.head());
        while let Some(first) = path.first() {
            let leads = |block: &&mut Block| block.entry == cell && block.cells.contains(first);
            let Some(block) = self.blocks.iter_mut().find(leads) else { return };
            // A path leaves a block at most once, so its part is one stretch.
            let inside = path.iter().take_while(|cell| block.cells.contains(cell)).count();
            let (part, rest) = path.split_at(inside);
            block.path = part.to_vec();
            (path, cell) = (rest, part[inside - 1]);
        }
    }

    /// Returns the width of the current round.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Searches all blocks with the current width. Returns `true` if the round completed; if the
    /// limiter stopped it, the next call continues.
    pub fn round(&mut self, limiter: &mut Limiter) -> bool {
        while self.block < self.blocks.len() {
            if !self.solve(self.block, limiter) {
                return false;
            }
            self.settle(self.block);
            self.block += 1;
        }
        true
    }

    /// Widens the next round. Returns `false` if there is none: everything is proved, or the memory
    /// limit is reached.
    pub fn widen(&mut self) -> bool {
        let goes_on = !self.is_exact() && self.width < self.widest;
        if goes_on {
            self.width = (self.width * Self::WIDER).min(self.widest);
            self.block = 0;
            self.settled.fill(true);
        }
        goes_on
    }

    /// Returns `true` if the path is proved the longest.
    pub fn is_exact(&self) -> bool {
        self.block == self.blocks.len() && self.settled[self.region.head()]
    }

    /// Returns the cells of the best path found, without the head.
    pub fn path(&self) -> Vec<usize> {
        let mut path = Vec::new();
        let mut cell = self.region.head();
        while let Some(block) = self.best_from(cell) {
            path.extend(&block.path);
            match block.path.last() {
                Some(&last) => cell = last,
                None => break,
            }
        }
        path
    }

    fn moves(&self, block: &Block) -> u32 {
        block.path.last().map_or(0, |&last| block.path.len() as u32 + self.behind[last])
    }

    fn best_from(&self, entry: usize) -> Option<&Block> {
        let here = self.blocks.iter().filter(|block| block.entry == entry);
        here.max_by_key(|block| self.moves(block))
    }

    /// Searches a block unless it is proved. Returns `true` if the search completed.
    fn solve(&mut self, number: usize, limiter: &mut Limiter) -> bool {
        let block = &self.blocks[number];
        if block.proved {
            return true;
        }
        if self.dp.is_none() {
            let known = self.moves(block);
            let strip = Strip::new(&self.region, block.entry, &block.cells, &self.behind);
            // A block too wide for a frontier keeps the path it has, without proof.
            let Some(strip) = strip else { return true };
            self.dp = Some(FrontierDp::new(strip, self.width, known));
        }
        let Some(mut dp) = self.dp.take() else { return true };
        if !dp.run(limiter) {
            self.dp = Some(dp);
            return false;
        }
        let block = &mut self.blocks[number];
        block.proved = dp.is_proof();
        if let Some(path) = dp.path() {
            block.path = path;
        }
        true
    }

    /// Updates the moves behind the entry of a block.
    fn settle(&mut self, number: usize) {
        let block = &self.blocks[number];
        let moves = self.moves(block);
        let settled = block.proved && block.cells.iter().all(|&cell| self.settled[cell]);
        let entry = block.entry;
        self.settled[entry] &= settled;
        if moves > self.behind[entry] {
            self.behind[entry] = moves;
            // Earlier proofs assumed fewer moves behind this cell.
            let before = self.blocks[number + 1..].iter_mut();
            before.filter(|block| block.cells.contains(&entry)).for_each(|block| {
                block.proved = false;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::tron::Point;
    use arbitre_games::rng::Rng;
    use arbitre_games::search::budget::Budget;

    /// Returns the moves of the path that one round finds, and whether it claims a proof.
    fn solve(region: &FreeRegion, width: usize) -> (usize, bool) {
        let mut solver = EndgameSolver::new(region.clone(), &[], width);
        assert!(solver.round(&mut Limiter::new(Budget::default())));
        (solver.path().len(), solver.is_exact())
    }

    #[test]
    fn narrow_search_proves_only_longest_paths() {
        let mut rng = Rng::new(1);
        let (mut claims, mut misses) = (0, 0);
        for _ in 0..100 {
            let free: Vec<bool> = (0..49).map(|_| rng.below(7) > 0).collect();
            let is_free = |at: Point| free[usize::from(at.y) * 7 + usize::from(at.x)];
            let region = FreeRegion::new(7, 7, Point { x: 3, y: 2 }, is_free);
            let (wide, proved) = solve(&region, 100_000);
            assert!(proved, "{region:?}");
            for (narrow, claimed) in [4, 200].map(|width| solve(&region, width)) {
                assert!(narrow <= wide, "{narrow} {wide}: {region:?}");
                assert!(!claimed || narrow == wide, "{narrow} {wide}: {region:?}");
                claims += usize::from(claimed);
                misses += usize::from(narrow < wide);
            }
        }
        assert!(claims > 15 && misses > 15, "{claims} claims, {misses} misses");
    }
}
