//! Arbitre: a referee for programs that play, and bots worth playing against.
//!
//! This package joins the libraries. It builds the registry of games and bundled bots for the
//! referee, and contains the programs, the tests and the benches.

pub use arbitre_bots as bots;
pub use arbitre_games::*;

/// The referee.
#[cfg(feature = "referee")]
pub mod referee {
    pub use arbitre_commands::cli::main;
    pub use arbitre_referee::registry;
}

/// Items that only the tests and benches of this project use. They may change at any time.
#[cfg(feature = "referee")]
#[doc(hidden)]
pub mod internals {
    pub use arbitre_commands::*;
    pub use arbitre_referee::*;
}

/// Returns the server of rooms, if the package was built with it.
#[cfg(feature = "referee")]
pub fn server() -> Option<&'static arbitre_referee::run::room::Server> {
    #[cfg(feature = "serve")]
    return Some(&arbitre_server::SERVER);
    #[cfg(not(feature = "serve"))]
    None
}

/// Returns the registry of all games, bundled bots and experiments.
#[cfg(feature = "referee")]
pub fn registry() -> referee::registry::Registry {
    let bundled = bots::BOTS.iter().map(|bot| bot as &dyn console::BundledBot).collect();
    let experiments = &bots::EXPERIMENTS;
    // The file may be replaced while a match runs; this name leads to the program that runs.
    let executable = std::path::Path::new("/proc/self/exe");
    let games = arbitre_referee::games::all();
    referee::registry::Registry { games, bots: bundled, experiments, executable }
}
