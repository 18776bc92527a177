//! Bundled bots: their programs, tables, books and solvers.

mod book;
mod bundles;
mod clocks;
mod endgame;
mod evaluations;
mod hextris;
mod learning;
mod seven_colors;
mod taquin;
mod tron;
mod tron_endgame;
