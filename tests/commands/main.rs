//! The programs as users run them, and the project that ships them.

mod house;
mod pages;
mod processes;
mod referee;
mod store;
mod submissions;
mod tournament;
mod tune;
