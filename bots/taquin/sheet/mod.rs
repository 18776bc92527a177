//! Algorithms of the course sheet: A* with a queue, iterative deepening, and iterative deepening
//! A*.

pub mod a_star;
mod bucket_queue;
pub mod ida_star;
pub mod iterative_deepening;
mod node_store;
