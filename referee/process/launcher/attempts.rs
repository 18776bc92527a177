//! Attempts of a program to reach beyond its sandbox, which honest programs do not make. Its
//! launcher refuses and counts them.

use super::request::LauncherMessage;
use super::socket::{is_closed, send_at_once};
use super::watched::WatchedPath;
use crate::attempts::Attempts;
use crate::sys::{self, RefusedCall};
use libc::c_long;
use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;

/// Calls with which programs reach for the network, other processes, the kernel and what all
/// processes of a machine share, with their names.
#[rustfmt::skip]
const CALLS: &[(c_long, &str)] = &[
    (libc::SYS_socket, "socket"),
    (libc::SYS_ptrace, "ptrace"), (libc::SYS_process_vm_readv, "process_vm_readv"),
    (libc::SYS_process_vm_writev, "process_vm_writev"), (libc::SYS_pidfd_getfd, "pidfd_getfd"),
    (libc::SYS_perf_event_open, "perf_event_open"),
    (libc::SYS_unshare, "unshare"), (libc::SYS_setns, "setns"), (libc::SYS_mount, "mount"),
    (libc::SYS_umount2, "umount2"), (libc::SYS_pivot_root, "pivot_root"),
    (libc::SYS_chroot, "chroot"), (libc::SYS_open_tree, "open_tree"),
    (libc::SYS_move_mount, "move_mount"), (libc::SYS_fsopen, "fsopen"),
    (libc::SYS_mount_setattr, "mount_setattr"),
    (libc::SYS_bpf, "bpf"), (libc::SYS_userfaultfd, "userfaultfd"), (libc::SYS_add_key, "add_key"),
    (libc::SYS_request_key, "request_key"), (libc::SYS_keyctl, "keyctl"),
    (libc::SYS_settimeofday, "settimeofday"), (libc::SYS_clock_settime, "clock_settime"),
    (libc::SYS_sethostname, "sethostname"), (libc::SYS_setdomainname, "setdomainname"),
    (libc::SYS_swapon, "swapon"), (libc::SYS_swapoff, "swapoff"), (libc::SYS_reboot, "reboot"),
    (libc::SYS_kexec_load, "kexec_load"), (libc::SYS_init_module, "init_module"),
    (libc::SYS_finit_module, "finit_module"), (libc::SYS_delete_module, "delete_module"),
    (libc::SYS_open_by_handle_at, "open_by_handle_at"),
];
/// Word for a folder of another program that the program read.
pub const NEIGHBOUR: &str = "neighbour";
/// Number of calls after which none is answered any more. The kernel then reports them as missing.
/// Not tuned; each costs the launcher some microseconds.
const MOST: u32 = 1000;
/// Number of sockets of JVMs of a program that are not counted. Each opens and closes three as it
/// loads its library for the network, which its classes for files need, too (JVM 17, 2026-11-29). A
/// script may start one to ask for its version.
const OF_JVM: u32 = 6;

/// Attempts of a program as its launcher told them.
#[derive(Default, Debug)]
pub struct ToldAttempts {
    /// Numbers since the start of the program by kind, and what was taken of them.
    counts: BTreeMap<u32, [u32; 2]>,
}

impl ToldAttempts {
    /// Takes note of a count since the start of the program.
    pub fn note(&mut self, kind: u32, count: u32) {
        self.counts.entry(kind).or_default()[0] = count;
    }

    /// Returns `true` if there was none yet.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the attempts since the last call.
    pub fn take(&mut self) -> Attempts {
        let mut attempts = Attempts::default();
        for (&kind, [count, taken]) in &mut self.counts {
            if let Some(word) = word(kind).filter(|_| *count > *taken) {
                attempts.count(word, (*count - *taken).into());
            }
            *taken = *count;
        }
        attempts
    }
}

/// Returns `true` for a call whose attempts are counted.
pub fn is_counted(call: c_long) -> bool {
    CALLS.iter().any(|(counted, _)| *counted == call)
}

/// Returns the word of a kind of attempts, which a launcher tells by its number.
fn word(kind: u32) -> Option<&'static str> {
    let words = CALLS.iter().map(|(_, name)| *name).chain([NEIGHBOUR]);
    words.into_iter().nth(kind as usize)
}

/// Counter of the attempts of one program.
#[derive(Default)]
pub struct AttemptCounter {
    /// Descriptor through which the kernel asks about calls; none where another program of the
    /// machine already answers them, or none are asked about any more.
    listener: Option<OwnedFd>,
    /// Number of calls about which the kernel asked.
    asked: u32,
    /// Watched paths that were not read yet.
    unread: Vec<WatchedPath>,
    /// Number of sockets of JVMs.
    of_jvm: u32,
    /// Number of attempts of each kind, and the number that was told last.
    counts: BTreeMap<u32, [u32; 2]>,
}

impl AttemptCounter {
    /// Creates the counter of a program that has just been started.
    pub fn new(listener: Option<OwnedFd>, watched: Vec<WatchedPath>) -> AttemptCounter {
        AttemptCounter { listener, unread: watched, ..AttemptCounter::default() }
    }

    /// Returns the descriptor that can be read once the kernel asks about a call.
    pub fn listener(&self) -> Option<&OwnedFd> {
        self.listener.as_ref()
    }

    /// Counts the call about which the kernel asks, tells the host of the first of a kind, and
    /// refuses it.
    pub fn answer(&mut self, control: &OwnedFd) {
        // Kernels before 6.11 wait for ever for a call of a program that has ended.
        let Some(listener) = self.listener.take().filter(|listener| !is_closed(listener)) else {
            return;
        };
        if let Ok(call) = sys::next_refused(&listener) {
            self.asked += 1;
            let kind = CALLS.iter().position(|(number, _)| *number == call.number);
            if let Some(kind) = kind.filter(|_| self.is_attempt(&call)) {
                self.count(kind, 1, control);
            }
            let _ = sys::refuse_call(&listener, &call);
        }
        self.listener = Some(listener).filter(|_| self.asked < MOST);
    }

    /// Counts attempts. The first of a kind is sent at once: the host then asks for the rest at
    /// its end. More messages would fill the socket while the host reads none.
    fn count(&mut self, kind: usize, more: u32, control: &OwnedFd) {
        let [count, told] = self.counts.entry(kind as u32).or_default();
        *count += more;
        if *told == 0 {
            tell(control, kind as u32, *count, told);
        }
    }

    /// Returns `true` if a call reaches beyond the program, and is not made by an honest runtime.
    fn is_attempt(&mut self, call: &RefusedCall) -> bool {
        let [first, second, ..] = call.arguments;
        let other = |target: u64| !is_of_one_program(target, call.process);
        match call.number {
            libc::SYS_socket => self.is_for_network(first as i32, second as i32, call.process),
            // A search for lost memory at the end of a program traces its own threads.
            libc::SYS_ptrace => first != u64::from(libc::PTRACE_TRACEME) && other(second),
            libc::SYS_process_vm_readv | libc::SYS_process_vm_writev => other(first),
            libc::SYS_perf_event_open => other(second),
            libc::SYS_unshare => first & NAMESPACES != 0,
            _ => true,
        }
    }

    /// Returns `true` for a socket of the network. Libraries make others to ask for users, and to
    /// list network devices, as for a unique number.
    fn is_for_network(&mut self, family: i32, kind: i32, process: u32) -> bool {
        let lists_devices = family == libc::AF_INET && kind == libc::SOCK_DGRAM;
        let is_local = [libc::AF_UNIX, libc::AF_NETLINK].contains(&family);
        if is_local || lists_devices {
            return false;
        }
        let is_of_jvm = is_jvm(process);
        self.of_jvm += u32::from(is_of_jvm);
        !is_of_jvm || self.of_jvm > OF_JVM
    }

    /// Tells the host of all counts that have changed.
    pub fn report(&mut self, control: &OwnedFd) {
        self.look(control);
        for (&kind, [count, told]) in &mut self.counts {
            if told != count {
                tell(control, kind, *count, told);
            }
        }
    }

    /// Counts the watched paths that were read.
    pub fn look(&mut self, control: &OwnedFd) {
        let before = self.unread.len();
        self.unread.retain(|watched| !watched.is_read());
        let new = (before - self.unread.len()) as u32;
        if new > 0 {
            self.count(CALLS.len(), new, control);
        }
    }
}

/// Tells the host a count, unless the socket has no room, and takes note of it.
fn tell(control: &OwnedFd, kind: u32, count: u32, told: &mut u32) {
    let message = LauncherMessage::Attempted { kind, count };
    if send_at_once(control, &message.encode()).is_ok() {
        *told = count;
    }
}

/// Flags of `unshare` that ask for namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32 as u64;

/// Returns `true` if both processes belong to one program: no program can leave its session. Number
/// 0 stands for the caller.
fn is_of_one_program(target: u64, caller: u32) -> bool {
    let target = target as u32;
    target == 0 || sys::session(target).is_some_and(|of| sys::session(caller) == Some(of))
}

/// Returns `true` for a thread of a JVM, as far as the name of its program tells.
fn is_jvm(thread: u32) -> bool {
    let program = fs::read_link(format!("/proc/{thread}/exe"));
    program.is_ok_and(|program| program.file_name().is_some_and(|name| name == "java"))
}
