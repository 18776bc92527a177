//! Which moves are worth trying after those before: a machine that knows the duplicates, paths for
//! which there is another one to the same board that comes before them, being shorter or earlier in
//! the order of directions (L. Taylor, R. Korf, "Pruning duplicate nodes in depth-first search",
//! 1993).
//!
//! What is known to lead to the same board depends on where the blank begins, so no path is
//! replaced by one that would leave the board. Of the shortest paths to the goal the first in order
//! contains no duplicate: replaced in it, one would give a path that comes before it.

use crate::taquin::grid::{blank_targets, DIRECTIONS, MOST_CELLS};
use crate::taquin::packed_board::PackedBoard;
use arbitre_games::games::taquin::Size;
use arbitre_games::search::hash::BuildFoldHasher;
use std::collections::HashSet;

/// In place of a state: there is no such move, or it ends a duplicate.
pub const DEAD: u32 = u32::MAX;

/// The machine for boards of one size. A state is the longest end of the path that begins a
/// duplicate, and where the blank came from; without any, it is the cell of the blank.
pub struct PruningFsm {
    next: Vec<[u32; DIRECTIONS]>,
}

impl PruningFsm {
    /// Knows the duplicates of so many moves at most. With two these are moves straight back.
    ///
    /// # Panics
    /// If the board has more than 25 cells, or they are of more than 31 moves.
    pub fn new(size: Size, longest: usize) -> PruningFsm {
        assert!(size.0 * size.1 <= MOST_CELLS && longest < 32);
        let mut trie = DuplicateTrie::new(size);
        trie.add_duplicates(longest);
        trie.to_fsm()
    }

    /// Before the first move.
    pub fn start(&self, blank: usize) -> u32 {
        blank as u32
    }

    /// After a move in each direction; [`DEAD`] if it leads off the board or ends a duplicate.
    #[inline(always)]
    pub fn after(&self, state: u32) -> &[u32; DIRECTIONS] {
        &self.next[state as usize]
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.next.len()
    }
}

/// Duplicates by their moves, with a root for each cell of the blank.
struct DuplicateTrie {
    /// By cell and direction: the cell that the blank goes to.
    targets: Vec<[Option<usize>; DIRECTIONS]>,
    nodes: Vec<[TrieEdge; DIRECTIONS]>,
    /// By node: the cell of the blank there.
    blanks: Vec<usize>,
}

/// A path from the board that has every tile on its own cell, wherever the blank is.
struct WalkedBoard {
    start: usize,
    blank: usize,
    cells: u128,
    path: PackedPath,
}

impl WalkedBoard {
    /// The board to which it leads, and that from which it comes.
    fn board(&self) -> (u32, u128) {
        (self.start as u32, self.cells)
    }
}

/// Moves, two bits each, the first one lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct PackedPath {
    ways: u64,
    len: usize,
}

impl PackedPath {
    fn direction(&self, at: usize) -> usize {
        (self.ways >> (2 * at)) as usize % DIRECTIONS
    }

    fn longer(&self, direction: usize) -> PackedPath {
        PackedPath { ways: self.ways | (direction as u64) << (2 * self.len), len: self.len + 1 }
    }

    /// Without the first move.
    fn rest(&self) -> PackedPath {
        PackedPath { ways: self.ways >> 2, len: self.len - 1 }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum TrieEdge {
    None,
    To(usize),
    Duplicate,
}

impl DuplicateTrie {
    fn new(size: Size) -> DuplicateTrie {
        let cells = size.0 * size.1;
        let nodes = vec![[TrieEdge::None; DIRECTIONS]; cells];
        DuplicateTrie { targets: blank_targets(size), nodes, blanks: (0..cells).collect() }
    }

    /// Adds the duplicates that contain no other: by breadth-first search from every cell of the
    /// blank, so that of two paths to a board the one that comes later is the duplicate.
    fn add_duplicates(&mut self, longest: usize) {
        let cells = self.targets.len();
        let goal = u128::pack(&(0..cells as u8).collect::<Vec<u8>>());
        let start =
            |blank| WalkedBoard { start: blank, blank, cells: goal, path: PackedPath::default() };
        let mut layer: Vec<WalkedBoard> = (0..cells).map(start).collect();
        let mut seen: HashSet<(u32, u128), BuildFoldHasher> =
            layer.iter().map(WalkedBoard::board).collect();
        for _ in 0..longest {
            // Whoever contains a duplicate but as its end was left out before.
            let known: HashSet<(u32, PackedPath), BuildFoldHasher> =
                layer.iter().map(|walk| (walk.start as u32, walk.path)).collect();
            let mut next_layer = Vec::new();
            for walk in &layer {
                for direction in 0..DIRECTIONS {
                    let Some(next) = self.longer(walk, direction) else { continue };
                    let rest = next.path.rest();
                    let skipped = self.targets[next.start][next.path.direction(0)];
                    if !known
                        .contains(&(skipped.expect("the path stays on the board") as u32, rest))
                    {
                        continue;
                    }
                    match seen.insert(next.board()) {
                        false => self.add(next.start, &next.path),
                        true => next_layer.push(next),
                    }
                }
            }
            layer = next_layer;
        }
    }

    /// A path and one move more, if it stays on the board.
    fn longer(&self, walk: &WalkedBoard, direction: usize) -> Option<WalkedBoard> {
        let to = self.targets[walk.blank][direction]?;
        let [tile, blank_tile] = [to, walk.blank].map(|cell| walk.cells.tile(cell));
        let cells = walk.cells.slid(tile, blank_tile, to, walk.blank);
        Some(WalkedBoard { blank: to, cells, path: walk.path.longer(direction), ..*walk })
    }

    fn add(&mut self, blank: usize, path: &PackedPath) {
        let last = path.len - 1;
        let mut node = blank;
        for direction in (0..last).map(|at| path.direction(at)) {
            if self.nodes[node][direction] == TrieEdge::None {
                self.nodes[node][direction] = TrieEdge::To(self.nodes.len());
                let target = self.targets[self.blanks[node]][direction];
                self.blanks.push(target.expect("the path stays on the board"));
                self.nodes.push([TrieEdge::None; DIRECTIONS]);
            }
            let TrieEdge::To(next) = self.nodes[node][direction] else { return };
            node = next;
        }
        self.nodes[node][path.direction(last)] = TrieEdge::Duplicate;
    }

    /// The machine: where a path leaves the trie, its longest end that is in it goes on (A. Aho, M.
    /// Corasick, 1975).
    fn to_fsm(&self) -> PruningFsm {
        let mut next = vec![[DEAD; DIRECTIONS]; self.nodes.len()];
        // By node: the longest end of its path, less its first move, that is a node.
        let mut shorter = vec![None; self.nodes.len()];
        let mut layer: Vec<usize> = (0..self.targets.len()).collect();
        while !layer.is_empty() {
            let mut next_layer = Vec::new();
            for &node in &layer {
                let after = std::array::from_fn(|direction| {
                    let otherwise = match shorter[node] {
                        None => self.targets[node][direction].map_or(DEAD, |target| target as u32),
                        Some(end) => next[end as usize][direction],
                    };
                    match self.nodes[node][direction] {
                        TrieEdge::Duplicate => DEAD,
                        TrieEdge::None => otherwise,
                        TrieEdge::To(longer) => {
                            shorter[longer] = Some(otherwise);
                            next_layer.push(longer);
                            longer as u32
                        }
                    }
                });
                next[node] = after;
            }
            layer = next_layer;
        }
        PruningFsm { next }
    }
}
