//! Parallel work: the only module outside the referee that starts threads.

use crate::diagnostics;
use crate::text::io_reason;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::Once;
use std::thread::{self, Scope, ScopedJoinHandle};

/// Starts the threads of these numbers. Where the system gives fewer it warns, once in a process.
fn start<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    numbers: Range<usize>,
    work: impl Fn(usize) -> T + Clone + Send + 'scope,
) -> Vec<ScopedJoinHandle<'scope, T>> {
    static WARNING: Once = Once::new();
    let start_one = |number| {
        let work = work.clone();
        let started = thread::Builder::new().spawn_scoped(scope, move || work(number));
        started.inspect_err(|error| {
            WARNING.call_once(|| {
                diagnostics::print(format_args!(
                    "warning: expected {} threads, got {number}: {}\n",
                    numbers.end,
                    io_reason(error)
                ));
            });
        })
    };
    numbers.clone().map_while(|number| start_one(number).ok()).collect()
}

/// Runs `work` on `threads` threads; number 0 is the calling thread. Returns the results in the
/// order of the thread numbers. Where the system gives fewer threads, the last ones are missing.
///
/// # Panics
/// Panics if `work` panics.
pub fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let others = start(scope, 1..threads.max(1), work);
        let first = work(0);
        let others = others.into_iter().map(|thread| thread.join().expect("no thread panics"));
        std::iter::once(first).chain(others).collect()
    })
}

/// Calls `work` with ranges of up to `chunk` numbers that cover 0 to `count`, on `threads` threads.
pub fn for_each_chunk(
    count: usize,
    chunk: usize,
    threads: usize,
    work: impl Fn(Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(0);
    run(threads, |_| loop {
        let first = next.fetch_add(chunk, Relaxed);
        if first >= count {
            return;
        }
        work(first..count.min(first + chunk));
    });
}

/// Calls `work` with the numbers below `count` on `threads` threads. Returns the results in order.
pub fn map<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    map_unordered(threads, count, work, |number, result| results[number] = Some(result));
    results.into_iter().map(|result| result.expect("every number is worked on")).collect()
}

/// Calls `work` with the numbers below `count` on `threads` threads. Calls `done` on the calling
/// thread with each result, in the order of the numbers.
pub fn map_in_order<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T),
) {
    let mut waiting: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let mut handed_over = 0;
    map_unordered(threads, count, work, |number, result| {
        waiting[number] = Some(result);
        while let Some(result) = waiting.get_mut(handed_over).and_then(Option::take) {
            done(handed_over, result);
            handed_over += 1;
        }
    });
}

/// Calls `work` with the numbers below `count` on `threads` threads, or on the calling thread where
/// the system gives none. Calls `done` on the calling thread with each result as it arrives.
pub fn map_unordered<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T),
) {
    let next = &AtomicUsize::new(0);
    let work = &work;
    let (sender, results) = channel();
    thread::scope(|scope| {
        let send_all = move |_| loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count || sender.send((number, work(number))).is_err() {
                return;
            }
        };
        // The receiver ends when every sender is dropped.
        let started = start(scope, 0..threads.clamp(1, count.max(1)), send_all);
        if started.is_empty() {
            (0..count).for_each(|number| done(number, work(number)));
        }
        results.into_iter().for_each(|(number, result)| done(number, result));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::time::Duration;

    /// Takes longer for some numbers, so that results arrive out of order.
    fn square(number: usize) -> usize {
        thread::sleep(Duration::from_millis(if number == 0 { 20 } else { number as u64 * 7 % 5 }));
        number * number
    }

    #[test]
    fn results_are_in_the_order_of_the_numbers() {
        for (count, threads) in [(0, 3), (1, 3), (20, 0), (20, 1), (20, 3)] {
            let squares: Vec<usize> = (0..count).map(|number| number * number).collect();
            assert_eq!(map(threads, count, square), squares, "{threads} threads");
            let mut seen = Vec::new();
            map_in_order(threads, count, square, |number, result| seen.push((number, result)));
            assert_eq!(seen, squares.into_iter().enumerate().collect::<Vec<_>>());
        }
    }

    #[test]
    fn chunks_cover_every_number_once() {
        for (count, chunk, threads) in [(0, 3, 2), (10, 3, 1), (10, 3, 4), (9, 3, 2)] {
            let seen = Mutex::new(vec![0; count]);
            for_each_chunk(count, chunk, threads, |numbers| {
                assert!(numbers.len() <= chunk);
                numbers.for_each(|number| seen.lock().unwrap()[number] += 1);
            });
            assert_eq!(seen.into_inner().unwrap(), vec![1; count]);
        }
    }

    #[test]
    fn each_thread_has_its_number() {
        assert_eq!(run(3, |number| number), [0, 1, 2]);
        assert_eq!(run(0, |number| number), [0]);
    }
}
