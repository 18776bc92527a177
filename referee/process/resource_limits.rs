//! Resource limits of this process. A program of the same user can lower them while a match runs.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use signal_hook::consts::{SIGXCPU, SIGXFSZ};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Limits that a match depends on, with their names in `ulimit`.
const WATCHED: [(Resource, &str); 5] = [
    (Resource::Nofile, "open files"),
    (Resource::Fsize, "file size"),
    (Resource::As, "virtual memory"),
    (Resource::Data, "data"),
    (Resource::Cpu, "CPU time"),
];

/// Limits at one time, to which they are restored.
#[derive(Clone, Copy, Debug)]
pub struct ResourceLimits([Rlimit; WATCHED.len()]);

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits(WATCHED.map(|(resource, _)| getrlimit(resource)))
    }
}

impl ResourceLimits {
    /// Raises every limit that is lower than it was.
    ///
    /// # Errors
    /// Returns an error if a limit cannot be raised: only the superuser raises a hard limit.
    pub fn restore(&self) -> Result<(), String> {
        for ((resource, name), before) in WATCHED.into_iter().zip(&self.0) {
            let now = getrlimit(resource);
            if is_lower(now.current, before.current) {
                let is_too_low = is_lower(now.maximum, before.current);
                let maximum = if is_too_low { before.maximum } else { now.maximum };
                let raised = Rlimit { current: before.current, maximum };
                setrlimit(resource, raised).map_err(|error| {
                    format!(
                        "another process lowered the limit on {name} of the referee ({error}); \
                         help: --resume continues"
                    )
                })?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if a limit is lower than another one; `None` is unlimited.
fn is_lower(limit: Option<u64>, other: Option<u64>) -> bool {
    limit.is_some_and(|limit| other.is_none_or(|other| limit < other))
}

/// Returns the number of files that are open for `concurrency` games at once, at most. Each running
/// program takes six descriptors, and a few more while it starts.
pub fn descriptors_needed(concurrency: usize) -> u64 {
    64 + 16 * concurrency as u64
}

/// Raises the limit on open files if it is too low for `concurrency` games at once.
pub fn make_room_for_descriptors(concurrency: usize) {
    let needed = descriptors_needed(concurrency);
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current, ..limit }) {
            log::warn!(
                "there may be too few descriptors for {concurrency} concurrent games: {error}"
            );
        }
    }
}

/// Makes this process survive the signals of exceeded limits: a write beyond the limit on file
/// sizes fails instead. Programs that it starts are not affected.
///
/// # Errors
/// Returns the error of the system.
pub fn survive_exceeded_limits() -> io::Result<()> {
    for signal in [SIGXFSZ, SIGXCPU] {
        // A handler, unlike an ignored signal, is not inherited.
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlimited_is_the_highest_limit() {
        assert!(is_lower(Some(3), None) && is_lower(Some(3), Some(4)));
        assert!(!is_lower(None, None) && !is_lower(None, Some(4)) && !is_lower(Some(4), Some(4)));
    }
}
