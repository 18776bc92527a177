//! The class server as teachers, people and attackers use it.

mod attacks;
mod bad_clients;
mod boards;
mod browsing;
mod class_of_programs;
mod clients;
mod contest;
mod evening;
mod finals;
mod guest;
mod http;
mod joining;
mod kills;
mod load;
mod operation;
mod people;
mod rooms;
mod several;
mod uploads;
