//! Several rooms on one server, each with a process of its own.

use crate::cli::args::ServeArgs;
use arbitre_games::text::HELP;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::run::room::{Front, SETTINGS};
use std::ffi::OsString;
use std::path::{absolute, Path, PathBuf};

/// Longest name of a room, which is part of its addresses. Not tuned.
const LONGEST: usize = 40;

/// Returns the front of these rooms.
///
/// # Errors
/// Returns an error if one of them is no room yet, or their names are no addresses.
pub fn front(args: &ServeArgs, registry: &Registry) -> Result<Front, Failure> {
    let usage = |text: String| Err(Failure::Usage(text));
    if args.backup.is_some() {
        return usage(format!(
            "--backup: expected one room, got {}{HELP}copy each room by itself",
            args.folders.len()
        ));
    }
    if args.common != CommonArgs::default() {
        return usage(format!(
            "--game and its options: expected one new room, got {}{HELP}begin each room by itself, then serve them \
             together",
            args.folders.len()
        ));
    }
    let mut rooms: Vec<(String, PathBuf)> = Vec::new();
    for folder in &args.folders {
        let path = absolute(folder)?.components().collect::<PathBuf>();
        if !path.join(SETTINGS).exists() {
            return usage(format!(
                "{}: expected a room with {SETTINGS}, got none{HELP}begin it by itself: referee serve \
                 {} --game NAME",
                folder.display(),
                folder.display()
            ));
        }
        let name = name_of(&path)?;
        if let Some((_, other)) = rooms.iter().find(|(known, _)| *known == name) {
            return usage(format!(
                "expected rooms in folders of different names, got {} and {}{HELP}rename one of them",
                other.display(),
                path.display()
            ));
        }
        rooms.push((name, path));
    }
    let mut arguments: Vec<OsString> = vec!["--rooms".into(), rooms.len().to_string().into()];
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            arguments.extend([name.into(), value.into()]);
        }
    };
    add("--behind-proxy", args.behind_proxy.clone());
    add("--concurrency", args.concurrency.map(|of| of.to_string()));
    add("--require-sandbox", args.requirement.require_sandbox.map(|of| of.to_string()));
    let flags =
        [("--new-link", args.new_link), ("--i-trust-my-students", args.i_trust_my_students)];
    arguments.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (*name).into()));
    Ok(Front { rooms, listen: args.listen, executable: registry.executable, arguments })
}

/// Returns the name of a room, which is the last part of its path.
fn name_of(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_plain) {
        true => Ok(name),
        false => Err(Failure::Usage(format!(
            "{}: expected a folder whose name is part of an address, of at most {LONGEST} letters, \
             digits, - and _, got '{name}'{HELP}rename it; a title for people is `name` in {SETTINGS}",
            path.display()
        ))),
    }
}
