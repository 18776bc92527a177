//! Attacks: Awélé bots that reach beyond their sandbox. Usage: `attack NAME`.
//!
//! Each attack acts at its first turn, writes to standard error whether it succeeded, and plays on
//! as an honest bot. The program uses only the standard library, so that the tests can compile it
//! with plain `rustc`.
//!
//! **No attack runs outside of the namespaces of its test**, which `namespaces.rs` makes: the
//! program checks this before anything else. Beside that every attack is limited in time, number
//! and size.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::process::{parent_id, CommandExt};
use std::path::Path;
use std::process::{exit, Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;
use sys::{call, check};

/// Name of the machine in the namespaces of the test.
pub const HOST: &str = "arbitre-villains";
/// Home of the user in the namespaces of the test.
pub const HOME: &str = "/home/player";
/// Limit of every sandbox on processes.
pub const PROCESSES: u64 = 32;
/// Limit of every sandbox on memory, in bytes.
pub const MEMORY: usize = 64 << 20;
/// Limit of every sandbox on the scratch folder, in bytes.
pub const DISK: usize = 4 << 20;

/// Lifetime of every process in seconds.
pub const LIFE: u32 = 20;
/// Attack that acts at every turn.
const WATCH: &str = "watch";
/// Number of processes or threads at which an attack has more than its limit, and stops.
const CROWD: usize = 100;
/// Number of files at which an attack has more than its limit, and stops.
const FILES: usize = 3000;
/// Size at which an attack has more memory than its limit, and stops, in bytes.
const MUCH: usize = MEMORY * 2;
/// Time for which an attack stays beyond a limit. A watchdog looks every 40 ms, and late on a busy
/// machine.
const WATCH_TIME: Duration = Duration::from_secs(2);
/// Largest distance from the own process number at which others are looked for.
const NEAR: i32 = 300;

/// Name of an attack, and what it does at its first turn.
type Attack = (&'static str, fn());

/// Attacks in the order of the list of hostile programs.
pub const ATTACKS: &[Attack] = &[
    ("honest", || {}),
    // Floods.
    ("fork-bomb", || bomb(|| {})),
    ("fork-bomb-in-sessions", || bomb(sys::new_session)),
    ("daemon", leave_a_daemon),
    ("thread-bomb", start_threads),
    ("memory-bomb", fill_memory),
    ("reserve-64-gib", reserve),
    ("shared-memory", share_memory),
    ("zombies", leave_zombies),
    ("disk-flood", flood_disk),
    ("inode-flood", flood_inodes),
    // Other processes.
    ("signals", signal_others),
    ("kill-all", kill_all),
    ("trace", trace_others),
    ("opponents-pipes", open_pipes),
    ("priorities", change_priorities),
    // Files.
    ("read-files", read_files),
    ("stat-files", stat_files),
    ("stored-match", change_match),
    ("plant-files", plant_files),
    ("change-files", change_files),
    ("leave-links", leave_links),
    ("replace-itself", replace_itself),
    // The kernel.
    ("sockets", open_sockets),
    ("rendezvous", meet),
    (WATCH, watch),
    ("system-calls", call_kernel),
    ("x32", call_x32),
    ("int-0x80", call_32_bit),
    ("setuid", gain_privileges),
    ("core-dump", dump_core),
    ("descriptors", find_descriptors),
    ("exec", || {}),
];

fn main() {
    refuse_outside();
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, act)) = ATTACKS.iter().find(|(known, _)| *known == name) else {
        fail("usage: attack NAME")
    };
    sys::live_for(LIFE);
    play(&name, *act);
}

/// Ends this process unless it is in the namespaces of its test. The name of the machine is theirs
/// alone, and no sandbox hides it.
fn refuse_outside() {
    let name = sys::machine_name();
    let links = ["user", "pid"].map(|kind| fs::read_link(format!("/proc/self/ns/{kind}")));
    // The numbers of the first namespaces of a machine, which are fixed.
    let first = ["user:[4026531837]", "pid:[4026531836]"].map(Path::new);
    let is_first = links
        .iter()
        .zip(first)
        .any(|(link, first)| link.as_ref().map_or(true, |link| link == first));
    if name != HOST || is_first {
        fail("an attack runs only inside the namespaces of its test");
    }
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    exit(2)
}

/// Plays to the end of the input.
fn play(name: &str, act: fn()) {
    let (mut has_acted, mut legal) = (false, String::new());
    for line in io::stdin().lines().map_while(Result::ok) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "begin" => say("ready attack\n"),
            "legal" => legal = rest.split(' ').next().unwrap_or_default().to_owned(),
            "go" => {
                if !std::mem::replace(&mut has_acted, true) || name == WATCH {
                    act();
                }
                say(&format!("{legal}\n"));
                if name == "exec" {
                    done("execute itself");
                    let error = Command::new("/proc/self/exe").arg("honest").exec();
                    fail(&error.to_string());
                }
            }
            _ => {}
        }
    }
}

/// Writes to standard output, past the library's buffer. Ends the process if it is closed.
fn say(text: &str) {
    if sys::write(1, text.as_bytes()) != Some(text.len()) {
        exit(0);
    }
}

/// Reports the result of an attempt. `label` must not contain a colon.
fn report<T>(label: impl Display, result: io::Result<T>) {
    match result {
        Ok(_) => say_aside(&format!("SUCCEEDED: {label}\n")),
        Err(error) => say_aside(&format!("refused: {label}: {error}\n")),
    }
}

/// Reports success of a call where it had an effect on another process.
fn report_effect(label: &str, result: io::Result<()>, has_effect: bool) {
    let refused = result.err().unwrap_or(io::Error::other("no effect"));
    report(label, if has_effect { Ok(()) } else { Err(refused) });
}

/// Reports an act that is allowed, but must have no effect outside.
fn done(label: impl Display) {
    say_aside(&format!("done: {label}\n"));
}

fn say_aside(line: &str) {
    sys::write(2, line.as_bytes());
}

/// Reports success where a count is beyond a limit.
fn report_count(label: &str, count: usize, limit: usize) {
    let refused = io::Error::other(format!("{count} of {limit}"));
    report(label, if count >= limit { Ok(()) } else { Err(refused) });
}

/// Reports success where there are more tasks than the limit, and keeps them.
fn report_crowd(label: &str, count: usize) {
    report_count(label, count, CROWD);
    if count >= CROWD {
        sleep(WATCH_TIME);
    }
}

/// Starts processes that start processes. Each of them writes a byte to a pipe, so that they are
/// counted.
fn bomb(prepare: fn()) {
    let [counted, counter] = sys::pipe().expect("two descriptors are free");
    let mut count = 0;
    for _ in 0..50 {
        match sys::fork() {
            Some(0) => {
                prepare();
                loop {
                    sys::live_for(LIFE / 2);
                    sys::write(counter, b"x");
                    // A process whose fork failed tries again later.
                    while sys::fork().is_none() {
                        sleep(Duration::from_millis(5));
                    }
                }
            }
            _ => sleep(Duration::from_millis(2)),
        }
        count += sys::read_some(counted);
        if count >= CROWD {
            break;
        }
    }
    report_crowd("start processes", count);
}

/// Leaves a process in a session of its own, whose parent has ended.
fn leave_a_daemon() {
    if sys::fork() == Some(0) {
        sys::new_session();
        if sys::fork() == Some(0) {
            sys::live_for(LIFE / 2);
            sys::close_streams();
            sleep(Duration::from_secs(LIFE.into()));
        }
        exit(0);
    }
    done("leave a daemon");
}

fn start_threads() {
    let start = |_: &usize| {
        let life = || sleep(Duration::from_secs(LIFE.into()));
        std::thread::Builder::new().stack_size(1 << 16).spawn(life).is_ok()
    };
    report_crowd("start threads", (0..CROWD).take_while(start).count());
}

/// Fills memory, and keeps it.
fn fill_memory() {
    let memory = sys::private_memory(MUCH).expect("it is only reserved");
    memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    sleep(WATCH_TIME);
    report("fill memory", Ok(()));
}

fn reserve() {
    match sys::reserved_memory(64 << 30) {
        Ok(()) => done("reserve 64 GiB"),
        Err(error) => say_aside(&format!("NEEDED: reserve 64 GiB: {error}\n")),
    }
}

/// Keeps memory that does not count as resident in any process.
fn share_memory() {
    sys::ignore_size_signal();
    report("memfd_create", sys::memfd(MUCH));
    report("memfd_secret", check(call(447, [0; 6])));
    report("shmget", check(call(29, [0, MUCH as i64, 0o1600, 0, 0, 0])));
    report("shared memory without a file", sys::shared_memory(None, MUCH));
    report("shared memory of /dev/zero", sys::shared_memory(Some("/dev/zero"), MUCH));
    let file = fs::File::create("/dev/shm/memory");
    report("a file in /dev/shm", file.and_then(|file| write_much(file, MUCH)));
}

/// Writes to a file until it has this size.
fn write_much(mut file: fs::File, bytes: usize) -> io::Result<()> {
    let piece = vec![1; 1 << 20];
    (0..bytes >> 20).try_for_each(|_| io::Write::write_all(&mut file, &piece))
}

fn leave_zombies() {
    let mut count = 0;
    for _ in 0..10_000 {
        match sys::fork() {
            Some(0) => sys::exit_at_once(),
            Some(_) => count += 1,
            None => break,
        }
        if count % 16 == 0 {
            sleep(Duration::from_millis(1));
        }
    }
    report_crowd("leave zombies", count);
}

/// Folders that other programs may use, too.
const FOLDERS: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/home/player/attacker"];

fn flood_disk() {
    sys::ignore_size_signal();
    let mut written = 0;
    for folder in FOLDERS {
        for number in 0..8 {
            let file = fs::File::create(Path::new(folder).join(format!("flood-{number}")));
            let Ok(file) = file else { break };
            let size =
                |file: &fs::File| file.metadata().map_or(0, |metadata| metadata.len() as usize);
            let copy = file.try_clone();
            let _ = write_much(file, DISK);
            written += copy.as_ref().map_or(0, size);
        }
    }
    report_count("write files", written, 2 * DISK + 1);
}

fn flood_inodes() {
    let create = |path: String| fs::File::create(path).is_ok();
    let count = |folder: &&str| {
        (0..FILES).take_while(|number| create(format!("{folder}/inode-{number}"))).count()
    };
    report_count("create files", FOLDERS.iter().map(count).sum(), FILES);
}

/// Returns the numbers near the own one, where opponent, launcher and referee are.
fn others() -> impl Iterator<Item = i32> {
    let own = std::process::id() as i32;
    (1..own + NEAR).filter(move |&pid| pid != own)
}

/// Reports whether an attempt succeeds on any other process.
fn on_others(label: &str, attempt: impl Fn(i32) -> io::Result<()>) {
    let mut last = io::Error::other("there is no other process");
    for pid in others() {
        match attempt(pid) {
            Ok(()) => return report(label, Ok(())),
            // Of the errors, that of a process that exists is the most telling.
            Err(error) if [Some(2), Some(3)].contains(&error.raw_os_error()) => {}
            Err(error) => last = error,
        }
    }
    report(label, Err::<(), _>(last));
}

fn long(number: i32) -> i64 {
    number.into()
}

/// Asks whether signals may be sent, and sends none.
fn signal_others() {
    on_others("kill", |pid| check(call(62, [long(pid), 0, 0, 0, 0, 0])));
    on_others("tkill", |pid| check(call(200, [long(pid), 0, 0, 0, 0, 0])));
    on_others("tgkill", |pid| check(call(234, [long(pid), long(pid), 0, 0, 0, 0])));
    on_others("kill a group", |pid| {
        // There is no group 1, as that number means all processes.
        let group = if pid == 1 { long(pid) } else { long(-pid) };
        check(call(62, [group, 0, 0, 0, 0, 0]))
    });
    on_others("pidfd_send_signal", |pid| {
        let opened = call(434, [long(pid), 0, 0, 0, 0, 0]);
        check(opened)?;
        let sent = check(call(424, [opened, 0, 0, 0, 0, 0]));
        sys::close(opened);
        sent
    });
}

/// Kills every process that it may.
fn kill_all() {
    let parent = parent_id();
    let error = check(call(62, [-1, 9, 0, 0, 0, 0]));
    sleep(Duration::from_millis(50));
    // The system reports success where it sent nothing, too.
    report_effect("kill all", error, parent != parent_id());
}

fn trace_others() {
    on_others("ptrace", |pid| check(call(101, [0x4206, long(pid), 0, 0, 0, 0])));
    on_others("process_vm_readv", |pid| sys::peek(310, pid));
    on_others("process_vm_writev", |pid| sys::peek(311, pid));
    on_others("/proc/PID/mem", |pid| {
        OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")).map(drop)
    });
    on_others("pidfd_getfd", |pid| {
        let opened = call(434, [long(pid), 0, 0, 0, 0, 0]);
        check(opened)?;
        let copied = check(call(438, [opened, 0, 0, 0, 0, 0]));
        sys::close(opened);
        copied
    });
    on_others("kcmp", |pid| check(call(312, [std::process::id().into(), long(pid), 0, 0, 0, 0])));
}

fn open_pipes() {
    for (number, write) in [(0, true), (1, true), (1, false)] {
        on_others(&format!("/proc/PID/fd/{number}"), |pid| {
            let path = format!("/proc/{pid}/fd/{number}");
            // Opening must not wait for another end.
            let flags = std::os::unix::fs::OpenOptionsExt::custom_flags;
            let mut options = OpenOptions::new();
            flags(options.read(!write).write(write), 0o4000).open(path).map(drop)
        });
    }
}

/// Changes how other processes are scheduled, and their limits.
fn change_priorities() {
    on_others("prlimit", sys::limit_files);
    on_others("sched_setaffinity", sys::bind_to_first_processor);
    on_others("sched_setscheduler", |pid| sys::schedule(pid, 3));
    on_others("SCHED_FIFO", |pid| sys::schedule(pid, 1));
    on_others("ioprio_set", |pid| check(call(251, [1, long(pid), 3 << 13, 0, 0, 0])));
    on_others("setpriority", |pid| check(call(141, [0, long(pid), 1, 0, 0, 0])));
    // Of all processes of the user.
    let error = check(call(141, [2, 0, 3, 0, 0, 0]));
    let parents = call(140, [0, parent_id().into(), 0, 0, 0, 0]);
    // The system counts from 20 down.
    report_effect("setpriority of a user", error, parents == 20 - 3);
    let error = check(call(251, [3, call(107, [0; 6]), 3 << 13, 0, 0, 0]));
    let parents = call(252, [1, parent_id().into(), 0, 0, 0, 0]);
    report_effect("ioprio_set of a user", error, parents == 3 << 13);
}

/// File that both players may read.
const SHARED: &str = "/usr/bin/env";

const SECRET: &str = "/home/player/opponent/secret";
const MATCH: &str = "/home/player/matches/match.db";
const OWN: &str = "/home/player/attacker/attack";
const NOTES: &str = "/home/player/attacker/notes";

fn read_files() {
    for path in [SECRET, MATCH, "/home/player/.config/token", "/etc/shadow", "/proc/1/environ"] {
        report(format!("read {path}"), fs::read(path));
    }
    report(
        "list the opponent's folder",
        fs::read_dir("/home/player/opponent")
            .and_then(|mut entries| entries.next().ok_or(io::Error::other("it is empty"))),
    );
    for part in ["environ", "cwd/secret", "root/home/player/opponent/secret", "maps"] {
        on_others(&format!("read /proc/PID/{part}"), |pid| {
            // An empty answer tells nothing.
            let read = fs::read(format!("/proc/{pid}/{part}"))?;
            if read.is_empty() {
                Err(io::Error::other("it is empty"))
            } else {
                Ok(())
            }
        });
    }
}

fn stat_files() {
    for path in [SECRET, MATCH] {
        report(format!("stat {path}"), fs::metadata(path));
    }
}

fn change_match() {
    report("append", OpenOptions::new().append(true).open(MATCH));
    report("truncate", sys::truncate(MATCH));
    report("link", fs::hard_link(MATCH, "/home/player/matches/copy.db"));
    report("create a log", fs::File::create("/home/player/matches/match.db-wal"));
    report("rename", fs::rename(MATCH, "/home/player/matches/other.db"));
    report(
        "delete",
        fs::remove_file("/home/player/matches/other.db").or_else(|_| fs::remove_file(MATCH)),
    );
    report("delete the folder", fs::remove_dir_all("/home/player/matches"));
}

fn plant_files() {
    for folder in [
        "/",
        "/home",
        HOME,
        "/home/player/attacker",
        "/home/player/opponent",
        "/var/tmp",
        "/run",
        "/usr",
        "/usr/bin",
        "/etc",
        "/programs",
        "/proc",
        "/dev",
    ] {
        report(
            format!("create a file in {folder}"),
            fs::write(Path::new(folder).join("planted"), "x"),
        );
    }
    // Scratch folders are those of the sandbox.
    for folder in ["/tmp", "/dev/shm"] {
        match fs::write(Path::new(folder).join("planted"), "x") {
            Ok(()) => done(format!("create a file in {folder}")),
            refused => report(format!("create a file in {folder}"), refused),
        }
    }
}

fn change_files() {
    for path in [NOTES, OWN, SECRET, MATCH, "/usr/bin/env", "/dev/null"] {
        report(
            format!("chmod {path}"),
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)),
        );
        report(format!("chown {path}"), sys::own(path));
        report(format!("utime {path}"), sys::touch(path));
        report(format!("setxattr {path}"), sys::mark(path));
    }
    for path in [NOTES, SECRET, "/usr/bin/env"] {
        report(format!("truncate {path}"), sys::truncate(path));
        report(format!("write {path}"), OpenOptions::new().write(true).open(path));
    }
    // A descriptor that may only read.
    if let Ok(file) = fs::File::open(NOTES) {
        report("fchmod", file.set_permissions(fs::Permissions::from_mode(0o777)));
        report("futimens", file.set_modified(std::time::UNIX_EPOCH));
    }
}

fn leave_links() {
    let folder = Path::new("/home/player/attacker");
    report("a symbolic link", symlink(MATCH, folder.join("link")));
    report("a hard link", fs::hard_link(NOTES, folder.join("hard")));
    report("a FIFO", sys::make_node(folder.join("fifo"), 0o010_600, 0));
    report("a device", sys::make_node(folder.join("device"), 0o020_600, 0x103));
    report("a folder", fs::create_dir(folder.join("folder")));
}

fn replace_itself() {
    report("write", OpenOptions::new().write(true).open(OWN));
    report("write by /proc/self/exe", OpenOptions::new().write(true).open("/proc/self/exe"));
    report("rename", fs::rename(OWN, "/home/player/attacker/other"));
    report("copy", fs::copy("/proc/self/exe", "/home/player/attacker/copy"));
    report(
        "delete",
        fs::remove_file(OWN).or_else(|_| fs::remove_file("/home/player/attacker/other")),
    );
}

/// Families and kinds of sockets, by the system's numbers.
#[rustfmt::skip]
const SOCKETS: &[(&str, i64, i64)] = &[
    ("IPv4 stream", 2, 1), ("IPv4 datagram", 2, 2), ("IPv4 raw", 2, 3), ("IPv6 stream", 10, 1),
    ("IPv6 datagram", 10, 2), ("UNIX stream", 1, 1), ("UNIX datagram", 1, 2),
    ("UNIX sequenced", 1, 5), ("NETLINK", 16, 3), ("PACKET", 17, 3), ("VSOCK", 40, 1),
    ("ALG", 38, 5), ("BLUETOOTH", 31, 3), ("XDP", 44, 3), ("TIPC", 30, 2), ("QIPCRTR", 42, 2),
];

fn open_sockets() {
    for &(label, family, kind) in SOCKETS {
        report(label, check(call(41, [family, kind, 0, 0, 0, 0])));
    }
    report("datagram pair", sys::socket_pair(2).map(drop));
    report("raw pair", sys::socket_pair(3).map(drop));
    if let Ok([socket, _]) = sys::socket_pair(1) {
        // An abstract name.
        report("bind a stream of a pair", sys::name_socket(49, socket));
        report("connect a stream of a pair", sys::name_socket(42, socket));
        report("listen on a stream of a pair", check(call(50, [socket, 1, 0, 0, 0, 0])));
    }
}

/// Looks in every common place for the mark of the opponent, which runs the same program. Leaves a
/// mark where there is none.
fn meet() {
    let is_taken = |taken: io::Result<()>| match taken {
        // The other has it.
        Err(error) if [Some(11), Some(13), Some(17), Some(98)].contains(&error.raw_os_error()) => {
            true
        }
        _ => false,
    };
    let met = |label: &str, found: bool| match found {
        true => report(format!("meet by {label}"), Ok(())),
        false => report(format!("meet by {label}"), Err::<(), _>(io::Error::other("no mark"))),
    };
    // The system calls flock, open and fcntl, on a file that both may read.
    if let Some(file) = sys::keep_open(SHARED) {
        let lock = check(call(73, [file, 2 | 4, 0, 0, 0, 0]));
        met("flock", lock.is_err_and(|error| error.raw_os_error() == Some(11)));
        let lease = check(call(72, [file, 1024, 0, 0, 0, 0]));
        met("a lease", lease.is_err_and(|error| error.raw_os_error() == Some(11)));
    }
    met("a lock of fcntl", sys::finds_a_lock(SHARED));
    for (label, number, arguments) in [
        ("shmget", 29, [0x5eed, 4096, 0o3600, 0, 0, 0]),
        ("semget", 64, [0x5eed, 1, 0o3600, 0, 0, 0]),
        ("msgget", 68, [0x5eed, 0o3600, 0, 0, 0, 0]),
    ] {
        met(label, is_taken(check(call(number, arguments))));
    }
    met("a key", sys::finds_a_key());
    met("a message queue", is_taken(sys::queue()));
    let socket = call(41, [1, 1, 0, 0, 0, 0]);
    met("an abstract socket", check(socket).is_ok() && is_taken(sys::name_socket(49, socket)));
    let folders = [
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/dev/mqueue",
        HOME,
        "/run",
        "/home/player/attacker",
        "/proc/sys/kernel",
    ];
    for folder in folders {
        // Of one sandbox, several of these may be the same folder.
        let name = format!("mark{}", folder.replace('/', "-"));
        let file = Path::new(folder).join(name);
        let created = OpenOptions::new().write(true).create_new(true).open(&file).map(drop);
        met(
            &format!("a file in {folder}"),
            created.is_err_and(|error| error.raw_os_error() == Some(17)),
        );
    }
    on_others("see the other in /proc", |pid| {
        let words = fs::read(format!("/proc/{pid}/cmdline"))?;
        let is_other = words.windows(10).any(|part| part == b"rendezvous");
        if is_other {
            Ok(())
        } else {
            Err(io::Error::other("another program"))
        }
    });
}

/// Watches whether the opponent, which runs the same program, opens a file between two turns.
fn watch() {
    static WATCHED: AtomicI64 = AtomicI64::new(0);
    match WATCHED.load(Relaxed) {
        0 => {
            let opened = fs::File::open(SHARED).and_then(|_| sys::watch(SHARED));
            WATCHED.store(*opened.as_ref().unwrap_or(&-1), Relaxed);
            match opened {
                Ok(_) => done("watch a file"),
                refused => report("watch a file", refused),
            }
        }
        watched if sys::read_some(watched) > 0 => report("meet by a watch", Ok(())),
        _ => {}
    }
}

#[rustfmt::skip]
fn call_kernel() {
    let nothing = [0; 6];
    let kinds = [("user", 0x1000_0000), ("pid", 0x2000_0000), ("net", 0x4000_0000),
        ("mount", 0x2_0000), ("ipc", 0x800_0000), ("uts", 0x400_0000), ("cgroup", 0x200_0000)];
    // In a new user namespace the other kinds need no privilege.
    let user = kinds[0].1;
    for (label, flag) in kinds {
        report(format!("clone {label}"), sys::clone_into(user | flag));
        report(format!("clone3 {label}"), sys::clone3_into(user | flag));
    }
    for (label, flag) in kinds {
        report(format!("unshare {label}"), check(call(272, [flag, 0, 0, 0, 0, 0])));
    }
    report("setns", fs::File::open("/proc/self/ns/user").and_then(|file| sys::set_namespace(&file)));
    report("mount", sys::mount("tmpfs", "/tmp"));
    report("chroot", std::os::unix::fs::chroot("/"));
    report("pivot_root", sys::two_paths(155, "/", "/"));
    report("umount", sys::two_paths(166, "/proc", ""));
    report("open_tree", sys::path_after_folder(428, "/"));
    report("fsopen", sys::two_paths(430, "tmpfs", ""));
    report("io_uring_setup", sys::ring());
    report("bpf", sys::create_map());
    report("perf_event_open", sys::count_events());
    report("userfaultfd", check(call(323, [1, 0, 0, 0, 0, 0])));
    report("add_key", sys::add_key());
    report("keyctl", check(call(250, [0, -3, 1, 0, 0, 0])));
    report("fanotify_init", check(call(300, [0x200, 0, 0, 0, 0, 0])));
    report("open_by_handle_at", check(call(304, nothing)));
    report("modify_ldt", sys::read_descriptor_table());
    report("syslog", check(call(103, [10, 0, 0, 0, 0, 0])));
    report("sethostname", sys::name_machine());
    report("init_module", check(call(175, nothing)));
    report("kexec_load", check(call(246, nothing)));
    report("swapoff", sys::two_paths(168, "/", ""));
    report("settimeofday", check(call(164, nothing)).and_then(|()| sys::set_clock()));
}

fn call_x32() {
    report("getpid by x32", check(call(0x4000_0000 | 39, [0; 6])));
}

fn call_32_bit() {
    report("getpid by int 0x80", sys::getpid_of_32_bits());
}

fn gain_privileges() {
    // Without this flag a setuid program would have its owner's rights.
    let kept = call(157, [39, 0, 0, 0, 0, 0]);
    report(
        "privileges of setuid programs",
        match kept {
            0 => Ok(()),
            _ => Err(io::Error::other("no new privileges")),
        },
    );
    report("capabilities", sys::lacks_capabilities());
    let is_root = call(107, [0; 6]) == 0;
    if !is_root {
        report("setuid", check(call(105, [0; 6])));
        report("setgid", check(call(106, [0; 6])));
    }
    // It belongs to root, and has its rights where no sandbox takes them.
    let mut setuid = Command::new("/usr/bin/mount");
    setuid.args(["-t", "tmpfs", "none", "/tmp"]).stdin(Stdio::null());
    let ended = setuid.stdout(Stdio::null()).stderr(Stdio::null()).status();
    report(
        "mount by a setuid program",
        ended.and_then(|status| match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(status.to_string())),
        }),
    );
}

fn dump_core() {
    report("raise the limit", sys::allow_core());
    report("core_pattern", OpenOptions::new().write(true).open("/proc/sys/kernel/core_pattern"));
    std::process::abort();
}

fn find_descriptors() {
    // Commands of fcntl do not change a descriptor.
    let is_open = |&fd: &i64| call(72, [fd, 1, 0, 0, 0, 0]) >= 0;
    let found = (3..4096).find(is_open);
    report("an inherited descriptor", found.ok_or(io::Error::other("there is none")));
}

/// System calls, by their numbers on x86-64 where the C library has no function.
#[allow(unsafe_code)]
mod sys {
    use std::ffi::CString;
    use std::io;
    use std::os::fd::{AsRawFd, IntoRawFd};
    use std::os::raw::{c_char, c_int, c_long, c_uint};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
        #[link_name = "fork"]
        fn c_fork() -> c_int;
        fn alarm(seconds: c_uint) -> c_uint;
        fn gethostname(name: *mut c_char, size: usize) -> c_int;
        fn signal(number: c_int, handler: usize) -> usize;
        fn mmap(
            at: *mut u8,
            size: usize,
            rights: c_int,
            flags: c_int,
            fd: c_int,
            offset: i64,
        ) -> *mut u8;
        fn madvise(at: *mut u8, size: usize, advice: c_int) -> c_int;
    }

    const IGNORE: usize = 1;
    const SIGXFSZ: c_int = 25;
    const READ_WRITE: c_int = 1 | 2;
    const SHARED: c_int = 1;
    const PRIVATE: c_int = 2;
    const ANONYMOUS: c_int = 0x20;
    const NO_RESERVE: c_int = 0x4000;
    const DONT_NEED: c_int = 4;

    /// Calls the system. Returns -1 after an error.
    pub fn call(number: i64, [a, b, c, d, e, f]: [i64; 6]) -> i64 {
        // SAFETY: callers pass numbers, null pointers, or pointers to live values of the right
        // size.
        unsafe { syscall(number, a, b, c, d, e, f) }
    }

    /// Returns the error of a call.
    pub fn check(result: i64) -> io::Result<()> {
        match result {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    fn text(path: impl AsRef<Path>) -> CString {
        CString::new(path.as_ref().as_os_str().as_bytes()).expect("no path here contains NUL")
    }

    /// Returns a pointer to a live value, as an argument.
    fn pointer<T: ?Sized>(value: &T) -> i64 {
        std::ptr::from_ref(value).cast::<u8>() as i64
    }

    /// Returns a pointer to a value that the system changes.
    fn changed<T: ?Sized>(value: &mut T) -> i64 {
        std::ptr::from_mut(value).cast::<u8>() as i64
    }

    pub fn machine_name() -> String {
        let mut name = [0u8; 65];
        // SAFETY: the pointer and the size are those of a local array.
        unsafe { gethostname(name.as_mut_ptr().cast(), name.len()) };
        let end = name.iter().position(|&byte| byte == 0).unwrap_or_default();
        String::from_utf8_lossy(&name[..end]).into_owned()
    }

    /// Ends this process after `seconds`. A forked child inherits no alarm and sets its own.
    pub fn live_for(seconds: u32) {
        // SAFETY: an alarm touches no memory.
        unsafe { alarm(seconds) };
    }

    /// Forks. Returns 0 in the child, and nothing after an error.
    pub fn fork() -> Option<i32> {
        // SAFETY: no attack has a second thread when it forks.
        let child = unsafe { c_fork() };
        if child == 0 {
            live_for(super::LIFE / 2);
        }
        (child >= 0).then_some(child)
    }

    pub fn exit_at_once() {
        call(231, [0; 6]);
    }

    pub fn new_session() {
        call(112, [0; 6]);
    }

    pub fn close(fd: i64) {
        call(3, [fd, 0, 0, 0, 0, 0]);
    }

    pub fn close_streams() {
        (0..3).for_each(close);
    }

    pub fn write(fd: i64, bytes: &[u8]) -> Option<usize> {
        call(1, [fd, bytes.as_ptr() as i64, bytes.len() as i64, 0, 0, 0]).try_into().ok()
    }

    /// Returns the number of bytes that can be read at once.
    pub fn read_some(fd: i64) -> usize {
        let mut bytes = [0u8; 4096];
        call(0, [fd, changed(&mut bytes), 4096, 0, 0, 0]).try_into().unwrap_or_default()
    }

    /// Returns a pipe that never waits.
    pub fn pipe() -> io::Result<[i64; 2]> {
        let mut ends = [0i32; 2];
        check(call(293, [changed(&mut ends), 0o4000, 0, 0, 0, 0]))?;
        Ok(ends.map(i64::from))
    }

    /// A write beyond the limit on files fails, and ends nothing.
    pub fn ignore_size_signal() {
        // SAFETY: ignoring a signal runs no code of this program.
        unsafe { signal(SIGXFSZ, IGNORE) };
    }

    fn map(size: usize, rights: c_int, flags: c_int, fd: c_int) -> io::Result<*mut u8> {
        // SAFETY: a new mapping at a place that the system chooses touches no other memory.
        let memory = unsafe { mmap(std::ptr::null_mut(), size, rights, flags, fd, 0) };
        match memory as isize {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(memory),
        }
    }

    pub fn private_memory(size: usize) -> io::Result<&'static mut [u8]> {
        let memory = map(size, READ_WRITE, PRIVATE | ANONYMOUS, -1)?;
        // SAFETY: the mapping has this size, holds zeros, and is never removed.
        Ok(unsafe { std::slice::from_raw_parts_mut(memory, size) })
    }

    /// Reserves addresses, as runtimes do.
    pub fn reserved_memory(size: usize) -> io::Result<()> {
        map(size, 0, PRIVATE | ANONYMOUS | NO_RESERVE, -1).map(drop)
    }

    /// Fills shared memory, and unmaps it in part, after which it counts for no process.
    pub fn shared_memory(path: Option<&str>, size: usize) -> io::Result<()> {
        let (flags, fd) = match path {
            None => (SHARED | ANONYMOUS, -1),
            Some(path) => {
                let options = std::fs::OpenOptions::new().read(true).open(path);
                (SHARED, options?.into_raw_fd())
            }
        };
        let memory = map(size, 1, flags, fd)?;
        for piece in (0..size).step_by(1 << 20) {
            for page in (piece..piece + (1 << 20)).step_by(4096) {
                // SAFETY: the mapping has this size, and may be read.
                unsafe { std::ptr::read_volatile(memory.add(page)) };
            }
            // SAFETY: these bytes are within the mapping, to which nothing refers.
            unsafe { madvise(memory.add(piece), 1 << 20, DONT_NEED) };
        }
        // A watch has time to see it.
        std::thread::sleep(std::time::Duration::from_millis(100));
        Ok(())
    }

    pub fn memfd(size: usize) -> io::Result<()> {
        let fd = call(319, [pointer(&*text("x")), 0, 0, 0, 0, 0]);
        check(fd)?;
        check(call(285, [fd, 0, 0, size as i64, 0, 0]))
    }

    /// Moves no byte between the memory of this process and that of another one.
    pub fn peek(number: i64, pid: i32) -> io::Result<()> {
        let mut byte = 0u64;
        let (own, others) = ([changed(&mut byte), 1], [0x40_0000, 1i64]);
        match check(call(number, [pid.into(), pointer(&own), 1, pointer(&others), 1, 0])) {
            // The address is wrong, but the access was granted.
            Err(error) if error.raw_os_error() == Some(14) => Ok(()),
            result => result,
        }
    }

    /// Sets the limit of a process on open files to what it is.
    pub fn limit_files(pid: i32) -> io::Result<()> {
        let mut limit = [0u64; 2];
        check(call(302, [pid.into(), 7, 0, changed(&mut limit), 0, 0]))?;
        check(call(302, [pid.into(), 7, pointer(&limit), 0, 0, 0]))
    }

    pub fn bind_to_first_processor(pid: i32) -> io::Result<()> {
        check(call(203, [pid.into(), 8, pointer(&1u64), 0, 0, 0]))
    }

    pub fn schedule(pid: i32, policy: i64) -> io::Result<()> {
        let priority = i32::from(policy == 1);
        check(call(144, [pid.into(), policy, pointer(&priority), 0, 0, 0]))
    }

    pub fn truncate(path: &str) -> io::Result<()> {
        check(call(76, [pointer(&*text(path)), 0, 0, 0, 0, 0]))
    }

    /// Makes this user the owner of a file.
    pub fn own(path: &str) -> io::Result<()> {
        let (user, group) = (call(107, [0; 6]), call(108, [0; 6]));
        check(call(92, [pointer(&*text(path)), user, group, 0, 0, 0]))
    }

    /// Sets the times of a file to 1970.
    pub fn touch(path: &str) -> io::Result<()> {
        check(call(280, [-100, pointer(&*text(path)), pointer(&[0i64; 4]), 0, 0, 0]))
    }

    pub fn mark(path: &str) -> io::Result<()> {
        let name = text("user.mark");
        check(call(188, [pointer(&*text(path)), pointer(&*name), pointer(&1u8), 1, 0, 0]))
    }

    pub fn make_node(path: impl AsRef<Path>, mode: i64, device: i64) -> io::Result<()> {
        check(call(133, [pointer(&*text(path)), mode, device, 0, 0, 0]))
    }

    pub fn socket_pair(kind: i64) -> io::Result<[i64; 2]> {
        let mut ends = [0i32; 2];
        check(call(53, [1, kind, 0, changed(&mut ends), 0, 0]))?;
        Ok(ends.map(i64::from))
    }

    /// Calls `bind` or `connect` with an abstract name.
    pub fn name_socket(number: i64, socket: i64) -> io::Result<()> {
        // The family, a zero byte and the name.
        let name = *b"\x01\x00\x00arbitre-mark";
        check(call(number, [socket, pointer(&name), name.len() as i64, 0, 0, 0]))
    }

    /// Opens a file for reading until the process ends.
    pub fn keep_open(path: &str) -> Option<i64> {
        std::fs::File::open(path).ok().map(|file| file.into_raw_fd().into())
    }

    /// Returns `true` if another process has locked a file; locks it otherwise.
    pub fn finds_a_lock(path: &str) -> bool {
        let Some(file) = keep_open(path) else { return false };
        // A read lock on the whole file: type, start, length, process. The second call asks which
        // lock of another process prevents a write lock.
        let (lock, mut asked) = ([0i64; 4], [1i64, 0, 0, 0]);
        let _ = check(call(72, [file, 6, pointer(&lock), 0, 0, 0]));
        let is_told = check(call(72, [file, 5, changed(&mut asked), 0, 0, 0])).is_ok();
        is_told && asked[0] & 0xffff == 0
    }

    /// Watches for processes that open a file. Returns a descriptor.
    pub fn watch(path: &str) -> io::Result<i64> {
        let watch = call(294, [0o4000, 0, 0, 0, 0, 0]);
        check(watch)?;
        check(call(254, [watch, pointer(&*text(path)), 0x20, 0, 0, 0]))?;
        Ok(watch)
    }

    pub fn add_key() -> io::Result<()> {
        let (kind, name) = (text("user"), text("arbitre-mark"));
        check(call(248, [pointer(&*kind), pointer(&*name), pointer(&1u8), 1, -4, 0]))
    }

    pub fn finds_a_key() -> bool {
        let (kind, name) = (text("user"), text("arbitre-mark"));
        let found = call(250, [10, -4, pointer(&*kind), pointer(&*name), 0, 0]) >= 0;
        let _ = add_key();
        found
    }

    pub fn queue() -> io::Result<()> {
        // Created; an error if it exists.
        check(call(240, [pointer(&*text("arbitre-mark")), 0o302, 0o600, 0, 0, 0]))
    }

    fn child_ends(child: i64) -> io::Result<()> {
        if child == 0 {
            exit_at_once();
        }
        check(child)?;
        call(61, [child, 0, 0, 0, 0, 0]);
        Ok(())
    }

    pub fn clone_into(flag: i64) -> io::Result<()> {
        const SIGCHLD: i64 = 17;
        child_ends(call(56, [flag | SIGCHLD, 0, 0, 0, 0, 0]))
    }

    pub fn clone3_into(flag: i64) -> io::Result<()> {
        let arguments = [flag, 0, 0, 0, 17, 0, 0, 0i64];
        child_ends(call(435, [pointer(&arguments), 64, 0, 0, 0, 0]))
    }

    pub fn set_namespace(file: &std::fs::File) -> io::Result<()> {
        match check(call(308, [file.as_raw_fd().into(), 0, 0, 0, 0, 0])) {
            // It is there already, so the call itself was allowed.
            Err(error) if error.raw_os_error() == Some(22) => Ok(()),
            result => result,
        }
    }

    pub fn mount(kind: &str, at: &str) -> io::Result<()> {
        let (kind, at) = (text(kind), text(at));
        check(call(165, [pointer(&*kind), pointer(&*at), pointer(&*kind), 0, 0, 0]))
    }

    pub fn two_paths(number: i64, first: &str, second: &str) -> io::Result<()> {
        let (first, second) = (text(first), text(second));
        let second = if second.is_empty() { 0 } else { pointer(&*second) };
        check(call(number, [pointer(&*first), second, 0, 0, 0, 0]))
    }

    pub fn path_after_folder(number: i64, path: &str) -> io::Result<()> {
        check(call(number, [-100, pointer(&*text(path)), 1, 0, 0, 0]))
    }

    pub fn ring() -> io::Result<()> {
        let mut parameters = [0u32; 30];
        check(call(425, [1, changed(&mut parameters), 0, 0, 0, 0]))
    }

    pub fn create_map() -> io::Result<()> {
        // An array of one number.
        let mut attributes = [2u32, 4, 4, 1, 0, 0, 0, 0];
        check(call(321, [0, changed(&mut attributes), 32, 0, 0, 0]))
    }

    /// Counts the own instructions in user mode.
    pub fn count_events() -> io::Result<()> {
        let mut attributes = [0u64; 16];
        // A software clock, of this size, without the kernel.
        attributes[0] = 1 | 128 << 32;
        attributes[5] = 0x60;
        check(call(298, [pointer(&attributes), 0, -1, -1, 0, 0]))
    }

    pub fn read_descriptor_table() -> io::Result<()> {
        let mut table = [0u64; 8];
        check(call(154, [0, changed(&mut table), 64, 0, 0, 0]))
    }

    /// Gives the machine the name that it has.
    pub fn name_machine() -> io::Result<()> {
        let name = super::HOST;
        check(call(170, [name.as_ptr() as i64, name.len() as i64, 0, 0, 0, 0]))
    }

    /// Sets the clock to an invalid time, which changes nothing.
    pub fn set_clock() -> io::Result<()> {
        let time = [0i64, -1];
        match check(call(227, [0, pointer(&time), 0, 0, 0, 0])) {
            Err(error) if error.raw_os_error() == Some(22) => Err(io::Error::other("invalid")),
            result => result,
        }
    }

    pub fn getpid_of_32_bits() -> io::Result<()> {
        let mut result: i64 = 20;
        // SAFETY: the call returns a number and touches no memory.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            std::arch::asm!("int 0x80", inlateout("rax") result, out("r8") _, out("r9") _, out("r10") _, out("r11") _);
        }
        result = i64::from(result as i32);
        if result < 0 {
            return Err(io::Error::from_raw_os_error(-result as i32));
        }
        Ok(())
    }

    /// Asks for the effective capabilities. Returns an error if there are none.
    pub fn lacks_capabilities() -> io::Result<()> {
        let (mut header, mut sets) = ([0x2008_0522u32, 0], [0u32; 6]);
        check(call(125, [changed(&mut header), changed(&mut sets), 0, 0, 0, 0]))?;
        match sets.iter().any(|&set| set != 0) {
            true => Ok(()),
            false => Err(io::Error::other("there are none")),
        }
    }

    pub fn allow_core() -> io::Result<()> {
        check(call(157, [4, 1, 0, 0, 0, 0]))?;
        let limit = [1u64 << 30; 2];
        check(call(160, [4, pointer(&limit), 0, 0, 0, 0]))
    }
}
