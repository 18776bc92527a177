//! Arbitre: a referee for programs that play, and bots worth playing against.
//!
//! The house has a ground floor and two wings. The ground floor (this folder) is what both ends of
//! a pipe share: rules, texts, dialects, search. It uses the standard library alone, and so do the
//! bots, so that a bot can be compiled where nothing else is to be had. The wings are the players
//! ([`bots`]) and the `referee`.
//!
//! Data flows one way: `game <- games <- search <- bots` and
//! `game <- games <- dialect <- table <- play <- tournament <- report <- cli`.

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
