//! Untrusted programs: what the sandbox refuses, and what faulty and hostile ones get.

mod hostile;
mod sandbox;
mod villains;
