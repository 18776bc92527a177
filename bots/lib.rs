//! The bundled bots: one folder per game, and their shared parts.
//!
//! A new bot is an [`Engine`](engine::Engine) with a `choose` method. [`Session`](console::Session)
//! is its console in any dialect, and [`BotProgram`] its program.

pub mod arena;
pub mod awele;
mod bench;
pub mod cache;
pub mod console;
pub mod engine;
mod experiments;
pub mod hextris;
pub mod memory;
pub mod options;
pub mod program;
pub mod seven_colors;
pub mod taquin;
pub mod tron;

pub use experiments::EXPERIMENTS;
pub use program::{main, BotProgram};

/// Every bundled bot.
pub const BOTS: &[BotProgram] =
    &[awele::BOT, tron::BOT, seven_colors::BOT, taquin::BOT, hextris::BOT];
