//! Runs a tournament: starts its workers and hands what they report to the caller.

use super::processors;
use super::queue::GameQueue;
use super::setting::{Event, Tournament};
use super::worker::Worker;
use crate::pairing::schedule::{GameId, Pairing};
use crate::play::record::Record;
use crate::sys::take_short_turns;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;

/// Number of events that may wait for the collector. Not tuned.
const EVENTS_AHEAD: usize = 256;

impl Tournament<'_> {
    /// Does the work of a queue, unless a stop is requested. `collect` receives each event on the
    /// caller's own thread. If it breaks, the running games are abandoned.
    pub fn run(&self, queue: &GameQueue, mut collect: impl FnMut(Event) -> ControlFlow<()>) {
        let here = rustix::thread::sched_getcpu();
        thread::scope(|scope| {
            // Bounded, so that a disk that cannot keep up slows the games down.
            let (sender, events) = mpsc::sync_channel(EVENTS_AHEAD);
            for worker in 0..self.concurrency {
                let sender = sender.clone();
                scope.spawn(move || {
                    let processors = self.pin(worker, here);
                    if let Err(error) = take_short_turns() {
                        log::debug!("worker {worker} has turns of the usual length: {error}");
                    }
                    Worker::new(self, processors).work(queue, &sender);
                });
            }
            // The channel closes when the last worker drops its sender.
            drop(sender);
            if events.into_iter().any(|event| collect(event).is_break()) {
                // Closed first, so that the workers drop the games that are now cut off.
                queue.close();
                self.processes.end_all();
            }
        });
    }

    /// Plays all games of the schedule except those in `played`, as [`Tournament::run`] does.
    /// Programs that change meanwhile are not noticed.
    pub fn run_games(
        &self,
        played: HashSet<GameId>,
        mut collect: impl FnMut(Record) -> ControlFlow<()>,
    ) {
        self.run(&GameQueue::new(self.schedule, played), |event| match event {
            Event::Game(record) => collect(*record),
            Event::Tried { .. } | Event::Changed { .. } => ControlFlow::Continue(()),
        });
    }

    /// Plays one game, on the caller's own thread.
    pub fn play_one(&self, pairing: Pairing) -> Record {
        let processors = self.pin(0, rustix::thread::sched_getcpu());
        let revisions = vec![0; pairing.players.len()];
        Worker::new(self, processors).game(pairing, &revisions)
    }

    /// Pins a worker to the processors of its games, and returns them; none if it is not pinned.
    fn pin(&self, worker: usize, here: usize) -> Vec<usize> {
        if !self.pinned {
            return Vec::new();
        }
        let limits = self.players.iter().map(|player| &player.config.limits);
        let per_game = processors::per_game(limits, self.schedule.seats());
        let own = processors::of_worker(worker, self.concurrency, per_game, here);
        if !own.is_empty() {
            processors::pin(&own);
        }
        own
    }
}
