//! Properties of notation and positions, on inputs that proptest generates and shrinks.

mod awele;
mod hextris;
mod seven_colors;
mod taquin;
mod tron;
