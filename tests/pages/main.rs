//! Pages of matches and games, as a browser draws them.

mod drawn;
mod filters;
mod harness;
mod layout;
mod live;
mod pictures;
mod steps;
mod texts;
