//! Ctrl-C: the first one lets the running games finish, the second one stops at once.

use crate::player::process_group::ProcessGroups;
use arbitre_games::exit_code::INTERRUPTED;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::Arc;
use std::thread;

/// Request to stop, shared by all clones.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    const AFTER_THE_GAMES_THAT_RUN: u8 = 1;
    const AT_ONCE: u8 = 2;

    /// Requests a stop after the running games.
    pub fn request(&self) {
        self.0.fetch_max(Stop::AFTER_THE_GAMES_THAT_RUN, Ordering::Relaxed);
    }

    /// Requests a stop at once. Games that end from now on were cut off, and say nothing about a
    /// player.
    pub fn request_at_once(&self) {
        self.0.store(Stop::AT_ONCE, Ordering::SeqCst);
    }

    /// Returns `true` if a stop was requested.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Returns `true` if a stop at once was requested.
    pub fn at_once(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Stop::AT_ONCE
    }
}

/// Listener for signals, as long as it lives.
pub struct Listener(Handle);

impl Listener {
    /// Starts to listen. `on_first` runs at the first signal. A second one ends all players, runs
    /// `on_second` and ends this process.
    ///
    /// # Errors
    /// Returns an error if the system refuses the handlers.
    pub fn start(
        stop: Stop,
        processes: ProcessGroups,
        on_first: impl Fn() + Send + 'static,
        on_second: impl Fn() + Send + 'static,
    ) -> io::Result<Listener> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        thread::spawn(move || {
            for signal in signals.forever() {
                if stop.requested() || signal == SIGHUP {
                    // The request comes first, so that no worker takes the end of its players for a
                    // fault.
                    stop.request_at_once();
                    processes.end_all();
                    on_second();
                    std::process::exit(INTERRUPTED.into());
                }
                stop.request();
                on_first();
            }
        });
        Ok(Listener(handle))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.close();
    }
}
