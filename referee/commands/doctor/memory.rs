//! Limits on memory, and control groups.

use super::finding::Finding;
use arbitre_process::launcher::groups;
use rustix::process::geteuid;
use serde::Serialize;
use std::path::Path;

/// Values of control groups.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Readings {
    /// Reason why the kernel does not limit the memory of programs; none if it does.
    pub undelegated: Option<String>,
    /// Whether the user's systemd has the memory controller, and can delegate it.
    pub can_delegate: bool,
}

impl Readings {
    /// Reads this machine. Must be called before the first program starts.
    pub fn here() -> Readings {
        let user = geteuid().as_raw();
        let manager = format!("user.slice/user-{user}.slice/user@{user}.service");
        Readings {
            undelegated: groups::find().err().map(|reason| reason.to_string()),
            can_delegate: groups::has_memory(&Path::new(groups::ROOT).join(manager)),
        }
    }

    /// Returns how limits are kept.
    pub fn findings(&self) -> Vec<Finding> {
        let watchdog = "a watchdog looks every 10 to 40 ms";
        let Some(reason) = &self.undelegated else {
            return vec![
                Finding::ok("limit on memory: by the kernel, in a control group per program"),
                Finding::ok(format!("limit on processes: {watchdog}")),
            ];
        };
        let mut more = format!("no control group is needed for it ({reason})");
        if self.can_delegate {
            more += "; 'systemd-run --user --scope -p Delegate=yes referee ...' would give one";
        }
        vec![Finding::ok(format!("limits on memory and processes: {watchdog}")), Finding::ok(more)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_groups_are_reported_but_not_asked_for() {
        let text = |undelegated: Option<&str>, can_delegate| {
            let undelegated = undelegated.map(String::from);
            let found = Readings { undelegated, can_delegate }.findings();
            assert!(found.iter().all(|found| found.help.is_none()), "{found:?}");
            format!("{}\n{}", found[0].text, found[1].text)
        };
        assert!(text(None, false).starts_with("limit on memory: by the kernel"));
        let reason = Some("other processes are in its group");
        assert!(text(reason, false).ends_with("needed for it (other processes are in its group)"));
        assert!(text(reason, true).contains("systemd-run --user --scope -p Delegate=yes referee"));
    }
}
