//! The class server as teachers, people and attackers use it.

mod attacks;
mod browsing;
mod http;
mod kills;
mod load;
mod operation;
mod people;
mod rooms;
