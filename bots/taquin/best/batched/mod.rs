//! Batched IDA*, guided by pattern databases that know the zone of the blank. Looks into large
//! tables wait for memory, so that a thread expands several boards at once.

mod batch;
mod expander;
mod node;
mod search;
mod simd;
mod worker;

pub use node::BoardWord;
pub use search::BatchedSearch;
