//! The project itself: its layout, its invariants and its pages.

mod layout;
mod prose;
mod readme;
mod recipe;
mod reference;
