//! View of the file system in a sandbox.

use super::command::{base_python, hops, installation, is_system, real_path, store};
use super::command::{CommandFiles, Hop, SYSTEM};
use super::environment::RUNTIMES;
use super::{Profile, SandboxConfig, Surroundings};
use crate::launcher::layers::{Access, Level, ViewEntry};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of devices, processes and temporary files, each replaced or closed.
const REPLACED: [&str; 3] = ["/dev", "/proc", "/tmp"];
/// Folders of sockets and temporary files.
const CLOSED: [&str; 3] = ["/run", "/var/run", "/var/tmp"];
/// Settings in `/etc` that runtimes read, none of them secret. A star stands for any ending.
const SETTINGS: &[&str] = &[
    "alternatives",
    "crypto-policies",
    "dotnet*",
    "java*",
    "ld-musl*",
    "ld.so.*",
    "locale.alias",
    "localtime",
    "mono*",
    "nsswitch.conf",
    "os-release",
    "perl*",
    "python*",
    "timezone",
];
/// Settings in `/etc` for encrypted connections, which some runtimes read without a network, too.
const CERTIFICATES: [&str; 3] =
    ["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/ca-trust/extracted"];
/// Settings for the network.
const NETWORK: [&str; 5] =
    ["/etc/gai.conf", "/etc/hosts", "/etc/protocols", "/etc/resolv.conf", "/etc/services"];

/// Returns the view of a program: every entry follows those above it, so the deepest entry above a
/// path is also the last one. An entry that is a symbolic link shows the link alone.
pub fn view(
    config: &SandboxConfig,
    profile: Profile,
    files: &CommandFiles,
    around: &Surroundings,
    level: Level,
) -> Vec<ViewEntry> {
    if level < Level::Partial {
        return Vec::new();
    }
    let mut view = View { around, entries: BTreeMap::new() };
    // What is inserted later takes the place of an entry of the same path.
    match profile {
        Profile::Mine => view.all_except_private(),
        Profile::Class => view.system(),
    }
    REPLACED.iter().for_each(|folder| view.hide(Path::new(folder)));
    files.paths.iter().chain(&files.named).for_each(|path| drop(view.show(Access::Read, path)));
    view.runtimes(files);
    view.hide_given(files);
    if config.network {
        view.show_existing(&NETWORK);
    }
    let holes = [
        (Access::Read, &config.read),
        (Access::Write, &config.write),
        (Access::Device, &config.devices),
    ];
    for (access, paths) in holes {
        paths.iter().for_each(|path| drop(view.show(access, path)));
    }
    // Nothing can be mounted on a path that does not exist.
    view.entries.retain(|path, _| path.symlink_metadata().is_ok());
    let mut entries = effective(view.entries);
    if level == Level::Partial {
        return expanded(&entries);
    }
    entries.retain(|entry| !entry.access.is_none() || !is_replaced(&entry.path));
    entries
}

/// Returns `true` for the folders that the launcher replaces by its own at [`Level::Full`].
pub fn is_replaced(path: &Path) -> bool {
    REPLACED.iter().any(|folder| Path::new(folder) == path)
}

struct View<'a> {
    around: &'a Surroundings,
    entries: BTreeMap<PathBuf, Access>,
}

impl View<'_> {
    /// Shows a path, and the symbolic links on the way to it, which are returned with it.
    fn show(&mut self, access: Access, path: &Path) -> Vec<Hop> {
        let hops = hops(path);
        for (at, hop) in hops.iter().enumerate() {
            let access = if at + 1 == hops.len() { access } else { Access::Read };
            let known = self.entries.entry(hop.path.clone()).or_insert(access);
            if !covers(*known, access) {
                *known = access;
            }
            if let Some(store) = store(&hop.path) {
                self.entries.insert(store.to_owned(), Access::Read);
            }
        }
        hops
    }

    fn show_existing(&mut self, paths: &[&str]) {
        for path in paths.iter().map(Path::new).filter(|path| path.exists()) {
            self.show(Access::Read, path);
        }
    }

    fn hide(&mut self, path: &Path) {
        self.entries.insert(path.to_owned(), Access::Hidden);
    }

    fn system(&mut self) {
        self.show_existing(&SYSTEM);
        self.show_existing(&CERTIFICATES);
        for path in chosen(Path::new("/etc"), SETTINGS) {
            self.show(Access::Read, &path);
        }
    }

    /// Shows the whole file system except sockets, and except dot files and folders of the home.
    fn all_except_private(&mut self) {
        self.show(Access::Read, Path::new("/"));
        CLOSED.iter().for_each(|folder| self.hide(&real_path(Path::new(folder))));
        let home = self.around.home.as_deref().map(real_path);
        for path in home.iter().flat_map(|home| chosen(home, &[".*"])) {
            let real = real_path(&path);
            // A link in the home may lead to what all programs need.
            let is_needed = is_system(&real) || self.around.is_shared(&real);
            if real == path || !is_needed {
                self.hide(&real);
            }
        }
        let folder = real_path(&self.around.folder);
        if !self.around.is_shared(&folder) {
            self.show(Access::Read, &folder);
        }
    }

    /// Shows interpreters, the runtimes that variables name, and the user's packages of Python.
    fn runtimes(&mut self, files: &CommandFiles) {
        for interpreter in &files.interpreters {
            // A link may stand in one installation and lead to another.
            for hop in self.show(Access::Read, interpreter).iter().filter(|hop| hop.is_file) {
                self.runtime(installation(&hop.path));
            }
        }
        for folder in RUNTIMES.iter().filter_map(|name| self.around.variable(name)) {
            self.runtime(Some(Path::new(folder)));
        }
        let libraries = self.around.home.iter().map(|home| home.join(".local/lib"));
        let libraries: Vec<PathBuf> =
            libraries.flat_map(|folder| chosen(&folder, &["python*"])).collect();
        libraries.iter().for_each(|folder| self.runtime(Some(&folder.join("site-packages"))));
    }

    /// Shows the folder of a runtime, and that on which a virtual environment is based.
    fn runtime(&mut self, folder: Option<&Path>) {
        let base = folder.and_then(base_python);
        for folder in [folder, base.as_deref()].into_iter().flatten() {
            let real = real_path(folder);
            if folder.is_absolute() && real.is_dir() && !self.around.is_shared(&real) {
                self.show(Access::Read, folder);
            }
        }
    }

    /// Hides private folders and hidden paths, but nothing that the program needs of its own.
    fn hide_given(&mut self, files: &CommandFiles) {
        let named = files.named.iter().map(|file| real_path(file));
        let own: Vec<PathBuf> = named.chain(files.paths.iter().cloned()).collect();
        let current = real_path(&self.around.folder);
        // Programs may be built in a private folder.
        for private in self.around.private.iter().map(|path| real_path(path)) {
            self.entries.retain(|path, _| !path.starts_with(&private));
            self.hide(&private);
            let built = own.iter().filter(|own| own.starts_with(&private) && **own != private);
            built.for_each(|own| drop(self.show(Access::Read, own)));
        }
        for hidden in self.around.hidden.iter().map(|path| real_path(path)) {
            let is_around = own.iter().any(|own| own.starts_with(&hidden));
            let is_inside = files.paths.iter().any(|own| hidden.starts_with(own));
            // A folder that this program shares with another stays, but not the other's files.
            if is_around || is_inside && hidden.is_dir() {
                continue;
            }
            if current.starts_with(&hidden) {
                self.entries.remove(&current);
            }
            let access = if hidden.is_dir() { Access::Watched } else { Access::Hidden };
            self.entries.insert(hidden, access);
        }
    }
}

/// Returns the entries of a folder with one of these names, in which a star stands for any ending.
fn chosen(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let is_chosen = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        names.iter().any(|chosen| match chosen.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *chosen,
        })
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.filter(is_chosen).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns `true` if rights include others on the same path.
pub fn covers(rights: Access, others: Access) -> bool {
    rights == others || others.is_none() || others == Access::Read && !rights.is_none()
}

/// Returns the entries that change the rights of the one above them.
fn effective(entries: BTreeMap<PathBuf, Access>) -> Vec<ViewEntry> {
    let mut effective: Vec<ViewEntry> = Vec::new();
    for (path, access) in entries {
        let above = effective.iter().rev().find(|above| path.starts_with(&above.path));
        let above = above.map_or(Access::Hidden, |above| above.access);
        let is_implied = match access {
            Access::Hidden => above.is_none(),
            Access::Watched => above == Access::Watched,
            _ => covers(above, access),
        };
        if !is_implied {
            effective.push(ViewEntry { access, path });
        }
    }
    effective
}

/// Returns the rights on a path without symbolic links; [`Access::Hidden`] if there are none.
pub fn rights(view: &[ViewEntry], level: Level, path: &Path) -> Access {
    if level < Level::Partial {
        return Access::Write;
    }
    let replaced = REPLACED.map(|folder| ViewEntry::new(Access::Hidden, folder));
    let above = view.iter().chain(&replaced).filter(|entry| path.starts_with(&entry.path));
    // Of two entries of one path, the first is the program's own.
    let deepest = above.rev().max_by_key(|entry| entry.path.components().count());
    deepest.map(|entry| entry.access).filter(|access| !access.is_none()).unwrap_or(Access::Hidden)
}

/// Returns `true` if a program may start in a folder: if it is shown, or contains a path that is.
pub fn exists_in(view: &[ViewEntry], level: Level, folder: &Path) -> bool {
    let is_above = |entry: &ViewEntry| !entry.access.is_none() && entry.path.starts_with(folder);
    let is_visible = !rights(view, level, folder).is_none() || is_replaced(folder);
    is_visible || view.iter().any(is_above)
}

/// Returns entries of paths with rights that give the same rights together, as far as files
/// go. A folder above a hidden path cannot be listed any more: its children are given instead.
pub fn expanded(view: &[ViewEntry]) -> Vec<ViewEntry> {
    let mut granted = Vec::new();
    for entry in view {
        // Links can always be followed, and an entry for one would give rights on its target.
        if !entry.access.is_none() && !entry.path.is_symlink() {
            grant(entry, view, &mut granted);
        }
    }
    granted
}

fn grant(entry: &ViewEntry, view: &[ViewEntry], granted: &mut Vec<ViewEntry>) {
    let is_limited_by = |other: &ViewEntry| {
        let is_below = other.path != entry.path && other.path.starts_with(&entry.path);
        is_below && !covers(other.access, entry.access)
    };
    if !view.iter().any(is_limited_by) {
        granted.push(entry.clone());
        return;
    }
    for path in chosen(&entry.path, &["*"]) {
        if !path.is_symlink() && !view.iter().any(|other| other.path == path) {
            grant(&ViewEntry { access: entry.access, path }, view, granted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{rights_by_order, Scratch};
    use super::*;
    use proptest::prelude::*;

    /// Returns the view of a command, in which files are named from the folder of the test.
    fn view_of(
        config: &SandboxConfig,
        words: &[&str],
        around: &Surroundings,
        scratch: &Scratch,
        level: Level,
    ) -> Vec<ViewEntry> {
        let root = format!("{}/", scratch.0.display());
        let words: Vec<String> = words.iter().map(|word| word.replace('@', &root)).collect();
        config.sandbox_for(Path::new(&words[0]), &words[1..], around, level).layers.view
    }

    /// Returns a sandbox in which `mine` shows the temporary folder of the test, as any other.
    fn config(profile: Profile, scratch: &Scratch) -> SandboxConfig {
        let read = if profile == Profile::Mine { vec![scratch.0.clone()] } else { Vec::new() };
        SandboxConfig { profile: Some(profile), read, ..SandboxConfig::default() }
    }

    /// Checks the rights on paths below the folder of the test, at both levels.
    fn check(
        config: &SandboxConfig,
        words: &[&str],
        around: &Surroundings,
        scratch: &Scratch,
        expected: &[(&str, Access)],
    ) {
        for level in [Level::Partial, Level::Full] {
            let view = view_of(config, words, around, scratch, level);
            for (path, access) in expected {
                let found = rights_by_order(&view, &scratch.0.join(path));
                assert_eq!(found, *access, "{path} at {level}: {view:#?}");
            }
            assert!(view.is_sorted_by_key(|entry| &entry.path) || level == Level::Partial);
            assert!(view.iter().all(|entry| entry.path.symlink_metadata().is_ok()), "{view:#?}");
            assert!(level == Level::Full || view.iter().all(|entry| entry.access != Hidden));
        }
    }

    use Access::{Device, Hidden, Read, Write};

    #[test]
    fn class_shows_the_own_folder_and_the_runtime() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        // A virtual environment in the home, made from a python that is a link to a version.
        scratch.file("home/pythons/3.11/bin/python3.11", "\x7fELF");
        scratch.file("home/pythons/3.11/lib/python3.11/os.py", "");
        scratch.link("home/pythons/current", "3.11");
        let base = at("home/pythons/current/bin/python3.11");
        let python = scratch.link("home/venv/bin/python3", base);
        scratch.file("home/venv/lib/numpy.py", "");
        let home = at("home/pythons/current/bin");
        scratch.file("home/venv/pyvenv.cfg", &format!("home = {}\nversion = 3\n", home.display()));
        for secret in ["home/.ssh/key", "home/notes", "other/bot.py", "home/.local/share/x"] {
            scratch.file(secret, "");
        }
        scratch.file("home/.local/lib/python3.11/site-packages/x.py", "");
        scratch.file("books/a.bin", "");
        scratch.file("books/b.bin", "");
        scratch.file("jdk/lib/rt.jar", "");
        scratch.file("bots/data/x", "");
        scratch.file("bots/bot.py", &format!("#!{}\n", python.display()));
        let variables = [("JAVA_HOME", at("jdk")), ("GOROOT", at("home"))];
        let variables = variables.each_ref().map(|(name, path)| (*name, path.as_path()));
        let mut around = scratch.around_home(&variables);
        let mut expected = vec![
            ("bots/bot.py", Read),
            ("bots/data/x", Read),
            ("books/a.bin", Read),
            ("books/b.bin", Hidden),
            ("home/venv/lib/numpy.py", Read),
            ("home/pythons/3.11/lib/python3.11/os.py", Read),
            ("home/.local/lib/python3.11/site-packages/x.py", Read),
            ("home/.local/share/x", Hidden),
            ("home/.ssh/key", Hidden),
            ("home/notes", Hidden),
            ("other/bot.py", Hidden),
            ("jdk/lib/rt.jar", Read),
        ];
        let class = config(Profile::Class, &scratch);
        let words = ["@bots/bot.py", "--book", "@books/a.bin"];
        check(&class, &words, &around, &scratch, &expected);
        // The same by an interpreter as first word, a first line with env, and VIRTUAL_ENV.
        let words = ["@home/venv/bin/python3", "@bots/bot.py", "--book=@books/a.bin"];
        check(&class, &words, &around, &scratch, &expected);
        scratch.file("bots/bot.py", "#!/usr/bin/env -S python3 -u\n");
        around.variables.push(("PATH".into(), at("home/venv/bin").into()));
        check(&class, &["@bots/bot.py", "@books/a.bin"], &around, &scratch, &expected);
        scratch.file("bots/bot.py", "#!/bin/sh\npython3 main.py\n");
        around.variables.push(("VIRTUAL_ENV".into(), at("home/venv").into()));
        check(&class, &["@bots/bot.py", "@books/a.bin"], &around, &scratch, &expected);
        around.variables.retain(|(name, _)| name == "PATH");
        expected.retain(|(path, _)| !path.contains("jdk") && !path.contains("books"));
        check(&class, &["@bots/bot.py"], &around, &scratch, &expected);
        around.variables.clear();
        expected.retain(|(path, _)| path.contains("bots"));
        expected.push(("home/venv/lib/numpy.py", Hidden));
        expected.push(("jdk/lib/rt.jar", Hidden));
        check(&class, &["@bots/bot.py", "@books/a.bin"], &around, &scratch, &expected);
    }

    /// A submission brings an environment whose settings name a folder of the user.
    #[test]
    fn environment_of_a_stranger_shows_no_folder() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path);
        scratch.file("home/.ssh/key", "");
        scratch.file("home/py/bin/python3", "\x7fELF");
        scratch.file("home/py/lib/python3.12/os.py", "");
        scratch.link("bots/.venv/bin/python", "/usr/bin/env");
        scratch.file("bots/bot.py", "#!.venv/bin/python\n");
        let around = scratch.around_home(&[]);
        for (home, base) in [("home/.ssh", Hidden), ("home/py/bin", Read)] {
            scratch.file("bots/.venv/pyvenv.cfg", &format!("home = {}\n", at(home).display()));
            let expected = [
                ("bots/bot.py", Read),
                ("home/.ssh/key", Hidden),
                ("home/py/lib/python3.12/os.py", base),
            ];
            for profile in [Profile::Mine, Profile::Class] {
                let hidden = profile == Profile::Class || base == Read;
                let expected = if hidden { &expected[..] } else { &expected[..2] };
                let config = config(profile, &scratch);
                check(&config, &["@bots/bot.py"], &around, &scratch, expected);
            }
        }
    }

    #[test]
    fn links_are_shown_without_their_folder() {
        let scratch = Scratch::new();
        scratch.file("real/versions/3/bin/python3", "");
        scratch.link("pythons", "real/versions");
        scratch.file("real/notes", "");
        scratch.file("bots/bot.py", "");
        let around = scratch.around(&[]);
        let words = ["@pythons/3/bin/python3", "@bots/bot.py"];
        let view =
            view_of(&config(Profile::Class, &scratch), &words, &around, &scratch, Level::Full);
        let link = ViewEntry::new(Read, scratch.0.join("pythons"));
        assert!(view.contains(&link), "{view:#?}");
        // With the link, Landlock would show its target and all below.
        let view =
            view_of(&config(Profile::Class, &scratch), &words, &around, &scratch, Level::Partial);
        assert!(!view.contains(&link), "{view:#?}");
        assert_eq!(rights_by_order(&view, &scratch.0.join("real/versions/3/bin/python3")), Read);
        assert_eq!(rights_by_order(&view, &scratch.0.join("real/notes")), Hidden);
    }

    #[test]
    fn shim_shows_all_versions() {
        let scratch = Scratch::new();
        let shims = scratch.folder("home/.pyenv/shims");
        scratch.file("home/.pyenv/shims/python3", "#!/bin/sh\nexec pyenv\n");
        scratch.file("home/.pyenv/versions/3.11/bin/python3", "");
        scratch.file("home/.cache/x", "");
        scratch.file("bots/bot.py", "#!/usr/bin/env python3\n");
        let around = scratch.around_home(&[("PATH", &shims)]);
        for profile in [Profile::Mine, Profile::Class] {
            let expected =
                [("home/.pyenv/versions/3.11/bin/python3", Read), ("home/.cache/x", Hidden)];
            check(&config(profile, &scratch), &["@bots/bot.py"], &around, &scratch, &expected);
        }
    }

    #[test]
    fn mine_hides_dot_files_of_the_home() {
        let scratch = Scratch::new();
        for file in ["home/.netrc", "home/.config/x", "home/notes", "home/a/.git/x", "dot/ssh/key"]
        {
            scratch.file(file, "");
        }
        scratch.file("home/.local/share/keyring", "");
        scratch.file("home/.nvm/v18/bin/node", "");
        scratch.file("home/.local/lib/python3.9/site-packages/x.py", "");
        scratch.link("home/.ssh", "../dot/ssh");
        scratch.link("home/.everything", "/usr");
        scratch.file("bots/bot.js", "");
        let around = scratch.around_home(&[]);
        let words = ["@home/.nvm/v18/bin/node", "@bots/bot.js"];
        let expected = [
            ("bots/bot.js", Read),
            ("home/notes", Read),
            ("home/a/.git/x", Read),
            ("home/.netrc", Hidden),
            ("home/.config/x", Hidden),
            ("dot/ssh/key", Hidden),
            ("home/.nvm/v18/bin/node", Read),
            ("home/.local/share/keyring", Hidden),
            ("home/.local/lib/python3.9/site-packages/x.py", Read),
            ("/usr/lib", Read),
        ];
        let mine = config(Profile::Mine, &scratch);
        check(&mine, &words, &around, &scratch, &expected);
        // A program in a hidden folder sees its own folder, and that in which it starts.
        scratch.file("home/.config/bots/bot", "");
        scratch.file("home/.config/here/y", "");
        let around = Surroundings { folder: scratch.0.join("home/.config/here"), ..around };
        let expected = [
            ("home/.config/bots/bot", Read),
            ("home/.config/here/y", Read),
            ("home/.config/x", Hidden),
        ];
        check(&mine, &["@home/.config/bots/bot"], &around, &scratch, &expected);
    }

    #[test]
    fn only_the_file_is_shown_in_a_shared_folder() {
        let scratch = Scratch::new();
        scratch.file("home/bot", "");
        scratch.file("home/notes", "");
        let around = scratch.around_home(&[]);
        let expected = [("home/bot", Read), ("home/notes", Hidden)];
        check(&config(Profile::Class, &scratch), &["@home/bot"], &around, &scratch, &expected);
    }

    #[test]
    fn other_players_and_matches_are_hidden() {
        let scratch = Scratch::new();
        for file in ["all/a/bot", "all/a/data.db", "all/a/sub/bot", "all/b/bot", "all/bot", "all/x"]
        {
            scratch.file(file, "");
        }
        let mut around = scratch.around(&[]);
        let mut check_with = |hidden: &[&str], words: &[&str], expected: &[(&str, Access)]| {
            around.hidden = hidden.iter().map(|path| scratch.0.join(path)).collect();
            for profile in [Profile::Mine, Profile::Class] {
                let mut config = config(profile, &scratch);
                // Otherwise a program under class sees none of the others anyway.
                config.read.push(scratch.0.clone());
                check(&config, words, &around, &scratch, expected);
            }
        };
        check_with(
            &["all/a", "all/b", "all/a/data.db", "absent"],
            &["@all/a/bot"],
            &[
                ("all/a/bot", Read),
                ("all/a/sub/bot", Read),
                ("all/a/data.db", Hidden),
                ("all/b/bot", Hidden),
                ("all/bot", Read),
            ],
        );
        // The other's folder is above.
        let above = [
            ("all/a/bot", Read),
            ("all/a/sub/bot", Read),
            ("all/bot", Hidden),
            ("all/x", Read),
            ("all/b/bot", Read),
        ];
        check_with(&["all", "all/bot"], &["@all/a/bot"], &above);
        // The other's folder is below.
        check_with(&["all/a/sub"], &["@all/a/bot"], &[("all/a/sub/bot", Read)]);
        check_with(
            &["all/a", "all/a/bot", "all/a/sub"],
            &["@all/a/sub/bot"],
            &[("all/a/sub/bot", Read), ("all/a/bot", Hidden)],
        );
        // Files of the own command stay.
        let files = ["all/a/bot", "all/x"];
        check_with(&files, &["@all/a/bot", "@all/x"], &[("all/a/bot", Read), ("all/x", Read)]);
    }

    /// Results are hidden from a program beside them, and from one that was built there.
    #[test]
    fn private_folders_are_hidden() {
        let scratch = Scratch::new();
        for file in ["a/bot", "a/r/m.db", "a/r/builds/x/bot", "a/r/builds/y/bot"] {
            scratch.file(file, "");
        }
        let private = vec![scratch.0.join("a/r"), scratch.0.join("absent")];
        let around = Surroundings { private, ..scratch.around(&[]) };
        for profile in [Profile::Mine, Profile::Class] {
            let mut config = config(profile, &scratch);
            let beside = [
                ("a/bot", Read),
                ("a/r", Hidden),
                ("a/r/m.db", Hidden),
                ("a/r/builds/x/bot", Hidden),
            ];
            check(&config, &["@a/bot"], &around, &scratch, &beside);
            let built =
                [("a/r/builds/x/bot", Read), ("a/r/builds/y/bot", Hidden), ("a/r/m.db", Hidden)];
            check(&config, &["@a/r/builds/x/bot"], &around, &scratch, &built);
            config.read.push(scratch.0.join("a/r"));
            check(&config, &["@a/bot"], &around, &scratch, &[("a/r/m.db", Read)]);
        }
    }

    #[test]
    fn every_hole_works() {
        let scratch = Scratch::new();
        for file in
            ["home/.ssh/a/key", "home/.ssh/b", "home/.x/y", "bots/bot", "out/bots/bot", "m/db"]
        {
            scratch.file(file, "");
        }
        let at = |path: &str| scratch.0.join(path);
        scratch.link("home/.ssh/link", at("bots"));
        let around = Surroundings { hidden: vec![at("m/db")], ..scratch.around_home(&[]) };
        for profile in [Profile::Mine, Profile::Class] {
            let mut config = config(profile, &scratch);
            let read = ["home/.ssh/a", "home/.x", "out", "home/.ssh/link"].map(at);
            config.read.extend(read);
            config.write = ["out", "home/.ssh/a/key", "m"].map(at).to_vec();
            config.devices = vec!["/dev/null".into()];
            let expected = [
                ("home/.ssh/a/key", Write),
                ("home/.ssh/b", Hidden),
                ("home/.x/y", Read),
                ("out/bots/bot", Write),
                ("m/new", Write),
                ("m/db", Hidden),
                ("/dev/null", Device),
            ];
            let at_full = view_of(&config, &["@out/bots/bot"], &around, &scratch, Level::Full);
            for (path, access) in expected {
                assert_eq!(rights_by_order(&at_full, &at(path)), access, "{path}: {at_full:#?}");
            }
            let links = at_full.iter().filter(|entry| entry.path == at("home/.ssh/link"));
            assert_eq!(links.count(), 1, "the link is named below a hidden folder");
            let at_partial =
                view_of(&config, &["@out/bots/bot"], &around, &scratch, Level::Partial);
            let others = expected.into_iter().filter(|(path, _)| *path != "m/new");
            for (path, access) in others {
                assert_eq!(
                    rights_by_order(&at_partial, &at(path)),
                    access,
                    "{path}: {at_partial:#?}"
                );
            }
        }
    }

    #[test]
    fn folders_of_the_launcher_are_not_shown() {
        let scratch = Scratch::new();
        scratch.file("bots/bot", "");
        let around = scratch.around(&[]);
        for profile in [Profile::Mine, Profile::Class] {
            let config = SandboxConfig { profile: Some(profile), ..SandboxConfig::default() };
            let full = view_of(&config, &["@bots/bot"], &around, &scratch, Level::Full);
            // The folder of the test is in the one for temporary files.
            assert_eq!(rights(&full, Level::Full, &scratch.0.join("bots/bot")), Read);
            assert_eq!(rights(&full, Level::Full, Path::new("/tmp/absent")), Hidden);
            assert!(!full.iter().any(|entry| is_replaced(&entry.path)), "{full:#?}");
            assert!(!full.iter().any(|entry| entry.path.starts_with("/dev")), "{full:#?}");
            let partial = view_of(&config, &["@bots/bot"], &around, &scratch, Level::Partial);
            for hidden in ["/proc/1", "/tmp/x", "/dev/kmsg", "/dev/shm/x", "/run/x", "/var/tmp/x"] {
                assert_eq!(rights_by_order(&partial, Path::new(hidden)), Hidden, "{hidden}");
            }
        }
        let weak = view_of(
            &config(Profile::Mine, &scratch),
            &["@bots/bot"],
            &around,
            &scratch,
            Level::Weak,
        );
        assert_eq!(weak, []);
    }

    #[test]
    fn class_shows_the_system_without_accounts() {
        let scratch = Scratch::new();
        scratch.file("bots/bot", "");
        let around = scratch.around(&[]);
        let mut config = config(Profile::Class, &scratch);
        for has_network in [false, true] {
            config.network = has_network;
            for level in [Level::Partial, Level::Full] {
                let view = view_of(&config, &["@bots/bot"], &around, &scratch, level);
                let rights = |path: &str| rights_by_order(&view, Path::new(path));
                assert_eq!(rights("/usr/lib/x"), Read);
                for hidden in ["/", "/etc", "/etc/passwd", "/etc/shadow", "/sys", "/root", "/var"] {
                    assert_eq!(rights(hidden), Hidden, "{hidden}");
                }
                let is_shown = has_network && Path::new("/etc/hosts").exists();
                assert_eq!(rights("/etc/hosts") == Read, is_shown);
            }
        }
    }

    #[test]
    fn names_are_chosen_by_their_start() {
        let scratch = Scratch::new();
        for file in ["java-17/x", "java", "javelin", "passwd", "python3/x", "pytho"] {
            scratch.file(file, "");
        }
        let found = chosen(&scratch.0, &["java*", "python*", "passw", "absent"]);
        assert_eq!(found, ["java", "java-17", "python3"].map(|name| scratch.0.join(name)));
    }

    fn paths() -> impl Strategy<Value = String> {
        let names = prop::sample::select(vec!["a", "b", "c"]);
        prop::collection::vec(names, 1..4).prop_map(|names| names.join("/"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
        #[test]
        fn expansion_grants_the_same_rights(
            files in prop::collection::vec(paths(), 1..10),
            listed in prop::collection::btree_map(
                prop::option::of(paths()),
                prop::sample::select(vec![Read, Write, Device, Hidden]),
                1..6,
            ),
        ) {
            let scratch = Scratch::new();
            let mut made = vec![scratch.0.clone()];
            for path in &files {
                // A file stays a file where a later path has it as a folder.
                let path = scratch.0.join(path);
                let _ = fs::create_dir_all(path.parent().unwrap());
                let _ = fs::write(&path, "");
                let _ = std::os::unix::fs::symlink(&scratch.0, path.with_extension("link"));
                made.extend(path.ancestors().filter(|of| of.starts_with(&scratch.0) && of.exists()).map(Path::to_owned));
            }
            let paths = listed.iter().map(|(path, access)| {
                ViewEntry::new(*access, path.as_ref().map_or(scratch.0.clone(), |path| scratch.0.join(path)))
            });
            let mut view: Vec<ViewEntry> = paths.filter(|entry| entry.path.exists()).collect();
            view.sort_by(|one, other| one.path.cmp(&other.path));
            let granted = expanded(&view);
            prop_assert!(!granted.iter().any(|entry| entry.path.is_symlink()), "{granted:?}");
            for path in made {
                let above = granted.iter().filter(|entry| path.starts_with(&entry.path));
                let given: Vec<Access> = above.map(|entry| entry.access).collect();
                let expected = rights_by_order(&view, &path);
                let text = format!("{}: {given:?} for {expected:?}\n{view:?}\n{granted:?}", path.display());
                prop_assert!(given.iter().all(|access| covers(expected, *access)), "{text}");
                if path.is_file() {
                    prop_assert!(given.contains(&expected) || expected == Hidden, "{text}");
                }
            }
        }
    }
}
