//! Parallel work: the only module outside the referee that starts threads.

use crate::diagnostics;
use crate::text::io_reason;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, Scope};

// What starts threads and passes numbers between them is compiled once, as it knows no result type.

/// Starts the threads of these numbers. Where the system gives fewer it warns, once in a process.
/// Returns the number of started threads.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    mut numbers: Range<usize>,
    work: impl Fn(usize) + Clone + Send + 'scope,
) -> usize {
    static WARNING: Once = Once::new();
    let end = numbers.end;
    let start_one = |number: &usize| {
        let (number, work) = (*number, work.clone());
        let started = thread::Builder::new().spawn_scoped(scope, move || work(number));
        started.inspect_err(|error| {
            WARNING.call_once(|| {
                diagnostics::print(format_args!(
                    "warning: expected {end} threads, got {number}: {}\n",
                    io_reason(error)
                ));
            });
        })
    };
    let first = numbers.start;
    let failed = numbers.find(|number| start_one(number).is_err());
    failed.unwrap_or(end.max(first)) - first
}

/// Runs `work` with the numbers below `threads`, each on a thread of its own and 0 on this one.
fn run_each(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        start(scope, 1..threads, work);
        work(0);
    });
}

/// Calls `work` with the numbers below `count` on `threads` threads, or on the calling thread where
/// the system gives none. Calls `done` on the calling thread with each number that is worked on.
fn work_on_each(
    threads: usize,
    count: usize,
    work: &(dyn Fn(usize) + Sync),
    done: &mut dyn FnMut(usize),
) {
    let next = &AtomicUsize::new(0);
    let (sender, worked_on) = channel();
    thread::scope(|scope| {
        let work_on_all = move |_| loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                return;
            }
            work(number);
            if sender.send(number).is_err() {
                return;
            }
        };
        // The receiver ends when every sender is dropped.
        if start(scope, 0..threads.clamp(1, count.max(1)), work_on_all) == 0 {
            for number in 0..count {
                work(number);
                done(number);
            }
        }
        worked_on.into_iter().for_each(done);
    });
}

/// Results of several threads, each at its number.
struct Slots<T>(Vec<Mutex<Option<T>>>);

impl<T> Slots<T> {
    fn new(count: usize) -> Slots<T> {
        Slots((0..count).map(|_| Mutex::new(None)).collect())
    }

    fn put(&self, number: usize, result: T) {
        *self.0[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    fn take(&self, number: usize) -> T {
        let result = self.0[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        result.expect("every number is worked on")
    }

    /// Returns the results in the order of their numbers, without those that are missing.
    fn into_results(self) -> Vec<T> {
        let slots = self.0.into_iter();
        slots.filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

/// Runs `work` on `threads` threads; number 0 is the calling thread. Returns the results in the
/// order of the thread numbers. Where the system gives fewer threads, the last ones are missing.
///
/// # Panics
/// Panics if `work` panics.
pub fn run<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots = Slots::new(threads.max(1));
    run_each(threads, &|number| slots.put(number, work(number)));
    slots.into_results()
}

/// Calls `work` with ranges of up to `chunk` numbers that cover 0 to `count`, on `threads` threads.
pub fn for_each_chunk(
    count: usize,
    chunk: usize,
    threads: usize,
    work: impl Fn(Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(0);
    run_each(threads, &|_| loop {
        let first = next.fetch_add(chunk, Relaxed);
        if first >= count {
            return;
        }
        work(first..count.min(first + chunk));
    });
}

/// Calls `work` with the numbers below `count` on `threads` threads. Returns the results in order.
pub fn map<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots = Slots::new(count);
    work_on_each(threads, count, &|number| slots.put(number, work(number)), &mut |_| ());
    slots.into_results()
}

/// Calls `work` with the numbers below `count` on `threads` threads. Calls `done` on the calling
/// thread with each result, in the order of the numbers.
pub fn map_in_order<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize, T),
) {
    let slots = Slots::new(count);
    let mut has_result = vec![false; count];
    let mut handed_over = 0;
    work_on_each(threads, count, &|number| slots.put(number, work(number)), &mut |number| {
        has_result[number] = true;
        while has_result.get(handed_over) == Some(&true) {
            done(handed_over, slots.take(handed_over));
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
    let slots = Slots::new(count);
    work_on_each(threads, count, &|number| slots.put(number, work(number)), &mut |number| {
        done(number, slots.take(number));
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
