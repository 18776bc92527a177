//! Limits on memory, and control groups.

use super::finding::Finding;
use super::system::read;
use rustix::fs::{access, Access};
use rustix::process::geteuid;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Folder of control groups of version 2.
const GROUPS: &str = "/sys/fs/cgroup";

/// Values of control groups.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Readings {
    /// Whether the system has control groups of version 2 alone.
    pub has_groups: bool,
    /// Whether the group of this process belongs to its user, with the memory controller.
    pub is_delegated: bool,
    /// Whether the user's systemd has the memory controller, and can delegate it.
    pub can_delegate: bool,
}

impl Readings {
    /// Reads this machine.
    pub fn here() -> Readings {
        let has_memory = |folder: &Path| {
            let controllers = read(folder.join("cgroup.controllers")).unwrap_or_default();
            controllers.split(' ').any(|controller| controller == "memory")
        };
        let user = geteuid().as_raw();
        let manager = format!("user.slice/user-{user}.slice/user@{user}.service");
        let own = own_group(&read("/proc/self/cgroup").unwrap_or_default());
        let is_writable = |folder: &Path| {
            let lists = ["cgroup.procs", "cgroup.subtree_control"];
            lists.iter().all(|list| access(folder.join(list), Access::WRITE_OK).is_ok())
        };
        Readings {
            has_groups: Path::new(GROUPS).join("cgroup.controllers").exists(),
            is_delegated: own.is_some_and(|own| has_memory(&own) && is_writable(&own)),
            can_delegate: has_memory(&Path::new(GROUPS).join(manager)),
        }
    }

    /// Returns how limits are kept, and whether control groups are there.
    pub fn findings(&self) -> Vec<Finding> {
        let groups = match self {
            Readings { is_delegated: true, .. } => "there is one here",
            Readings { can_delegate: true, .. } => {
                "'systemd-run --user --scope -p Delegate=yes' would give one"
            }
            Readings { has_groups: true, .. } => "none is delegated to you here",
            _ => "this system has none of version 2",
        };
        vec![
            Finding::ok("limits on memory and processes: a watchdog looks every 10 to 40 ms"),
            Finding::ok(format!("no cgroup with the memory controller is needed ({groups})")),
        ]
    }
}

/// Returns the folder of a process's group of version 2, from its list of groups.
fn own_group(groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(GROUPS).join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_groups_are_reported_but_not_asked_for() {
        let text = |has_groups, is_delegated, can_delegate| {
            let found = Readings { has_groups, is_delegated, can_delegate }.findings();
            assert!(found.iter().all(|found| found.help.is_none()), "{found:?}");
            found[1].text.clone()
        };
        assert!(text(true, true, true).contains("there is one here"));
        assert!(text(true, false, true).contains("systemd-run --user --scope -p Delegate=yes"));
        assert!(text(true, false, false).contains("none is delegated"));
        assert!(text(false, false, false).contains("none of version 2"));
    }

    #[test]
    fn own_group_is_that_of_version_2() {
        assert_eq!(own_group("4:memory:/a\n0::/b/c\n"), Some(Path::new(GROUPS).join("b/c")));
        assert_eq!(own_group("4:memory:/a\n"), None);
    }
}
