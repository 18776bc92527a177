//! Properties of texts and positions, on inputs that proptest draws and shrinks.

#[path = "properties/awele.rs"]
mod awele;
#[path = "properties/hextris.rs"]
mod hextris;
#[path = "properties/seven_colors.rs"]
mod seven_colors;
#[path = "properties/taquin.rs"]
mod taquin;
#[path = "properties/tron.rs"]
mod tron;
