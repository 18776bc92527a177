//! Pages of matches and games, as a browser draws them.

mod harness;
mod layout;
