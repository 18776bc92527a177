//! Ctrl-C: the first lets the running games finish, the second stops at once.

use crate::player::process_group::ProcessGroups;
use arbitre_games::exit_code::INTERRUPTED;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::Arc;
use std::thread;

/// Has somebody asked to stop, and how urgently? Clones share the answer.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    const AFTER_THE_GAMES_THAT_RUN: u8 = 1;
    const AT_ONCE: u8 = 2;

    /// Asks to stop after the games that run.
    pub fn request(&self) {
        self.0.fetch_max(Stop::AFTER_THE_GAMES_THAT_RUN, Ordering::Relaxed);
    }

    /// Asks to stop at once: what ends from now on was ended, and says nothing about a player.
    pub fn request_at_once(&self) {
        self.0.store(Stop::AT_ONCE, Ordering::SeqCst);
    }

    /// Has somebody asked?
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Has somebody asked to stop at once?
    pub fn at_once(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Stop::AT_ONCE
    }
}

/// Listens for signals as long as it lives.
pub struct Listener(Handle);

impl Listener {
    /// Starts to listen. `on_first` runs at the first signal; a second one ends all players, runs
    /// `on_second` and ends this process.
    ///
    /// # Errors
    /// If the system takes no handlers.
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
