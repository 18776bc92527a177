//! Report of `NAME bench`: a search of fixed positions. Its node count is the signature of the
//! search; a refactoring must not change it.

use crate::program::say;
use arbitre_games::search::cpu_time::Stopwatch;
use std::fmt::Display;

/// Nodes and CPU time of the searches so far.
#[derive(Default)]
pub struct BenchReport {
    nodes: u64,
    spent: Stopwatch,
}

impl BenchReport {
    /// Runs a search and adds its CPU time.
    pub fn measure<T>(&mut self, search: impl FnOnce() -> T) -> T {
        self.spent.measure(search)
    }

    /// Adds the nodes of a search and prints its line.
    pub fn add(&mut self, position: impl Display, best: impl Display, value: i32, nodes: u64) {
        self.add_game(format_args!("{position} best {best}"), value, nodes);
    }

    /// Adds the nodes of a game and prints its line.
    pub fn add_game(&mut self, game: impl Display, score: impl Display, nodes: u64) {
        self.nodes += nodes;
        say(&format!("{game} score {score} nodes {nodes}\n"));
    }

    /// Returns a rate per second of CPU time.
    pub fn rate(&self, count: u64) -> f64 {
        count as f64 / self.spent.seconds()
    }

    /// Prints the totals: `N nodes M nps`.
    pub fn finish(self) {
        say(&format!("{} nodes {:.0} nps\n", self.nodes, self.rate(self.nodes)));
    }
}
