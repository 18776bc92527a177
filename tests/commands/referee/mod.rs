//! The referee: command line, matches, records and statistics.

mod adjudication;
mod arena;
mod brutaltester;
mod check;
mod cli;
mod codingame;
mod codingame_java;
mod codingame_sdk;
mod errors;

mod experiment;
mod external;
mod external_rules;
mod failing_rules;
mod field;
mod finding;
mod interpreters;
mod matches;
mod outside_files;
mod psyleague;
mod ratings;
mod records;
mod repeats;
mod replay;
mod report;
mod sandbox;
mod scenes;
mod schema;
mod sixth_game;
mod solo;
mod statistics;
mod templates;
