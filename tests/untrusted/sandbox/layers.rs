//! Attempts of a shell and of Python, each of which a layer refuses.

use crate::sandbox::harness::{layers, run, PROTECTED};
use arbitre_process::launcher::layers::Level;
use std::fmt::Write;

/// Script, and a part of its output at the levels partial and full.
type Attempt = (&'static str, [&'static str; 2]);

const DENIED: [&str; 2] = ["Permission denied"; 2];
const HIDDEN: [&str; 2] = ["Permission denied", "No such file"];
const REFUSED: [&str; 2] = ["Operation not permitted"; 2];

#[rustfmt::skip]
const ATTEMPTS: &[Attempt] = &[
    // The view.
    ("cat /etc/passwd", HIDDEN),
    ("ls /sys", HIDDEN),
    ("ls /home /root", HIDDEN),
    ("echo x > /usr/x", ["Permission denied", "Read-only file system"]),
    ("echo x > /new", ["Permission denied", "Read-only file system"]),
    ("echo x > /tmp/x && cat /tmp/x", ["Permission denied", "x\n"]),
    ("echo x > /dev/shm/x && cat /tmp/x", ["Permission denied", "x\n"]),
    ("echo x > /dev/null && echo fine", ["fine"; 2]),
    ("head -c 9 /dev/urandom | wc -c", ["9\n"; 2]),
    ("head -c 9 /dev/zero", HIDDEN),
    ("chmod 666 /dev/null", ["Operation not permitted", "Read-only file system"]),
    ("touch /usr/bin/env", ["touch:"; 2]),
    ("mkfifo /tmp/fifo && rm /tmp/fifo && echo fine", ["Permission denied", "fine"]),
    // Processes.
    ("cat /proc/1/environ", DENIED),
    ("kill -0 $PPID", REFUSED),
    ("echo $$", ["", "2\n"]),
    ("sleep 9 & kill $! && wait $!; echo $?", ["143\n"; 2]),
    ("ls -d /proc/[0-9]* | head -3 | wc -l", ["", "3\n"]),
    ("echo x > /proc/sys/kernel/core_pattern", ["Permission denied", "Read-only file system"]),
    ("grep -c processor /proc/cpuinfo > /dev/null && echo fine", ["fine"; 2]),
    ("/usr/bin/setsid --fork echo fine", ["setsid: setsid failed", "fine"]),
    ("timeout 9 echo fine", ["fine"; 2]),
    // System calls.
    ("unshare --user true", REFUSED),
    ("unshare --mount true", REFUSED),
    ("mount -t tmpfs none /tmp", ["mount: /tmp: "; 2]),
    ("/usr/sbin/chroot / true", ["chroot: "; 2]),
    ("nice -n -5 true", ["cannot set niceness"; 2]),
    ("umask; ulimit -c; ulimit -n", ["0077\n0\n64\n"; 2]),
    // Privileges.
    ("su root -c true", ["su:"; 2]),
    ("env | grep -v PWD", ["PATH=/usr/bin:/bin\n"; 2]),
    ("date --set 2000-01-01", REFUSED),
];

fn python(code: &str) -> String {
    // The imports make no difference that is tested.
    format!("/usr/bin/python3 -I -c \"import ctypes, fcntl, mmap, os, socket, sys\n{code}\"")
}

/// Python code that raises an error where it is refused.
#[rustfmt::skip]
const CALLS: &[Attempt] = &[
    ("socket.socket()", REFUSED),
    ("socket.socket(socket.AF_UNIX)", REFUSED),
    ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", REFUSED),
    ("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)", REFUSED),
    ("socket.socketpair()\nprint('fine')", ["fine"; 2]),
    ("mmap.mmap(-1, 4096)", REFUSED),
    ("mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\nprint('fine')", ["fine"; 2]),
    ("os.memfd_create('x')", REFUSED),
    // It does nothing.
    ("files = [open('/usr/bin/env') for _ in '12']\nfor file in files: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\nprint('fine')", ["fine"; 2]),
    ("fcntl.lockf(open('/usr/bin/env'), fcntl.LOCK_SH)", REFUSED),
    ("fcntl.fcntl(1, fcntl.F_SETOWN, 1)", REFUSED),
    ("os.kill(1, 0)", REFUSED),
    ("os.setpriority(os.PRIO_PROCESS, 1, 9)", REFUSED),
    ("os.sched_setaffinity(os.getppid(), [0])", ["not permitted", ""]),
    ("os.setuid(54321)", ["not permitted", "Invalid argument"]),
    ("import threading\nthreading.Thread(target=print, args=['fine']).start()", ["fine"; 2]),
    ("import subprocess\nprint(subprocess.run(['echo', 'fine'], stdout=-1).stdout)", ["fine"; 2]),
    // The owner's flags of a file: FS_IOC_SETFLAGS.
    ("import struct\nfcntl.ioctl(open('/usr/bin/env'), 0x40086602, struct.pack('l', 0x80))", ["not permitted", ""]),
    // setxattrat, removexattrat, open_tree_attr and file_setattr.
    ("c = ctypes.CDLL(None, use_errno=True)\nfor call in [463, 466, 467, 469]:\n  c.syscall(call, -1, 0, 0, 0, 0, 0)\n  print(ctypes.get_errno())", ["1\n1\n1\n1\n", ""]),
    // System calls of x86-64 by their numbers: ptrace, io_uring_setup, bpf, keyctl, shmget,
    // vmsplice, io_setup, and getpid with 32-bit pointers.
    ("c = ctypes.CDLL(None, use_errno=True)\nfor call in [101, 425, 321, 250, 29, 278, 206, 0x40000000 | 39]:\n  assert c.syscall(call, 0, 4096, 0o1600) == -1, call\n  print(ctypes.get_errno())", ["1\n38\n1\n1\n1\n1\n1\n38\n"; 2]),
    // It does nothing.
    ("child = os.fork()\nif child == 0:\n  os.setsid()\n  print('left' if os.getsid(0) == os.getpid() else 'stayed')\nelse:\n  os.waitpid(child, 0)", ["not permitted", "stayed"]),
    // Elsewhere it counts the signals of all processes of the user.
    ("import resource\nprint(resource.getrlimit(11) == (1024, 1024))", ["", "True"]),
];

#[test]
fn each_attempt_is_refused() {
    let mut wrong = String::new();
    let has_python = std::path::Path::new("/usr/bin/python3").exists();
    if !has_python {
        eprintln!("SKIPPED: there is no /usr/bin/python3, so no attempts of Python were made");
    }
    let calls = CALLS.iter().filter(|_| has_python && cfg!(target_arch = "x86_64"));
    let calls = calls.map(|(code, expected)| (python(code), expected));
    let scripts = ATTEMPTS.iter().map(|(script, expected)| ((*script).to_owned(), expected));
    for (script, expected) in scripts.chain(calls) {
        for (level, expected) in PROTECTED.into_iter().zip(expected) {
            let output = run(&layers(level), &script);
            if !output.contains(expected) {
                writeln!(wrong, "{level}: {script}\n  expected {expected:?}, got {output:?}")
                    .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// At the weak level nothing may be tried, as nothing would be refused.
#[test]
fn weak_sandbox_has_limits_and_no_privileges() {
    let output = run(
        &layers(Level::Weak),
        "umask; ulimit -c; ulimit -n; grep -E 'CapEff|NoNew' /proc/self/status",
    );
    assert_eq!(output, "0077\n0\n64\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
}
