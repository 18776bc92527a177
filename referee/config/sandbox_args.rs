//! Options of the sandbox: common ones, or those in the brackets of one player.

use crate::config::number::{number, word};
use crate::failure::Failure;
use arbitre_games::game::ParseError;
use arbitre_games::text::{closest, format_size, io_reason, parse_size, value_of, word_of, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::{Profile, SandboxConfig, Surroundings};
use clap::Args;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Smallest memory and smallest scratch folder, in bytes. Not tuned.
const LEAST: u64 = 1 << 20;
/// Largest memory and largest scratch folder, in bytes. Not tuned.
const MOST: u64 = 1 << 40;
/// Smallest number of open files: the three pipes, and what a dynamic linker opens. Not tuned.
const LEAST_FILES: u64 = 8;
/// Largest number of open files, and of processes. Not tuned.
const MOST_FILES: u64 = 1 << 20;

/// Holes and limits of sandboxes.
#[derive(Args, Clone, PartialEq, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxArgs {
    /// View of the files: mine (what you may read, less private files) or class (own folder)
    #[arg(long, value_name = "PROFILE", value_parser = word("profile", &Profile::WORDS), conflicts_with = "no_sandbox")]
    profile: Option<Profile>,
    /// Run programs without a sandbox, with all your rights
    #[arg(long)]
    no_sandbox: bool,
    /// Let programs read a file or folder; may be repeated, as the next two
    #[arg(long, value_name = "PATH", value_parser = parse_path)]
    allow_read: Vec<PathBuf>,
    /// Let programs read and write a file or folder
    #[arg(long, value_name = "PATH", value_parser = parse_path)]
    allow_write: Vec<PathBuf>,
    /// Let programs use a device, such as /dev/kfd
    #[arg(long, value_name = "PATH", value_parser = parse_path)]
    allow_device: Vec<PathBuf>,
    /// Let programs use the network
    #[arg(long)]
    allow_network: bool,
    /// Pass an environment variable to programs; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = parse_variable)]
    env: Vec<String>,
    /// Memory of a program with all its processes, such as 512MiB or 2GiB
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
    /// Processes and threads of a program
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MOST_FILES))]
    processes: Option<u64>,
    /// Open files of each process
    #[arg(long, value_name = "N", value_parser = number::<u64>(LEAST_FILES..=MOST_FILES))]
    open_files: Option<u64>,
    /// Size of the scratch folder, and of each file that a program writes
    #[arg(long, value_name = "SIZE", value_parser = size)]
    scratch: Option<u64>,
}

/// Least sandbox of a run.
#[derive(Args, Clone, Copy, PartialEq, Debug, Default)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxRequirement {
    /// Play only if each program has at least this sandbox: weak, partial or full
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub require_sandbox: Option<Level>,
}

impl SandboxArgs {
    /// Returns `config` with these options set.
    ///
    /// # Errors
    /// Returns an error if an option has no effect, because there is no sandbox.
    pub fn on(&self, config: SandboxConfig) -> Result<SandboxConfig, Failure> {
        if self.no_sandbox {
            self.refuse_holes()?;
            return Ok(SandboxConfig::none());
        }
        let mut config = config;
        config.profile = self.profile.or(config.profile);
        if config.profile.is_none() {
            self.refuse_holes()?;
        }
        add(&mut config.read, &self.allow_read);
        add(&mut config.write, &self.allow_write);
        add(&mut config.devices, &self.allow_device);
        add(&mut config.variables, &self.env);
        config.network |= self.allow_network;
        config.memory = self.memory.unwrap_or(config.memory);
        config.processes = self.processes.unwrap_or(config.processes);
        config.files = self.open_files.unwrap_or(config.files);
        config.disk = self.scratch.unwrap_or(config.disk);
        Ok(config)
    }

    /// Returns these options on top of others. Holes add up.
    pub fn over(&self, base: &SandboxArgs) -> SandboxArgs {
        if self.no_sandbox {
            return self.clone();
        }
        fn both<T: Clone>(one: &[T], other: &[T]) -> Vec<T> {
            [other, one].concat()
        }
        SandboxArgs {
            profile: self.profile.or(base.profile),
            no_sandbox: base.no_sandbox && self.profile.is_none(),
            allow_read: both(&self.allow_read, &base.allow_read),
            allow_write: both(&self.allow_write, &base.allow_write),
            allow_device: both(&self.allow_device, &base.allow_device),
            allow_network: self.allow_network || base.allow_network,
            env: both(&self.env, &base.env),
            memory: self.memory.or(base.memory),
            processes: self.processes.or(base.processes),
            open_files: self.open_files.or(base.open_files),
            scratch: self.scratch.or(base.scratch),
        }
    }

    /// Returns options that set this profile, and nothing else.
    pub fn with_profile(profile: Profile) -> SandboxArgs {
        SandboxArgs { profile: Some(profile), ..SandboxArgs::default() }
    }

    /// Returns `true` if no option is set.
    pub fn is_empty(&self) -> bool {
        *self == SandboxArgs::default()
    }

    fn refuse_holes(&self) -> Result<(), Failure> {
        let options = [
            ("allow-read", !self.allow_read.is_empty()),
            ("allow-write", !self.allow_write.is_empty()),
            ("allow-device", !self.allow_device.is_empty()),
            ("allow-network", self.allow_network),
            ("env", !self.env.is_empty()),
            ("memory", self.memory.is_some()),
            ("processes", self.processes.is_some()),
            ("open-files", self.open_files.is_some()),
            ("scratch", self.scratch.is_some()),
        ];
        match options.iter().find(|(_, is_set)| *is_set) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::Usage(format!(
                "{name}: expected a sandbox, got no-sandbox{HELP}leave {name} out, or write profile=mine \
                 in the player's brackets"
            ))),
        }
    }
}

/// Returns the options by which a sandbox goes beyond another one, as they are written.
pub fn beyond(stored: &SandboxConfig, allowed: &SandboxConfig) -> Vec<String> {
    let (Some(stored_profile), Some(profile)) = (stored.profile, allowed.profile) else {
        let is_open = stored.profile.is_none() && allowed.profile.is_some();
        return if is_open { vec!["--no-sandbox".into()] } else { Vec::new() };
    };
    let mut options = Vec::new();
    if (stored_profile, profile) == (Profile::Mine, Profile::Class) {
        options.push("--profile mine".into());
    }
    for ((name, stored), (_, allowed)) in paths(stored).into_iter().zip(paths(allowed)) {
        let more = stored.iter().filter(|path| !allowed.contains(path));
        options.extend(more.map(|path| format!("--{name} {}", quoted(&path.to_string_lossy()))));
    }
    if stored.network && !allowed.network {
        options.push("--allow-network".into());
    }
    let more = stored.variables.iter().filter(|variable| !allowed.variables.contains(variable));
    options.extend(more.map(|variable| format!("--env {}", quoted(variable))));
    let sizes =
        [("--memory", stored.memory, allowed.memory), ("--scratch", stored.disk, allowed.disk)];
    let larger = sizes.into_iter().filter(|(_, stored, allowed)| stored > allowed);
    options.extend(larger.map(|(name, size, _)| format!("{name} {}", format_size(size))));
    let counts = [
        ("--processes", stored.processes, allowed.processes),
        ("--open-files", stored.files, allowed.files),
    ];
    let larger = counts.into_iter().filter(|(_, stored, allowed)| stored > allowed);
    options.extend(larger.map(|(name, count, _)| format!("{name} {count}")));
    options
}

/// Returns the paths of a sandbox by the options that allow them.
fn paths(of: &SandboxConfig) -> [(&'static str, &[PathBuf]); 3] {
    [("allow-read", &of.read), ("allow-write", &of.write), ("allow-device", &of.devices)]
}

/// Returns a word as it is written in a shell.
fn quoted(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// Adds the items that are not there yet.
fn add<T: Clone + PartialEq>(items: &mut Vec<T>, more: &[T]) {
    for item in more {
        if !items.contains(item) {
            items.push(item.clone());
        }
    }
}

/// Parses a level that can be required.
///
/// # Errors
/// Returns an error that lists the levels for any other word.
pub fn parse_level(word: &str) -> Result<Level, ParseError> {
    let [_, levels @ ..] = Level::WORDS;
    value_of("require-sandbox", word, &levels)
}

fn size(text: &str) -> Result<u64, ParseError> {
    parse_size(text, LEAST..=MOST)
}

/// Parses `NAME` or `NAME=VALUE`.
fn parse_variable(text: &str) -> Result<String, ParseError> {
    let name = text.split('=').next().unwrap_or(text);
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name = name.starts_with(is_start)
        && name.chars().all(|c| is_start(c) || c.is_ascii_digit())
        && !text.contains('\0');
    match is_name {
        true => Ok(text.into()),
        false => Err(ParseError::new(format!("expected NAME or NAME=VALUE, got '{text}'"))),
    }
}

/// Parses the path of something that exists, and makes it absolute.
fn parse_path(text: &str) -> Result<PathBuf, ParseError> {
    let refuse = |why: String| ParseError::new(format!("expected a path, got '{text}': {why}"));
    let mut path = std::path::absolute(text).map_err(|error| refuse(io_reason(&error)))?;
    match fs::metadata(&path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(refuse(missing(&path)));
        }
        Err(error) => return Err(refuse(io_reason(&error))),
    }
    // The parent of a link is not that of its target, so only the system can resolve such a path.
    if path.components().any(|part| part == Component::ParentDir) {
        path = fs::canonicalize(&path).map_err(|error| refuse(io_reason(&error)))?;
    }
    match path.to_str() {
        Some(_) => Ok(path),
        None => Err(refuse("it is in a folder whose name is not UTF-8".into())),
    }
}

/// Returns the first part of a path that does not exist, with the likely one.
fn missing(path: &Path) -> String {
    let folder = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    let rest = path.strip_prefix(folder).unwrap_or(path);
    let name = rest.iter().next().map_or_else(String::new, text_of);
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| text_of(&entry.file_name())).collect();
    let help = match closest(&name, names.iter().map(String::as_str)) {
        Some(near) => format!("{HELP}did you mean {}?", folder.join(near).display()),
        None => String::new(),
    };
    format!("there is no '{name}' in {}{help}", folder.display())
}

fn text_of(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// Folder of results, below the folder in which the referee runs. It is hidden from programs.
pub const RESULTS: &str = ".arbitre";

/// Returns the circumstances of the referee itself.
pub fn surroundings() -> Surroundings {
    let here = Surroundings::here();
    Surroundings { private: vec![here.folder.join(RESULTS)], ..here }
}

/// Returns the options of a sandbox in words, for people.
pub fn in_words(sandbox: &SandboxConfig) -> String {
    let SandboxConfig { processes, files, .. } = sandbox;
    let Some(profile) = sandbox.profile else { return "none".into() };
    let (memory, scratch) = (format_size(sandbox.memory), format_size(sandbox.disk));
    let profile = word_of(profile, &Profile::WORDS);
    let mut words = format!(
        "profile {profile}, memory {memory}, processes {processes}, open-files {files}, scratch \
         {scratch}"
    );
    for (name, paths) in paths(sandbox) {
        paths.iter().for_each(|path| words += &format!(", {name} {}", path.display()));
    }
    words += if sandbox.network { ", allow-network" } else { "" };
    sandbox.variables.iter().for_each(|variable| words += &format!(", env {variable}"));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::player_options::PlayerOptions;

    fn parse(words: &[&str]) -> Result<SandboxArgs, Failure> {
        let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
        Ok(PlayerOptions::parse_words(&words)?.sandbox)
    }

    fn config(words: &[&str]) -> SandboxConfig {
        parse(words).expect("the options are well formed").on(SandboxConfig::default()).unwrap()
    }

    #[test]
    fn options_print_as_they_are_written() {
        let usual = "profile mine, memory 1GiB, processes 256, open-files 256, scratch 64MiB";
        let cases: [(&[&str], &str); 6] = [
            (&[], usual),
            (&["no-sandbox"], "none"),
            (
                &["allow-read=/usr", "allow-read=/", "allow-write=/tmp"],
                "USUAL, allow-read /usr, allow-read /, allow-write /tmp",
            ),
            (
                &["allow-device=/dev/null", "allow-network", "env=A", "env=B_1=x=y"],
                "USUAL, allow-device /dev/null, allow-network, env A, env B_1=x=y",
            ),
            (
                &["profile=class", "memory=2GiB", "processes=1", "open-files=8", "scratch=1MiB"],
                "profile class, memory 2GiB, processes 1, open-files 8, scratch 1MiB",
            ),
            (&["allow-read=/usr/../usr/bin/.."], "USUAL, allow-read /usr"),
        ];
        for (words, shown) in cases {
            let shown = shown.replace("USUAL", usual);
            assert_eq!(in_words(&config(words)), shown, "{words:?}");
        }
    }

    #[test]
    fn options_of_a_player_add_to_common_ones() {
        let common = config(&["allow-read=/usr", "env=A", "memory=2GiB", "allow-network"]);
        let own = parse(&["allow-read=/tmp", "allow-read=/usr", "env=B", "memory=3GiB"]).unwrap();
        let both = own.on(common.clone()).unwrap();
        assert_eq!(both.read, ["/usr", "/tmp"].map(PathBuf::from));
        assert_eq!((both.variables.join(" "), both.memory), ("A B".into(), 3 << 30));
        assert!(both.network);
        assert_eq!(parse(&["no-sandbox"]).unwrap().on(common).unwrap(), SandboxConfig::none());
        let none = config(&["no-sandbox"]);
        assert!(parse(&[]).unwrap().on(none.clone()).unwrap().profile.is_none());
        let own = parse(&["profile=class", "memory=2GiB"]).unwrap().on(none.clone()).unwrap();
        assert_eq!((own.profile, own.memory), (Some(Profile::Class), 2 << 30));
        let refused = parse(&["memory=2GiB"]).unwrap().on(none).unwrap_err().to_string();
        assert!(refused.contains("memory: expected a sandbox, got no-sandbox"), "{refused}");
    }

    #[test]
    fn paths_are_made_absolute() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(config(&["allow-read=Cargo.toml"]).read, [here.join("Cargo.toml")]);
        assert_eq!(config(&["allow-read=."]).read, [here.as_path()]);
    }

    #[test]
    fn malformed_options_are_refused() {
        let cases = [
            ("profile=min", "profile: expected mine or class, got 'min'; help: did you mean mine?"),
            (
                "memory=2",
                "memory: expected a size with its unit, got '2'; help: write 2MiB or 2GiB",
            ),
            ("memory=2GB", "memory: expected a size like 512MiB or 2GiB, got '2GB'"),
            ("memory=0MiB", "memory: expected a size from 1MiB to 1024GiB, got '0MiB'"),
            ("memory=-1MiB", "expected a size like"),
            ("memory=99999999999999GiB", "expected a size from"),
            ("scratch=1KiB", "scratch: expected a size from 1MiB"),
            ("processes=0", "processes: expected a number from 1 to 1048576, got '0'"),
            ("open-files=2", "open-files: expected a number from 8 to 1048576, got '2'"),
            ("env=", "env: expected NAME or NAME=VALUE, got ''"),
            ("env=1A=x", "env: expected NAME or NAME=VALUE, got '1A=x'"),
            ("allow-read=", "allow-read: expected"),
            (
                "allow-read=/nowhere/x",
                "allow-read: expected a path, got '/nowhere/x': there is no 'nowhere' in /",
            ),
            ("allow-read=/usrr/bin", "there is no 'usrr' in /; help: did you mean /usr?"),
            ("allow-read=/dev/null/x", "allow-read: expected a path, got '/dev/null/x': "),
            ("allow-raed=/", "option: expected "),
            ("no-sandbox=1", "no-sandbox: expected no value"),
            ("require-sandbox=full", "option: expected "),
        ];
        for (word, part) in cases {
            let error = parse(&[word]).unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{word}: {error}");
        }
        let error = parse(&["no-sandbox", "profile=mine"]).unwrap_err().to_string();
        assert!(error.contains("no-sandbox") && error.ends_with("got both"), "{error}");
        let error = parse_level("none").unwrap_err().to_string();
        assert!(error.contains("expected weak, partial or full, got 'none'"), "{error}");
    }
}
