//! Starts workers, and hands their events to the caller.

use super::presence::Presence;
use super::processors;
use super::queue::GameQueue;
use super::setting::{Event, Workers};
use super::worker::Worker;
use crate::failure::Failure;
use crate::play::pairing::{GameId, Pairing};
use crate::play::record::Record;
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::sys::take_short_turns;
use std::any::Any;
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;

/// Number of events that may wait for the collector. Not tuned.
const EVENTS_AHEAD: usize = 256;

/// Closes the queue if its thread panics, so that no other one waits for ever: for the work that it
/// had taken, or for its events.
struct Guard<'a> {
    queue: &'a GameQueue,
    processes: &'a ProcessGroups,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Closed first, so that the workers drop the games that are now cut off.
            self.queue.close();
            self.processes.end_all();
        }
    }
}

impl Workers<'_> {
    /// Does the work of a queue, unless a stop is requested. `collect` receives each event on the
    /// caller's own thread. If it breaks, the running games are abandoned.
    ///
    /// # Errors
    /// Returns an error if a worker panics, or the system has no thread for it.
    pub fn run(
        &self,
        queue: &GameQueue,
        mut collect: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let here = rustix::thread::sched_getcpu();
        let guard = || Guard { queue, processes: self.processes };
        let presence = &Presence::start();
        thread::scope(|scope| {
            let _guard = guard();
            // Bounded, so that a disk that cannot keep up slows the games down.
            let (sender, events) = mpsc::sync_channel(EVENTS_AHEAD);
            let (mut workers, mut refused) = (Vec::new(), None);
            for worker in 0..self.concurrency {
                let sender = sender.clone();
                let work = move || {
                    let _guard = guard();
                    let processors = self.pin(worker, here);
                    if let Err(error) = take_short_turns() {
                        log::debug!("worker {worker} has turns of the usual length: {error}");
                    }
                    Worker::new(self, presence, processors).work(queue, &sender);
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(handle) => workers.push(handle),
                    Err(error) => {
                        queue.close();
                        refused = Some(Failure::Unavailable(format!(
                            "expected a thread for each of {} games at once, got {worker}: {}{HELP}\
                             write a lower --concurrency",
                            self.concurrency,
                            io_reason(&error)
                        )));
                        break;
                    }
                }
            }
            // The channel closes when the last worker drops its sender.
            drop(sender);
            if events.into_iter().any(|event| collect(event).is_break()) {
                queue.close();
                self.processes.end_all();
            }
            // All are joined: a scope panics for a worker that panicked and was not.
            let ended: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            let panicked = ended.into_iter().find_map(Result::err);
            refused.or(panicked.map(|panic| panic_failure(&*panic))).map_or(Ok(()), Err)
        })
    }

    /// Plays all games of the schedule except those in `played`, as [`Workers::run`] does.
    /// Programs that change meanwhile are not noticed.
    ///
    /// # Errors
    /// Returns the errors of [`Workers::run`].
    pub fn run_games(
        &self,
        played: HashSet<GameId>,
        mut collect: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        self.run(&GameQueue::new(self.schedule, played), |event| match event {
            Event::Game(record) => collect(*record),
            Event::Tried { .. } | Event::Changed { .. } => ControlFlow::Continue(()),
        })
    }

    /// Plays one game, on the caller's own thread.
    pub fn play_one(&self, pairing: Pairing) -> Record {
        // Its thread is not pinned.
        let presence = Presence::start();
        let processors = self.pin(0, rustix::thread::sched_getcpu());
        let revisions = vec![0; pairing.players.len()];
        Worker::new(self, &presence, processors).game(pairing, &revisions)
    }

    /// Pins a worker to the processors of its games, and returns them; none if it is not pinned.
    fn pin(&self, worker: usize, here: usize) -> Vec<usize> {
        if !self.pinned {
            return Vec::new();
        }
        let per_game = processors::per_game(self.players.limits(), self.schedule.seats());
        let own = processors::of_worker(worker, self.concurrency, per_game, here);
        if !own.is_empty() {
            processors::pin(&own);
        }
        own
    }
}

/// Returns the failure of a worker that panicked.
fn panic_failure(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a reason");
    let why = format!(
        "the referee, its rules or a bundled bot panicked in a game: {text}{HELP}no stored game is \
         lost; play on, and report the panic"
    );
    Failure::System(io::Error::other(why))
}
