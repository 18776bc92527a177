//! The libraries in this process: games, bundled bots and formats of tournaments.

mod bots;
mod formats;
mod games;
