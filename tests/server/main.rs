//! The class server as teachers, people and attackers use it.

mod attacks;
mod bad_clients;
mod browsing;
mod clients;
mod guest;
mod http;
mod joining;
mod kills;
mod load;
mod operation;
mod people;
mod rooms;
