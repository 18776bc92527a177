//! Strong solvers: parallel IDA* with pattern databases, and fast solvers that
//! need not find a shortest path.

pub mod batched;
pub mod fsm_pruning;
pub mod improve;
pub mod packed_manhattan;
pub mod parallel_deepening;
pub mod pattern;
pub mod pattern_search;
pub mod quick;
