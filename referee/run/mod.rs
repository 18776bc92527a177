//! Many games at once: workers play them, one collector counts them.

pub mod allocation;
pub mod collector;
pub mod containment;
pub mod contest_run;
pub mod format;
pub mod interrupt;
pub mod plan;
mod player;
pub mod processors;
pub mod queue;
mod result_table;
pub mod stages;
pub mod version_watch;
mod worker;
mod workers;

pub use player::{PlannedPlayer, PlayerSource, RecorderFactory};
pub use workers::{Event, Workers};
