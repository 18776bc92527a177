//! Number of open files that games at once need.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};

/// Returns the number of files that are open for `concurrency` games at once, at most. Each running
/// program takes six descriptors, and a few more while it starts.
pub fn descriptors_needed(concurrency: usize) -> u64 {
    64 + 16 * concurrency as u64
}

/// Raises the limit on open files if it is too low for `concurrency` games at once.
pub fn make_room_for_descriptors(concurrency: usize) {
    make_room_for(descriptors_needed(concurrency));
}

/// Raises the limit on open files if it is below `needed`.
pub fn make_room_for(needed: u64) {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, ..limit }) {
            log::warn!("there may be too few descriptors, of which {needed} are needed: {error}");
        }
    }
}
