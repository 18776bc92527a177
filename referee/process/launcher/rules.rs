//! Landlock rules of a sandbox, which the kernel checks at every use of a path.

use super::layers::{Access, Layers, Level, ViewEntry};
use super::namespaces::{DEVICES, SCRATCH};
use crate::sys;
use landlock::{
    Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, ABI,
};
use std::io;
use std::path::Path;

/// Version whose rights are restricted, as far as the kernel knows them.
const NEWEST: ABI = ABI::V7;
/// First version that protects files from being shortened.
const LEAST_ALONE: u32 = 3;
/// First version that keeps signals within a sandbox.
const SIGNALS: u32 = 6;
/// Files of `/proc` that runtimes read, beside those of the program itself.
const PROCESS_FILES: [&str; 7] =
    ["cpuinfo", "filesystems", "meminfo", "self", "stat", "sys/vm/overcommit_memory", "version"];

/// Returns `true` if the kernel keeps signals within a sandbox.
pub fn scope_signals() -> bool {
    sys::landlock_version() >= SIGNALS
}

/// Restricts this process, and those that it will start, to the paths of the sandbox.
///
/// # Errors
/// Returns an error if the kernel cannot.
pub fn restrict(layers: &Layers) -> io::Result<()> {
    if layers.level == Level::Partial && sys::landlock_version() < LEAST_ALONE {
        return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP));
    }
    match ruleset(layers).and_then(RulesetCreated::restrict_self) {
        Ok(RestrictionStatus { ruleset: RulesetStatus::NotEnforced, .. }) | Err(_) => {
            Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP))
        }
        Ok(_) => Ok(()),
    }
}

fn ruleset(layers: &Layers) -> Result<RulesetCreated, RulesetError> {
    let mut ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    ruleset = ruleset.handle_access(AccessFs::from_all(NEWEST))?;
    if !layers.has_network {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let mut ruleset = ruleset.scope(Scope::from_all(NEWEST))?.create()?;
    let device = AccessFs::from_file(NEWEST);
    for name in DEVICES {
        ruleset = allow(ruleset, &Path::new("/dev").join(name), device)?;
    }
    match layers.level {
        // What is not to be read is not there.
        Level::Full => {
            ruleset = allow(ruleset, Path::new("/"), AccessFs::from_read(NEWEST))?;
            ruleset = allow(ruleset, Path::new(SCRATCH), AccessFs::from_all(NEWEST))?;
        }
        _ => {
            for name in PROCESS_FILES {
                let path = Path::new("/proc").join(name);
                ruleset = allow(ruleset, &path, AccessFs::from_read(NEWEST))?;
            }
        }
    }
    for ViewEntry { access, path } in &layers.view {
        let rights = match access {
            Access::Read => AccessFs::from_read(NEWEST),
            Access::Write => AccessFs::from_all(NEWEST),
            Access::Device => device,
            Access::Hidden | Access::Watched => continue,
        };
        ruleset = allow(ruleset, path, rights)?;
    }
    Ok(ruleset)
}

/// Adds a rule for a path, if it exists.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(ruleset) };
    // Rights on folders are refused for a file.
    let rights = match path.is_dir() {
        true => rights,
        false => rights & AccessFs::from_file(NEWEST),
    };
    ruleset.add_rule(PathBeneath::new(opened, rights))
}
