//! Pages of matches and games, as a browser draws them.

mod class;
mod drawn;
mod every_game;
mod filters;
mod harness;
mod large;
mod layout;
mod live;
mod pictures;
mod projector;
mod seats;
mod steps;
mod students;
mod texts;
mod timeline;
