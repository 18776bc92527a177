//! Programs that connect from machines of their own.

pub mod link;
pub mod members;
pub mod message;
mod player;
pub mod relay;
mod table;
