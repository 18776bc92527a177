//! Numbers that the kernel gave to the tasks of a program in namespaces of its own. Only a process
//! in them is shown these numbers, so the launcher tells them.

use super::socket::{is_ready, receive_with, send_with};
use crate::sys;
use rustix::io::read;
use rustix::net::{socketpair, AddressFamily, RecvFlags, SocketFlags, SocketType};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Time for an answer. Not tuned; a launcher answers within microseconds, unless the machine is
/// busy.
const PATIENCE: Duration = Duration::from_millis(100);

/// Host's end, which asks.
#[derive(Debug)]
pub struct TaskCounter {
    socket: OwnedFd,
    /// Number of the last question. An answer that came too late has an older one.
    question: u64,
}

/// Launcher's end, which answers.
pub struct TaskTeller {
    socket: OwnedFd,
    /// File of the load average, if there is one.
    load_average: Option<OwnedFd>,
}

impl TaskCounter {
    /// Creates the host's end from the descriptor that a launcher sent.
    pub fn new(socket: OwnedFd) -> TaskCounter {
        TaskCounter { socket, question: 0 }
    }

    /// Returns the number of the last task that was made. Each task has the next number. Returns
    /// `None` if the launcher does not answer in time, or does not know.
    pub fn last_task(&mut self) -> Option<u64> {
        self.question += 1;
        send_with(&self.socket, &self.question.to_ne_bytes(), &[]).ok()?;
        let begun = Instant::now();
        loop {
            if !is_ready(&self.socket, PATIENCE.saturating_sub(begun.elapsed())) {
                return None;
            }
            let mut answer = [[0; 8]; 2];
            let (count, _) =
                receive_with(&self.socket, answer.as_flattened_mut(), RecvFlags::DONTWAIT).ok()?;
            match answer.map(u64::from_ne_bytes) {
                _ if count < size_of_val(&answer) => return None,
                [question, last] if question == self.question => {
                    return Some(last).filter(|&last| last > 0);
                }
                _ => {}
            }
        }
    }
}

impl TaskTeller {
    /// Creates the launcher's end, and the descriptor of the host's end.
    ///
    /// # Errors
    /// Returns the error for which there is no socket.
    pub fn new(load_average: Option<&OwnedFd>) -> io::Result<(TaskTeller, OwnedFd)> {
        let flags = SocketFlags::CLOEXEC;
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let load_average = load_average.map(OwnedFd::try_clone).transpose()?;
        Ok((TaskTeller { socket, load_average }, theirs))
    }

    /// Returns the descriptor that can be read once there is a question.
    pub fn socket(&self) -> &OwnedFd {
        &self.socket
    }

    /// Answers a question. Returns `false` if there are none any more.
    pub fn answer(&self) -> bool {
        let mut question = [0; 8];
        if !read(&self.socket, &mut question).is_ok_and(|count| count == question.len()) {
            return false;
        }
        let last = self.load_average.as_ref().and_then(|file| sys::last_task(file.as_fd()));
        let answer = [question, last.unwrap_or(0).to_ne_bytes()];
        send_with(&self.socket, answer.as_flattened(), &[]).is_ok()
    }
}
