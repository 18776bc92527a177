//! Builds of submissions.

use super::harness::{broken, go_on, is_there, level, ready, Class, MAKEFILE, REFEREE};
use arbitre::internals::submissions::build::{BuildEvent, BuildLimits};
use arbitre::internals::submissions::entry::Stated;
use arbitre::internals::submissions::{Broken, Builder, Prepared};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_test_support::command::{script, stderr, stdout};
use std::cell::RefCell;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn words(text: &str) -> Option<Vec<String>> {
    Some(text.split(' ').map(str::to_owned).collect())
}

/// Builds `a`, which has one file, by a script.
fn build(class: &Class, builder: &Builder, script: &str) -> Prepared {
    class.file("a/build.sh", script);
    builder.prepare(&class.submission("a"), &Stated::default(), &go_on)
}

#[test]
fn build_is_made_once_in_a_copy() {
    let class = Class::new("once");
    if !is_there("make", "builds by make were not tried") {
        return;
    }
    class.file("zoé m/Makefile", MAKEFILE);
    class.file("zoé m/body", "#!/bin/sh\necho 1\n");
    // What was handed in as built is not used.
    class.program("zoé m/bot", "#!/bin/sh\necho stale\n");
    class.file("zoé m/target/x", "");
    let before = fs::metadata(class.path("zoé m")).unwrap().modified().unwrap();
    let first = ready(class.prepare("zoé m"));
    assert_eq!(first.words, ["./bot"]);
    let name = first.folder.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with("zo--m-") && name.is_ascii(), "{name}");
    assert_eq!(class.copies(), [name.as_str()]);
    assert_eq!(fs::read_to_string(first.folder.join("bot")).unwrap(), "#!/bin/sh\necho 1\n");
    assert!(!first.folder.join(".arbitre-build").exists());
    assert_eq!(fs::metadata(class.path("zoé m")).unwrap().modified().unwrap(), before);
    // Unchanged: the same program, untouched.
    fs::write(first.folder.join("mark"), "").unwrap();
    assert_eq!(ready(class.prepare("zoé m")), first);
    assert!(first.folder.join("mark").exists());
    // Changed: another copy, and the old one is gone.
    class.file("zoé m/body", "#!/bin/sh\necho 2\n");
    let second = ready(class.prepare("zoé m"));
    assert_ne!((&second.folder, &second.digest), (&first.folder, &first.digest));
    assert_eq!(class.copies().len(), 1);
    // A copy that lost its program is built again.
    fs::remove_file(second.folder.join("bot")).unwrap();
    assert_eq!(ready(class.prepare("zoé m")), second);
    assert!(second.folder.join("bot").exists());
    // Nothing is kept of a submission that needs no build any more.
    fs::remove_file(class.path("zoé m/Makefile")).unwrap();
    class.file("zoé m/main.py", "");
    assert_eq!(ready(class.prepare("zoé m")).folder, class.path("zoé m"));
    assert_eq!(class.copies(), [""; 0]);
}

#[test]
fn another_player_of_the_same_name_keeps_its_copy() {
    let (class, other) = (Class::new("one"), Class::new("other"));
    for class in [&class, &other] {
        class.file("a/build.sh", "cp source bot && chmod +x bot");
        class.file("a/source", "#!/bin/sh\n");
    }
    other.file("a/more", "");
    ready(class.prepare("a"));
    let mut builder = other.builder();
    builder.builds = class.builder().builds;
    ready(builder.prepare(&other.submission("a"), &Stated::default(), &go_on));
    assert_eq!(class.copies().len(), 2);
}

/// Returns the records of the builds that are kept.
fn records(builds: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(builds).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|of| of == "json")).collect()
}

/// Replaces the exit code in the reason of the only kept failure, to recognise it.
fn mark_failure(builds: &Path) {
    let record = &records(builds)[0];
    let text = fs::read_to_string(record).unwrap().replace("exit code 3", "exit code 9");
    fs::write(record, text).unwrap();
}

#[test]
fn failed_build_is_kept_with_its_output() {
    let class = Class::new("failed");
    let builder = class.builder();
    let script = "echo first; echo 'bot.c:3: \u{1b}[31merror' >&2; exit 3";
    let failed = broken(build(&class, &builder, script));
    assert!(failed.reason.starts_with("its build ended with exit code 3 after "), "{failed:?}");
    assert_eq!(failed.output, "first\nbot.c:3: \\u{1b}[31merror");
    assert_eq!(class.copies(), [""; 0]);
    mark_failure(&builder.builds);
    assert!(broken(class.prepare("a")).reason.contains("code 9"), "kept");
    // Another sandbox may show what was missing.
    let sandbox = SandboxConfig { read: vec!["/usr".into()], ..class.builder().sandbox };
    let other = Builder { sandbox, ..class.builder() };
    assert!(broken(other.prepare(&class.submission("a"), &Stated::default(), &go_on))
        .reason
        .contains("code 3"));
    mark_failure(&builder.builds);
    assert!(broken(build(&class, &builder, &format!("{script} # edited")))
        .reason
        .contains("code 3"));
}

/// A failure lasts as long as the compilers that it met: here one that is installed afterwards.
#[test]
fn failed_build_is_tried_again_after_a_change_of_compilers() {
    let class = Class::new("installed");
    class.file("a/build.sh", "ocamlopt -o bot bot.ml || exit 3");
    class.file("a/bot.ml", "no program in OCaml");
    class.file("b/main.py", "");
    let tools = class.0.join("tools");
    fs::create_dir(&tools).unwrap();
    let builds = class.0.join(".arbitre/builds");
    let system = env::var_os("PATH").unwrap();
    let with_tools = [tools.clone()].into_iter().chain(env::split_paths(&system));
    let with_tools = env::join_paths(with_tools).unwrap();
    let look = |path: &OsStr| {
        let words = ["tournament", "class", "--game", "awele", "--games", "2"];
        let mut referee = Command::new(REFEREE);
        let output = referee.args(words).env("PATH", path).current_dir(&class.0).output().unwrap();
        format!("{}{}", stdout(&output), stderr(&output))
    };
    let is_kept = |path: &OsStr| {
        mark_failure(&builds);
        let text = look(path);
        let (kept, new) = (text.contains("exit code 9"), text.contains("exit code 3"));
        assert!(kept != new, "{text}");
        kept
    };
    assert!(look(&system).contains("its build ended with exit code 3 "));
    assert!(is_kept(&system));
    assert!(!is_kept(&with_tools), "another PATH");
    assert!(is_kept(&with_tools));
    let fake = script(&tools, "ocamlopt", "#!/bin/sh\nexit 1\n");
    assert!(!is_kept(&with_tools), "a new compiler");
    // Replaced in place, which changes no folder.
    fs::write(&fake, "#!/bin/sh\nexit 10\n").unwrap();
    assert!(!is_kept(&with_tools), "another compiler");
    assert!(is_kept(&with_tools));
    script(&tools, "ocamlopt", "#!/bin/sh\necho '#!/bin/sh' > bot; chmod +x bot\n");
    let text = look(&with_tools);
    assert!(!text.contains("its build ended"), "{text}");
}

#[test]
fn end_of_a_long_output_is_kept() {
    let class = Class::new("output");
    let script = "yes x | head -c 300000; for i in 1 2 3; do echo line $i; done; exit 1";
    let failed = broken(build(&class, &class.builder(), script));
    assert!(failed.output.ends_with("x\nline 1\nline 2\nline 3"), "{}", failed.output);
    assert_eq!(failed.output.lines().count(), 20);
}

#[test]
fn build_without_an_end_is_stopped() {
    let class = Class::new("hangs");
    let time = Duration::from_millis(300);
    let limits = BuildLimits { time, ..BuildLimits::default() };
    let builder = Builder { limits, ..class.builder() };
    let failed = broken(build(&class, &builder, "echo begun; (setsid sleep 1000 &) ; sleep 1000"));
    assert_eq!(
        (failed.reason.as_str(), failed.output.as_str()),
        ("its build took longer than 300ms", "begun")
    );
    // A machine with less load may have built it.
    assert!(records(&builder.builds).is_empty());
    // A build that reads its input does not wait.
    let failed = broken(build(&class, &class.builder(), "read x || exit 7"));
    assert!(failed.reason.contains("code 7"), "{failed:?}");
}

#[test]
fn build_keeps_to_its_limits() {
    let class = Class::new("limits");
    let mut folder = BuildLimits::default().folder;
    (folder.entries, folder.bytes) = (200, 8 << 20);
    let limits = BuildLimits { folder, memory: 64 << 20, processes: 40, ..BuildLimits::default() };
    let builder = Builder { limits, ..class.builder() };
    for (script, reason) in [
        ("i=0; while :; do i=$((i+1)); : > f$i; done", "its build filled its folder: expected at most 200 files"),
        ("while :; do cat build.sh >> f; cat f f f f f f f f > g; mv g f; done", "its build filled its folder: expected at most 8 MiB"),
        ("yes | head -c 20000000 > f", "its build left a folder that cannot be used: expected at most 8 MiB"),
        ("x=$(yes | head -c 100000000); sleep 5", "its build used more than 64MiB of memory"),
        ("mkfifo x", "its build left a folder that cannot be used: expected files and folders, got the named pipe x"),
    ] {
        let failed = broken(build(&class, &builder, script));
        assert!(failed.reason.starts_with(reason), "{script}: {failed:?}");
    }
    // A fork that is refused, or the end of the build, by the level.
    let forks = "for i in $(seq 100); do sleep 100 & done; sleep 1; exit 4";
    let failed = broken(build(&class, &builder, forks));
    let is_limited =
        failed.reason.contains("more than 40 processes") || failed.output.contains("fork");
    assert!(is_limited, "{failed:?}");
}

/// Memory that the processes of a build share counts once, as for a player: here 40 MB of a shell,
/// which four copies of it have, too.
#[test]
fn shared_memory_of_a_build_counts_once() {
    let class = Class::new("shared");
    class.file("a/source", "#!/bin/sh\n");
    let limits = BuildLimits { memory: 160 << 20, ..BuildLimits::default() };
    let builder = Builder { limits, ..class.builder() };
    let text = "x=$(yes | head -c 40000000)";
    let shared = "for i in 1 2 3 4; do (sleep 1; :) & done; wait; cp source bot; chmod +x bot";
    ready(build(&class, &builder, &format!("{text}\n{shared}")));
    // Copies with a text of their own are too many.
    let own = "for i in 1 2 3 4; do (x=$(yes | head -c 40000001); sleep 1; :) & done; wait";
    let failed = broken(build(&class, &builder, &format!("{text}\n{own}")));
    assert_eq!(failed.reason, "its build used more than 160MiB of memory");
}

#[test]
fn build_writes_nothing_outside_its_copy() {
    let class = Class::new("outside");
    class.file("b/main.py", "secret");
    class.file("a/source", "#!/bin/sh\n");
    let (outside, other) = (class.path("x"), class.path("b/main.py"));
    let script = format!(
        "cp source bot; chmod +x bot; cp bot \"$TMPDIR/y\" || exit 4
         [ $STRICT = no ] && exit 0
         echo > '{}' && exit 5; cat '{}' && exit 6; echo > /usr/x && exit 7; exit 0",
        outside.display(),
        other.display()
    );
    for tried in [Level::Weak, Level::Partial, Level::Full] {
        if tried > level() {
            eprintln!(
                "SKIPPED: builds at {tried} were not tried, as this machine gives {}",
                level()
            );
            continue;
        }
        // The weak level protects no files.
        let strict = if tried == Level::Weak { "no" } else { "yes" };
        let variables = vec![format!("STRICT={strict}")];
        let base = class.builder();
        let sandbox = SandboxConfig { variables, ..base.sandbox };
        let builds = class.0.join(format!("builds {tried}"));
        let builder = Builder { level: tried, sandbox, builds, ..class.builder() };
        ready(build(&class, &builder, &script));
        assert!(!outside.exists());
    }
}

#[test]
fn build_without_a_sandbox_is_possible() {
    let class = Class::new("bare");
    class.file("a/source", "#!/bin/sh\n");
    let builder = Builder { sandbox: SandboxConfig::none(), ..class.builder() };
    ready(build(&class, &builder, "cp source bot; chmod +x bot; pwd | grep -q builds"));
}

/// The referee would show the file behind a link to the player, and follow it itself.
#[test]
fn links_that_a_build_leaves_are_not_followed() {
    let class = Class::new("links");
    for script in [
        "ln -s /bin/sh bot",
        "ln -s /bin d; exit 0",
        "mkdir d; ln -s /bin/sh d/bot; ln -s d/bot main",
    ] {
        let failed = broken(build(&class, &class.builder(), script));
        assert!(failed.reason.starts_with("expected one program from its build, "), "{failed:?}");
    }
    let stated = Stated { build: words("ln -s /etc/passwd book"), command: words("sh book") };
    let failed = broken(class.builder().prepare(&class.submission("a"), &stated, &go_on));
    assert!(failed.reason.ends_with("book leads to /etc/passwd"), "{failed:?}");
    assert_eq!(class.copies(), [""; 0]);
}

#[test]
fn program_is_chosen_among_those_that_the_build_made() {
    let class = Class::new("chosen");
    let script =
        |names: &str| format!("for x in {names}; do echo '#!/bin/sh' > $x; chmod +x $x; done");
    class.program("a/helper", "#!/bin/sh\n");
    for (names, word) in [
        ("z", "./z"),
        ("z main", "./main"),
        ("main bot z", "./bot"),
        ("bot a main", "./a"),
        ("z lib.so", "./z"),
    ] {
        assert_eq!(ready(build(&class, &class.builder(), &script(names))).words, [word], "{names}");
    }
    for (names, got) in [("y z", "got y and z"), ("", "got none"), (".z", "got none")] {
        let reason = broken(build(&class, &class.builder(), &script(names))).reason;
        assert!(
            reason.contains("or one named a, bot or main, ") && reason.contains(got),
            "{reason}"
        );
    }
}

#[test]
fn copy_without_rights_is_removed() {
    let class = Class::new("rights");
    let hide = "mkdir -p x/y; : > x/y/z; chmod 0 x/y x; exit 1";
    broken(build(&class, &class.builder(), hide));
    assert_eq!(class.copies(), [""; 0]);
    let mode = fs::metadata(class.path("a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o700, 0o700);
}

#[test]
fn missing_compiler_is_no_failure_of_the_submission() {
    let class = Class::new("compiler");
    class.file("a/x", "");
    let stated = Stated { build: words("no-such-compiler x"), command: None };
    let failed = broken(class.builder().prepare(&class.submission("a"), &stated, &go_on));
    assert!(failed.reason.contains("got 'no-such-compiler'"), "{failed:?}");
    assert!(records(&class.builder().builds).is_empty());
}

/// Names of other letters look alike as names of files. Each player has a copy of its own.
#[test]
fn players_share_no_copy() {
    let class = Class::new("alike");
    let [one, other] = ["\u{674e}\u{660e}", "\u{738b}\u{82b3}"];
    let script =
        |number: u32| format!("echo '#!/bin/sh' >bot; echo '# {number}' >>bot; chmod +x bot");
    let put = |name: &str, number: u32| {
        class.file(&format!("{name}/build.sh"), &script(number));
        ready(class.prepare(name)).folder
    };
    let (first, second) = (put(one, 1), put(other, 2));
    // They hand in each other's program.
    let (first_again, second_again) = (put(one, 2), put(other, 1));
    assert_ne!(first_again, second);
    assert!(first_again.join("bot").exists() && second_again.join("bot").exists());
    assert!(!first.exists() && !second.exists(), "earlier versions are removed");
}

/// A record is no way to write into another file, and a copy no way to show another folder.
#[test]
fn links_among_the_copies_are_not_followed() {
    let class = Class::new("links among copies");
    class.file("ada/build.sh", "printf '#!/bin/sh\\n' >bot; chmod +x bot");
    let copy = ready(class.prepare("ada")).folder;
    let (victim, private) = (class.path("victim"), class.path("private"));
    fs::write(&victim, "mine").unwrap();
    fs::rename(&copy, &private).unwrap();
    std::os::unix::fs::symlink(&private, &copy).unwrap();
    let record = copy.with_extension("part");
    std::os::unix::fs::symlink(&victim, &record).unwrap();
    let again = ready(class.prepare("ada")).folder;
    assert!(again == copy && !fs::symlink_metadata(&copy).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
}

/// The folder of results may come from others: a kept command is one that a build may give.
#[test]
fn forged_record_starts_no_other_program() {
    let class = Class::new("forged");
    let secret = class.file("secret", "secret");
    class.file("made/build.sh", "printf '#!/bin/sh\\n' >bot; chmod +x bot; mkdir sub; cp bot sub");
    class.file("stated/bot.sh", "");
    let option = format!("--book={}", secret.display());
    let stated = Stated { build: words("true"), command: words("sh bot.sh") };
    let rows =
        [("made", &Stated::default(), vec!["./bot"]), ("stated", &stated, vec!["sh", "bot.sh"])];
    for (name, stated, own) in rows {
        let prepare = || class.builder().prepare(&class.submission(name), stated, &go_on);
        let first = ready(prepare());
        assert_eq!(first.words, own);
        let record = first.folder.with_extension("json");
        let text = fs::read_to_string(&record).unwrap();
        std::os::unix::fs::symlink("/bin/sh", first.folder.join("link")).unwrap();
        for forged in [
            vec!["sh", "-c", "cat \"$0\"", secret.to_str().unwrap()],
            vec!["/bin/sh", "bot"],
            vec!["./bot", &option],
            vec!["./sub/bot"],
            vec!["./link"],
            vec!["./build.sh"],
            vec!["../made"],
            vec![],
        ] {
            let words = |words: &[&str]| serde_json::to_string(words).unwrap();
            let changed = text.replace(&words(&own), &words(&forged));
            assert_ne!(changed, text, "{text}");
            fs::write(&record, changed).unwrap();
            assert_eq!(ready(prepare()), first, "{forged:?}");
            assert_eq!(fs::read_to_string(&record).unwrap(), text, "built again");
        }
    }
    // Nor does a text of a failure act on a terminal, or fill it.
    class.file("failed/build.sh", "echo text; exit 3");
    broken(class.prepare("failed"));
    let is_failed = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("exit code 3");
    let record = records(&class.builder().builds).into_iter().find(is_failed).unwrap();
    let forged = format!("{}end\\u001b[2J", "line\\n".repeat(1000));
    let text = fs::read_to_string(&record).unwrap().replace("\"text\"", &format!("\"{forged}\""));
    fs::write(&record, text).unwrap();
    let output = broken(class.prepare("failed")).output;
    assert_eq!((output.lines().count(), output.lines().last()), (20, Some("end\\u{1b}[2J")));
}

/// A copy has the files whose digest it is kept under.
#[test]
fn files_that_change_before_the_copy_are_read_again() {
    let class = Class::new("changed");
    let build = "cp source bot; chmod +x bot";
    for (name, file, more) in [
        ("edited", "edited/source", None),
        ("lost", "lost/source", Some("lost/x")),
        ("loose", "loose.js", None),
    ] {
        if name == "loose" && !is_there("node", "a change of a loose file was not tried") {
            continue;
        }
        class.file(file, "#!/bin/sh\n");
        more.iter().for_each(|more| drop(class.file(more, "")));
        if name != "loose" {
            class.file(&format!("{name}/build.sh"), build);
        }
        let before = class.submission(name);
        class.file(file, "#!/bin/sh\n# new\n");
        more.iter().for_each(|more| fs::remove_file(class.path(more)).unwrap());
        let found = ready(class.builder().prepare(&before, &Stated::default(), &go_on));
        assert_eq!(Some(found.digest.as_str()), class.submission(name).digest(), "{name}");
        let copied = found.folder.join(Path::new(file).file_name().unwrap());
        assert_eq!(fs::read_to_string(copied).unwrap(), "#!/bin/sh\n# new\n", "{name}");
        assert_eq!(ready(class.prepare(name)), found, "{name}");
        // The files of before have no copy that is another program.
        class.file(file, "#!/bin/sh\n");
        more.iter().for_each(|more| drop(class.file(more, "")));
        let found = ready(class.prepare(name));
        let copied = found.folder.join(Path::new(file).file_name().unwrap());
        assert_eq!(fs::read_to_string(copied).unwrap(), "#!/bin/sh\n", "{name}");
    }
}

#[test]
fn files_that_always_change_are_named() {
    let class = Class::new("changing");
    class.file("a/build.sh", "cp big bot; chmod +x bot");
    class.file("a/0", "");
    // Reading it takes longer than a change.
    fs::write(class.path("a/big"), vec![b'x'; 24 << 20]).unwrap();
    let ends = AtomicBool::new(false);
    let failed = thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0_u64.. {
                if ends.load(Ordering::Relaxed) {
                    break;
                }
                let part = class.file("../part", &number.to_string());
                fs::rename(part, class.path("a/0")).unwrap();
            }
        });
        let failed = class.prepare("a");
        ends.store(true, Ordering::Relaxed);
        broken(failed)
    });
    let start = "expected files that stay as they are while they are copied, got changes; help: ";
    assert!(failed.reason.starts_with(start), "{failed:?}");
    assert_eq!((class.copies(), records(&class.builder().builds).len()), (vec![], 0));
}

/// Only a failure that another run meets again is kept.
#[test]
fn failure_of_the_machine_is_not_kept() {
    let class = Class::new("machine");
    // A compiler that lacks a library.
    let tool = String::from_utf8_lossy(&fs::read("/bin/true").unwrap()).into_owned();
    let needs_a_library = tool.contains("libc.so.6");
    let bytes = fs::read("/bin/true").unwrap();
    let at = bytes.windows(9).position(|part| part == b"libc.so.6").unwrap_or_default();
    let lacking = [&bytes[..at], b"libx.so.6", &bytes[at + 9..]].concat();
    let path = class.program("a/tool", "");
    fs::write(path, lacking).unwrap();
    let library = if needs_a_library { "./tool || exit 3" } else { "exit 130" };
    for (script, is_kept) in [
        ("exit 3", true),
        ("exit 127", true),
        ("echo 'bot.c:1: error: no such type'; exit 1", true),
        ("kill -XFSZ $$", true),
        ("exit 153", true),
        ("exit 255", true),
        ("kill -KILL $$", false),
        ("kill -TERM $$", false),
        ("kill -SEGV $$", false),
        ("sh -c 'kill -KILL $$'; exit $?", false),
        ("sh -c 'kill -KILL $$' || exit 1", false),
        ("echo 'cc: fatal error: Killed signal terminated program cc1'; exit 1", false),
        ("echo 'cannot write: No space left on device' >&2; exit 1", false),
        ("echo 'fork: Cannot allocate memory'; exit 2", false),
        ("echo 'cc1: out of memory allocating 65536 bytes'; exit 1", false),
        (library, false),
    ] {
        let builder = class.builder();
        let failed = broken(build(&class, &builder, script));
        let kept = records(&builder.builds);
        assert_eq!(kept.len(), usize::from(is_kept), "{script}: {failed:?}");
        kept.iter().for_each(|record| fs::remove_file(record).unwrap());
    }
}

/// Options of `unshare` to try: as an unprivileged user, and as root.
const NAMESPACES: [&str; 2] = ["-Urm", "-m"];

#[test]
fn failure_on_a_full_disk_is_not_kept() {
    let class = Class::new("full disk");
    class.file("a/build.sh", "yes | head -c 30000000 >bot 2>/dev/null || exit 3; exit 4");
    fs::create_dir(class.0.join("room")).unwrap();
    let script = "mount -t tmpfs -o size=24m tmpfs room; cp -r class room; cd room
        \"$REFEREE\" check class/a --game awele; ls .arbitre/builds; mount -o remount,size=99m .
        \"$REFEREE\" check class/a --game awele; ls .arbitre/builds";
    let run = |way: &str, script: &str| {
        let mut unshare = Command::new("unshare");
        unshare.args([way, "sh", "-uc", script]).env("REFEREE", REFEREE).current_dir(&class.0);
        unshare.output()
    };
    let works = |way: &&&str| {
        let probe = run(way, "mount -t tmpfs -o size=64k tmpfs room");
        probe.is_ok_and(|output| output.status.success())
    };
    let Some(way) = NAMESPACES.iter().find(works) else {
        eprintln!("SKIPPED: builds on a full disk were not tried, as there are no namespaces");
        return;
    };
    let output = run(way, script).unwrap();
    let (listed, said) = (stdout(&output), stderr(&output));
    let reasons: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(reasons[0].contains("exit code 3 ") && reasons[1].contains("exit code 4 "), "{said}");
    assert_eq!(listed.matches(".json").count(), 1, "{listed}");
}

#[test]
fn slow_build_is_named_while_it_runs() {
    let class = Class::new("slow");
    class.file("a/source", "#!/bin/sh\n");
    let notes = RefCell::new(Vec::new());
    let slow = Duration::from_millis(100);
    for (time, sleep, is_ready) in [(20, 1, true), (1, 20, false)] {
        let time = Duration::from_secs(time);
        let limits = BuildLimits { time, slow, ..BuildLimits::default() };
        let builder = Builder { limits, ..class.builder() };
        let script = format!("sleep {sleep}; cp source bot; chmod +x bot");
        class.file("a/build.sh", &script);
        let tell = |event: BuildEvent| {
            if event == BuildEvent::Slow {
                notes.borrow_mut().push(builder.slow_note("a"));
            }
            ControlFlow::Continue(())
        };
        let prepare = || builder.prepare(&class.submission("a"), &Stated::default(), &tell);
        // A hanging build takes its time again.
        for _ in 0..2 {
            assert_eq!(matches!(prepare(), Prepared::Ready(_)), is_ready);
        }
        let text = format!(
            "the build of a takes longer than 100ms; after {time:?} it is stopped, and tried again \
             each time"
        );
        let expected = vec![text; if is_ready { 1 } else { 2 }];
        assert_eq!(notes.take(), expected);
    }
}

/// A build that is not wanted any more ends at once, and is tried again.
#[test]
fn build_ends_when_its_listener_breaks() {
    let class = Class::new("unwanted");
    class.file("a/build.sh", "echo begun; sleep 600");
    let stop = |event: BuildEvent| match event {
        BuildEvent::Output(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let builder = class.builder();
    for _ in 0..2 {
        let prepared = builder.prepare(&class.submission("a"), &Stated::default(), &stop);
        let Broken { reason, output, .. } = broken(prepared);
        assert!(reason.starts_with("its build was stopped after "), "{reason}");
        assert_eq!(output, "begun");
    }
}

/// A copy stays as long as any referee may play it.
#[test]
fn copy_in_use_is_not_removed() {
    let class = Class::new("in use");
    let put = |number: u32| {
        let script = format!("echo '#!/bin/sh' >bot; echo '# {number}' >>bot; chmod +x bot");
        class.file("a/build.sh", &script);
    };
    let prepare = |builder: &Builder| {
        ready(builder.prepare(&class.submission("a"), &Stated::default(), &go_on)).folder
    };
    put(1);
    let playing = class.builder();
    let first = prepare(&playing);
    put(2);
    let checking = Builder { removes_others: false, ..class.builder() };
    let second = prepare(&checking);
    put(3);
    let third = prepare(&class.builder());
    drop(playing);
    prepare(&class.builder());
    assert_eq!([&first, &second, &third].map(|copy| copy.join("bot").exists()), [true; 3]);
    drop(checking);
    prepare(&class.builder());
    assert_eq!([&first, &second, &third].map(|copy| copy.exists()), [false, false, true]);
    // One referee that sees the same player again removes its earlier version.
    let playing = class.builder();
    prepare(&playing);
    put(4);
    prepare(&playing);
    assert!(!third.exists());
}

/// A referee whose `PATH` lacks the interpreter leaves the copy to those that play it.
#[test]
fn copy_without_its_interpreter_is_left() {
    let class = Class::new("interpreter");
    if !is_there("python3", "a copy without an interpreter was not tried") {
        return;
    }
    class.file("ada.py", "");
    class.file("leo.py", "");
    let check = |path: Option<&Path>| {
        let mut referee = Command::new(REFEREE);
        if let Some(path) = path {
            referee.env("PATH", path);
        }
        let words = ["check", "class", "--game", "awele"];
        let output = referee.args(words).current_dir(&class.0).output().unwrap();
        format!("{}{}", stdout(&output), stderr(&output))
    };
    check(None);
    let builds = class.0.join(".arbitre/builds");
    let copy = records(&builds)[0].with_extension("");
    fs::write(copy.join("mark"), "").unwrap();
    let said = check(Some(&class.0));
    assert!(said.contains("got 'python3'"), "{said}");
    assert!(copy.join("mark").exists());
}

/// A student hands in again while a tournament runs, and the others look.
#[test]
fn tournament_keeps_its_programs_beside_others() {
    let class = Class::new("beside");
    let bot = |begin: &str| {
        format!(
            "cat >bot <<'end'
#!/bin/sh
while read word first rest; do
    case $word in
        begin) {begin}; echo ready bot ;;
        legal) move=$first ;;
        go) echo $move ;;
    esac
done
end
chmod +x bot\n"
        )
    };
    class.file("ada/build.sh", &bot("sleep 0.3"));
    class.file("leo/build.sh", &bot(":"));
    let start = |words: &[&str]| {
        let mut referee = Command::new(REFEREE);
        referee.args(words).args(["--game", "awele", "--init-time", "20s", "--move-time", "20s"]);
        referee.current_dir(&class.0).stdout(Stdio::piped()).stderr(Stdio::piped());
        referee.spawn().unwrap()
    };
    let tournament =
        |db| ["tournament", "class", "--db", db, "--games", "12", "--concurrency", "1"];
    let first = start(&tournament("a.db"));
    let begun = Instant::now();
    let builds = class.0.join(".arbitre/builds");
    while !class.0.join("a.db").exists() && begun.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(20));
    }
    class.file("ada/build.sh", &bot("sleep 0.2"));
    let others = [start(&["check", "class", "--games", "2"]), start(&tournament("b.db"))];
    for other in others.into_iter().chain([first]) {
        let output = other.wait_with_output().unwrap();
        let text = format!("{}{}", stdout(&output), stderr(&output));
        assert!(output.status.success() && !text.contains("not started"), "{text}");
        assert!(!text.contains("fault:") && !text.contains("changed"), "{text}");
    }
    assert_eq!(records(&builds).len(), 3);
    // A game is run again by a version whose files have changed since.
    let mut rerun = Command::new(REFEREE);
    rerun.args(["rerun", "1", "--db", "b.db", "--brief"]).current_dir(&class.0);
    let rerun = rerun.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let in_use = File::open(builds.join("in-use")).unwrap();
    let (begun, is_held) =
        (Instant::now(), || matches!(in_use.try_lock(), Err(TryLockError::WouldBlock)));
    while !is_held() {
        in_use.unlock().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(30), "the copies are not held");
        thread::sleep(Duration::from_millis(5));
    }
    class.file("ada/build.sh", &bot(":"));
    assert!(start(&tournament("c.db")).wait().unwrap().success());
    let output = rerun.wait_with_output().unwrap();
    assert!(stdout(&output).ends_with("move for move\n"), "{output:?}");
}
