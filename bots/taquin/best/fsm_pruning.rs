//! FSM pruning (L. Taylor, R. Korf, "Pruning duplicate nodes in depth-first search", 1993). A
//! finite state machine recognises duplicates: paths for which another path to the same board is
//! shorter, or earlier in the order of directions.
//!
//! Whether two paths lead to the same board depends on where the blank starts. No path is therefore
//! replaced by one that would leave the board. The first of the shortest paths to the goal contains
//! no duplicate: replacing the duplicate would give an earlier path.

use crate::taquin::grid::{blank_targets, DIRECTIONS, MOST_CELLS};
use crate::taquin::packed_board::PackedBoard;
use arbitre_games::games::taquin::Size;
use arbitre_games::search::hash::BuildFoldHasher;
use std::collections::HashSet;

/// Stands for a state after a move that leaves the board or completes a duplicate.
pub const DEAD: u32 = u32::MAX;

/// FSM for boards of one size. A state is the longest suffix of the path that is a proper prefix of
/// a duplicate, together with the start cell of that suffix. If there is none, the state is the
/// cell of the blank.
pub struct PruningFsm {
    next: Vec<[u32; DIRECTIONS]>,
}

impl PruningFsm {
    /// Builds the FSM for duplicates of at most `longest` moves. With two, these are the moves
    /// straight back.
    ///
    /// # Panics
    /// Panics if the board has more than 25 cells, or `longest` is more than 31.
    pub fn new(size: Size, longest: usize) -> PruningFsm {
        assert!(size.0 * size.1 <= MOST_CELLS && longest < 32);
        let mut trie = DuplicateTrie::new(size);
        trie.add_duplicates(longest);
        trie.to_fsm()
    }

    /// Returns the state before the first move.
    pub fn start(&self, blank: usize) -> u32 {
        blank as u32
    }

    /// Returns the state after a move in each direction, or [`DEAD`] if the move leaves the board
    /// or completes a duplicate.
    #[inline(always)]
    pub fn after(&self, state: u32) -> &[u32; DIRECTIONS] {
        &self.next[state as usize]
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.next.len()
    }
}

/// Trie of the moves of all duplicates, with a root for each cell of the blank.
struct DuplicateTrie {
    /// Cell to which the blank goes, by cell and direction.
    targets: Vec<[Option<usize>; DIRECTIONS]>,
    nodes: Vec<[TrieEdge; DIRECTIONS]>,
    /// Cell of the blank at each node.
    blanks: Vec<usize>,
}

/// Path from the board that has every tile on its own cell, with the blank on cell `start`.
struct WalkedBoard {
    start: usize,
    blank: usize,
    cells: u128,
    path: PackedPath,
}

impl WalkedBoard {
    /// Returns the board at the end of the path, with its start.
    fn board(&self) -> (u32, u128) {
        (self.start as u32, self.cells)
    }
}

/// Path as two bits per move, the first move in the lowest bits.
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

    /// Returns the path without its first move.
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

    /// Adds the duplicates that contain no other duplicate, by breadth-first search from every cell
    /// of the blank. Of two paths to a board, the later one is the duplicate.
    fn add_duplicates(&mut self, longest: usize) {
        let cells = self.targets.len();
        let goal = u128::pack(&(0..cells as u8).collect::<Vec<u8>>());
        let start =
            |blank| WalkedBoard { start: blank, blank, cells: goal, path: PackedPath::default() };
        let mut layer: Vec<WalkedBoard> = (0..cells).map(start).collect();
        let mut seen: HashSet<(u32, u128), BuildFoldHasher> =
            layer.iter().map(WalkedBoard::board).collect();
        for _ in 0..longest {
            // Paths of this length without duplicates.
            let known: HashSet<(u32, PackedPath), BuildFoldHasher> =
                layer.iter().map(|walk| (walk.start as u32, walk.path)).collect();
            let mut next_layer = Vec::new();
            for walk in &layer {
                for direction in 0..DIRECTIONS {
                    let Some(next) = self.longer(walk, direction) else { continue };
                    let rest = next.path.rest();
                    let skipped = self.targets[next.start][next.path.direction(0)];
                    // If the path without its first move is unknown, it contains a shorter
                    // duplicate already.
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

    /// Returns the path extended by one move, or `None` if that leaves the board.
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

    /// Builds the FSM (A. Aho, M. Corasick, 1975). Where a path leaves the trie, its longest suffix
    /// in the trie continues.
    fn to_fsm(&self) -> PruningFsm {
        let mut next = vec![[DEAD; DIRECTIONS]; self.nodes.len()];
        // Failure link of each node: the longest proper suffix of its path that is a node.
        let mut shorter = vec![None; self.nodes.len()];
        let mut layer: Vec<usize> = (0..self.targets.len()).collect();
        while !layer.is_empty() {
            let mut next_layer = Vec::new();
            // Layers go by length, so the state of a shorter suffix is complete before it is used.
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
