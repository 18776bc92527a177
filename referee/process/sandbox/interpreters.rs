//! Search for interpreters that a script finds in its sandbox in place of others.

use super::command::{hops, installation, is_interpreter, real_path};
use super::refusal::texts;
use super::view::rights;
use super::{Sandbox, Surroundings};
use crate::launcher::layers::{Access, Level};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Shells, whose scripts start programs by their names.
const SHELLS: [&str; 5] = ["bash", "dash", "ksh", "sh", "zsh"];

/// Interpreter that scripts find in place of a hidden one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ReplacedInterpreter {
    /// Hidden interpreter, which `PATH` finds first outside of the sandbox.
    pub hidden: PathBuf,
    /// Interpreter that scripts find; `None` if they find none.
    pub found: Option<PathBuf>,
    /// Path that shows the hidden one if it may be read.
    pub shown_by: PathBuf,
}

/// Returns each interpreter that the program's arguments or scripts name, if `PATH` finds it where
/// the sandbox hides it.
pub fn replaced(
    program: &Path,
    sandbox: &Sandbox,
    around: &Surroundings,
) -> Vec<ReplacedInterpreter> {
    if sandbox.layers.level < Level::Partial {
        return Vec::new();
    }
    let texts = texts(program, sandbox);
    let is_shell = is_shell(&program.to_string_lossy());
    // The arguments come before the texts of scripts.
    let arguments = sandbox.arguments.len();
    let is_for_shell =
        |at: usize| if at < arguments { is_shell } else { is_shell_script(&texts[at]) };
    let for_shells = texts.iter().enumerate().filter(|(at, _)| is_for_shell(*at));
    let commands = for_shells.flat_map(|(_, text)| commands(text));
    let names: BTreeSet<&str> = commands.filter(|word| is_interpreter(Path::new(word))).collect();
    let folders = folders_of_path(sandbox);
    names.into_iter().filter_map(|name| replacement(name, &folders, sandbox, around)).collect()
}

/// Returns the words of a text for a shell that may be programs which `PATH` finds.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let ends = |of: char| of.is_whitespace() || "'\"`=;()<>|&${}".contains(of);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(move |line| line.split(ends))
}

/// Returns `true` for a script whose first line names a shell.
fn is_shell_script(text: &str) -> bool {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    first.is_some_and(|line| line.split_whitespace().any(is_shell))
}

fn is_shell(word: &str) -> bool {
    SHELLS.iter().any(|shell| word.rsplit('/').next() == Some(shell))
}

/// Returns the absolute folders in which the program looks for others.
fn folders_of_path(sandbox: &Sandbox) -> Vec<PathBuf> {
    let variables = sandbox.environment.iter();
    let path = variables.filter_map(|pair| pair.as_bytes().strip_prefix(b"PATH=")).next_back();
    let folders = path.into_iter().flat_map(|path| env::split_paths(OsStr::from_bytes(path)));
    folders.filter(|folder| folder.is_absolute()).collect()
}

fn replacement(
    name: &str,
    folders: &[PathBuf],
    sandbox: &Sandbox,
    around: &Surroundings,
) -> Option<ReplacedInterpreter> {
    let found = || folders.iter().map(|folder| folder.join(name)).filter(|file| file.is_file());
    let outside = found().next()?;
    let hidden = hidden_part(&outside, sandbox)?;
    let inside = found().find(|file| hidden_part(file, sandbox).is_none());
    if inside.as_ref().is_some_and(|inside| real_path(inside) == real_path(&outside)) {
        return None;
    }
    let folders = installation(&hidden).into_iter().chain(hidden.parent());
    let mut shown = folders.filter(|folder| !around.is_shared(folder)).chain(iter::once(&*hidden));
    let shown_by = shown.next()?.to_owned();
    Some(ReplacedInterpreter { hidden: outside, found: inside, shown_by })
}

/// Returns the first path on the way to a file that the sandbox hides.
fn hidden_part(file: &Path, sandbox: &Sandbox) -> Option<PathBuf> {
    let layers = &sandbox.layers;
    let hops = hops(file);
    // Without namespaces every link can be followed.
    let first = if layers.level < Level::Full { hops.len() - 1 } else { 0 };
    let mut paths = hops.into_iter().skip(first).map(|hop| hop.path);
    paths.find(|path| rights(&layers.view, layers.level, path) == Access::Hidden)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{strings, Scratch};
    use super::super::{Profile, SandboxConfig};
    use super::*;

    #[test]
    fn interpreter_of_a_hidden_folder_is_named() {
        let scratch = Scratch::new();
        let at = |path: &str| scratch.0.join(path).display().to_string();
        // Two versions, a link to one of them, and one that no other folder has.
        scratch.file("tools/bin/python3", "new");
        scratch.file("tools/bin/ruby", "");
        scratch.file("shown/bin/python3", "old");
        scratch.link("shown/bin/node", scratch.file("shown/bin/node20", ""));
        scratch.link("links/node", scratch.0.join("shown/bin/node20"));
        let path = ["tools/bin", "links", "shown/bin"].map(at).join(":");
        let around = scratch.around_home(&[("PATH", Path::new(&path))]);
        let hides = |name: &str, found: Option<&str>| ReplacedInterpreter {
            hidden: scratch.0.join("tools/bin").join(name),
            found: found.map(|found| scratch.0.join(found)),
            shown_by: scratch.0.join("tools"),
        };
        let python = || hides("python3", Some("shown/bin/python3"));
        let sandbox = |read: &[&str]| SandboxConfig {
            profile: Some(Profile::Class),
            read: read.iter().map(|path| scratch.0.join(path)).collect(),
            ..SandboxConfig::default()
        };
        let (shown, tools) = (sandbox(&["shown"]), sandbox(&["shown", "tools"]));
        let sh = Path::new("/bin/sh");
        for (text, lines) in [
            ("exec python3 bot.py", vec![python()]),
            ("python3.11 bot.py; node bot.js", vec![]),
            ("x=$(ruby -v)&&python3 bot.py", vec![python(), hides("ruby", None)]),
            ("echo 0\n# not by python3", vec![]),
            // A path is explained by its own error.
            ("/usr/bin/ruby -v; /usr/bin/python3", vec![]),
        ] {
            let bot = scratch.file("bots/bot.sh", &format!("#!/bin/sh\n{text}\n"));
            for level in [Level::Partial, Level::Full] {
                let of = |config: &SandboxConfig, program: &Path, words: &[String]| {
                    let sandbox = config.sandbox_for(program, words, &around, level);
                    replaced(program, &sandbox, &around)
                };
                assert_eq!(of(&shown, &bot, &[]), lines, "{text} at {level}");
                assert_eq!(of(&shown, sh, &strings(["-c", text])), lines, "{text} at {level}");
                assert_eq!(of(&tools, &bot, &[]), [], "{text} at {level}");
            }
            // Words of another language are not looked up.
            let bot = scratch.file("bots/bot", &format!("#!/x/perl\n{text}\n"));
            let perl = shown.sandbox_for(&bot, &[], &around, Level::Full);
            assert_eq!(replaced(&bot, &perl, &around), [], "{text}");
            let open = shown.sandbox_for(&bot, &[], &around, Level::Weak);
            assert_eq!(replaced(&bot, &open, &around), [], "{text}");
        }
    }
}
