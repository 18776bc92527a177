//! Limits of a sandbox on memory, processes and files.

use crate::sandbox::harness::{layers, run, run_to_end, start, REFEREE};
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::{Access, Layers, Level, SandboxLimits, ViewEntry};
use arbitre_process::launcher::Launcher;

/// Levels with limits that are tried from inside. At the weak level a bomb could leave the sandbox.
const LEVELS: [Level; 2] = [Level::Partial, Level::Full];

fn limited(level: Level, change: impl FnOnce(&mut SandboxLimits)) -> Layers {
    let mut layers = layers(level);
    change(&mut layers.limits);
    layers
}

/// A shell that doubles a text.
const GROW: &str = "x=0123456789abcdef; while [ ${#x} -lt 200000000 ]; do x=$x$x; done; echo fine";

#[test]
fn memory_is_limited_over_all_processes() {
    for level in LEVELS {
        let layers = limited(level, |limits| limits.memory = 40 << 20);
        let (output, end) = run_to_end(&layers, GROW);
        assert_eq!((output.as_str(), end), ("", Exit::MemoryLimit), "{level}");
        // Each of them stays below the limit.
        let several = "for i in 1 2 3 4; do (x=0123456789abcdef; \
                       while [ ${#x} -lt 12000000 ]; do x=$x$x; done; sleep 20) & done; wait; echo fine";
        let (output, end) = run_to_end(&layers, several);
        assert_eq!((output.as_str(), end), ("", Exit::MemoryLimit), "{level}");
    }
}

/// Programs beside a limit of 100 MiB, and whether they are within it. Each has a table of 60 MB.
const TABLES: [(&str, bool); 9] = [
    ("for i in range(20): subprocess.run(['/bin/true'])", true),
    ("for i in range(20): os.system('/bin/true')", true),
    ("for i in range(20): fork(lambda: None); os.wait()", true),
    ("[fork(lambda: time.sleep(1)) for i in range(4)]; wait()", true),
    // A part of the table is copied.
    ("[fork(lambda: fill(4)) for i in range(4)]; wait()", true),
    ("open_file()[::4096]", true),
    ("[fork(lambda: fill(40)) for i in range(2)]; wait()", false),
    ("other = bytearray(b'x') * 60_000_000", false),
    // The system finds two processes whose first threads have ended equal.
    ("end_first(lambda: fork(lambda: end_first(lambda: (fill(50), time.sleep(9)))))", false),
];

#[test]
fn shared_memory_counts_once_and_files_do_not() {
    if !std::path::Path::new("/usr/bin/python3").exists() {
        eprintln!("SKIPPED: there is no /usr/bin/python3");
        return;
    }
    let file = arbitre_test_support::command::scratch().join("mapped");
    std::fs::File::create(&file).unwrap().set_len(150 << 20).unwrap();
    for level in LEVELS {
        let mut layers = limited(level, |limits| limits.memory = 100 << 20);
        layers.view.push(ViewEntry::new(Access::Read, &file));
        for (act, is_within) in TABLES {
            let script = format!(
                "exec /usr/bin/python3 -I -c \"
import ctypes, mmap, os, platform, subprocess, threading, time
table = bytearray(b'x') * 60_000_000
def fork(act):
    if os.fork() == 0: act(); os._exit(0)
def fill(megabytes):
    table[:megabytes * 1_000_000] = b'y' * (megabytes * 1_000_000)
    time.sleep(1)
def wait():
    try:
        while True: os.wait()
    except OSError: pass
def end_first(act):
    threading.Thread(target=lambda: (time.sleep(0.1), act(), time.sleep(9))).start()
    ctypes.CDLL(None).syscall(60 if platform.machine() == 'x86_64' else 93, 0)
def open_file():
    return mmap.mmap(os.open('{}', os.O_RDONLY), 0, prot=mmap.PROT_READ)
{act}
time.sleep(0.1)
print('fine')\"",
                file.display()
            );
            let expected = match is_within {
                true => ("fine\n".to_owned(), Exit::Code(0)),
                false => (String::new(), Exit::MemoryLimit),
            };
            assert_eq!(run_to_end(&layers, &script), expected, "{level}: {act}");
        }
    }
}

#[test]
fn reserved_memory_is_free() {
    let layers = limited(Level::Full, |limits| limits.memory = 40 << 20);
    let script = "/usr/bin/python3 -I -c 'import mmap; \
                  mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); \
                  print(\"fine\")'";
    match std::path::Path::new("/usr/bin/python3").exists() {
        true => assert_eq!(run_to_end(&layers, script), ("fine\n".into(), Exit::Code(0))),
        false => eprintln!("SKIPPED: there is no /usr/bin/python3"),
    }
}

/// The system shows no memory of a process whose first thread has ended.
#[test]
fn memory_is_limited_without_a_first_thread() {
    let script = "exec /usr/bin/python3 -I -c '
import ctypes, platform, threading, time
def grow():
    time.sleep(0.2)
    filled = bytearray(b\"x\") * 200_000_000
    time.sleep(20)
threading.Thread(target=grow).start()
ctypes.CDLL(None).syscall(60 if platform.machine() == \"x86_64\" else 93, 0)'";
    for level in LEVELS {
        let layers = limited(level, |limits| limits.memory = 60 << 20);
        match std::path::Path::new("/usr/bin/python3").exists() {
            true => assert_eq!(run_to_end(&layers, script), (String::new(), Exit::MemoryLimit)),
            false => eprintln!("SKIPPED: there is no /usr/bin/python3"),
        }
    }
}

/// The kernel refuses another process, or the watch ends all of them where the user is the
/// superuser, whose processes the kernel does not count.
#[test]
fn processes_are_limited() {
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20 & done; echo fine; wait";
    for level in LEVELS {
        let layers = limited(level, |limits| limits.processes = 10);
        let (output, end) = run_to_end(&layers, script);
        let is_counted = level == Level::Full && !rustix::process::geteuid().is_root();
        match is_counted {
            true => assert!(output.contains("Cannot fork"), "{output}"),
            false => assert_eq!(end, Exit::ProcessLimit, "{output}"),
        }
    }
}

#[test]
fn scratch_folder_is_limited_in_bytes_and_files() {
    let layers = limited(Level::Full, |limits| limits.disk = 1 << 20);
    let output = run(
        &layers,
        "head -c 3000000 /dev/urandom > /tmp/a; head -c 600000 /dev/urandom > /tmp/b; \
                             head -c 600000 /dev/urandom > /tmp/c; du -sk /tmp",
    );
    assert!(output.contains("No space left") || output.contains("File size limit"), "{output}");
    let size: u32 = output.lines().last().unwrap().split('\t').next().unwrap().parse().unwrap();
    assert!(size <= 1024, "{output}");
    let output =
        run(&layers, "i=0; while [ $i -lt 300 ]; do : > /tmp/$i || exit; i=$((i+1)); done");
    assert!(output.contains("No space left"), "{output}");
}

#[test]
fn scratch_folder_is_empty_for_each_process() {
    let layers = layers(Level::Full);
    for _ in 0..2 {
        assert_eq!(run(&layers, "ls -A /tmp; echo x > /tmp/x; ls -A /tmp"), "x\n");
    }
}

/// The launchers of ended programs are gone, and the next program starts all the same.
#[test]
fn programs_follow_one_another() {
    let launcher = Launcher::default();
    for level in [Level::Full, Level::Partial, Level::Full, Level::None, Level::Weak, Level::Full] {
        let mut program = start(&launcher, &layers(level), "sleep 30");
        let processes = [program.program, program.launcher];
        program.freeze();
        program.thaw();
        assert_eq!(program.end(), None);
        program.kill();
        launcher.bury(program);
        let is_gone = |pid: &rustix::process::Pid| {
            let words = std::fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero()));
            words.is_ok_and(|words| words.starts_with(b"sleep"))
        };
        assert!(!processes.iter().any(is_gone), "{level} {REFEREE}");
    }
}
