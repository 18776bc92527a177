//! Retrograde analysis of a layer, from the layers with fewer seeds.
//!
//! For a board b and the boards c after its moves, with s captured seeds,
//!
//! - the mover forces the largest sum of s and the number of the side not to move on c,
//! - the other forces the smallest number of the side to move on c,
//!
//! and without a move each side forces its own row. Moves that capture lead to a finished layer.
//! The others make the equations circular; the seeds that can be forced against every defence are
//! their least solution.
//!
//! The solution is found level by level, from the highest down. At level g all forced numbers equal
//! to g are found, first from captures, then backwards from these. For a mover one move that
//! reaches g is enough. For the other all moves must reach it, so the moves that do not yet are
//! counted.
//!
//! Each number is found once, the largest first. Each move is therefore undone once for each of its
//! two numbers, and never at level 0. Results do not depend on the order, so threads need only
//! atomic numbers.

use super::index::LayerIndex;
use super::layer::{Layer, LayerShape};
use super::origins::{Origins, RowPair};
use super::tables::{EndgameTables, RULE};
use arbitre_games::games::awele::{Board, Pit};
use arbitre_games::parallel::for_each_chunk;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Number of boards that a thread takes at a time. Not tuned.
const BOARDS: usize = 1 << 16;
/// Number of runs of boards that a thread takes at a time. Not tuned.
const RUNS: usize = 64;

/// Flag in the byte of the mover: its level is found. Before that, the byte has the best level of
/// the captures.
///
/// Each board has two bytes during the analysis, with a level in the lowest five bits of both.
const FOUND: u8 = 0x80;
/// Unit of the count above the level in the byte of the other: moves without capture that have not
/// reached the current level. The level is the lowest of the moves that capture.
const ONE_MOVE: u8 = 0x20;
/// A count of seven, which six moves cannot reach: the level is found.
const ALL_FOUND: u8 = 7 * ONE_MOVE;
/// Mask of the level in both bytes.
const LEVEL: u8 = ONE_MOVE - 1;

impl EndgameTables {
    /// Makes the tables of up to `seeds` seeds, 48 at most. Tables of 12 seeds take 0.3 s,
    /// and each further seed nearly doubles the time.
    pub fn make(seeds: usize, threads: usize) -> EndgameTables {
        let (origins, mut tables) = (Origins::up_to(seeds), EndgameTables::default());
        for _ in 0..=seeds {
            tables.grow(&origins, threads, &mut |_, _| {});
        }
        tables
    }

    /// Makes the next layer. `report` receives the number of levels done and of all levels.
    ///
    /// # Panics
    /// Panics if `origins` has too few seeds, or memory for two bytes per board is missing.
    pub(crate) fn grow(
        &mut self,
        origins: &Origins,
        threads: usize,
        report: &mut dyn FnMut(u8, u8),
    ) {
        let work = RetrogradeWork::new(origins, self, self.layers() as u8, threads);
        let top = work.shape.top();
        for_each_chunk(work.index.runs(&origins.rows), RUNS, threads, |runs| work.begin(runs));
        report(1, top + 1);
        for level in (1..=top).rev() {
            for_each_chunk(work.index.size() as usize, BOARDS, threads, |numbers| {
                work.find(level, numbers)
            });
            report(top - level + 2, top + 1);
        }
        let layer = work.finish();
        self.layers.push(layer);
    }
}

/// A layer in the making.
struct RetrogradeWork<'a> {
    origins: &'a Origins,
    below: &'a EndgameTables,
    shape: LayerShape,
    index: LayerIndex,
    /// Starts of the index, see [`LayerIndex::starts`].
    starts: Vec<u64>,
    /// Whether one thread does all the work. Its bytes then need no atomic changes, which would
    /// take an eighth of the time.
    alone: bool,
    mover: Vec<AtomicU8>,
    other: Vec<AtomicU8>,
}

impl<'a> RetrogradeWork<'a> {
    fn new(
        origins: &'a Origins,
        below: &'a EndgameTables,
        seeds: u8,
        threads: usize,
    ) -> RetrogradeWork<'a> {
        let index = LayerIndex::new(seeds.into());
        let starts = index.starts(&origins.rows);
        let zeros = || (0..index.size()).map(|_| AtomicU8::new(0)).collect();
        let (mover, other) = (zeros(), zeros());
        RetrogradeWork {
            origins,
            below,
            shape: LayerShape::new(seeds),
            index,
            starts,
            alone: threads == 1,
            mover,
            other,
        }
    }

    /// Notes what captures and ends give on the boards of these runs.
    fn begin(&self, runs: Range<usize>) {
        for run in runs {
            let (first, boards) = self.index.run(&self.origins.rows, run);
            for (number, board) in (first as usize..).zip(boards) {
                let [mover, other] = self.first_bytes(board);
                self.mover[number].store(mover, Relaxed);
                self.other[number].store(other, Relaxed);
            }
        }
    }

    fn first_bytes(&self, board: Board) -> [u8; 2] {
        let legal = board.legal(RULE);
        if legal == 0 {
            return board.totals().map(|seeds| self.shape.level(seeds));
        }
        let (mut best, mut worst, mut quiet) = (0, self.shape.top(), 0);
        for pit in Pit::of_mask(legal) {
            let child = board.after(pit, RULE);
            match child.captures()[1] {
                0 => quiet += ONE_MOVE,
                taken => {
                    let forced = self.below.look(child).expect("the layers below are there");
                    best = best.max(self.shape.level(taken + forced.other));
                    worst = worst.min(self.shape.level(forced.mover));
                }
            }
        }
        [best, quiet | worst]
    }

    /// Finds what is at this level, beginning with what captures give on these boards.
    fn find(&self, level: u8, numbers: Range<usize>) {
        let mut found = FoundBounds::default();
        let bytes = self.mover[numbers.clone()].iter().zip(&self.other[numbers.clone()]);
        for (number, (mover, other)) in numbers.zip(bytes) {
            if mover.load(Relaxed) != level && other.load(Relaxed) != level {
                continue;
            }
            let rows = self.index.rows(&self.origins.rows, number as u64).map(|row| row as u32);
            if self.replace(mover, level, FOUND | level) {
                found.movers.push(rows);
            }
            if self.replace(other, level, ALL_FOUND | level) {
                found.others.push(rows);
            }
            self.go_back(level, &mut found);
        }
    }

    /// Finds what follows from what was found, until there is no more.
    fn go_back(&self, level: u8, found: &mut FoundBounds) {
        loop {
            if let Some(rows) = found.movers.pop() {
                self.origins.for_each(rows, |origin| self.one_move_less(level, origin, found));
            } else if let Some(rows) = found.others.pop() {
                self.origins.for_each(rows, |origin| self.a_move_reaches(level, origin, found));
            } else {
                return;
            }
        }
    }

    /// A move of this board reaches the level for its mover.
    #[inline]
    fn a_move_reaches(&self, level: u8, rows: RowPair, found: &mut FoundBounds) {
        let byte = &self.mover[self.number(rows)];
        let before = byte.load(Relaxed);
        if before < FOUND && self.replace(byte, before, FOUND | level) {
            found.movers.push(rows);
        }
    }

    /// A move of this board reaches the level for the other. Once all do, and those that capture
    /// have reached it before, the force is found; if these are lower, it is found at theirs.
    #[inline]
    fn one_move_less(&self, level: u8, rows: RowPair, found: &mut FoundBounds) {
        let byte = &self.other[self.number(rows)];
        let now = match self.alone {
            true => {
                let now = byte.load(Relaxed) - ONE_MOVE;
                byte.store(now, Relaxed);
                now
            }
            false => byte.fetch_sub(ONE_MOVE, Relaxed) - ONE_MOVE,
        };
        if (level..ONE_MOVE).contains(&now) && self.replace(byte, now, ALL_FOUND | level) {
            found.others.push(rows);
        }
    }

    /// Returns the index of the board with these rows.
    #[inline]
    fn number(&self, [own, other]: RowPair) -> usize {
        self.starts[other as usize].wrapping_add(own.into()) as usize
    }

    /// Puts a byte in the place of another, unless another thread did before.
    #[inline]
    fn replace(&self, byte: &AtomicU8, expected: u8, new: u8) -> bool {
        byte.load(Relaxed) == expected
            && match self.alone {
                true => {
                    byte.store(new, Relaxed);
                    true
                }
                false => byte.compare_exchange(expected, new, Relaxed, Relaxed).is_ok(),
            }
    }

    fn finish(self) -> Layer {
        let found = |byte: &AtomicU8, mark: u8| match byte.load(Relaxed) {
            byte if byte >= mark => byte & LEVEL,
            _ => 0,
        };
        let levels = |number: usize| {
            [found(&self.mover[number], FOUND), found(&self.other[number], ALL_FOUND)]
        };
        Layer::pack(self.shape, self.index, levels)
    }
}

/// What was found at the level in work and was not gone back from yet.
#[derive(Default)]
struct FoundBounds {
    movers: Vec<RowPair>,
    others: Vec<RowPair>,
}
