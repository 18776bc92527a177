//! Many games at once: workers play them, one collector counts them.

pub mod allocation;
pub mod collector;
pub mod contest_run;
pub mod descriptors;
pub mod interrupt;
pub mod plan;
mod player;
pub mod presence;
pub mod processors;
pub mod queue;
pub mod room;
pub mod roster;
pub mod sandboxes;
mod setting;
pub mod version_watch;
mod worker;
mod workers;

pub use player::{Connected, PlannedPlayer, PlayerSource, RecorderFactory};
pub use setting::{Event, Spectator, Workers};
