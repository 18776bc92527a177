//! Properties of every parser of outside data: no input makes it panic, an error names what was
//! expected, and memory stays within a stated multiple of the input.
//!
//! Inputs are random bytes and mutations of valid text. `PARSER_CASES=N` runs N cases per parser
//! with new random numbers; without it the numbers are fixed.

mod allocation;
mod answers;
mod claim;
mod consoles;
mod conversations;
mod files;
mod fuzz;
mod mutation;
mod texts;
