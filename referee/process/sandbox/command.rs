//! Files of a command: its program or script, the interpreters behind it, and the symbolic
//! links on the way to each of them.

use super::Surroundings;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Programs that run the first of their arguments that is a file; without one, they find their
/// files in the current folder. A version at the end of the name does not count.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "dash", "deno", "dotnet", "elixir", "env", "escript", "guile", "java", "julia",
    "ksh", "lua", "luajit", "mono", "nice", "node", "nodejs", "ocaml", "ocamlrun", "perl", "php",
    "pypy", "python", "racket", "Rscript", "ruby", "runghc", "sbcl", "scala", "sh", "stdbuf",
    "swipl", "tclsh", "timeout", "utop", "zsh",
];
/// Folders with system programs and libraries.
pub const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
/// Folders that contain those of the system and of all users.
const TOP: [&str; 3] = ["/", "/usr", "/home"];
/// Number of bytes of a first line that the kernel reads.
const FIRST_LINE: u64 = 256;
/// Number of bytes of the settings of a virtual environment that are read. Not tuned.
const SETTINGS: u64 = 4096;
/// Number of symbolic links on the way to one file that the kernel follows.
const MOST_LINKS: usize = 40;

/// Files of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandFiles {
    /// The program's own folder, if it has one. Else the folder of the program, or of the script
    /// where the program is an interpreter.
    pub folder: PathBuf,
    /// Folders that belong to the program alone; in a folder that is shared, its file.
    pub paths: Vec<PathBuf>,
    /// The program or script, and every file that an argument names, as written.
    pub named: Vec<PathBuf>,
    /// Executables of interpreters, as written.
    pub interpreters: Vec<PathBuf>,
}

impl CommandFiles {
    /// Finds the files of a command.
    pub fn find(program: &Path, arguments: &[String], around: &Surroundings) -> CommandFiles {
        let named_by = |argument: &String| Some(around.folder.join(named_file(argument, around)?));
        let mut named: Vec<PathBuf> = arguments.iter().filter_map(named_by).collect();
        let mut interpreters = Vec::new();
        let main = if is_interpreter(program) {
            interpreters.push(program.to_owned());
            arguments.iter().map(|argument| around.folder.join(argument)).find(|of| of.is_file())
        } else {
            named.push(program.to_owned());
            Some(program.to_owned())
        };
        let beside = main.as_deref().and_then(Path::parent).filter(|_| !around.is_own);
        let folder = real_path(beside.unwrap_or(&around.folder));
        let paths = match &main {
            _ if around.is_own => vec![folder.clone()],
            // A program finds the files beside itself by the name of a link, or by its target.
            Some(main) => {
                let link = folder.join(main.file_name().unwrap_or_default());
                own_paths([link, real_path(main)], around)
            }
            None if around.is_shared(&folder) || is_system(&folder) => Vec::new(),
            None => vec![folder.clone()],
        };
        // A script may start those that `PATH` finds in the home before any of the system.
        interpreters.extend(in_home(around));
        let mut scripts: Vec<PathBuf> = main.into_iter().chain(interpreters.clone()).collect();
        while let Some(script) = scripts.pop() {
            for found in first_line(&script, &folder, around.variable("PATH")) {
                if !interpreters.contains(&found) && is_installed(&found, &paths, around) {
                    interpreters.push(found.clone());
                    scripts.push(found);
                }
            }
        }
        CommandFiles { folder, paths, named, interpreters }
    }

    /// Returns what lies beside a script in a shared folder such as the home, without hidden files.
    /// Such a folder is not shown as that of one program.
    pub fn beside(&self, around: &Surroundings) -> Vec<PathBuf> {
        let is_top = TOP.iter().any(|folder| Path::new(folder) == self.folder);
        if is_top || !around.is_shared(&self.folder) {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_shown = |entry: &fs::DirEntry| {
            let is_hidden = entry.file_name().as_bytes().starts_with(b".");
            // A home below has hidden files of its own. A link may lead anywhere.
            let is_plain = entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir());
            !is_hidden && is_plain && !around.is_shared(&entry.path())
        };
        entries.filter(is_shown).map(|entry| entry.path()).collect()
    }
}

/// Returns the folder of each file, or the file if its folder is shared. Files of the system belong
/// to all programs.
fn own_paths(files: [PathBuf; 2], around: &Surroundings) -> Vec<PathBuf> {
    let own = files.into_iter().map(|file| match file.parent() {
        Some(folder) if !around.is_shared(folder) => folder.to_owned(),
        _ => file,
    });
    let mut own: Vec<PathBuf> = own.filter(|path| !is_system(path)).collect();
    own.dedup();
    own
}

/// Returns `true` for paths in system folders.
pub fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system)) || store(path).is_some()
}

/// Returns the package store that contains this path. Its packages refer to each other.
pub fn store(path: &Path) -> Option<&'static Path> {
    ["/nix/store", "/gnu/store"].map(Path::new).into_iter().find(|store| path.starts_with(store))
}

/// Returns the file that an argument names, as `FILE` or `--option=FILE`.
fn named_file<'a>(argument: &'a str, around: &Surroundings) -> Option<&'a str> {
    let value = argument.split_once('=').filter(|_| argument.starts_with('-'));
    let candidates = [Some(argument), value.map(|(_, value)| value)];
    candidates.into_iter().flatten().find(|file| around.folder.join(file).is_file())
}

/// Returns the argument with an absolute path in place of the file that it names.
pub fn absolute_argument(argument: &str, around: &Surroundings) -> String {
    let absolute = named_file(argument, around).and_then(|file| {
        let path = std::path::absolute(around.folder.join(file)).ok()?;
        let option = argument.strip_suffix(file)?;
        Some(format!("{option}{}", path.to_str()?))
    });
    absolute.unwrap_or_else(|| argument.to_owned())
}

/// Returns `true` for names of interpreters, with or without a version.
pub fn is_interpreter(program: &Path) -> bool {
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.contains(&name)
}

/// Returns the executables that the first line of a script names: the interpreter, and the program
/// that `env` finds in `path`. Relative ones are found from `folder`.
fn first_line(script: &Path, folder: &Path, path: Option<&OsStr>) -> Vec<PathBuf> {
    let bytes = beginning(script, FIRST_LINE);
    let Some(line) = bytes.strip_prefix(b"#!").and_then(|rest| rest.split(|&b| b == b'\n').next())
    else {
        return Vec::new();
    };
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut words = words.map(OsStr::from_bytes);
    let Some(interpreter) = words.next() else { return Vec::new() };
    let mut found = vec![folder.join(interpreter)];
    if interpreter.as_bytes().ends_with(b"/env") {
        let words = words.map(|word| match word.as_bytes().strip_prefix(b"--split-string=") {
            Some(word) => OsStr::from_bytes(word),
            None => word,
        });
        let mut words = words.skip_while(|word| {
            word.as_bytes().starts_with(b"-") || word.as_bytes().contains(&b'=')
        });
        found.extend(words.next().and_then(|word| search(word, folder, path)));
    }
    found
}

/// Returns `true` if a file that the first line of a script names may be shown to it. A stranger
/// may have written that line, or made a link: it must not show any other file.
///
/// The file is in the system or the program's own folder, or it has the name of an interpreter
/// behind every link. Then it is in a folder of `PATH`, in `/opt`, or compiled and in `bin`.
fn is_installed(file: &Path, own: &[PathBuf], around: &Surroundings) -> bool {
    let real = real_path(file);
    if is_system(&real) || own.iter().any(|own| real.starts_with(own)) {
        return true;
    }
    let path = around.variable("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let is_in_path = folders.any(|folder| file.parent() == Some(&folder));
    let is_compiled = || {
        let is_in_bin = real.parent().is_some_and(|folder| folder.ends_with("bin"));
        is_in_bin && beginning(&real, 4) == b"\x7fELF"
    };
    let mut links = hops(file).into_iter().filter(|hop| hop.is_file);
    links.all(|hop| is_interpreter(&hop.path))
        && (is_in_path || real.starts_with("/opt") || is_compiled())
}

/// Returns the interpreters that `PATH` finds in the home first.
fn in_home(around: &Surroundings) -> Vec<PathBuf> {
    let (Some(path), Some(home)) = (around.variable("PATH"), &around.home) else {
        return Vec::new();
    };
    let folders: Vec<PathBuf> = std::env::split_paths(path).filter(|of| of.is_absolute()).collect();
    let mut found = Vec::new();
    for (at, folder) in folders.iter().enumerate().filter(|(_, folder)| folder.starts_with(home)) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|file| is_interpreter(file));
        let is_first = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default();
            file.is_file() && !folders[..at].iter().any(|before| before.join(name).is_file())
        };
        let mut files: Vec<PathBuf> = files.filter(is_first).collect();
        files.sort();
        found.extend(files);
    }
    found
}

/// Returns the first bytes of a regular file; nothing if it cannot be read.
pub fn beginning(file: &Path, count: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // To open a pipe would wait for its other end, and a device may have no end.
    if file.is_file() {
        let _ = File::open(file).and_then(|file| file.take(count).read_to_end(&mut bytes));
    }
    bytes
}

/// Finds the program that a word names, as a shell would.
fn search(word: &OsStr, folder: &Path, path: Option<&OsStr>) -> Option<PathBuf> {
    if word.as_bytes().contains(&b'/') {
        return Some(folder.join(word));
    }
    let folders = std::env::split_paths(path?).map(|of| folder.join(of));
    folders.map(|of| of.join(word)).find(|file| file.is_file())
}

/// Returns the folder of the installation to which an executable belongs: above `bin`, and above
/// the `shims` of version managers. A folder in `/opt` is one installation.
pub fn installation(executable: &Path) -> Option<&Path> {
    let folder = executable.parent()?;
    let opt = folder.ancestors().find(|above| above.parent() == Some(Path::new("/opt")));
    if opt.is_some() {
        return opt;
    }
    match folder.file_name()?.to_str() {
        Some("bin" | "sbin" | "shims") => folder.parent(),
        _ => Some(folder),
    }
}

/// Returns the installation of Python from which a virtual environment was made. A stranger may
/// have written its settings, so that a folder without the library of Python is none.
pub fn base_python(environment: &Path) -> Option<PathBuf> {
    let settings = beginning(&environment.join("pyvenv.cfg"), SETTINGS);
    let settings = String::from_utf8_lossy(&settings);
    let mut pairs = settings.lines().filter_map(|line| line.split_once('='));
    let (_, folder) = pairs.find(|(name, _)| name.trim() == "home")?;
    let python = Path::new(folder.trim()).join("python");
    let base = installation(&python)?;
    let libraries = fs::read_dir(base.join("lib")).into_iter().flatten().flatten();
    let mut libraries =
        libraries.filter(|entry| entry.file_name().as_bytes().starts_with(b"python"));
    libraries.any(|entry| entry.path().join("os.py").is_file()).then(|| base.to_owned())
}

/// Path that the kernel visits on the way to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Path without symbolic links above it.
    pub path: PathBuf,
    /// Whether it stands for the file itself, not for a folder above it.
    pub is_file: bool,
}

/// Returns every symbolic link on the way to a path, then the real path. Parts that do not exist
/// are kept.
pub fn hops(path: &Path) -> Vec<Hop> {
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut hops, mut real, mut waiting) = (Vec::new(), PathBuf::from("/"), parts(path));
    while let Some(part) = waiting.pop() {
        if part == ".." {
            real.pop();
        } else if part != "." {
            real.push(part);
        }
        if let Some(target) = fs::read_link(&real).ok().filter(|_| hops.len() < MOST_LINKS) {
            hops.push(Hop { path: real.clone(), is_file: waiting.is_empty() });
            real.pop();
            waiting.extend(parts(&target));
        }
    }
    hops.push(Hop { path: real, is_file: true });
    hops
}

/// Returns the path without symbolic links. Parts that do not exist are kept.
pub fn real_path(path: &Path) -> PathBuf {
    hops(path).pop().map_or_else(|| path.to_owned(), |hop| hop.path)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{strings, Scratch};
    use super::*;

    #[test]
    fn interpreter_runs_its_first_file() {
        let scratch = Scratch::new();
        let around = scratch.around(&[]);
        let bot = scratch.file("bots/bot.py", "");
        let (settings, book) = (scratch.file("a.properties", ""), scratch.file("books/a.bin", ""));
        let find =
            |program: &Path, arguments: &[String]| CommandFiles::find(program, arguments, &around);

        for python in ["/x/python3.11", "/x/python", "/x/pypy3", "/x/env"] {
            let found = find(Path::new(python), &strings(["-u", "bots/bot.py", "1"]));
            assert_eq!(found.folder, scratch.0.join("bots"), "{python}");
            assert_eq!(
                (found.paths, found.named),
                (vec![scratch.0.join("bots")], vec![bot.clone()])
            );
            assert_eq!(found.interpreters, [Path::new(python)]);
        }
        let java = strings(["-Dsettings=a.properties", "-jar", "bots/bot.py"]);
        let found = find(Path::new("/x/java"), &java);
        assert_eq!(
            (found.folder, found.named),
            (scratch.0.join("bots"), vec![settings, bot.clone()])
        );
        // The classes are in the current folder, or below it.
        let found = find(Path::new("/x/java"), &strings(["-cp", "bots", "Main"]));
        assert_eq!((found.folder, found.paths), (scratch.0.clone(), vec![scratch.0.clone()]));

        let found = find(&bot, &strings(["--book=books/a.bin", "none"]));
        assert_eq!((found.paths, found.interpreters), (vec![scratch.0.join("bots")], vec![]));
        assert_eq!(found.named, [book, bot]);
    }

    #[test]
    fn shared_folder_belongs_to_no_program() {
        let scratch = Scratch::new();
        let mut around = scratch.around_home(&[]);
        let bot = scratch.file("home/bot", "");
        let paths =
            |program: &Path, around: &Surroundings| CommandFiles::find(program, &[], around).paths;
        assert_eq!(paths(&bot, &around), [bot]);
        let above = scratch.file("bot", "");
        assert_eq!(paths(&above, &around), [above]);
        let local = scratch.file("home/.local/bot", "");
        assert_eq!(paths(&local, &around), [local]);
        assert_eq!(paths(Path::new("/tmp/bot"), &around), [Path::new("/tmp/bot")]);
        assert_eq!(paths(Path::new("/usr/games/bot"), &around), [""; 0].map(PathBuf::from));
        around.folder = scratch.folder("home");
        assert_eq!(paths(Path::new("/x/node"), &around), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn both_folders_of_a_link_belong_to_the_program() {
        let scratch = Scratch::new();
        let around = scratch.around(&[]);
        scratch.file("sources/bot.py", "");
        let bot = scratch.link("bots/bot", "../sources/bot.py");
        let found = CommandFiles::find(&bot, &[], &around);
        assert_eq!(found.paths, [scratch.0.join("bots"), scratch.0.join("sources")]);
        assert_eq!(found.folder, scratch.0.join("bots"));
    }

    #[test]
    fn first_line_names_interpreters() {
        let scratch = Scratch::new();
        let python = scratch.file("bin/python3", "");
        let path = scratch.0.join("bin").into_os_string();
        let found = |line: &str| {
            let script = scratch.file("bots/bot", line);
            first_line(&script, &scratch.0.join("bots"), Some(&path))
        };
        let env = PathBuf::from("/usr/bin/env");
        assert_eq!(found("#!/opt/x/ruby -w\nputs 1\n"), [Path::new("/opt/x/ruby")]);
        assert_eq!(found("#! ../bin/python3"), [scratch.0.join("bots/../bin/python3")]);
        for words in [
            "python3",
            "-S python3 -u",
            "-iS python3",
            "--split-string=python3 -u",
            "-i A=1 python3",
            "python3\r",
        ] {
            let found = found(&format!("#!/usr/bin/env {words}\nimport sys\n"));
            assert_eq!(found, [env.clone(), python.clone()], "{words}");
        }
        assert_eq!(found("#!/usr/bin/env ./run\n"), [env.clone(), scratch.0.join("bots/./run")]);
        assert_eq!(found("#!/usr/bin/env absent\n"), [env]);
        for other in ["", "#", "#!", "#!\n/bin/sh", "\x7fELF", "import sys\n"] {
            assert_eq!(found(other), [""; 0].map(PathBuf::from), "{other:?}");
        }
        let long = found(&format!("#!/{}", "x".repeat(1000)));
        assert_eq!(long[0].as_os_str().len(), 254, "the kernel reads no more");
    }

    #[test]
    fn interpreters_may_be_scripts() {
        let scratch = Scratch::new();
        let around = scratch.around(&[]);
        let (bot, inner, outer) =
            (scratch.0.join("bot"), scratch.0.join("x/inner"), scratch.0.join("x/outer"));
        scratch.file("bot", &format!("#!{}\n", outer.display()));
        scratch.file("x/outer", &format!("#!{}\n", inner.display()));
        scratch.file("x/inner", &format!("#!{}\n", outer.display()));
        assert_eq!(CommandFiles::find(&bot, &[], &around).interpreters, [outer, inner]);
    }

    /// First lines, and links in the folder of the program, that lead to files of the user.
    #[test]
    fn first_line_of_a_stranger_shows_no_file() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        scratch.file("home/.ssh/key", "secret");
        scratch.file("home/.ssh/python3", "secret");
        scratch.file("home/.cargo/bin/cargo", "\x7fELF");
        scratch.file("home/x/bin/tool", "\x7fELF");
        scratch.file("home/x/bin/node", "no program");
        scratch.file("home/x/node", "\x7fELF");
        scratch.file("home/py/bin/python3.11", "\x7fELF");
        scratch.link("home/venv/bin/python3", at("home/py/bin/python3.11"));
        scratch.link("bots/node", at("home/.ssh/key"));
        scratch.link("bots/python3", at("home/.cargo/bin/cargo"));
        scratch.link("bots/run", at("home/.ssh/key"));
        let cargo = at("home/.cargo/bin");
        let around = scratch.around_home(&[("PATH", &cargo)]);
        let home = at("home").display().to_string();
        for (line, expected) in [
            ("#!@/.ssh/key", vec![]),
            ("#!@/.ssh/python3", vec![]),
            ("#!@/.cargo/bin/cargo", vec![]),
            ("#!/usr/bin/env cargo", vec!["/usr/bin/env"]),
            ("#!@/x/bin/tool", vec![]),
            ("#!@/x/bin/node", vec![]),
            ("#!@/x/node", vec![]),
            ("#!./node", vec![]),
            ("#!./python3", vec![]),
            ("#!./run", vec![]),
            ("#!/usr/bin/env @/.ssh/key", vec!["/usr/bin/env"]),
            ("#!/usr/bin/env ../home/.ssh/key", vec!["/usr/bin/env"]),
            ("#!/bin/sh", vec!["/bin/sh"]),
            ("#!@/venv/bin/python3", vec!["@/venv/bin/python3"]),
        ] {
            let bot = scratch.file("bots/bot", &format!("{}\n", line.replace('@', &home)));
            for words in [vec![], strings([bot.to_str().unwrap()])] {
                let program = if words.is_empty() { &bot } else { Path::new("/usr/bin/python3") };
                let mut found = CommandFiles::find(program, &words, &around).interpreters;
                found.retain(|path| path != Path::new("/usr/bin/python3"));
                let expected = expected.iter().map(|path| PathBuf::from(path.replace('@', &home)));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{line}");
            }
        }
    }

    #[test]
    fn interpreters_of_path_in_the_home_are_found() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        for file in ["local/bin/python3", "local/bin/notes", "local/bin/node", "nvm/bin/node"] {
            scratch.file(&format!("home/{file}"), "");
        }
        scratch.file("tools/python3", "");
        let found = |folders: &[&str]| {
            let path = std::env::join_paths(folders.iter().map(|folder| at(folder))).unwrap();
            let around = scratch.around_home(&[("PATH", Path::new(&path))]);
            in_home(&around)
        };
        let (local, nvm) = ("home/local/bin", "home/nvm/bin");
        assert_eq!(found(&[local, nvm]), [at("home/local/bin/node"), at("home/local/bin/python3")]);
        assert_eq!(found(&["tools", nvm, local]), [at("home/nvm/bin/node")]);
        assert_eq!(found(&["tools"]), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn installation_is_above_the_executables() {
        for (executable, folder) in [
            ("/x/versions/3.11/bin/python", "/x/versions/3.11"),
            ("/x/pyenv/shims/python", "/x/pyenv"),
            ("/x/dotnet/dotnet", "/x/dotnet"),
            ("/opt/jdk/17/jre/bin/java", "/opt/jdk"),
            ("/bin/sh", "/"),
        ] {
            assert_eq!(installation(Path::new(executable)), Some(Path::new(folder)));
        }
        assert_eq!(store(Path::new("/nix/store/x/bin/y")), Some(Path::new("/nix/store")));
        assert_eq!(store(Path::new("/nix/storey")), None);
    }

    #[test]
    fn every_link_is_a_hop() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        scratch.file("java/17/bin/java", "");
        scratch.link("java/current", "17");
        scratch.link("bin/java", "../java/current/bin/java");
        let found = hops(&at("bin/../bin/java"));
        let expected = [("bin/java", true), ("java/current", false), ("java/17/bin/java", true)];
        assert_eq!(found, expected.map(|(path, is_file)| Hop { path: at(path), is_file }));
        scratch.link("circle", "circle");
        assert_eq!(hops(&at("circle")).len(), MOST_LINKS + 1);
        assert_eq!(real_path(&at("absent/x/../y")), at("absent/y"));
    }

    #[test]
    fn arguments_become_absolute() {
        let scratch = Scratch::new();
        let around = scratch.around(&[]);
        let file = scratch.file("books/a=b.bin", "");
        let file = file.to_str().unwrap();
        scratch.file("5", "");
        for (argument, expected) in [
            ("books/a=b.bin", file.to_owned()),
            ("./books/a=b.bin", file.to_owned()),
            ("--book=books/a=b.bin", format!("--book={file}")),
            ("--depth", "--depth".to_owned()),
            ("depth=5", "depth=5".to_owned()),
            ("--books=books", "--books=books".to_owned()),
            ("books", "books".to_owned()),
            (file, file.to_owned()),
            ("", String::new()),
        ] {
            assert_eq!(absolute_argument(argument, &around), expected, "{argument}");
        }
    }
}
