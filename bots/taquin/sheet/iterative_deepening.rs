//! Depth-limited search and iterative deepening on any graph, as on the sheet, and breadth-first
//! search beside them: what they cost in time and in vertices stored at once.

use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

/// A graph by its successors, and where a search is to end.
pub trait SearchGraph {
    /// A vertex.
    type Vertex: Clone + Eq + Hash;

    /// The vertices to which its edges lead.
    fn successors(&self, vertex: &Self::Vertex) -> Vec<Self::Vertex>;

    /// Is this where the search is to end?
    fn is_final(&self, vertex: &Self::Vertex) -> bool;
}

/// The vertices on the way to the final one from a vertex at this depth, itself included and the
/// last first, if the final one is within so many edges of the root: the sheet's `DFS-MAX`. Nothing
/// once the limiter stops. Every visit counts as generated.
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

/// The shortest way from a vertex to the final one, by searches to depths 0, 1, 2 and so on. It
/// ends when the limiter stops, and otherwise never where there is no way and no limit of the
/// depth.
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
        most += 1;
    }
    let path = found.map(|path| path.into_iter().rev().collect());
    (path, stats)
}

/// The distance of the final vertex, by breadth-first search; none if it cannot be reached.
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

/// Boards, each with the slide that led to it, which is not taken back.
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

/// Solves a board by iterative deepening, without any estimate.
pub fn ids(board: &Board, limiter: &mut Limiter) -> Solution {
    let (path, stats) = iterative_deepening(&SlideGraph, &(board.clone(), None), limiter);
    match path {
        Some(path) => {
            Solution::with_path(path.into_iter().filter_map(|(_, came)| came).collect(), stats)
        }
        None => Solution::without_path(SolveStatus::OutOfBudget, stats),
    }
}

/// The two graphs of the sheet's question: at each distance from the root one vertex, or twice as
/// many as at the one before. Both end where the search ends.
pub struct SyntheticGraph {
    /// How many successors each vertex has: 1 or 2.
    pub successors: u64,
    /// Where the search ends: the last vertex at this distance.
    pub distance: u32,
}

impl SearchGraph for SyntheticGraph {
    /// A distance, and a number among those there.
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
