//! Batched IDA* with pattern databases. Each thread expands several boards at once, so that their
//! lookups in large tables wait for memory together.

mod batch;
mod expander;
mod lookup;
mod node;
mod search;
mod simd;
mod worker;

pub use expander::BatchedSearch;
pub use node::BoardWord;
