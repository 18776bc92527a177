//! Results that last: whatever happens to the referee, the disk or the file, a game that was
//! acknowledged is there, and what is there is what was played.
#![cfg(feature = "referee")]

#[path = "store/content.rs"]
mod content;
#[path = "store/damage.rs"]
mod damage;
#[path = "store/kills.rs"]
mod kills;
#[path = "store/rivals.rs"]
mod rivals;
#[path = "store/rooms.rs"]
mod rooms;
#[path = "store/same.rs"]
mod same;
#[path = "store/stage.rs"]
mod stage;
#[path = "store/trouble.rs"]
mod trouble;
