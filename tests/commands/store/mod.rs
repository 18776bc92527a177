//! Durable results: whatever happens to the referee, the disk or the file, an acknowledged game is
//! kept as it was played.

mod content;
mod crossings;
mod damage;
mod format1;
mod format2;
mod growth;
mod harness;
mod kills;
mod merge;
mod rivals;
mod rooms;
mod same;
mod strangers;
mod table;
mod trouble;
