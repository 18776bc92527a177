//! Sandboxes of launched programs: what each layer refuses, and what a program still can do.

mod attempts;
mod doctor;
mod groups;
mod harness;
mod layers;
mod levels;
mod limits;
mod profiles;
mod release;
mod runtimes;
mod view;
