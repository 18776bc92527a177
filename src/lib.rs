//! Games, dialects and search, shared by the referee and the bots.
//!
//! The crate depends on the standard library alone, so that a bot compiles without any other
//! dependency. Rules do no input or output and use no clocks, threads or logs.
//!
//! Dependencies go one way: `game <- games`, with the dialects beside them. Only bots use `search`
//! and `bitboard`.

pub mod bitboard;
pub mod clock;
pub mod console;
pub mod diagnostics;
pub mod dialect;
pub mod dialects;
pub mod exit_code;
pub mod experiment;
pub mod files;
pub mod game;
pub mod games;
pub mod opening;
pub mod parallel;
pub mod perft;
pub mod rng;
pub mod search;
pub mod text;
