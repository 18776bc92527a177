//! Games, dialects and search: what a referee and its bots share.
//!
//! Everything here uses the standard library alone, so that a bot can be compiled where nothing else
//! is to be had. Rules contain no input or output, clocks, threads or logs.
//!
//! Data flows one way: `game <- games`, with the dialects beside them; `search` and `bitboard` are
//! used by bots alone.

pub mod bitboard;
pub mod clock;
pub mod console;
pub mod dialect;
pub mod dialects;
pub mod exit_code;
pub mod experiment;
pub mod game;
pub mod games;
pub mod opening;
pub mod parallel;
pub mod perft;
pub mod rng;
pub mod search;
pub mod text;
