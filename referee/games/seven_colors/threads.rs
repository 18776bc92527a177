//! Work that is shared out among threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

/// What `work` makes of 0, 1, 2 and so on, in this order, whichever thread did it.
pub fn in_parallel<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let take_turns = || loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= count {
            return;
        }
        let made = work(index);
        done.lock().expect("no holder panics").push((index, made));
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(take_turns);
        }
    });
    let mut done = done.into_inner().expect("no holder panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The first takes longest, so that the others come in before it.
    #[test]
    fn what_comes_in_late_keeps_its_place() {
        for threads in [0, 1, 3] {
            let made = in_parallel(threads, 10, |index| {
                thread::sleep(Duration::from_millis(if index == 0 { 20 } else { 0 }));
                index * index
            });
            assert_eq!(made, [0, 1, 4, 9, 16, 25, 36, 49, 64, 81], "{threads} threads");
        }
    }
}
