//! Batched IDA* with pattern databases that know the blank's zone. Each thread expands several
//! boards at once, so that their lookups in large tables wait for memory together.

mod batch;
mod expander;
mod node;
mod search;
mod simd;
mod worker;

pub use node::BoardWord;
pub use search::BatchedSearch;
