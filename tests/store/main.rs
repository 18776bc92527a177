//! Results that last: whatever happens to the referee, the disk or the file, a game that was
//! acknowledged is there, and what is there is what was played.

mod content;
mod damage;
mod format1;
mod harness;
mod kills;
mod rivals;
mod rooms;
mod same;
mod trouble;
