//! Work dealt out to threads, whose results are told in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::scope;

/// Does so many pieces of work in so many threads, and tells their results in the order of the pieces, as soon as all
/// before are told.
pub fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: &(impl Fn(usize) -> T + Sync),
    tell: &mut dyn FnMut(usize, T),
) {
    let next = AtomicUsize::new(0);
    let (done, results) = channel();
    scope(|scope| {
        for _ in 0..threads.min(count) {
            let (done, next) = (done.clone(), &next);
            scope.spawn(move || loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count || done.send((at, work(at))).is_err() {
                    return;
                }
            });
        }
        drop(done);
        let mut waiting: Vec<Option<T>> = (0..count).map(|_| None).collect();
        let mut told = 0;
        for (at, result) in results {
            waiting[at] = Some(result);
            while let Some(result) = waiting.get_mut(told).and_then(Option::take) {
                tell(told, result);
                told += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Each piece once, however long the others take.
    #[test]
    fn results_are_told_in_order() {
        for (count, threads) in [(0, 3), (1, 3), (20, 1), (20, 3)] {
            let mut told = Vec::new();
            let work = |at: usize| {
                std::thread::sleep(Duration::from_millis(at as u64 * 7 % 5));
                at * at
            };
            in_order(count, threads, &work, &mut |at, result| told.push((at, result)));
            assert_eq!(told, (0..count).map(|at| (at, at * at)).collect::<Vec<_>>());
        }
    }
}
