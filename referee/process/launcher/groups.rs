//! Control groups (version 2), in which the kernel limits the memory of each program.
//!
//! They need a group that is delegated to the host: it belongs to its user, has the memory
//! controller, and contains no other process. The host then moves into a child of that group,
//! and each program starts in another one. Elsewhere the watchdog of the launcher limits memory.

use crate::sys;
use rustix::fs::{access, open, openat, Access, Mode, OFlags};
use rustix::io::{pread, pwrite};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Folder of all control groups.
pub const ROOT: &str = "/sys/fs/cgroup";
/// Child of the delegated group that contains the host and its launchers.
const OWN: &str = "host";
/// Beginning of the names of the other children, each for one program at a time.
const PROGRAM: &str = "program-";

/// Reason why there is no group for the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Undelegated {
    /// The system has none of version 2, or not with the memory controller.
    #[error("its group has no memory controller of version 2")]
    Missing,
    /// The group belongs to another user.
    #[error("its group belongs to another user")]
    Forbidden,
    /// Other processes or groups are in it.
    #[error("other processes are in its group")]
    Occupied,
    /// The kernel cannot start a process in a group.
    #[error("the kernel cannot start a process in a group")]
    Old,
}

/// Finds the group that is delegated to this process.
///
/// # Errors
/// Returns the reason why there is none.
pub fn find() -> Result<PathBuf, Undelegated> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let folder = folder_of(&own).ok_or(Undelegated::Missing)?;
    if !has_memory(&folder) {
        return Err(Undelegated::Missing);
    }
    let files = ["", "cgroup.procs", "cgroup.subtree_control"];
    if files.iter().any(|file| access(folder.join(file), Access::WRITE_OK).is_err()) {
        return Err(Undelegated::Forbidden);
    }
    let list = |file| fs::read_to_string(folder.join(file)).unwrap_or_default();
    let is_alone = list("cgroup.procs").trim() == std::process::id().to_string();
    if !is_alone || !list("cgroup.subtree_control").trim().is_empty() {
        return Err(Undelegated::Occupied);
    }
    // Kernels from 5.14 on have this file, and those from 5.7 on start processes in groups.
    match folder.join("cgroup.kill").exists() && sys::can_fork_into_groups() {
        true => Ok(folder),
        false => Err(Undelegated::Old),
    }
}

/// Returns `true` if the memory controller can be used in the group of a folder.
pub fn has_memory(folder: &Path) -> bool {
    let controllers = fs::read_to_string(folder.join("cgroup.controllers")).unwrap_or_default();
    controllers.split_whitespace().any(|controller| controller == "memory")
}

/// Returns `true` if this process is in groups of version 1, as found once in it or its parent.
///
/// Their folders show whole paths. The path of a program in a namespace for groups leads to none of
/// them, on which the Java runtime ends with an exception.
pub fn has_version_1() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        groups.lines().any(|line| !line.starts_with("0::"))
    })
}

/// Returns the folder of a process's group of version 2, from its list of groups.
fn folder_of(groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(ROOT).join(path))
}

/// Groups of this process and its programs.
#[derive(Debug)]
struct Groups {
    /// Folder of the delegated group.
    folder: PathBuf,
    /// Groups without processes.
    idle: Vec<Group>,
}

/// Groups of this process, once it has asked for one; none if it got none.
static GROUPS: Mutex<Option<Option<Groups>>> = Mutex::new(None);
/// Number of the next group.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Group of one program.
#[derive(Debug)]
pub struct Group {
    path: PathBuf,
    /// Descriptor of its folder.
    pub folder: OwnedFd,
    /// Number of times that the kernel had ended the programs before this one.
    kills: u64,
    /// CPU time of the programs before this one.
    before: Duration,
}

/// Returns a group of at most `memory` bytes for a program, if groups can be had. The first call
/// moves this process into a child of its group.
pub fn take(memory: u64) -> Option<Group> {
    let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    let groups = groups.get_or_insert_with(|| {
        let found = find().inspect_err(|reason| log::debug!("no control groups: {reason}")).ok()?;
        enter(found).inspect_err(|error| log::debug!("no control groups: {error}")).ok()
    });
    let groups = groups.as_mut()?;
    let prepared = match groups.idle.pop() {
        Some(group) => group.limit(memory),
        None => Group::new(&groups.folder).and_then(|group| group.limit(memory)),
    };
    prepared.inspect_err(|error| log::debug!("no control group for a program: {error}")).ok()
}

/// Takes back the group of a program of which nothing is left, if it had one.
pub fn give_back(group: Option<Group>) {
    let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Some(groups)) = &mut *groups {
        groups.idle.extend(group);
    }
}

/// Moves this process back into its first group, and removes those below it, so that the next one
/// finds the group as this one did. A group in which a program cannot be reaped yet is left.
pub fn leave() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner).take().flatten();
    let Some(Groups { folder, idle }) = groups else { return };
    drop(idle);
    return_to(&folder);
}

/// Moves this process into a child of its group, and has the kernel limit memory in others.
fn enter(folder: PathBuf) -> io::Result<Groups> {
    // A host that was killed may have left some.
    remove_children(&folder);
    let own = folder.join(OWN);
    fs::create_dir(&own)?;
    let moved = fs::write(own.join("cgroup.procs"), "0");
    let limited = moved.and_then(|()| fs::write(folder.join("cgroup.subtree_control"), "+memory"));
    match limited {
        Ok(()) => Ok(Groups { folder, idle: Vec::new() }),
        Err(error) => {
            return_to(&folder);
            Err(error)
        }
    }
}

/// Undoes [`enter`].
fn return_to(folder: &Path) {
    // Processes cannot be in a group that has controllers below it.
    let _ = fs::write(folder.join("cgroup.subtree_control"), "-memory");
    let _ = fs::write(folder.join("cgroup.procs"), "0");
    remove_children(folder);
}

/// Removes the groups below `folder` that a host makes and that contain no process.
fn remove_children(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name == OWN || name.to_string_lossy().starts_with(PROGRAM) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Group {
    fn new(folder: &Path) -> io::Result<Group> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PROGRAM}{number}"));
        fs::create_dir(&path)?;
        // Otherwise a program could lose one of its processes and play on.
        fs::write(path.join("memory.oom.group"), "1")?;
        // Kernels without accounts of swapped memory lack this file.
        let _ = fs::write(path.join("memory.swap.max"), "0");
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = open(&path, flags, Mode::empty())?;
        Ok(Group { path, folder, kills: 0, before: Duration::ZERO })
    }

    /// Sets the limit for the next program.
    fn limit(mut self, memory: u64) -> io::Result<Group> {
        // A launcher that was killed may have left it stopped.
        fs::write(self.path.join("cgroup.freeze"), "0")?;
        fs::write(self.path.join("memory.max"), memory.to_string())?;
        self.kills = self.count_kills();
        self.before = self.times().and_then(|(times, _)| cpu_time(&times)).unwrap_or_default();
        Ok(self)
    }

    /// Returns `true` if the kernel has ended the program because it exceeded the limit.
    pub fn is_exceeded(&self) -> bool {
        self.count_kills() > self.kills
    }

    /// Opens the file with the CPU times of the group, for [`cpu_time`]. Returns it with the time
    /// of the programs before this one.
    pub fn times(&self) -> Option<(OwnedFd, Duration)> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Some((openat(&self.folder, "cpu.stat", flags, Mode::empty()).ok()?, self.before))
    }

    fn count_kills(&self) -> u64 {
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let count = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count.and_then(|count| count.parse().ok()).unwrap_or(0)
    }
}

/// Opens the file that stops the processes of the group of a folder, for [`freeze`].
pub fn freezer(folder: &OwnedFd) -> Option<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    openat(folder, "cgroup.freeze", flags, Mode::empty()).ok()
}

/// Has the kernel stop all processes of a group, or let them run. No signal continues them.
///
/// # Errors
/// Returns the error of the system.
pub fn freeze(freezer: &OwnedFd, is_frozen: bool) -> io::Result<()> {
    pwrite(freezer, if is_frozen { b"1" } else { b"0" }, 0)?;
    Ok(())
}

/// Returns the CPU time of a group, from the file with its times.
pub fn cpu_time(times: &OwnedFd) -> Option<Duration> {
    let mut text = [0; 1024];
    let count = pread(times, &mut text, 0).ok()?;
    used(std::str::from_utf8(&text[..count]).ok()?)
}

fn used(times: &str) -> Option<Duration> {
    let micros = times.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
    micros.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_of_a_group_is_its_first_number() {
        let times = "usage_usec 1204\nuser_usec 1000\nsystem_usec 204\n";
        assert_eq!(used(times), Some(Duration::from_micros(1204)));
        assert_eq!(used("user_usec 1000\n"), None);
    }

    #[test]
    fn own_group_is_that_of_version_2() {
        assert_eq!(folder_of("4:memory:/a\n0::/b/c\n"), Some(Path::new(ROOT).join("b/c")));
        assert_eq!(folder_of("4:memory:/a\n"), None);
    }
}
