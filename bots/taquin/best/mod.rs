//! Strong solvers: parallel IDA* with pattern databases, A* in little memory, and fast solvers that
//! need not find a shortest path.

pub mod batched;
pub mod frontier_a_star;
pub mod fsm_pruning;
pub mod improve;
mod open_closed_table;
pub mod packed_manhattan;
pub mod parallel_deepening;
pub mod pattern;
pub mod pattern_search;
pub mod quick;
