//! A bot in five lines, for the page of the rules.

/// The bot of README.md, which plays any game that lists its moves.
pub const BOT: &str = include_str!("../assets/bot.py");
