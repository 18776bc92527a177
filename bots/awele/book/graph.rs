//! Growth of a book by drop-out expansion (Lincke, 2000).
//!
//! The book is a graph of positions with the values of their searches. The values of the leaves
//! give those of the other positions. The next leaf to expand is the one that costs the least to
//! reach: each ply has a price, and a move that is not the best costs what it loses. The graph is
//! therefore deep where both sides play well, and a side that errs a little is followed for a
//! while.
//!
//! A board belongs to its ply, so the graph has no cycles.

use super::grown::BookMove;
use arbitre_games::game::Seat;
use arbitre_games::game::State;
use arbitre_games::games::awele::{Board, Pit, Position, Rules};
use std::collections::HashMap;

/// Price of a ply, in hundredths of a unit of log-odds. Of 3, 6, 12 and 20, the last two found the
/// most replies of another engine in a book of 1500 positions.
const PLY: i64 = 15;
/// Price of a leaf that is not expanded.
const NEVER: i64 = i64::MAX;

/// A position of the graph.
struct BookNode {
    position: Position,
    /// Moves and the positions after them, once the position is expanded.
    moves: Vec<(Pit, usize)>,
    /// Value for the player to move: by the search at a leaf, by the moves elsewhere.
    value: i32,
    /// Depth of the search at a leaf; elsewhere that of the best move and one more.
    depth: u32,
    /// Whether the game is over or decided here.
    is_final: bool,
}

/// Graph of a book in growth.
pub struct BookGraph {
    nodes: Vec<BookNode>,
    /// Positions by ply and board.
    numbers: HashMap<(u32, Board), usize>,
    /// Positions of each ply, in the order in which they were added.
    plies: Vec<Vec<usize>>,
}

/// Result of a search of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeafValue {
    /// Value for the player to move.
    pub value: i32,
    /// Depth of the search.
    pub depth: u32,
}

impl BookGraph {
    /// Creates a graph of the initial position, which needs a value.
    pub fn new(rules: Rules) -> BookGraph {
        let (nodes, numbers, plies) = (Vec::new(), HashMap::new(), Vec::new());
        let mut graph = BookGraph { nodes, numbers, plies };
        graph.add(Position::new(rules, Board::START, Seat::FIRST));
        graph
    }

    /// Returns a position.
    pub fn position(&self, number: usize) -> &Position {
        &self.nodes[number].position
    }

    fn add(&mut self, position: Position) -> usize {
        let (ply, number) = (position.ply(), self.nodes.len());
        self.plies.resize_with(self.plies.len().max(ply as usize + 1), Vec::new);
        self.plies[ply as usize].push(number);
        self.numbers.insert((ply, position.board()), number);
        let node = BookNode { position, moves: Vec::new(), value: 0, depth: 0, is_final: false };
        self.nodes.push(node);
        number
    }

    /// Returns up to `count` leaves with the lowest cost.
    pub fn next_leaves(&self, count: usize) -> Vec<usize> {
        let mut costs = vec![NEVER; self.nodes.len()];
        costs[0] = 0;
        let mut leaves = Vec::new();
        for &number in self.plies.iter().flatten() {
            let (node, cost) = (&self.nodes[number], costs[number]);
            if node.moves.is_empty() && !node.is_final {
                leaves.push((cost, number));
            }
            for &(_, next) in &node.moves {
                let loss = node.value + self.nodes[next].value;
                costs[next] = costs[next].min(cost + PLY + i64::from(loss));
            }
        }
        leaves.sort_unstable();
        leaves.into_iter().take(count).map(|(_, number)| number).collect()
    }

    /// Adds the moves of a leaf. Returns the positions that are new and need a value.
    pub fn expand(&mut self, leaf: usize) -> Vec<usize> {
        let position = self.nodes[leaf].position.clone();
        let mover = position.mover();
        let mut new = Vec::new();
        for pit in position.moves(mover) {
            let next = position.after(mover, pit);
            let known = self.numbers.get(&(next.ply(), next.board())).copied();
            let number = known.unwrap_or_else(|| {
                let number = self.add(next);
                new.push(number);
                number
            });
            self.nodes[leaf].moves.push((pit, number));
        }
        new
    }

    /// Notes the value of a leaf. A final one is never expanded.
    pub fn set(&mut self, leaf: usize, found: LeafValue, is_final: bool) {
        let node = &mut self.nodes[leaf];
        (node.value, node.depth, node.is_final) = (found.value, found.depth, is_final);
    }

    /// Computes the values of all expanded positions from those of the leaves.
    pub fn propagate(&mut self) {
        for ply in (0..self.plies.len()).rev() {
            for at in 0..self.plies[ply].len() {
                let number = self.plies[ply][at];
                if let Some((_, best)) = self.best(number) {
                    let BookNode { value, depth, .. } = self.nodes[best];
                    (self.nodes[number].value, self.nodes[number].depth) = (-value, depth + 1);
                }
            }
        }
    }

    /// Returns the best move of an expanded position and the position after it.
    fn best(&self, number: usize) -> Option<(Pit, usize)> {
        let moves = self.nodes[number].moves.iter();
        moves.copied().min_by_key(|&(_, next)| self.nodes[next].value)
    }

    /// Returns the expanded positions and their moves, from the initial one on.
    pub fn entries(&self) -> impl Iterator<Item = (Board, BookMove)> + '_ {
        self.plies.iter().flatten().filter_map(|&number| {
            let (node, (pit, _)) = (&self.nodes[number], self.best(number)?);
            let entry = BookMove { pit, score: node.value, depth: node.depth };
            Some((node.position.board(), entry))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::awele::ABAPA;
    use arbitre_games::rng::Rng;

    /// Returns a graph with random values.
    fn graph(expanded: usize) -> BookGraph {
        let (mut graph, mut rng) = (BookGraph::new(ABAPA), Rng::new(5));
        for _ in 0..expanded {
            let leaf = graph.next_leaves(1)[0];
            for new in graph.expand(leaf) {
                let value = rng.below(200) as i32 - 100;
                graph.set(new, LeafValue { value, depth: 1 + rng.below(9) as u32 }, false);
            }
            graph.propagate();
        }
        graph
    }

    /// Returns value and depth by the definition.
    fn minimax(graph: &BookGraph, number: usize) -> (i32, u32) {
        let node = &graph.nodes[number];
        let after = node.moves.iter().map(|&(_, next)| minimax(graph, next));
        let best = after.enumerate().min_by_key(|&(at, (value, _))| (value, at));
        best.map_or((node.value, node.depth), |(_, (value, depth))| (-value, depth + 1))
    }

    /// Returns the least cost of every leaf by all paths.
    fn costs(graph: &BookGraph, number: usize, cost: i64, least: &mut HashMap<usize, i64>) {
        let node = &graph.nodes[number];
        if node.moves.is_empty() {
            let known = least.entry(number).or_insert(cost);
            *known = cost.min(*known);
        }
        let best = node.moves.iter().map(|&(_, next)| -graph.nodes[next].value).max();
        for &(_, next) in &node.moves {
            let loss = best.unwrap_or(0) + graph.nodes[next].value;
            costs(graph, next, cost + PLY + i64::from(loss), least);
        }
    }

    #[test]
    fn values_and_costs_follow_from_the_leaves() {
        let graph = graph(120);
        assert!(graph.plies.len() > 4, "{}", graph.plies.len());
        for (number, node) in graph.nodes.iter().enumerate() {
            assert_eq!((node.value, node.depth), minimax(&graph, number));
        }
        let mut least = HashMap::new();
        costs(&graph, 0, 0, &mut least);
        let mut expected: Vec<(i64, usize)> =
            least.into_iter().map(|(leaf, cost)| (cost, leaf)).collect();
        expected.sort_unstable();
        let leaves: Vec<usize> = expected.into_iter().map(|(_, leaf)| leaf).collect();
        assert_eq!(graph.next_leaves(usize::MAX), leaves);
        assert_eq!(graph.entries().count(), 120);
    }

    #[test]
    fn decided_positions_are_not_expanded() {
        let mut graph = graph(10);
        let leaf = graph.next_leaves(1)[0];
        graph.set(leaf, LeafValue { value: 9_000, depth: 3 }, true);
        assert!(!graph.next_leaves(usize::MAX).contains(&leaf));
    }
}
