//! Filter of system calls of a jail: a list of those that a program for a game never needs, and
//! that reach beyond it.

use super::jail::{Access, Jail, Level};
use super::rules;
use crate::sys::FilterInstruction;
use libc::{c_long, c_ulong};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::io;

/// Calls on other processes, on the kernel and on what all processes of a machine share.
#[rustfmt::skip]
const REFUSED: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_kcmp,
    libc::SYS_pidfd_getfd, libc::SYS_process_madvise, libc::SYS_move_pages,
    libc::SYS_migrate_pages, libc::SYS_perf_event_open,
    // Namespaces, mounts and root folders.
    libc::SYS_unshare, libc::SYS_setns, libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root,
    libc::SYS_chroot, libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen,
    libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick, libc::SYS_mount_setattr,
    467 /* open_tree_attr */,
    // Parts of the kernel with many bugs.
    libc::SYS_bpf, libc::SYS_userfaultfd, libc::SYS_add_key, libc::SYS_request_key,
    libc::SYS_keyctl,
    // Memory and messages that outlive a process, or count for none.
    libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_semget, libc::SYS_semop,
    libc::SYS_semctl, libc::SYS_semtimedop, libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgrcv,
    libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink, libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // Pages that count for no process once they are in a pipe, and a quota of the whole machine.
    libc::SYS_vmsplice, libc::SYS_io_setup,
    // The machine.
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_adjtimex, libc::SYS_clock_adjtime,
    libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_swapon, libc::SYS_swapoff,
    libc::SYS_reboot, libc::SYS_kexec_load, libc::SYS_init_module, libc::SYS_finit_module,
    libc::SYS_delete_module, libc::SYS_acct, libc::SYS_quotactl,
    443 /* quotactl_fd */, libc::SYS_syslog, libc::SYS_vhangup,
    // Files without their paths, and the use of files by others.
    libc::SYS_name_to_handle_at, libc::SYS_open_by_handle_at, libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
];
/// Calls of older processors.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const REFUSED_HERE: &[c_long] = &[
    libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_kexec_file_load,
    libc::SYS_inotify_init,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[c_long] = &[];
/// Calls that change files which may only be read; Landlock does not know them.
#[rustfmt::skip]
const CHANGES: &[c_long] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, 452 /* fchmodat2 */, libc::SYS_fchown,
    libc::SYS_fchownat, libc::SYS_utimensat, libc::SYS_setxattr, libc::SYS_lsetxattr,
    libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr,
    463 /* setxattrat */, 466 /* removexattrat */, 469 /* file_setattr */,
];
/// Commands of `ioctl` that change the flags of a file which may only be read: `FS_IOC_SETFLAGS`,
/// `FS_IOC_FSSETXATTR` and `FS_IOC_SETVERSION`.
const FLAGS: [u64; 3] = [0x4008_6602, 0x401c_5820, 0x4008_7602];
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const CHANGES_HERE: &[c_long] = &[
    libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const CHANGES_HERE: &[c_long] = &[];
/// Calls whose first argument is another process, or 0 for the caller.
#[rustfmt::skip]
const ON_PROCESS: &[c_long] = &[
    libc::SYS_prlimit64, libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam, libc::SYS_sched_setattr,
];
/// Calls whose second argument is another process, or 0 for the caller.
const ON_SECOND: &[c_long] = &[libc::SYS_setpriority, libc::SYS_ioprio_set];
/// Calls of which the first argument can mean all processes of a user, with that value.
const ON_USER: [(c_long, u64); 2] = [
    (libc::SYS_setpriority, libc::PRIO_USER as u64),
    (libc::SYS_ioprio_set, 3 /* IOPRIO_WHO_USER */),
];
/// Number of the launcher in its own namespace.
const FIRST: u64 = 1;
/// Calls that send signals to the process of their first argument.
#[rustfmt::skip]
const SIGNALS: &[c_long] = &[
    libc::SYS_kill, libc::SYS_tgkill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
];
/// Calls that leave the process group of the program. One signal to the group ends all of it,
/// however fast it forks.
const LEAVES: &[c_long] = &[libc::SYS_setsid, libc::SYS_setpgid];
/// Calls with sockets of the network.
const NETWORK: &[c_long] = &[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen];
/// Commands of `fcntl` on locks, through which programs can meet on a file that both may read.
const LOCKS: [libc::c_int; 6] = [
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_SETLEASE,
    libc::F_NOTIFY,
];
/// Commands of `fcntl` that send signals to another process.
const OWNERS: [libc::c_int; 3] =
    [libc::F_SETOWN, 15 /* F_SETOWN_EX */, 10 /* F_SETSIG */];
/// Calls that are reported as missing, so that the C library and runtimes use older ones. Their
/// flags are in memory, where a filter cannot read them.
const MISSING: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];
/// First number of the system calls with 32-bit pointers of x86-64, which the list does not have.
const X32: u32 = 0x4000_0000;

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Returns the filter of a jail.
///
/// # Errors
/// Returns an error if the processor is not supported.
pub fn program(jail: &Jail) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(ARCH).map_err(io::Error::other)?;
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(list(jail)?, SeccompAction::Allow, refused, arch);
    let list = filter.and_then(BpfProgram::try_from).map_err(io::Error::other)?;
    // One filter is installed in half of the time of two.
    Ok(answered_calls(jail).into_iter().chain(list).collect())
}

/// Returns the calls that the jail refuses whatever their arguments are.
fn unconditional(jail: &Jail) -> impl Iterator<Item = c_long> {
    let is_alone = jail.level != Level::Full;
    let lists = [
        (true, REFUSED),
        (true, REFUSED_HERE),
        (!jail.has_network, NETWORK),
        (is_alone, CHANGES),
        (is_alone, CHANGES_HERE),
        (is_alone, LEAVES),
        (is_alone && !rules::scope_signals(), &[libc::SYS_pidfd_send_signal]),
    ];
    lists.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, calls)| calls).copied()
}

/// Returns `true` if the program may lock files, as it may write some.
fn may_lock(jail: &Jail) -> bool {
    jail.view.iter().any(|entry| entry.access == Access::Write)
}

/// Returns the rules of refused calls. An empty list of conditions always applies.
fn list(jail: &Jail) -> io::Result<Rules> {
    let mut rules = Rules::new();
    let mut refuse = |call: c_long, conditions: &[(u8, SeccompCmpOp, u64)]| -> io::Result<()> {
        let conditions = conditions.iter().map(|(argument, operator, value)| {
            let operator = operator.clone();
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operator, *value)
        });
        let conditions = conditions.collect::<Result<_, _>>().map_err(io::Error::other)?;
        let rule = SeccompRule::new(conditions).map_err(io::Error::other)?;
        rules.entry(call).or_default().push(rule);
        Ok(())
    };
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    for flag in [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ] {
        let flag = u64::from(flag as u32);
        refuse(libc::SYS_clone, &[(0, MaskedEq(flag), flag)])?;
    }
    // Shared memory without a file stays when it is unmapped in part.
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
    refuse(libc::SYS_mmap, &[(3, MaskedEq(shared), shared)])?;
    refuse(libc::SYS_ioctl, &[(1, Eq, libc::TIOCSTI as c_ulong)])?;
    for command in OWNERS {
        refuse(libc::SYS_fcntl, &[(1, Eq, command as u64)])?;
    }
    if !may_lock(jail) {
        for command in LOCKS {
            refuse(libc::SYS_fcntl, &[(1, Eq, command as u64)])?;
        }
    }
    // A datagram socket of a pair could be connected to another one.
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        refuse(libc::SYS_socketpair, &[(1, MaskedEq(0xf), kind as u64)])?;
    }
    if jail.has_network {
        let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        refuse(libc::SYS_socket, &families.map(|family| (0, Ne, family as u64)))?;
    }
    for (call, user) in ON_USER {
        refuse(call, &[(0, Eq, user)])?;
    }
    if jail.level == Level::Full {
        refuse(libc::SYS_prlimit64, &[(0, Eq, FIRST)])?;
    } else {
        for command in FLAGS {
            refuse(libc::SYS_ioctl, &[(1, Eq, command)])?;
        }
        for &call in ON_PROCESS {
            refuse(call, &[(0, Ne, 0)])?;
        }
        for &call in ON_SECOND {
            refuse(call, &[(1, Ne, 0)])?;
        }
        if !rules::scope_signals() {
            let own = u64::from(std::process::id());
            for &call in SIGNALS {
                refuse(call, &[(0, Ne, own), (0, Ne, 0)])?;
            }
        }
    }
    rules.extend(unconditional(jail).map(|call| (call, Vec::new())));
    Ok(rules)
}

/// Returns the beginning of a filter, which answers some calls in another way than by a refusal.
fn answered_calls(jail: &Jail) -> BpfProgram {
    let instruction = |code: u32, jt, jf, k| FilterInstruction { code: code as u16, jt, jf, k };
    // Skips the next instruction unless the number of the call compares in this way.
    let unless = |operator: u32, value: u32| {
        instruction(libc::BPF_JMP | operator | libc::BPF_K, 0, 1, value)
    };
    let answer = |error: i32| {
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | error as u32)
    };
    // The number of the call is the first field.
    let load = instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0);
    let mut program = vec![load, unless(libc::BPF_JGE, X32), answer(libc::ENOSYS)];
    for &call in MISSING {
        program.extend([unless(libc::BPF_JEQ, call as u32), answer(libc::ENOSYS)]);
    }
    if jail.level == Level::Full {
        // The scheduler shares a processor among sessions: with many a program would starve its
        // launcher and its opponent. At the other levels the call is refused.
        program.extend([unless(libc::BPF_JEQ, libc::SYS_setsid as u32), answer(0)]);
    }
    if !may_lock(jail) {
        // A JVM that cannot lock its own file says so on standard output.
        program.extend([unless(libc::BPF_JEQ, libc::SYS_flock as u32), answer(0)]);
    }
    program
}
