//! Division of a table among threads.

use arbitre_games::parallel;
use std::sync::Mutex;

/// Calls `work` with each part on `threads` threads. Returns the results in no order.
pub fn for_each_part<P: Send, T: Send>(
    threads: usize,
    parts: impl Iterator<Item = P> + Send,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    let parts = Mutex::new(parts);
    let next = || parts.lock().expect("no thread panics with the lock").next();
    let by_thread =
        parallel::run(threads, |_| std::iter::from_fn(next).map(&work).collect::<Vec<_>>());
    by_thread.into_iter().flatten().collect()
}
