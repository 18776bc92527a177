//! Explanation of refused accesses, from a program's standard error.

use super::command::{beginning, real_path};
use super::environment::heap;
use super::view::{is_replaced, rights};
use super::Sandbox;
use crate::launcher::layers::{Access, Level, ViewEntry};
use rustix::fs::{access, Access as Permission};
use std::fs::Metadata;
use std::iter;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Number of bytes at the end of the text that are searched. Not tuned.
const SEARCHED: usize = 4096;
/// Number of words that are tried as paths. Not tuned.
const TRIED: usize = 64;
/// Words of errors for files that may exist outside of the sandbox.
const MISSING: [&str; 3] = ["no such file", "could not find", "nosuchfile"];
/// Words of errors for something that is missing, without the path of its file.
const UNNAMED: [&str; 12] = [
    "classnotfoundexception",
    "noclassdeffounderror",
    "could not find or load main class",
    "unable to access jarfile",
    "no module named",
    "cannot find module",
    "cannot load such file",
    "can't locate",
    "cannot open shared object file",
    // Shells: `sh: 1: java: not found`, `command not found: java`.
    ": not found",
    "not found in $path",
    "command not found",
];
/// Largest file of a program that is searched for paths, in bytes. Not tuned.
const SEARCHED_FILE: u64 = 64 << 10;
/// Words of errors for files and calls that are refused.
const DENIED: [&str; 5] = [
    "permission denied",
    "operation not permitted",
    "read-only file system",
    "is denied",
    "accessdenied",
];
/// Words of errors of a program whose scratch folder or file is full.
const FULL: [&str; 2] = ["no space left on device", "file too large"];
/// Words of PyInstaller, which unpacks itself into the scratch folder, in one line.
const UNPACKED: [&str; 2] = ["[pyi-", "failed to extract"];
/// Words of errors of a runtime whose heap is full: of the JVM and of Node.
const HEAP: [&str; 2] = ["java.lang.outofmemoryerror", "heap out of memory"];
/// Words of errors of a program without a network.
const UNREACHABLE: [&str; 7] = [
    "network is unreachable",
    "enetunreach",
    "name resolution",
    "name or service not known",
    "getaddrinfo",
    "eai_again",
    "unknownhost",
];

/// Access that the sandbox refused, which a setting of it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The path is hidden.
    Hidden {
        /// Path, which may contain any characters.
        path: PathBuf,
        /// Whether it is a device.
        is_device: bool,
    },
    /// The path can only be read.
    Protected(PathBuf),
    /// There is no network.
    Network,
    /// The scratch folder or a file is full, at this size in bytes.
    Scratch(u64),
    /// The heap is full, at this size in bytes, which follows from the memory.
    Heap(u64),
}

/// Returns the access that the sandbox refused last. `text` is the standard error of the program in
/// the file `program`.
pub fn refused(text: &str, program: &Path, sandbox: &Sandbox) -> Option<Refusal> {
    if sandbox.layers.level < Level::Partial {
        return None;
    }
    let start = text.len().saturating_sub(SEARCHED);
    let start = (start..).find(|&at| text.is_char_boundary(at))?;
    let lower = text[start..].to_ascii_lowercase();
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let (mut left, mut is_unnamed) = (TRIED, false);
    // The last error is the one that ended the program.
    for (line, lower_line) in text[start..].lines().rev().zip(lower.lines().rev()) {
        let is_unpacked = UNPACKED.iter().all(|word| lower_line.contains(word));
        if is_unpacked || has(lower_line, &FULL) {
            return Some(Refusal::Scratch(sandbox.layers.limits.disk));
        }
        if has(lower_line, &HEAP) {
            return Some(Refusal::Heap(heap(sandbox.layers.limits.memory)));
        }
        is_unnamed |= has(lower_line, &UNNAMED);
        let is_denied = has(lower_line, &DENIED);
        if is_denied || has(lower_line, &MISSING) {
            for (word, is_path) in words(line).take(left) {
                left -= 1;
                let refusal = explain(word, is_path, is_denied, sandbox);
                if refusal.is_some() {
                    return refusal;
                }
            }
        }
        let is_network = has(lower_line, &UNREACHABLE) || is_denied && lower.contains("socket");
        if is_network && !sandbox.layers.has_network {
            return Some(Refusal::Network);
        }
    }
    is_unnamed.then(|| hidden_by_name(program, sandbox))?
}

/// Returns the arguments of a program, and the texts of its scripts.
pub fn texts(program: &Path, sandbox: &Sandbox) -> Vec<String> {
    let arguments = sandbox.arguments.iter();
    let files = arguments.clone().map(|word| sandbox.folder.join(word));
    // A link may lead to a file of the user that the program cannot read.
    let layers = &sandbox.layers;
    let is_shown =
        |path: &Path| rights(&layers.view, layers.level, &real_path(path)) != Access::Hidden;
    let files = iter::once(program.to_owned()).chain(files).filter(|path| {
        let is_small = |found: Metadata| found.is_file() && found.len() <= SEARCHED_FILE;
        is_shown(path) && path.metadata().is_ok_and(is_small)
    });
    let texts = files.filter_map(|path| String::from_utf8(beginning(&path, SEARCHED_FILE)).ok());
    arguments.cloned().chain(texts).collect()
}

/// Explains an error without a path by the first hidden one in the program's arguments or scripts.
/// The class path in `exec java -cp /tmp/classes Main` is one.
fn hidden_by_name(program: &Path, sandbox: &Sandbox) -> Option<Refusal> {
    let texts = texts(program, sandbox);
    let ends = |of: char| of.is_whitespace() || "'\"`:=;,()<>|&${}".contains(of);
    let paths = texts.iter().flat_map(|text| text.split(ends)).filter(|word| word.len() > 1);
    let paths = paths.filter(|word| word.starts_with('/')).map(Path::new).take(TRIED);
    // Every sandbox has its own of these, so that a hole for one would cure nothing.
    let is_own = |path: &Path| {
        let is_whole = is_replaced(path) && path.components().count() == 2;
        is_whole || ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
    };
    let mut paths = paths.filter(|path| !is_own(path)).map(real_path);
    paths.find_map(|path| hidden(&path, sandbox).filter(|_| !is_own(&path)))
}

/// Returns the refusal of a path, if the sandbox hides it and the user may read it.
fn hidden(path: &Path, sandbox: &Sandbox) -> Option<Refusal> {
    let layers = &sandbox.layers;
    if !path.exists() || rights(&layers.view, layers.level, path) != Access::Hidden {
        return None;
    }
    // A folder above what is shown can be listed in part at most, and no option changes that.
    let is_above = |entry: &ViewEntry| {
        let is_shown = !entry.access.is_none();
        is_shown && entry.path != path && entry.path.starts_with(path)
    };
    // Every sandbox has its own processes.
    let has_no_hole = layers.view.iter().any(is_above) || path.starts_with("/proc");
    if has_no_hole || access(path, Permission::READ_OK).is_err() {
        return None;
    }
    let kind = path.metadata().ok()?.file_type();
    let is_device = kind.is_char_device() || kind.is_block_device();
    Some(Refusal::Hidden { path: path.to_owned(), is_device })
}

/// Returns the parts of a line that may be paths, each with whether it looks like one: what is
/// quoted, what stands between colons, and the last word of each, as in `open /x: not permitted`.
fn words(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let quoted = line.split(['\'', '"']).skip(1).step_by(2).map(|part| (part, true));
    let words = quoted.chain([(line, false)]).flat_map(|(text, is_quoted)| {
        // The program's own name comes first, if at all.
        let parts = text.rsplit(": ").map(|part| part.split(" (").next().unwrap_or(part));
        let words = parts.flat_map(|part| [part, part.rsplit(' ').next().unwrap_or(part)]);
        words.map(move |word| (word.trim_end_matches([',', '.']), is_quoted || word.contains('/')))
    });
    words.filter(|(word, _)| !word.is_empty())
}

/// Explains a failed access to the path in `word`, if the user has the right that is missing.
fn explain(word: &str, is_path: bool, is_denied: bool, sandbox: &Sandbox) -> Option<Refusal> {
    let layers = &sandbox.layers;
    let path = real_path(&sandbox.folder.join(word));
    let rights = |path: &Path| rights(&layers.view, layers.level, path);
    if path.exists() && rights(&path) == Access::Hidden {
        return hidden(&path, sandbox);
    }
    // A file that does not exist may be one that the program wanted to create.
    let target = if path.exists() { &path } else { path.parent().filter(|_| is_path)? };
    let is_scratch = layers.level == Level::Full && is_replaced(target);
    // A hole for the whole file system would be bad advice.
    if is_scratch || target.parent().is_none() {
        return None;
    }
    let is_refused = match rights(target) {
        Access::Hidden | Access::Watched => true,
        Access::Read => is_denied,
        Access::Write | Access::Device => false,
    };
    if is_refused && access(target, Permission::WRITE_OK).is_ok() {
        return Some(Refusal::Protected(target.to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::testing::Scratch;
    use super::super::{Profile, SandboxConfig};
    use super::*;

    fn hides(path: impl Into<PathBuf>, is_device: bool) -> Refusal {
        Refusal::Hidden { path: path.into(), is_device }
    }

    #[test]
    fn refused_access_is_found() {
        let scratch = Scratch::new();
        let bot = scratch.file("bots/bot", "");
        scratch.file("bots/own.bin", "");
        scratch.file("books/a b.bin", "");
        scratch.folder("out");
        let book = scratch.file("books/a.bin", "");
        let around = scratch.around(&[]);
        let config = SandboxConfig { profile: Some(Profile::Class), ..SandboxConfig::default() };
        let root = scratch.0.to_str().unwrap();
        let shows = |path: &str| Some(hides(scratch.0.join(path), false));
        let allows = |path: &str| Some(Refusal::Protected(scratch.0.join(path)));
        let network = || Some(Refusal::Network);
        let full = || Some(Refusal::Scratch(64 << 20));
        let heap = || Some(Refusal::Heap(768 << 20));
        for (text, expected) in [
            ("Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat x", heap()),
            ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", heap()),
            ("OSError: [Errno 28] No space left on device\n[end of Python process]", full()),
            ("OSError: [Errno 27] File too large", full()),
            ("Failed to extract line from 'xyz'", None),
            ("Error: ENOSPC: no space left on device, write\n    at x", full()),
            ("[PYI-9:ERROR] Failed to extract libopenblas.so: decompression failed!", full()),
            ("PermissionError: [Errno 13] Permission denied: '@/books/a.bin'", shows("books/a.bin")),
            ("FileNotFoundError: [Errno 2] No such file or directory: '../books/a.bin'\n", shows("books/a.bin")),
            ("FileNotFoundError: [Errno 2] No such file or directory: '@/books/a b.bin'", shows("books/a b.bin")),
            ("  errno: -2,\nError: ENOENT: no such file or directory, open '@/books/a.bin'\n  at x\n\n", shows("books/a.bin")),
            ("java.io.FileNotFoundException: @/books/a.bin (No such file or directory)", shows("books/a.bin")),
            ("java.nio.file.NoSuchFileException: @/books/a.bin", shows("books/a.bin")),
            ("bot: @/books/a.bin: Permission denied", shows("books/a.bin")),
            ("../books/a.bin: No such file or directory", shows("books/a.bin")),
            ("panic: open @/books/a.bin: no such file or directory", shows("books/a.bin")),
            ("Fatal error: exception Sys_error(\"@/books/a.bin: No such file or directory\")", shows("books/a.bin")),
            ("Unhandled exception. Could not find file '@/books/a.bin'.", shows("books/a.bin")),
            ("OSError: [Errno 30] Read-only file system: 'log.txt'", allows("bots")),
            ("PermissionError: [Errno 13] Permission denied: 'own.bin'", allows("bots/own.bin")),
            ("FileNotFoundError: [Errno 2] No such file or directory: '@/out/log.txt'", allows("out")),
            ("OSError: [Errno 101] Network is unreachable", network()),
            ("  s = socket.socket()\nPermissionError: [Errno 1] Operation not permitted", network()),
            ("socket: Operation not permitted", network()),
            ("socket.gaierror: [Errno -3] Temporary failure in name resolution", network()),
            // The last of two errors.
            (
                "bot: @/books/a.bin: Permission denied\nbot: @/books/a b.bin: Permission denied",
                shows("books/a b.bin"),
            ),
            // A folder above the own one.
            ("ls: cannot open directory '@': Permission denied", None),
            ("/proc/self/mem: Permission denied", None),
            // Mistakes of the program itself.
            ("FileNotFoundError: [Errno 2] No such file or directory: 'absent.bin'", None),
            ("FileNotFoundError: [Errno 2] No such file or directory: '@/absent/x'", None),
            ("FileNotFoundError: [Errno 2] No such file or directory: 'own.bin'", None),
            ("FileNotFoundError: [Errno 2] No such file or directory: '/tmp/absent'", None),
            ("PermissionError: [Errno 1] Operation not permitted", None),
            ("I read '@/books/a.bin'", None),
            ("", None),
        ] {
            let text = text.replace('@', root);
            let mut sandbox = config.sandbox_for(&bot, &[], &around, Level::Full);
            assert_eq!(refused(&text, &bot, &sandbox), expected, "{text}");
            sandbox.layers.level = Level::Weak;
            assert_eq!(refused(&text, &bot, &sandbox), None, "{text}");
        }

        let denied = format!("{}: Permission denied\n", book.display());
        let full = config.sandbox_for(&bot, &[], &around, Level::Full);
        assert_eq!(refused(&(denied.clone() + &"é".repeat(SEARCHED / 2)), &bot, &full), None);
        assert!(refused(&("é".repeat(SEARCHED) + "\n" + &denied), &bot, &full).is_some());
        let many = ": /x".repeat(TRIED);
        assert_eq!(
            refused(&(denied.trim_end().to_owned() + &many), &bot, &full),
            None,
            "work is bounded"
        );
        // Errors that a hole would not cure.
        let config = SandboxConfig { read: vec![scratch.0.join("books")], network: true, ..config };
        let open = config.sandbox_for(&bot, &[], &around, Level::Full);
        assert_eq!(refused("connect: Network is unreachable", &bot, &open), None);
        let missing = format!("{}: No such file or directory", book.display());
        assert_eq!(refused(&missing, &bot, &open), None);
    }

    /// A class path in a script, or in words for a shell, is named where the error has no path.
    #[test]
    fn hidden_path_in_words_and_scripts_is_named() {
        let scratch = Scratch::new();
        let root = scratch.0.to_str().unwrap();
        scratch.file("classes/Bot.class", "");
        let classes = format!("{root}/classes");
        let config = SandboxConfig { profile: Some(Profile::Class), ..SandboxConfig::default() };
        let script = |name: &str, text: &str| scratch.file(name, text);
        let naming = script("bots/a.sh", &format!("#!/bin/sh\nexec java -cp {classes}:. Bot\n"));
        let quoting =
            script("bots/b.sh", &format!("#!/bin/sh\nCP=\"{classes}\"\njava -cp $CP Bot"));
        let careful = script(
            "bots/e.sh",
            &format!("#!/bin/sh\ncd /tmp 2>/dev/null >/dev/stderr\njava -cp {classes} Bot\n"),
        );
        let silent = script("bots/c.sh", "#!/bin/sh\nexec java -cp /tmp/absent:/usr Bot\n");
        let words = ["-c".to_owned(), format!("java -cp {classes} Bot")];
        let missing = "Error: Could not find or load main class Bot\n\
                       Caused by: java.lang.ClassNotFoundException: Bot\n";
        for (program, words, text, is_named) in [
            (&naming, &[][..], missing, true),
            (&quoting, &[], missing, true),
            (&silent, &words, missing, true),
            (&silent, &[], missing, false),
            (&careful, &[], "sh: 2: java: not found", true),
            (&naming, &[], "book entry not found", false),
            (&naming, &[], "ModuleNotFoundError: No module named 'numpy'", true),
            (&naming, &[], "Segmentation fault", false),
            (&naming, &[], "", false),
        ] {
            let sandbox = config.sandbox_for(program, words, &scratch.around(&[]), Level::Full);
            let expected = is_named.then(|| hides(&classes, false));
            assert_eq!(refused(text, program, &sandbox), expected, "{program:?} {text}");
        }
        let open = SandboxConfig { read: vec![classes.into()], ..config };
        let sandbox = open.sandbox_for(&naming, &[], &scratch.around(&[]), Level::Full);
        assert_eq!(refused(missing, &naming, &sandbox), None, "it is shown already");
    }

    #[test]
    fn device_is_named_as_one() {
        let scratch = Scratch::new();
        let bot = scratch.file("bots/bot", "");
        let config = SandboxConfig::default();
        let sandbox = config.sandbox_for(&bot, &[], &scratch.around(&[]), Level::Full);
        let refusal = refused("bot: /dev/zero: Permission denied", &bot, &sandbox);
        assert_eq!(refusal, Some(hides("/dev/zero", true)));
    }
}
