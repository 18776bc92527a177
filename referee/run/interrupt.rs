//! Ctrl-C: the first one lets the running games finish, the second one stops at once. Ctrl-Z stops
//! the players with the referee.

use crate::failure::Failure;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sys::{restore_default, stop_by};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{flag, low_level, SigId};
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::Arc;
use std::thread;

/// Signals that stop a run.
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Request to stop, shared by all clones.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    level: Arc<AtomicU8>,
    /// Whether a signal has reached this process. It is set at once, also while no thread runs that
    /// makes a request of it.
    is_signalled: Arc<AtomicBool>,
}

impl Stop {
    const AFTER_THE_GAMES_THAT_RUN: u8 = 1;
    const AT_ONCE: u8 = 2;

    /// Requests a stop after the running games.
    pub fn request(&self) {
        self.level.fetch_max(Stop::AFTER_THE_GAMES_THAT_RUN, Ordering::Relaxed);
    }

    /// Requests a stop at once. Games that end from now on were cut off, and say nothing about a
    /// player.
    pub fn request_at_once(&self) {
        self.level.store(Stop::AT_ONCE, Ordering::SeqCst);
    }

    /// Returns `true` if a stop was requested.
    pub fn requested(&self) -> bool {
        self.level.load(Ordering::Relaxed) > 0
    }

    /// Returns `true` if a stop was requested, or a signal has come that will request it.
    pub fn is_coming(&self) -> bool {
        self.requested() || self.is_signalled.load(Ordering::SeqCst) || has_pending_signal()
    }

    /// Returns `true` if a stop at once was requested.
    pub fn at_once(&self) -> bool {
        self.level.load(Ordering::SeqCst) == Stop::AT_ONCE
    }
}

/// Returns `true` if a signal waits for a thread of this process that takes it.
fn has_pending_signal() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
    let pending = pending.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    pending.is_some_and(|mask| SIGNALS.iter().any(|signal| mask >> (signal - 1) & 1 == 1))
}

/// Listener for signals, as long as it lives.
pub struct Listener {
    handle: Handle,
    marks: Vec<SigId>,
}

impl Listener {
    /// Starts to listen. `on_first` runs at the first signal. A second one ends all players, runs
    /// `on_second` and ends this process. Ctrl-Z stops the players first, then this process.
    ///
    /// # Errors
    /// Returns an error if the system refuses the handlers, or has no thread.
    pub fn start(
        stop: Stop,
        processes: ProcessGroups,
        on_first: impl Fn() + Send + 'static,
        on_second: impl Fn() + Send + 'static,
    ) -> Result<Listener, Failure> {
        let mark = |signal| flag::register(signal, stop.is_signalled.clone());
        let marks = SIGNALS.into_iter().map(mark).collect::<io::Result<Vec<SigId>>>()?;
        let mut signals = Signals::new(SIGNALS.into_iter().chain([SIGTSTP]))?;
        let handle = signals.handle();
        let listen = move || {
            for signal in signals.forever() {
                if signal == SIGTSTP {
                    processes.pause_all(true);
                    let stopped = stop_by(signal);
                    processes.pause_all(false);
                    if let Err(error) = stopped {
                        log::debug!("not stopped: {error}");
                    }
                    continue;
                }
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
        };
        let started = thread::Builder::new().spawn(listen).map(drop);
        started.map_err(|error| {
            Failure::Unavailable(format!(
                "expected a thread that takes Ctrl-C, got none: {}{HELP}raise the limit of processes \
                 of this user: ulimit -u",
                io_reason(&error)
            ))
        })?;
        Ok(Listener { handle, marks })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.handle.close();
        // Ctrl-Z stops the process again, also while it only prints.
        let _ = restore_default(SIGTSTP);
        for mark in self.marks.drain(..) {
            low_level::unregister(mark);
        }
    }
}
