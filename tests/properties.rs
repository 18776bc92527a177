//! Properties of texts and positions, on inputs that proptest draws and shrinks.

#[path = "properties/awele.rs"]
mod awele;
#[path = "properties/tron.rs"]
mod tron;
