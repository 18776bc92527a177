//! Parts of single pages.

pub mod history;
pub mod protocol;
pub mod slips;
