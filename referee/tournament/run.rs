//! Runs a tournament: starts its workers and hands what they report to the caller.

use super::queue::GameQueue;
use super::setting::{Event, Tournament};
use super::worker::Worker;
use crate::pairing::schedule::{GameId, Pairing};
use crate::play::record::Record;
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
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
                    self.pin(worker, here);
                    Worker::new(self).work(queue, &sender);
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
            Event::Changed { .. } => ControlFlow::Continue(()),
        });
    }

    /// Plays one game, on the caller's own thread.
    pub fn play_one(&self, pairing: Pairing) -> Record {
        self.pin(0, rustix::thread::sched_getcpu());
        let revisions = vec![0; pairing.players.len()];
        Worker::new(self).game(pairing, &revisions)
    }

    /// Pins a worker, and with it every program that it starts, to one processor. A round trip
    /// through a pipe is several times faster when both ends share one.
    ///
    /// Processors are assigned in order from the current one of the referee, so that two referees
    /// at once need not meet on the same one.
    fn pin(&self, worker: usize, here: usize) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
        // With more workers than processors, some would have to share one.
        if self.pinned && self.concurrency <= allowed.len() {
            let mut one = CpuSet::new();
            let first = allowed.iter().position(|&cpu| cpu == here).unwrap_or(0);
            one.set(allowed[(first + worker) % allowed.len()]);
            if let Err(error) = sched_setaffinity(None, &one) {
                log::warn!("worker {worker} runs on any processor: {error}");
            }
        }
    }
}
