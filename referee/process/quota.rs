//! Quota of epoll watches, which all programs of a user share. The kernel has no quota for one
//! program, and a program that cannot watch its input fails: a Node program aborts.

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{eventfd, EventfdFlags};
use rustix::io::{Errno, Result};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};

/// Number of lists of watches, and of watched descriptors, for which there must be room. A program
/// that waits for its input needs a few watches. One that ended has given back its own, so there
/// may be room for a few again. Not tuned.
const ROOM: usize = 32;

/// Returns `true` if there is room for a program's watches. A look takes about a millisecond.
pub fn has_room() -> bool {
    fill() != Err(Errno::NOSPC)
}

/// Returns `true` if processes hold more watches than a program needs, as far as this process may
/// look at them.
pub fn is_held(processes: &[u32]) -> bool {
    let mut left = ROOM * ROOM;
    for process in processes {
        for entry in fs::read_dir(format!("/proc/{process}/fdinfo")).into_iter().flatten().flatten()
        {
            let Ok(file) = File::open(entry.path()) else { continue };
            // A line is a watch. There may be millions.
            let lines = BufReader::new(file).lines().map_while(std::io::Result::ok);
            left -= lines.filter(|line| line.starts_with("tfd:")).take(left).count();
            if left == 0 {
                return true;
            }
        }
    }
    false
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
