//! The longest path of a region, chamber by chamber, by wider and wider sweeps.

use super::chambers::ChamberBound;
use super::frontier_dp::FrontierDp;
use super::region::FreeRegion;
use super::strip::Strip;
use arbitre_games::search::budget::Limiter;

/// A chamber with the best path found in it.
struct Chamber {
    entry: usize,
    cells: Vec<usize>,
    /// From the cell after the entry to the one where it ends or goes on into another chamber.
    path: Vec<usize>,
    /// Is no path better, as long as what lies behind the chamber's cells is worth what it was?
    proved: bool,
}

/// Looks for the longest path of a region. What it has found is kept when a meter stops it.
///
/// Every chamber is swept with the same width, those that lie behind others first; then with a width
/// some times larger, and so on. What is proved is not swept again.
pub(super) struct EndgameSolver {
    region: FreeRegion,
    /// A chamber comes later than all behind it.
    chambers: Vec<Chamber>,
    /// By cell: moves that the best paths found make in what lies behind it, and whether none can
    /// make more.
    behind: Vec<u32>,
    settled: Vec<bool>,
    /// The chamber at hand, the sweep that is under way there, and how wide sweeps are.
    chamber: usize,
    frontier_dp: Option<FrontierDp>,
    width: usize,
    widest: usize,
}

impl EndgameSolver {
    /// A width to begin with.
    pub const NARROWEST: usize = 64;
    const WIDER: usize = 8;
    /// A sweep remembers four bytes for each state that it has kept; this bounds them.
    const MOST_KEPT: usize = 1 << 24;

    /// A solver that knows a path, which is given as its cells without the head, and that begins
    /// with sweeps of this width.
    pub fn new(region: FreeRegion, path: &[usize], width: usize) -> EndgameSolver {
        let mut chambers = Vec::new();
        let found = |entry, cells: &[usize]| {
            let (path, cells) = (Vec::new(), cells.to_vec());
            chambers.push(Chamber { entry, cells, path, proved: false });
        };
        ChamberBound::default().for_each(&region, found);
        let largest = chambers.iter().map(|chamber| chamber.cells.len() + 1).max().unwrap_or(1);
        let cells = region.free().len();
        let mut solver = EndgameSolver {
            region,
            chambers,
            behind: vec![0; cells],
            settled: vec![true; cells],
            chamber: 0,
            frontier_dp: None,
            width,
            widest: Self::MOST_KEPT / largest,
        };
        solver.learn(path);
        solver
    }

    /// Gives each chamber its part of a path.
    fn learn(&mut self, path: &[usize]) {
        let (mut path, mut cell) = (path, self.region.head());
        while let Some(first) = path.first() {
            let leads =
                |chamber: &&mut Chamber| chamber.entry == cell && chamber.cells.contains(first);
            let Some(chamber) = self.chambers.iter_mut().find(leads) else { return };
            let inside = path.iter().take_while(|cell| chamber.cells.contains(cell)).count();
            let (part, rest) = path.split_at(inside);
            chamber.path = part.to_vec();
            (path, cell) = (rest, part[inside - 1]);
        }
    }

    /// How wide its sweeps are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Sweeps all chambers with the width that is due. Returns whether it came to the end; if the
    /// meter stopped it, the next call goes on.
    pub fn round(&mut self, limiter: &mut Limiter) -> bool {
        while self.chamber < self.chambers.len() {
            if !self.solve(self.chamber, limiter) {
                return false;
            }
            self.settle(self.chamber);
            self.chamber += 1;
        }
        true
    }

    /// Has the next round wider sweeps. Returns whether there is a next round: not if all is proved,
    /// nor if its memory would be too large.
    pub fn widen(&mut self) -> bool {
        let goes_on = !self.is_exact() && self.width < self.widest;
        if goes_on {
            self.width = (self.width * Self::WIDER).min(self.widest);
            self.chamber = 0;
            self.settled.fill(true);
        }
        goes_on
    }

    /// Is the path the longest?
    pub fn is_exact(&self) -> bool {
        self.chamber == self.chambers.len() && self.settled[self.region.head()]
    }

    /// The cells of the best path found, without the head.
    pub fn path(&self) -> Vec<usize> {
        let mut path = Vec::new();
        let mut cell = self.region.head();
        while let Some(chamber) = self.best_from(cell) {
            path.extend(&chamber.path);
            match chamber.path.last() {
                Some(&last) => cell = last,
                None => break,
            }
        }
        path
    }

    fn worth(&self, chamber: &Chamber) -> u32 {
        chamber.path.last().map_or(0, |&last| chamber.path.len() as u32 + self.behind[last])
    }

    fn best_from(&self, entry: usize) -> Option<&Chamber> {
        let here = self.chambers.iter().filter(|chamber| chamber.entry == entry);
        here.max_by_key(|chamber| self.worth(chamber))
    }

    /// Sweeps a chamber unless it is proved. Returns whether that came to the end.
    fn solve(&mut self, number: usize, limiter: &mut Limiter) -> bool {
        let chamber = &self.chambers[number];
        if chamber.proved {
            return true;
        }
        if self.frontier_dp.is_none() {
            let known = self.worth(chamber);
            let strip = Strip::new(&self.region, chamber.entry, &chamber.cells, &self.behind);
            let Some(strip) = strip else { return true };
            self.frontier_dp = Some(FrontierDp::new(strip, self.width, known));
        }
        let Some(mut frontier_dp) = self.frontier_dp.take() else { return true };
        if !frontier_dp.run(limiter) {
            self.frontier_dp = Some(frontier_dp);
            return false;
        }
        let chamber = &mut self.chambers[number];
        chamber.proved = frontier_dp.is_proof();
        if let Some(path) = frontier_dp.path() {
            chamber.path = path;
        }
        true
    }

    /// Tells the entry of a chamber what it is worth.
    fn settle(&mut self, number: usize) {
        let chamber = &self.chambers[number];
        let worth = self.worth(chamber);
        let settled = chamber.proved && chamber.cells.iter().all(|&cell| self.settled[cell]);
        let entry = chamber.entry;
        self.settled[entry] &= settled;
        if worth > self.behind[entry] {
            self.behind[entry] = worth;
            // What was proved before knew less of what lies behind.
            let before = self.chambers[number + 1..].iter_mut();
            before.filter(|chamber| chamber.cells.contains(&entry)).for_each(|chamber| {
                chamber.proved = false;
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

    /// Moves of the path that one round finds, and whether it says that there is no longer one.
    fn solve(region: &FreeRegion, width: usize) -> (usize, bool) {
        let mut solver = EndgameSolver::new(region.clone(), &[], width);
        assert!(solver.round(&mut Limiter::new(Budget::default())));
        (solver.path().len(), solver.is_exact())
    }

    #[test]
    fn a_narrow_sweep_claims_no_more_than_a_wide_one_finds() {
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
