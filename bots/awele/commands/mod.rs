//! Commands of the program `awele` other than playing.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod grow;
pub mod learning;
pub mod tables;
