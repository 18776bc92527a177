//! Parts of single pages.

pub mod client;
pub mod history;
pub mod protocol;
pub mod slips;
