//! The live process groups, so that all of them can be ended at once.

use rustix::process::{kill_process, kill_process_group, Pid, Signal};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// Process groups of all running players. Clones share one list.
#[derive(Clone, Default, Debug)]
pub struct ProcessGroups {
    groups: Arc<Mutex<Groups>>,
}

#[derive(Default, Debug)]
struct Groups {
    alive: HashSet<i32>,
    /// Whether all groups were ended, so that new ones are ended as they come.
    closed: bool,
}

impl ProcessGroups {
    /// Adds a new group. After [`ProcessGroups::end_all`] the group is ended at once.
    pub fn add(&self, group: Pid) {
        let mut groups = self.groups.lock().expect("no thread panics while it holds the lock");
        groups.alive.insert(group.as_raw_nonzero().get());
        if groups.closed {
            kill(group);
        }
    }

    /// Ends a group and removes it from the list. Its leader must not have been waited for yet, so
    /// that no other process has its number.
    pub fn end(&self, group: Pid) {
        let mut groups = self.groups.lock().expect("no thread panics while it holds the lock");
        kill(group);
        groups.alive.remove(&group.as_raw_nonzero().get());
    }

    /// Ends every group, including those added later, so that no game continues.
    pub fn end_all(&self) {
        let mut groups = self.groups.lock().expect("no thread panics while it holds the lock");
        groups.closed = true;
        for group in groups.alive.iter().filter_map(|&number| Pid::from_raw(number)) {
            kill(group);
        }
    }
}

/// Kills a group and its leader, which may have moved to another group of its session.
fn kill(group: Pid) {
    let _ = kill_process(group, Signal::KILL);
    let _ = kill_process_group(group, Signal::KILL);
}
