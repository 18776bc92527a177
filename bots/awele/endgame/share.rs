//! Work on numbers that does not depend on the order, shared out among threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Hands the numbers below `end` to `each`, `chunk` at a time, on so many threads.
pub fn share(end: usize, chunk: usize, threads: usize, each: impl Fn(Range<usize>) + Sync) {
    let next = AtomicUsize::new(0);
    let run = || loop {
        let first = next.fetch_add(chunk, Relaxed);
        if first >= end {
            return;
        }
        each(first..end.min(first + chunk));
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
