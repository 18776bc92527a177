//! Tests with an instrument of their own below the program: an allocator that counts, and a disk
//! that fails.

mod disk;
mod parsers;
