//! Commands of the program `awele` besides playing.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod tables;
