//! System calls without a safe wrapper: the only module of the referee with `unsafe` code.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Returns the CPU time of a live process with all its threads, but without its children. `None`
/// once the process is gone.
///
/// [`process_time_from_statistics`] is its reference implementation.
#[allow(unsafe_code)]
pub fn process_time(pid: u32) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both calls write only to the local variables that they receive. The clock is read
    // only if the first call reported that it exists.
    let read = unsafe {
        libc::clock_getcpuclockid(pid as libc::pid_t, &mut clock) == 0
            && libc::clock_gettime(clock, &mut time) == 0
    };
    read.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// Returns the CPU time of [`process_time`] from the scheduler's statistics, without `unsafe`. It
/// lags by up to one kernel tick while the process runs.
pub fn process_time_from_statistics(pid: u32) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let task_time = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    Some(tasks.flatten().filter_map(task_time).sum())
}

/// Locks one byte of a file for writing, as long as this open file lives. The lock belongs to the
/// open file (an OFD lock), so that no other descriptor of this process can release it. It holds
/// under every name of the file. Returns `false` if another open file has the lock.
///
/// # Errors
/// Returns an error if the file system has no such locks.
#[allow(unsafe_code)]
pub fn try_lock_byte(file: &File, byte: i64) -> io::Result<bool> {
    let lock = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: byte,
        l_len: 1,
        l_pid: 0,
    };
    // SAFETY: the descriptor is open, and the call only reads the local variable.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &lock) };
    match io::Error::last_os_error() {
        _ if result == 0 => Ok(true),
        error if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        error => Err(error),
    }
}

/// Returns the CPU time of a process and all its descendants, ended children included.
pub fn family_time(pid: u32) -> Duration {
    let children = children(pid).into_iter().map(family_time).sum::<Duration>();
    process_time(pid).unwrap_or_default() + waited_children_time(pid).unwrap_or_default() + children
}

fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = tasks.flatten().map(|task| fs::read_to_string(task.path().join("children")));
    let lists: Vec<String> = lists.map(Result::unwrap_or_default).collect();
    lists
        .iter()
        .flat_map(|list| list.split_whitespace())
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

/// Returns the CPU time of ended children that were waited for, in kernel ticks of 10 ms.
fn waited_children_time(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program name in parentheses; it may contain spaces and parentheses.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // The first field after the name has number 3. Fields 16 and 17 are the user and system time of
    // waited-for children.
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let per_second = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis((ticks(16)? + ticks(17)?) * 1000 / per_second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{kill_process_group, Pid, Signal};
    use std::os::unix::process::CommandExt;
    use std::time::Instant;

    const TEN_MILLIS: Duration = Duration::from_millis(10);

    #[test]
    fn process_time_agrees_with_statistics() {
        let pid = std::process::id();
        let spin = |limit| {
            let start = process_time(pid).unwrap();
            while process_time(pid).unwrap() - start < limit {}
        };
        spin(Duration::from_millis(60));
        let (fast, slow) = (process_time(pid).unwrap(), process_time_from_statistics(pid).unwrap());
        // Other tests run in this process meanwhile, and the statistics lose the time of ended
        // threads.
        println!("clock {fast:?}, statistics {slow:?}");
        assert!(fast >= Duration::from_millis(60));
        assert!(slow > Duration::ZERO && slow < fast + Duration::from_millis(200));
    }

    #[test]
    fn ended_process_has_no_time() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert_eq!(process_time(child.id()), None);
        assert_eq!(process_time_from_statistics(child.id()), None);
    }

    /// The shell leaves the work to a subshell, so only a child uses CPU time.
    #[test]
    fn family_time_counts_children() {
        let work = "(i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; exec sleep 60); true";
        let mut shell = std::process::Command::new("sh");
        let mut child = shell.args(["-c", work]).process_group(0).spawn().unwrap();
        let begun = Instant::now();
        let enough = || family_time(child.id()) > process_time(child.id()).unwrap() + TEN_MILLIS;
        while !enough() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        let counted = enough();
        kill_process_group(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
        assert!(counted, "the subshell's time is missing");
    }
}
