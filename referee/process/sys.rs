//! System calls without a safe wrapper: the only module of this library with `unsafe` code.

use rustix::fs::{openat, seek, Mode, OFlags, RawDir, SeekFrom, CWD};
use rustix::io::pread;
use rustix::process::{Pid, Signal};
use std::collections::HashMap;
use std::ffi::CStr;
use std::fs::{self, File, OpenOptions};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::raw::c_int;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;
use std::{io, ptr};

/// Returns the result of a call, or else the error of the system where that is -1.
fn checked(result: impl Into<libc::c_long>) -> io::Result<c_int> {
    match result.into() {
        -1 => Err(io::Error::last_os_error()),
        result => Ok(result as c_int),
    }
}

/// Forks this process, which must have a single thread. Returns the child to the parent, and `None`
/// to the child.
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn fork() -> io::Result<Option<Pid>> {
    debug_assert_eq!(fs::read_dir("/proc/self/task").map_or(1, Iterator::count), 1);
    // SAFETY: without other threads no lock can be held by a thread that the child lacks.
    checked(unsafe { libc::fork() }).map(Pid::from_raw)
}

/// Closes all descriptors except the three standard streams, at the start of a process that uses no
/// others. The program that started the host may have left some open.
#[allow(unsafe_code)]
pub fn close_inherited() {
    // SAFETY: no value of this process owns one of these descriptors yet. Kernels before 5.9 refuse
    // the call.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
}

/// Blocks the signal that reports the end of a child. Returns a descriptor that becomes readable
/// instead, also in forked children and for theirs. Children that stop or continue send no signal.
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn block_child_signal() -> io::Result<OwnedFd> {
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: the calls write only to the local set, which may hold any bits. The action may be
    // zero, which means the default. The descriptor is new and has no other owner.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_flags = libc::SA_NOCLDSTOP;
        checked(libc::sigaction(libc::SIGCHLD, &action, ptr::null_mut()))?;
        checked(libc::sigprocmask(libc::SIG_BLOCK, &set, ptr::null_mut()))?;
        Ok(OwnedFd::from_raw_fd(checked(libc::signalfd(-1, &set, flags))?))
    }
}

/// Forks this process, which must have a single thread, into new namespaces of the kinds `flags`,
/// and into the control group of a folder. Returns like [`fork`].
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn fork_into(flags: c_int, group: Option<&OwnedFd>) -> io::Result<Option<Pid>> {
    // `CLONE_INTO_CGROUP`, of which the `libc` crate has only the lower bits.
    const INTO_GROUP: u64 = 1 << 33;
    // SAFETY: as for `fork`. Without a stack the child continues on its copy of this one. The C
    // library's record of the thread's number is outdated in the child, which only `raise` uses.
    // All bytes of the arguments may be zero, and their size is stated.
    let pid = unsafe {
        match group {
            None => {
                let flags = libc::c_long::from(flags | libc::SIGCHLD);
                libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0)
            }
            Some(group) => {
                let mut arguments: libc::clone_args = std::mem::zeroed();
                arguments.flags = flags as u64 | INTO_GROUP;
                arguments.exit_signal = libc::SIGCHLD as u64;
                arguments.cgroup = group.as_raw_fd() as u64;
                libc::syscall(libc::SYS_clone3, &arguments, size_of::<libc::clone_args>())
            }
        }
    };
    checked(pid).map(Pid::from_raw)
}

/// Returns `true` if the call that forks into a control group exists and is not forbidden.
#[allow(unsafe_code)]
pub fn can_fork_into_groups() -> bool {
    // SAFETY: the system refuses arguments of no bytes before it reads any.
    unsafe { libc::syscall(libc::SYS_clone3, ptr::null::<libc::clone_args>(), 0) };
    io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}

/// Unblocks all signals, and gives those that this process ignores their default handlers.
#[allow(unsafe_code)]
pub fn reset_signals() {
    // SAFETY: the calls only read the local set. No other code relies on these handlers, as the
    // process is about to execute another program.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Has this process stop, as the default handler of the signal does, which this thread must not
/// block. Returns once the process is continued. The kernel does not stop a process whose group has
/// no parent in its session, which could continue it.
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn stop_by(signal: c_int) -> io::Result<()> {
    // SAFETY: the calls access only the local actions. A zero action is the default handler. The
    // handler of before comes back unchanged.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        let mut before: libc::sigaction = std::mem::zeroed();
        checked(libc::sigaction(signal, &default, &mut before))?;
        // To this thread, so that the process has been stopped when the call returns.
        libc::raise(signal);
        libc::sigaction(signal, &before, ptr::null_mut());
    }
    Ok(())
}

/// Returns `true` for errors of a machine without a process, open file or memory for a program.
pub fn is_lack_of_resources(error: &io::Error) -> bool {
    let number = error.raw_os_error();
    matches!(number, Some(libc::EAGAIN | libc::EMFILE | libc::ENFILE | libc::ENOMEM))
}

/// Gives a signal its default handler.
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn restore_default(signal: c_int) -> io::Result<()> {
    // SAFETY: the call only reads the local action, and zero is the default handler.
    let result = unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, &default, ptr::null_mut())
    };
    checked(result).map(drop)
}

/// Executes a program in place of this one. Returns only if that fails.
#[allow(unsafe_code)]
pub fn execute(path: &CStr, arguments: &[&CStr], environment: &[&CStr]) -> io::Error {
    let pointers = |texts: &[&CStr]| -> Vec<*const libc::c_char> {
        texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(arguments), pointers(environment));
    // SAFETY: both lists of pointers end with a null pointer, and their texts outlive the call.
    unsafe { libc::execve(path.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}

/// Adds attributes (`MOUNT_ATTR_…`) to the mount of a descriptor, with all mounts below it if
/// `recursive`.
///
/// # Errors
/// Returns the error of the system. Kernels before 5.12 lack the call.
#[allow(unsafe_code)]
pub fn add_mount_attributes(mount: impl AsFd, attributes: u64, recursive: bool) -> io::Result<()> {
    let set = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    let mount = mount.as_fd().as_raw_fd();
    // SAFETY: the call only reads the local structure, whose size is an argument.
    let result = unsafe {
        let size = size_of::<libc::mount_attr>();
        libc::syscall(libc::SYS_mount_setattr, mount, c"".as_ptr(), flags, &set, size)
    };
    checked(result).map(drop)
}

/// Returns the version of Landlock that the kernel offers; 0 for none.
#[allow(unsafe_code)]
pub fn landlock_version() -> u32 {
    /// Flag that asks for the version.
    const VERSION: c_int = 1;
    let none = ptr::null::<libc::c_void>();
    // SAFETY: with this flag the call reads nothing.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// One instruction of a filter of system calls.
pub type FilterInstruction = seccompiler::sock_filter;

/// Installs a filter of system calls for this thread, which must have given up new privileges.
///
/// # Errors
/// Returns the error of the system.
pub fn install_filter(program: &[FilterInstruction]) -> io::Result<()> {
    install(program, 0).map(drop)
}

/// Installs a filter likewise, and returns the descriptor through which the kernel asks about calls
/// where the filter says so.
///
/// # Errors
/// Returns the error of the system; `EBUSY` if another program is already asked.
#[allow(unsafe_code)]
pub fn install_asking_filter(program: &[FilterInstruction]) -> io::Result<OwnedFd> {
    let descriptor = install(program, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    // SAFETY: the descriptor is new and has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

#[allow(unsafe_code)]
fn install(program: &[FilterInstruction], flags: libc::c_ulong) -> io::Result<c_int> {
    let length = program.len().try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut().cast() };
    // Without this flag, kernels before 5.16 slow down every program that has a filter.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW | flags;
    // SAFETY: both types of instructions are the kernel's `struct sock_filter`. The call only reads
    // them.
    checked(unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &program)
    })
}

/// System call about which the kernel asks, and that waits for the answer.
#[derive(Clone, Copy, Debug)]
pub struct RefusedCall {
    id: u64,
    /// Number of the call.
    pub number: libc::c_long,
    /// Thread that makes it.
    pub process: u32,
    /// Arguments.
    pub arguments: [u64; 6],
}

/// Receives the next call about which the kernel asks. Waits for one if there is none.
///
/// # Errors
/// Returns the error of the system; `ENOENT` for a call whose thread has ended.
#[allow(unsafe_code)]
pub fn next_refused(listener: &OwnedFd) -> io::Result<RefusedCall> {
    // SAFETY: the structure may be zero, and has to be. The call writes one of them.
    let (result, asked) = unsafe {
        let mut asked: libc::seccomp_notif = std::mem::zeroed();
        let request = libc::SECCOMP_IOCTL_NOTIF_RECV;
        (libc::ioctl(listener.as_raw_fd(), request, &raw mut asked), asked)
    };
    checked(result)?;
    let (number, arguments) = (asked.data.nr.into(), asked.data.args);
    Ok(RefusedCall { id: asked.id, number, process: asked.pid, arguments })
}

/// Has a call fail as one that is not permitted.
///
/// # Errors
/// Returns the error of the system, if the thread has ended.
#[allow(unsafe_code)]
pub fn refuse_call(listener: &OwnedFd, call: &RefusedCall) -> io::Result<()> {
    let mut answer =
        libc::seccomp_notif_resp { id: call.id, val: 0, error: -libc::EPERM, flags: 0 };
    let request = libc::SECCOMP_IOCTL_NOTIF_SEND;
    // SAFETY: the call only reads one structure of this type.
    checked(unsafe { libc::ioctl(listener.as_raw_fd(), request, &raw mut answer) }).map(drop)
}

/// Asks the scheduler for short turns on the processor of this thread. A thread that runs for a
/// moment at a time then need not wait for the end of another's turn, some milliseconds. The
/// children of this thread do not inherit it. Kernels before 6.12 ignore the request.
///
/// # Errors
/// Returns the error of the system.
#[allow(unsafe_code)]
pub fn take_short_turns() -> io::Result<()> {
    /// Shortest turn that the kernel grants, in nanoseconds.
    const TURN: u64 = 100_000;
    /// The kernel's `struct sched_attr` in its first version.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    let size = size_of::<Attributes>() as u32;
    let mut of = Attributes { size, ..Attributes::default() };
    // SAFETY: both calls access only the local structure, whose size is an argument.
    unsafe {
        checked(libc::syscall(libc::SYS_sched_getattr, 0, &mut of, size, 0))?;
        if of.policy == libc::SCHED_OTHER as u32 {
            of.flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
            of.runtime = TURN;
            checked(libc::syscall(libc::SYS_sched_setattr, 0, &of, 0))?;
        }
    }
    Ok(())
}

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

/// Opens a count of the CPU time of this thread and of all tasks that descend from it from now on.
/// Those that have ended stay in it. [`counted_time`] reads it.
///
/// # Errors
/// Returns the error of the system, which may allow no such counts to ordinary users.
#[allow(unsafe_code)]
pub fn count_cpu_time() -> io::Result<OwnedFd> {
    /// Type `PERF_TYPE_SOFTWARE`, and size of the kernel's `struct perf_event_attr` in its first
    /// version.
    const TYPE_AND_SIZE: u64 = 1 | 64 << 32;
    /// Count `PERF_COUNT_SW_TASK_CLOCK`.
    const TASK_CLOCK: u64 = 1;
    /// Flags `inherit`, `exclude_kernel` and `exclude_hv`. Without the last two, which have no
    /// effect on this count, an ordinary user may not have it.
    const FLAGS: u64 = 1 << 1 | 1 << 5 | 1 << 6;
    const CLOEXEC: libc::c_ulong = 8;
    let attributes = [TYPE_AND_SIZE, TASK_CLOCK, 0, 0, 0, FLAGS, 0, 0];
    // SAFETY: the call only reads the local numbers, whose size is the first of them. The
    // descriptor is new and has no other owner.
    unsafe {
        let (own, any, none) = (0, -1, -1);
        let open = libc::SYS_perf_event_open;
        let descriptor = libc::syscall(open, attributes.as_ptr(), own, any, none, CLOEXEC);
        Ok(OwnedFd::from_raw_fd(checked(descriptor)?))
    }
}

/// Returns the time of a count that [`count_cpu_time`] has opened.
pub fn counted_time(count: impl AsFd) -> Option<Duration> {
    let mut nanos = [0; 8];
    let read = rustix::io::read(count, &mut nanos).ok();
    read.filter(|&read| read == nanos.len())
        .map(|_| Duration::from_nanos(u64::from_ne_bytes(nanos)))
}

/// Returns the priority of a task that is not of real time: its niceness, or 20 for the policy
/// `SCHED_IDLE`. Only a privileged program can lower that number.
#[allow(unsafe_code)]
pub fn priority(task: u32) -> Option<i32> {
    let id = Pid::from_raw(task.try_into().ok()?)?;
    // SAFETY: the call touches no memory.
    match unsafe { libc::sched_getscheduler(id.as_raw_nonzero().get()) } {
        -1 => None,
        libc::SCHED_IDLE => Some(20),
        _ => rustix::process::getpriority_process(Some(id)).ok(),
    }
}

/// Returns the session of a process; zero if it was begun outside of the namespace of this one.
#[allow(unsafe_code)]
pub fn session(process: u32) -> Option<u32> {
    // SAFETY: the call takes a number and touches no memory. `rustix` expects a number above zero.
    let session = unsafe { libc::getsid(process.cast_signed()) };
    u32::try_from(session).ok()
}

/// Returns the niceness of the session of a process, where the kernel weighs sessions as it weighs
/// tasks. Only a privileged program can lower it.
pub fn session_niceness(process: u32) -> Option<i32> {
    let text = fs::read_to_string(format!("/proc/{process}/autogroup")).ok()?;
    text.split_ascii_whitespace().last()?.parse().ok()
}

/// Returns the last number that the kernel gave to a task in the namespace of this process.
/// `load_average` is the file of that name in `/proc`.
pub fn last_task(load_average: impl AsFd) -> Option<u64> {
    let mut text = [0; 128];
    let count = rustix::io::pread(load_average, &mut text, 0).ok()?;
    str::from_utf8(&text[..count]).ok()?.split_ascii_whitespace().last()?.parse().ok()
}

/// Scheduler's numbers of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TaskStatistics {
    /// CPU time. It lags by up to one kernel tick while the task runs.
    pub run: Duration,
    /// Time spent waiting for a processor. A wait in progress is not in it.
    pub wait: Duration,
    /// Number of times that the task got a processor.
    pub slices: u64,
}

impl TaskStatistics {
    fn parse(text: &str) -> Option<TaskStatistics> {
        let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        let (run, wait) = (Duration::from_nanos(next()?), Duration::from_nanos(next()?));
        Some(TaskStatistics { run, wait, slices: next()? })
    }
}

/// Returns the tasks of a process.
pub fn tasks(pid: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Returns the scheduler's numbers of a task, if it exists and the system tells them.
pub fn task_statistics(pid: u32, task: u32) -> Option<TaskStatistics> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{task}/schedstat")).ok()?;
    TaskStatistics::parse(&text)
}

/// Returns the scheduler's numbers of this thread.
pub fn own_statistics() -> Option<TaskStatistics> {
    TaskStatistics::parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// Returns the CPU time of [`process_time`] from the scheduler's statistics, without `unsafe`. It
/// lags by up to one kernel tick while the process runs.
pub fn process_time_from_statistics(pid: u32) -> Option<Duration> {
    let numbers: Vec<TaskStatistics> =
        tasks(pid).into_iter().filter_map(|task| task_statistics(pid, task)).collect();
    (!numbers.is_empty()).then(|| numbers.iter().map(|of| of.run).sum())
}

/// Opens a lock file, which is created if it does not exist. A symbolic link is refused: it could
/// lead to a file of the user, which would be written.
///
/// # Errors
/// Returns an error if it cannot be opened, or is no regular file.
pub fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // A pipe is not waited for.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    options.read(true).write(true).create(true).truncate(false).custom_flags(flags);
    let file = options.open(path).map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP) => io::Error::other(IS_A_LINK),
        _ => error,
    })?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is a pipe or a device, and no file")),
    }
}

/// Refuses a folder of results that is a symbolic link: it could lead to one of another user's
/// choice.
///
/// # Errors
/// Returns an error if it is one.
pub fn refuse_link(folder: &Path) -> io::Result<()> {
    match folder.symlink_metadata().is_ok_and(|folder| folder.is_symlink()) {
        true => Err(io::Error::other(IS_A_LINK)),
        false => Ok(()),
    }
}

/// Reason why a link is refused.
const IS_A_LINK: &str = "it is a symbolic link, which is not followed";

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

/// Returns the children of a process, also those whose parent has ended and that it adopted.
pub fn children(pid: u32) -> Vec<u32> {
    let lists = ChildLists::open(pid).ok();
    lists.and_then(|mut lists| lists.read()).unwrap_or_default()
}

/// Lists of the children of a process. They stay open: to read one again takes a tenth of the time.
#[derive(Debug)]
pub struct ChildLists {
    /// Folder of the threads.
    tasks: OwnedFd,
    /// List of each thread's children.
    lists: HashMap<u32, OwnedFd>,
}

impl ChildLists {
    /// Number of lists that stay open. A process with more threads is rare.
    const KEPT: usize = 16;

    /// Opens the lists of a process.
    ///
    /// # Errors
    /// Returns the error of the system, for example if there is no such process.
    pub fn open(pid: u32) -> io::Result<ChildLists> {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let tasks = openat(CWD, format!("/proc/{pid}/task"), flags, Mode::empty())?;
        Ok(ChildLists { tasks, lists: HashMap::new() })
    }

    /// Returns the children. `None` once the process is gone.
    pub fn read(&mut self) -> Option<Vec<u32>> {
        let mut threads: Vec<u32> = Vec::new();
        seek(&self.tasks, SeekFrom::Start(0)).ok()?;
        let mut space = [MaybeUninit::uninit(); 2048];
        let mut entries = RawDir::new(&self.tasks, &mut space);
        while let Some(Ok(entry)) = entries.next() {
            let name = entry.file_name().to_str().unwrap_or_default();
            threads.extend(name.parse::<u32>());
        }
        self.lists.retain(|thread, _| threads.contains(thread));
        let mut children = Vec::new();
        for &thread in &threads {
            if let Some(list) = self.lists.get(&thread) {
                children.extend(listed_children(list));
            } else if let Ok(list) = self.open_list(thread) {
                children.extend(listed_children(&list));
                if self.lists.len() < Self::KEPT {
                    self.lists.insert(thread, list);
                }
            }
        }
        (!threads.is_empty()).then_some(children)
    }

    fn open_list(&self, thread: u32) -> io::Result<OwnedFd> {
        // A path from this folder is found faster than one from the root.
        let path = format!("{thread}/children");
        Ok(openat(&self.tasks, path, OFlags::CLOEXEC, Mode::empty())?)
    }
}

/// Opens the list of the children of this thread, for [`listed_children`].
///
/// # Errors
/// Returns the error of the system.
pub fn own_children_list() -> io::Result<OwnedFd> {
    Ok(openat(CWD, "/proc/thread-self/children", OFlags::CLOEXEC, Mode::empty())?)
}

/// Returns the children of one task, from its open list in `/proc`.
pub fn listed_children(list: impl AsFd) -> Vec<u32> {
    let (mut text, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = pread(&list, &mut chunk, text.len() as u64) {
        text.extend_from_slice(&chunk[..count]);
    }
    let words = text.split(|&byte| byte == b' ').map(String::from_utf8_lossy);
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Returns, for each processor of a virtual machine, the time for which its hypervisor let it wait,
/// in whole kernel ticks of 10 ms. Elsewhere they are zero.
pub fn withheld_ticks() -> Vec<u64> {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    // The first line is the sum of the next, one for each processor. The eighth number of each is
    // called steal.
    let lines = text.lines().skip(1).map_while(|line| line.strip_prefix("cpu"));
    lines
        .map(|line| line.split(' ').nth(8).and_then(|word| word.parse().ok()).unwrap_or(0))
        .collect()
}

/// Returns the state of a process as `/proc` spells it, for example `T` for stopped. Of a process
/// whose first thread has ended it is that of another thread.
pub fn process_state(pid: u32) -> Option<char> {
    living_fields(pid)?.chars().next()
}

/// Returns the fields of a process, as [`status_fields`] does. Where its first thread has ended
/// they are those of another thread: the system then shows a zombie without memory.
fn living_fields(pid: u32) -> Option<String> {
    Some(living(pid)?.1)
}

/// Returns the folder in `/proc` and the fields of a process, or of another thread where its first
/// one has ended.
fn living(pid: u32) -> Option<(String, String)> {
    let at = |folder: String| Some((status_fields(&format!("{folder}/stat"))?, folder));
    let (fields, folder) = at(format!("/proc/{pid}"))?;
    if !fields.starts_with('Z') {
        return Some((folder, fields));
    }
    let others = tasks(pid).into_iter().filter(|&task| task != pid);
    let mut others = others.filter_map(|task| at(format!("/proc/{pid}/task/{task}")));
    let other = others.find(|(fields, _)| !fields.starts_with('Z'));
    let (fields, folder) = other.unwrap_or((fields, folder));
    Some((folder, fields))
}

/// Returns the resident memory of a process in bytes, without pages of files. What other processes
/// share counts whole.
pub fn private_memory(pid: u32) -> Option<u64> {
    memory(pid, "status", ["RssAnon:", "RssShmem:"])
}

/// Returns the same memory of a process, with its part of each page that several processes share.
/// The kernel looks at every page: some 25 ms for a gigabyte. The process must be one that this one
/// may trace.
pub fn proportional_memory(pid: u32) -> Option<u64> {
    memory(pid, "smaps_rollup", ["Pss_Anon:", "Pss_Shmem:"])
}

/// Returns `true` if two processes have the same memory, as far as this process may trace them.
#[allow(unsafe_code)]
pub fn share_memory(one: u32, other: u32) -> bool {
    /// `KCMP_VM` of the kernel, which the `libc` crate lacks.
    const MEMORY: c_int = 1;
    // SAFETY: the call takes numbers only.
    let is_same = unsafe { libc::syscall(libc::SYS_kcmp, one, other, MEMORY, 0, 0) == 0 };
    // The call finds processes without memory equal, such as those whose first threads have ended.
    let has_memory = |pid: u32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status"));
        status.is_ok_and(|status| status.contains("\nRssAnon:"))
    };
    is_same && has_memory(one) && has_memory(other)
}

/// Returns the sum of two lines of a file on a process, in bytes.
fn memory(pid: u32, file: &str, names: [&str; 2]) -> Option<u64> {
    let text = fs::read_to_string(format!("{}/{file}", living(pid)?.0)).ok()?;
    let line = |name| text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = |name| line(name)?.trim().strip_suffix(" kB")?.parse::<u64>().ok();
    Some(1024 * (kilobytes(names[0])? + kilobytes(names[1])?))
}

/// Returns `true` if a signal that was sent to a process has not been received by it yet.
pub fn is_pending(pid: u32, signal: Signal) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"))?;
    let pending = u64::from_str_radix(pending.trim(), 16).ok()?;
    Some(pending >> (signal.as_raw() - 1) & 1 == 1)
}

/// Returns the state of a task, as [`process_state`] does.
pub fn task_state(pid: u32, task: u32) -> Option<char> {
    status_fields(&format!("/proc/{pid}/task/{task}/stat"))?.chars().next()
}

/// Returns the fields after the name in the file `stat` of a process or a task.
fn status_fields(path: &str) -> Option<String> {
    let stat = fs::read_to_string(path).ok()?;
    // The second field is the program name in parentheses; it may contain spaces and parentheses.
    Some(stat.rsplit_once(')')?.1.trim_start().to_owned())
}

/// Numbers of a process, and of its ended children that were waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessStatistics {
    /// Number of its minor page faults. Every process has some.
    pub faults: u64,
    /// Number of those of its ended children, with what they had taken over from theirs.
    pub childrens_faults: u64,
    /// User and system time of its ended children, in whole kernel ticks of 10 ms.
    pub childrens_ticks: [u64; 2],
}

/// Returns the numbers of a process, if it exists.
pub fn process_statistics(pid: u32) -> Option<ProcessStatistics> {
    let fields = status_fields(&format!("/proc/{pid}/stat"))?;
    // The first field after the name has number 3. These are the fields 10, 11, 16 and 17.
    let fields: Vec<&str> = fields.split_ascii_whitespace().take(17 - 2).collect();
    let number = |field: usize| fields.get(field - 3)?.parse().ok();
    Some(ProcessStatistics {
        faults: number(10)?,
        childrens_faults: number(11)?,
        childrens_ticks: [number(16)?, number(17)?],
    })
}

/// Size of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessSize {
    /// Resident memory in bytes.
    pub resident: u64,
    /// Number of threads.
    pub threads: u64,
}

/// Returns the size of a process, if it exists.
pub fn process_size(pid: u32) -> Option<ProcessSize> {
    let fields = living_fields(pid)?;
    // As in `process_statistics`; these are the fields 20 and 24.
    let fields: Vec<&str> = fields.split_ascii_whitespace().take(24 - 2).collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let page = rustix::param::page_size() as u64;
    Some(ProcessSize { resident: number(24)? * page, threads: number(20)? })
}

/// Returns the number of a process in this process's namespace, from its descriptor.
pub fn process_of(pidfd: impl AsFd) -> Option<Pid> {
    let number = pidfd.as_fd().as_raw_fd();
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pid:"))?;
    Pid::from_raw(line.trim().parse().ok().filter(|&pid| pid > 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
