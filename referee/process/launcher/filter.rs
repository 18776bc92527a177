//! Filter of system calls of a sandbox: a list of those that an honest program never needs, and
//! that reach beyond it.

use super::layers::{Access, Layers, Level};
use super::{attempts, rules};
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

/// Offset of the number of a call in what a filter is shown, in bytes.
const NUMBER: u32 = 0;
/// Offset of the architecture of a call.
const ARCHITECTURE: u32 = 4;
/// Numbers of architectures, from `linux/audit.h`, by their names in Rust.
const ARCHITECTURES: [(&str, u32); 3] =
    [("x86_64", 0xc000_003e), ("aarch64", 0xc000_00b7), ("riscv64", 0xc000_00f3)];

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Returns the filter of a sandbox. Where it `asks`, the kernel asks the launcher about the calls
/// that [`attempts`] counts.
///
/// # Errors
/// Returns an error if the processor is not supported.
pub fn program(layers: &Layers, asks: bool) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(ARCH).map_err(io::Error::other)?;
    let known = ARCHITECTURES.into_iter().find(|(name, _)| *name == ARCH);
    let (_, architecture) = known.ok_or(io::ErrorKind::Unsupported)?;
    let rules = list(layers)?;
    let mut answers: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    answers.extend(rules.keys().map(|&call| (call as u32, None)));
    let by_number = unconditional_answers(layers, asks).into_iter();
    answers.extend(by_number.map(|(call, action)| (call as u32, Some(action))));
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch);
    let list = filter.and_then(BpfProgram::try_from).map_err(io::Error::other)?;
    let head = [
        load(ARCHITECTURE),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, 0, architecture),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
    ];
    let search = search(&ranges(&answers), 0)?;
    Ok(head.into_iter().chain(search).chain(list).collect())
}

/// Returns the ranges of numbers with one answer, by their first numbers. All other calls than
/// those in `answers` are allowed.
fn ranges(answers: &BTreeMap<u32, Option<u32>>) -> Vec<(u32, Option<u32>)> {
    let allowed = Some(libc::SECCOMP_RET_ALLOW);
    let mut ranges = BTreeMap::from([(0, allowed), (X32, Some(errno(libc::ENOSYS)))]);
    for (&call, &answer) in answers {
        ranges.insert(call, answer);
        if !answers.contains_key(&(call + 1)) {
            ranges.insert(call + 1, allowed);
        }
    }
    let mut ranges: Vec<(u32, Option<u32>)> = ranges.into_iter().collect();
    ranges.dedup_by_key(|(_, answer)| *answer);
    ranges
}

/// Returns the part of a filter that finds the range of a call in halves. It gives the answer, or
/// goes on after `rest` more instructions. The kernel runs a new filter once for each call that it
/// knows: one that compares with one call after the other took it 270 us to install, and this one
/// 110 us (2026-11-29).
///
/// # Errors
/// Returns an error if a part is too long to be skipped.
fn search(ranges: &[(u32, Option<u32>)], rest: usize) -> io::Result<BpfProgram> {
    if let [(_, found)] = *ranges {
        return Ok(vec![found.map_or(jump(rest), answer)]);
    }
    let (before, after) = ranges.split_at(ranges.len() / 2);
    let second = search(after, rest)?;
    let first = search(before, rest + second.len())?;
    let skipped = u8::try_from(first.len()).map_err(io::Error::other)?;
    let is_after = instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, skipped, 0, after[0].0);
    Ok(std::iter::once(is_after).chain(first).chain(second).collect())
}

/// Returns the answers to calls that do not depend on their arguments.
fn unconditional_answers(layers: &Layers, asks: bool) -> BTreeMap<c_long, u32> {
    let mut answers: BTreeMap<c_long, u32> = BTreeMap::new();
    answers.extend(unconditional(layers).map(|call| match asks && attempts::is_counted(call) {
        true => (call, libc::SECCOMP_RET_USER_NOTIF),
        false => (call, errno(libc::EPERM)),
    }));
    answers.extend(MISSING.iter().map(|&call| (call, errno(libc::ENOSYS))));
    if layers.level == Level::Full {
        // The scheduler shares a processor among sessions: with many a program would starve its
        // launcher and other programs. At the other levels the call is refused.
        answers.insert(libc::SYS_setsid, errno(0));
    }
    if !may_lock(layers) {
        // A JVM that cannot lock its own file says so on standard output.
        answers.insert(libc::SYS_flock, errno(0));
    }
    answers
}

/// Returns the calls that the sandbox refuses whatever their arguments are.
fn unconditional(layers: &Layers) -> impl Iterator<Item = c_long> {
    let is_alone = layers.level != Level::Full;
    let lists = [
        (true, REFUSED),
        (true, REFUSED_HERE),
        (!layers.has_network, NETWORK),
        (is_alone, CHANGES),
        (is_alone, CHANGES_HERE),
        (is_alone, LEAVES),
        (is_alone && !rules::scope_signals(), &[libc::SYS_pidfd_send_signal]),
    ];
    lists.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, calls)| calls).copied()
}

/// Returns `true` if the program may lock files, as it may write some.
fn may_lock(layers: &Layers) -> bool {
    layers.view.iter().any(|entry| entry.access == Access::Write)
}

/// Returns the rules of calls that are refused by their arguments.
fn list(layers: &Layers) -> io::Result<Rules> {
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
    if !may_lock(layers) {
        for command in LOCKS {
            refuse(libc::SYS_fcntl, &[(1, Eq, command as u64)])?;
        }
    }
    // A datagram socket of a pair could be connected to another one.
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
        refuse(libc::SYS_socketpair, &[(1, MaskedEq(0xf), kind as u64)])?;
    }
    if layers.has_network {
        let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        refuse(libc::SYS_socket, &families.map(|family| (0, Ne, family as u64)))?;
    }
    for (call, user) in ON_USER {
        refuse(call, &[(0, Eq, user)])?;
    }
    if layers.level == Level::Full {
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
    Ok(rules)
}

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> FilterInstruction {
    FilterInstruction { code: code as u16, jt, jf, k }
}

/// Loads the field of a call at this offset.
fn load(offset: u32) -> FilterInstruction {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

fn answer(action: u32) -> FilterInstruction {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, action)
}

/// Skips this number of instructions.
fn jump(skipped: usize) -> FilterInstruction {
    instruction(libc::BPF_JMP | libc::BPF_JA, 0, 0, skipped as u32)
}

/// Returns the action that has a call fail with an error, or succeed with 0.
fn errno(error: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | error as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launcher::layers::{SandboxLimits, ViewEntry};

    /// Runs a filter as the kernel does. Returns its action.
    fn run(program: &[FilterInstruction], number: u32, arguments: [u32; 6], arch: u32) -> u32 {
        let field = |offset: u32| match offset {
            NUMBER => number,
            ARCHITECTURE => arch,
            // Arguments have 64 bits each, of which the second half is zero here.
            of if (of - 16) % 8 == 0 => arguments[((of - 16) / 8) as usize],
            _ => 0,
        };
        let (mut at, mut value) = (0, 0);
        loop {
            let FilterInstruction { code, jt, jf, k } = program[at];
            at += 1;
            let jump = |is_so: bool| usize::from(if is_so { jt } else { jf });
            match u32::from(code) {
                0x20 => value = field(k),
                0x54 => value &= k,
                0x05 => at += k as usize,
                0x15 => at += jump(value == k),
                0x25 => at += jump(value > k),
                0x35 => at += jump(value >= k),
                0x06 => return k,
                code => panic!("instruction {code:#x}"),
            }
        }
    }

    #[test]
    fn each_call_has_its_answer() {
        let limits = SandboxLimits { memory: 1, processes: 1, files: 1, disk: 1 };
        let own = ARCHITECTURES.iter().find(|(name, _)| *name == ARCH).unwrap().1;
        let eperm = errno(libc::EPERM);
        for (level, has_network, writes, asks) in [
            (Level::Full, false, false, true),
            (Level::Full, true, true, false),
            (Level::Partial, false, true, true),
            (Level::Partial, true, false, false),
        ] {
            let access = if writes { Access::Write } else { Access::Read };
            let view = vec![ViewEntry::new(access, "/x")];
            let layers = Layers { level, view, has_network, limits };
            let filter = program(&layers, asks).unwrap();
            let refused: Vec<c_long> = unconditional(&layers).collect();
            for number in 0..1000 {
                let call = c_long::from(number);
                let expected = match call {
                    _ if MISSING.contains(&call) => errno(libc::ENOSYS),
                    libc::SYS_setsid if level == Level::Full => errno(0),
                    libc::SYS_flock if !writes => errno(0),
                    libc::SYS_socket if has_network => eperm,
                    libc::SYS_ptrace | libc::SYS_mount if asks => libc::SECCOMP_RET_USER_NOTIF,
                    libc::SYS_socket if asks => libc::SECCOMP_RET_USER_NOTIF,
                    _ if refused.contains(&call) && asks && attempts::is_counted(call) => {
                        libc::SECCOMP_RET_USER_NOTIF
                    }
                    _ if refused.contains(&call) => eperm,
                    _ => libc::SECCOMP_RET_ALLOW,
                };
                let found = run(&filter, number as u32, [0; 6], own);
                assert_eq!(found, expected, "call {number} at {level}");
            }
            let by_argument = |call: c_long, place: usize, argument: u32| {
                let mut arguments = [0; 6];
                arguments[place] = argument;
                run(&filter, call as u32, arguments, own)
            };
            let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32;
            assert_eq!(by_argument(libc::SYS_clone, 0, libc::CLONE_NEWUSER as u32), eperm);
            assert_eq!(by_argument(libc::SYS_mmap, 3, shared), eperm);
            assert_eq!(by_argument(libc::SYS_ioctl, 1, libc::TIOCSTI as u32), eperm);
            let lock = by_argument(libc::SYS_fcntl, 1, libc::F_SETLK as u32);
            assert_eq!(lock, if writes { libc::SECCOMP_RET_ALLOW } else { eperm });
            let number = libc::SYS_read as u32;
            assert_eq!(run(&filter, number | X32, [0; 6], own), errno(libc::ENOSYS));
            let foreign = run(&filter, number, [0; 6], own ^ 1);
            assert_eq!(foreign, libc::SECCOMP_RET_KILL_PROCESS);
        }
    }
}
