//! Arbitre: a referee for programs that play, and bots worth playing against.
//!
//! This package joins the libraries. It builds the registry of games and bundled bots for the
//! referee, and contains the programs, the tests and the benches.

pub use arbitre_bots as bots;
pub use arbitre_games::*;
#[cfg(feature = "referee")]
pub use arbitre_referee as referee;

/// Returns the registry of all games, bundled bots and experiments.
#[cfg(feature = "referee")]
pub fn registry() -> referee::registry::Registry {
    let bundled = bots::BOTS.iter().map(|bot| bot as &dyn console::BundledBot).collect();
    let experiments = &bots::EXPERIMENTS;
    // The file may be replaced while a match runs; this name leads to the program that runs.
    let executable = std::path::Path::new("/proc/self/exe");
    let games = referee::games::all();
    referee::registry::Registry { games, bots: bundled, experiments, executable }
}
