//! Warning of interpreters that a script finds in its jail in place of others.

use super::command::{hops, installation, is_interpreter, real_path};
use super::refusal::texts;
use super::view::rights;
use super::{Confinement, Surroundings};
use crate::launcher::jail::{Access, Level};
use arbitre_games::text::HELP;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns a line for each interpreter that the program's arguments or scripts name, if `PATH`
/// finds it where the sandbox hides it. A script then finds another one, or none.
pub fn replaced(program: &Path, confinement: &Confinement, around: &Surroundings) -> Vec<String> {
    if confinement.jail.level < Level::Partial {
        return Vec::new();
    }
    let texts = texts(program, confinement);
    let is_name = |of: char| of.is_ascii_alphanumeric() || "._-".contains(of);
    let words = texts.iter().flat_map(|text| text.split(|of| !is_name(of)));
    let names: BTreeSet<&str> = words.filter(|word| is_interpreter(Path::new(word))).collect();
    let folders = folders_of_path(confinement);
    names.into_iter().filter_map(|name| line(name, &folders, confinement, around)).collect()
}

/// Returns the absolute folders in which the program looks for others.
fn folders_of_path(confinement: &Confinement) -> Vec<PathBuf> {
    let variables = confinement.environment.iter();
    let path = variables.filter_map(|pair| pair.as_bytes().strip_prefix(b"PATH=")).next_back();
    let folders = path.into_iter().flat_map(|path| env::split_paths(OsStr::from_bytes(path)));
    folders.filter(|folder| folder.is_absolute()).collect()
}

fn line(
    name: &str,
    folders: &[PathBuf],
    confinement: &Confinement,
    around: &Surroundings,
) -> Option<String> {
    let found = || folders.iter().map(|folder| folder.join(name)).filter(|file| file.is_file());
    let outside = found().next()?;
    let hidden = hidden_part(&outside, confinement)?;
    let inside = found().find(|file| hidden_part(file, confinement).is_none());
    if inside.as_ref().is_some_and(|inside| real_path(inside) == real_path(&outside)) {
        return None;
    }
    let inside = inside.map_or("none".into(), |inside| inside.display().to_string());
    let folders = installation(&hidden).into_iter().chain(hidden.parent());
    let mut shown = folders.filter(|folder| !around.is_shared(folder)).chain(iter::once(&*hidden));
    let (outside, shown) = (outside.display(), shown.next()?.display());
    Some(format!(
        "the sandbox hides {outside}, so that scripts find {inside}{HELP}--allow-read {shown} shows \
         it"
    ))
}

/// Returns the first path on the way to a file that the sandbox hides.
fn hidden_part(file: &Path, confinement: &Confinement) -> Option<PathBuf> {
    let jail = &confinement.jail;
    let hops = hops(file);
    // Without namespaces every link can be followed.
    let first = if jail.level < Level::Full { hops.len() - 1 } else { 0 };
    let mut paths = hops.into_iter().skip(first).map(|hop| hop.path);
    paths.find(|path| rights(&jail.view, jail.level, path) == Access::Hidden)
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
        let hides = |name: &str, inside: &str| {
            format!(
                "the sandbox hides {}, so that scripts find {inside}; help: --allow-read {} shows \
                 it",
                at(&format!("tools/bin/{name}")),
                at("tools"),
            )
        };
        let python = || hides("python3", &at("shown/bin/python3"));
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
            ("x=$(ruby -v)&&python3 bot.py", vec![python(), hides("ruby", "none")]),
            ("echo 0", vec![]),
            // A path is explained by its own error.
            ("/usr/bin/env perl", vec![]),
        ] {
            let bot = scratch.file("bots/bot.sh", &format!("#!/bin/sh\n{text}\n"));
            for level in [Level::Partial, Level::Full] {
                let of = |config: &SandboxConfig, program: &Path, words: &[String]| {
                    let confinement = config.confine(program, words, &around, level);
                    replaced(program, &confinement, &around)
                };
                assert_eq!(of(&shown, &bot, &[]), lines, "{text} at {level}");
                assert_eq!(of(&shown, sh, &strings(["-c", text])), lines, "{text} at {level}");
                assert_eq!(of(&tools, &bot, &[]), [""; 0], "{text} at {level}");
            }
            let open = shown.confine(&bot, &[], &around, Level::Weak);
            assert_eq!(replaced(&bot, &open, &around), [""; 0], "{text}");
        }
    }
}
