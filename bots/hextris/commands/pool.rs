//! Work for several threads.

use std::sync::Mutex;

/// Does all jobs, in their order as far as so many threads can, and hands each result to `done`, one at a
/// time.
pub fn work<J: Send, R: Send>(
    jobs: Vec<J>,
    threads: usize,
    todo: impl Fn(&J) -> R + Sync,
    done: impl FnMut(J, R) + Send,
) {
    let threads = threads.clamp(1, jobs.len().max(1));
    let waiting = Mutex::new(jobs.into_iter());
    let done = Mutex::new(done);
    let serve = || loop {
        let next = waiting.lock().expect("no thread dies").next();
        let Some(job) = next else { return };
        let result = todo(&job);
        (done.lock().expect("no thread dies"))(job, result);
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(serve)));
        serve();
    });
}
