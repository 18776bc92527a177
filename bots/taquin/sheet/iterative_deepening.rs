//! Depth-limited search and iterative deepening on any graph, as on the sheet, and breadth-first
//! search for comparison. All report their cost in visits and in vertices stored at once.

use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

/// A graph, given by its successors, with final vertices at which a search ends.
pub trait SearchGraph {
    /// Vertex of the graph.
    type Vertex: Clone + Eq + Hash;

    /// Returns the successors of a vertex.
    fn successors(&self, vertex: &Self::Vertex) -> Vec<Self::Vertex>;

    /// Returns `true` if the search ends at this vertex.
    fn is_final(&self, vertex: &Self::Vertex) -> bool;
}

/// Searches for a final vertex within `most` edges of the root: the sheet's `DFS-MAX`. `depth` is
/// the depth of `vertex`. Returns the path from `vertex` to the final vertex, last vertex first.
/// Returns `None` once the limiter stops. Every visit counts as generated.
pub fn depth_limited<G: SearchGraph>(
    graph: &G,
    vertex: &G::Vertex,
    depth: usize,
    most: usize,
    stats: &mut SearchStats,
    limiter: &mut Limiter,
) -> Option<Vec<G::Vertex>> {
    if limiter.tick() {
        return None;
    }
    stats.generated += 1;
    stats.stored = stats.stored.max(depth + 1);
    if graph.is_final(vertex) {
        return Some(vec![vertex.clone()]);
    }
    if depth == most {
        return None;
    }
    stats.expanded += 1;
    for next in graph.successors(vertex) {
        if let Some(mut path) = depth_limited(graph, &next, depth + 1, most, stats, limiter) {
            path.push(vertex.clone());
            return Some(path);
        }
    }
    None
}

/// Returns the shortest path to a final vertex, by depth-limited searches to depths 0, 1, 2 and so
/// on. Without a path and without a depth limit it ends only when the limiter stops. Only finished
/// searches count as iterations.
pub fn iterative_deepening<G: SearchGraph>(
    graph: &G,
    root: &G::Vertex,
    limiter: &mut Limiter,
) -> (Option<Vec<G::Vertex>>, SearchStats) {
    let mut stats = SearchStats::default();
    let mut found = None;
    let mut most = 0;
    while found.is_none() && !limiter.stopped() && most <= limiter.depth_limit() as usize {
        found = depth_limited(graph, root, 0, most, &mut stats, limiter);
        stats.iterations += u64::from(!limiter.stopped());
        most += 1;
    }
    let path = found.map(|path| path.into_iter().rev().collect());
    (path, stats)
}

/// Returns the distance of the nearest final vertex, by breadth-first search, or `None` if there is
/// none.
pub fn breadth_first<G: SearchGraph>(graph: &G, root: &G::Vertex) -> (Option<usize>, SearchStats) {
    let mut stats = SearchStats::default();
    let mut seen = HashSet::from([root.clone()]);
    let mut queue = VecDeque::from([(root.clone(), 0)]);
    while let Some((vertex, distance)) = queue.pop_front() {
        stats.generated += 1;
        stats.stored = stats.stored.max(seen.len());
        if graph.is_final(&vertex) {
            return (Some(distance), stats);
        }
        stats.expanded += 1;
        for next in graph.successors(&vertex) {
            if seen.insert(next.clone()) {
                queue.push_back((next, distance + 1));
            }
        }
    }
    (None, stats)
}

/// Graph of boards, each with the slide that led to it. No slide goes straight back.
pub struct SlideGraph;

impl SearchGraph for SlideGraph {
    type Vertex = (Board, Option<Direction>);

    fn successors(&self, (board, came): &Self::Vertex) -> Vec<Self::Vertex> {
        let ways = board.ways_after(*came);
        ways.filter_map(|direction| Some((board.after(direction)?, Some(direction)))).collect()
    }

    fn is_final(&self, (board, _): &Self::Vertex) -> bool {
        board.is_goal()
    }
}

/// Solves a board by iterative deepening without a heuristic.
pub fn ids(board: &Board, limiter: &mut Limiter) -> Solution {
    let (path, stats) = iterative_deepening(&SlideGraph, &(board.clone(), None), limiter);
    match path {
        Some(path) => {
            Solution::with_path(path.into_iter().filter_map(|(_, came)| came).collect(), stats)
        }
        // `n` finished searches reached depth `n - 1`, each without a path.
        None => Solution::without_path(SolveStatus::OutOfBudget, stats.iterations as usize, stats),
    }
}

/// The two graphs of the sheet's question: each distance from the root has one vertex, or twice as
/// many as the distance before. Both end at the final vertex.
pub struct SyntheticGraph {
    /// Number of successors of each vertex: 1 or 2.
    pub successors: u64,
    /// Distance of the final vertex, the last one there.
    pub distance: u32,
}

impl SearchGraph for SyntheticGraph {
    /// Distance from the root, and number among the vertices at that distance.
    type Vertex = (u32, u64);

    fn successors(&self, &(distance, number): &(u32, u64)) -> Vec<(u32, u64)> {
        let first = number * self.successors;
        let next = first..first + self.successors;
        next.filter(|_| distance < self.distance).map(|next| (distance + 1, next)).collect()
    }

    fn is_final(&self, &(distance, number): &(u32, u64)) -> bool {
        distance == self.distance && number + 1 == self.successors.pow(distance)
    }
}
