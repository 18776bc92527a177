//! Hextris beside the contest's own judgement, and at the table.

#[path = "support/answers.rs"]
mod answers;
#[path = "support/command.rs"]
mod command;
#[path = "hextris/commands.rs"]
mod commands;
#[path = "support/data.rs"]
mod data;
#[path = "hextris/solutions.rs"]
mod solutions;
#[path = "hextris/table.rs"]
mod table;
