//! Resource limits of this process. A program of the same user can lower them.

use rustix::io::Errno;
use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use signal_hook::consts::{SIGXCPU, SIGXFSZ};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Limits that programs and their results depend on, with their names in `ulimit`.
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

/// Limit of this process that another one lowered, and that cannot be raised again.
#[derive(Debug, thiserror::Error)]
#[error("another process lowered the limit on {name} of this one ({error})")]
pub struct LoweredLimit {
    /// Name in `ulimit`.
    pub name: &'static str,
    /// Error of the system.
    pub error: Errno,
}

impl ResourceLimits {
    /// Raises every limit that is lower than it was.
    ///
    /// # Errors
    /// Returns an error if a limit cannot be raised: only the superuser raises a hard limit.
    pub fn restore(&self) -> Result<(), LoweredLimit> {
        for ((resource, name), before) in WATCHED.into_iter().zip(&self.0) {
            let now = getrlimit(resource);
            if is_lower(now.current, before.current) {
                let is_too_low = is_lower(now.maximum, before.current);
                let maximum = if is_too_low { before.maximum } else { now.maximum };
                let raised = Rlimit { current: before.current, maximum };
                setrlimit(resource, raised).map_err(|error| LoweredLimit { name, error })?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if a limit is lower than another one; `None` is unlimited.
fn is_lower(limit: Option<u64>, other: Option<u64>) -> bool {
    limit.is_some_and(|limit| other.is_none_or(|other| limit < other))
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
