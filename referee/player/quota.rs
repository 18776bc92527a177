//! Quota of epoll watches, which all programs of a user share. The kernel has no quota for one
//! program, and a program that cannot watch its input fails: a Node program aborts.

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{eventfd, EventfdFlags};
use rustix::io::{Errno, Result};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of lists of watches, and of watched descriptors, for which there must be room. A program
/// that waits for its input needs a few watches; one that is ended gives back what it had. Not
/// tuned.
const ROOM: usize = 32;

/// Waits up to `patience` until there is room for a program's watches. Returns `false` if there is
/// none. A look takes about a millisecond.
pub fn has_room_within(patience: Duration) -> bool {
    let begun = Instant::now();
    while fill() == Err(Errno::NOSPC) {
        if begun.elapsed() >= patience {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    true
}

/// Adds watches, which are gone when it returns.
fn fill() -> Result<()> {
    let watched: Result<Vec<_>> = (0..ROOM).map(|_| eventfd(0, EventfdFlags::CLOEXEC)).collect();
    let watched = watched?;
    // All are kept to the end.
    let mut lists = Vec::new();
    for _ in 0..ROOM {
        let list = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for descriptor in &watched {
            epoll::add(&list, descriptor, EventData::new_u64(0), EventFlags::IN)?;
        }
        lists.push(list);
    }
    Ok(())
}
