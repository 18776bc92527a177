//! Ends of programs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Signals that a mistake of a program itself raises.
const BY_MISTAKE: [i32; 11] = [
    libc::SIGABRT,
    libc::SIGALRM,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGPIPE,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGTRAP,
    libc::SIGXCPU,
    libc::SIGXFSZ,
];

/// Way in which a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// The program exited with this code.
    Code(i32),
    /// The program was ended by this signal.
    Signal(i32),
    /// The program was killed, as it and its descendants used more memory than allowed.
    MemoryLimit,
    /// The program was killed, as it had more processes and threads than allowed.
    ProcessLimit,
    /// The program was killed, as it ran although it was stopped.
    #[serde(rename = "pondered")]
    RanWhileStopped,
    /// The program ended, and its launcher did not say how.
    Unknown,
}

impl Exit {
    /// Returns `true` for a signal that a mistake of the program itself does not raise. This
    /// library sends none to a program that still has to answer.
    pub fn is_from_another_process(self) -> bool {
        matches!(self, Exit::Signal(number) if !BY_MISTAKE.contains(&number))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(number) => match signal_hook::low_level::signal_name(*number) {
                Some(name) => write!(f, "signal {number}, {name}"),
                None => write!(f, "signal {number}"),
            },
            Exit::MemoryLimit => f.write_str("it used more memory than allowed"),
            Exit::ProcessLimit => f.write_str("it had more processes than allowed"),
            Exit::RanWhileStopped => f.write_str("it ran although it was stopped"),
            Exit::Unknown => f.write_str("how it ended is unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_of_other_processes_are_told_from_mistakes() {
        assert!(Exit::Signal(libc::SIGKILL).is_from_another_process());
        assert!(!Exit::Signal(libc::SIGSEGV).is_from_another_process());
        assert!(
            !Exit::Code(1).is_from_another_process() && !Exit::Unknown.is_from_another_process()
        );
    }
}
