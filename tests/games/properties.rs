//! Properties of texts and positions, on inputs that proptest draws and shrinks.

mod awele;
mod hextris;
mod seven_colors;
mod taquin;
mod tron;
