//! Start of a program in its sandbox, from the fork of the launcher to the call that executes it.

use super::canary;
use super::filter;
use super::layers::{Layers, Level, SandboxLimits};
use super::request::LaunchParts;
use super::socket::{receive_with, send_with};
use super::{groups, of_sandbox, rules};
use crate::sys;
use rustix::fs::Mode;
use rustix::io::write;
use rustix::net::{socketpair, AddressFamily, RecvFlags, SocketFlags, SocketType};
use rustix::process::{
    chdir, getpid, set_parent_process_death_signal, setrlimit, setsid, umask, Pid, Resource,
    Rlimit, Signal,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use rustix::thread::{
    capabilities_secure_bits, remove_capability_from_bounding_set, sched_setaffinity,
    secure_computing_mode, set_capabilities, set_capabilities_secure_bits, set_no_new_privs,
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, CpuSet, SecureComputingMode,
};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::exit;

/// Number of capabilities that the system may know. Linux 6.18 has 41; it refuses others.
const CAPABILITIES: u32 = 64;
/// Most signals that wait and timers that send them, of all processes of a program together. A
/// system gives a user some thousands. Not tuned.
const SIGNALS: u64 = 1024;
/// Error of a program that would get less protection than its sandbox promises.
const UNPROTECTED: i32 = libc::ENOPKG;

/// Messages of a program before its execution that come with a descriptor. Others are errors.
const COUNT: i32 = 0;
const LISTENER: i32 = -1;

/// Program that was started.
pub struct SandboxedProgram {
    /// Process of the program.
    pub process: Pid,
    /// Count of its CPU time, if the system allows one.
    pub count: Option<OwnedFd>,
    /// Descriptor through which the kernel asks about its calls, if it does.
    pub listener: Option<OwnedFd>,
}

/// Starts a program in a new session, with these standard streams, no blocked signals and the
/// default handlers of signals, in the control group of a folder if there is one.
///
/// # Errors
/// Returns the error of the step that fails, up to the execution of the program.
pub fn in_sandbox(
    parts: &LaunchParts,
    streams: &[OwnedFd; 3],
    group: Option<&OwnedFd>,
) -> io::Result<SandboxedProgram> {
    // It closes when the program is executed. The count and an error come through it.
    let flags = SocketFlags::CLOEXEC;
    let (report, sent) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
    let level = parts.layers.as_ref().map_or(Level::None, |layers| layers.level);
    // In such a namespace the launcher itself could not start programs in groups outside of it.
    let has_own_groups = level == Level::Full && !groups::has_version_1();
    let kinds = if has_own_groups { libc::CLONE_NEWCGROUP } else { 0 };
    let Some(program) = sys::fork_into(kinds, group)? else {
        // Opened here, so that the launcher is not in it, and before the filter refuses it.
        if let Ok(count) = sys::count_cpu_time() {
            let _ = send_with(&sent, &COUNT.to_le_bytes(), &[count.as_fd()]);
        }
        let error = match prepare(parts, streams, &sent) {
            Ok(()) if parts.path.is_empty() => {
                // The launcher, which answers its calls, waits for this end.
                drop(sent);
                exit(canary::exit_code(level))
            }
            Ok(()) => sys::execute(parts.path, &parts.arguments, &parts.environment),
            Err(error) => error,
        };
        let number = error.raw_os_error().unwrap_or(libc::EIO);
        let _ = write(&sent, &number.to_le_bytes());
        exit(1);
    };
    drop(sent);
    let (mut started, mut number) =
        (SandboxedProgram { process: program, count: None, listener: None }, [0; 4]);
    loop {
        let (bytes, descriptors) = receive_with(&report, &mut number, RecvFlags::empty())?;
        let descriptor = descriptors.into_iter().next();
        match (bytes, i32::from_le_bytes(number)) {
            (0, _) => return Ok(started),
            (_, COUNT) => started.count = descriptor,
            (_, LISTENER) => started.listener = descriptor,
            (_, error) => return Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Prepares this process for the execution of its program.
fn prepare(
    parts: &LaunchParts,
    [stdin, stdout, stderr]: &[OwnedFd; 3],
    sent: &OwnedFd,
) -> io::Result<()> {
    setsid()?;
    dup2_stdin(stdin)?;
    dup2_stdout(stdout)?;
    dup2_stderr(stderr)?;
    if !parts.folder.is_empty() {
        chdir(parts.folder)?;
    }
    if !parts.processors.is_empty() {
        let mut processors = CpuSet::new();
        parts.processors.iter().for_each(|&number| processors.set(number));
        // A processor may be gone: the program then runs on those of the launcher.
        let _ = sched_setaffinity(None, &processors);
    }
    if let Some(layers) = parts.layers.as_ref().filter(|layers| layers.level > Level::None) {
        lock_up(layers, sent).map_err(of_sandbox)?;
    }
    sys::reset_signals();
    Ok(())
}

/// Applies the layers of a sandbox to this process, and checks them. The descriptor through which
/// the kernel asks about calls is sent to the launcher.
fn lock_up(layers: &Layers, sent: &OwnedFd) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    umask(Mode::from_raw_mode(0o077));
    limit(layers)?;
    give_up_privileges()?;
    if layers.level >= Level::Partial {
        // Compiled before the rules, after which less can be read.
        let filter = filter::program(layers, true)?;
        rules::restrict(layers)?;
        match sys::install_asking_filter(&filter) {
            Ok(listener) => {
                send_with(sent, &LISTENER.to_le_bytes(), &[listener.as_fd()])?;
            }
            // Only one program can be asked: here the one that made this container.
            Err(_) => sys::install_filter(&filter::program(layers, false)?)?,
        }
    }
    match is_protected(layers.level) {
        true => Ok(()),
        false => Err(io::Error::from_raw_os_error(UNPROTECTED)),
    }
}

/// Sets the resource limits of the program.
fn limit(layers: &Layers) -> io::Result<()> {
    let SandboxLimits { processes, files, disk, .. } = layers.limits;
    let mut limits = vec![(Resource::Core, 0), (Resource::Fsize, disk), (Resource::Nofile, files)];
    // No task can raise its priority again, so that a low one stays known as such.
    limits.push((Resource::Nice, 0));
    // Elsewhere they count all processes of the user.
    if layers.level == Level::Full {
        limits.push((Resource::Nproc, processes));
        limits.push((Resource::Sigpending, SIGNALS));
    }
    for (resource, most) in limits {
        let before = rustix::process::getrlimit(resource);
        let most = Some(before.maximum.map_or(most, |maximum| maximum.min(most)));
        setrlimit(resource, Rlimit { current: most, maximum: most })?;
    }
    Ok(())
}

/// Gives up every privilege of the superuser, for ever.
fn give_up_privileges() -> io::Result<()> {
    // An ordinary user has none, and may not change these sets.
    for number in 0..CAPABILITIES {
        let _ = remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number));
    }
    if let Ok(bits) = capabilities_secure_bits() {
        let none = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        let _ = set_capabilities_secure_bits(bits | none);
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(set_no_new_privs(true)?)
}

/// Returns `true` if this process has the protection of a level.
fn is_protected(level: Level) -> bool {
    let has_filter = secure_computing_mode().is_ok_and(|mode| mode == SecureComputingMode::Filter);
    let has_given_up = rustix::thread::no_new_privs().is_ok_and(|given_up| given_up);
    match level {
        Level::None => true,
        Level::Weak => has_given_up,
        Level::Partial => has_given_up && has_filter,
        Level::Full => has_given_up && has_filter && is_alone(),
    }
}

/// Returns `true` if the parent of this process is the first of its namespace, and if `/proc` shows
/// that namespace.
fn is_alone() -> bool {
    let own = getpid().as_raw_nonzero().to_string();
    rustix::process::getppid() == Some(Pid::INIT)
        && fs::read_link("/proc/self").is_ok_and(|link| link == Path::new(&own))
}
