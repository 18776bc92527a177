//! The process groups that are alive, so that all of them can be ended at once.

use rustix::process::{kill_process, kill_process_group, Pid, Signal};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// The groups of all players that run. Clones share the same list.
#[derive(Clone, Default, Debug)]
pub struct ProcessGroups {
    groups: Arc<Mutex<Groups>>,
}

#[derive(Default, Debug)]
struct Groups {
    alive: HashSet<i32>,
    /// Nobody is taken in any more.
    closed: bool,
}

impl ProcessGroups {
    /// Takes in a group that was just made; after [`ProcessGroups::end_all`] it is ended at once.
    pub fn add(&self, group: Pid) {
        let mut groups = self.groups.lock().expect("no holder panics");
        groups.alive.insert(group.as_raw_nonzero().get());
        if groups.closed {
            kill(group);
        }
    }

    /// Ends a group and strikes it off. Its leader must not have been waited for, so that its
    /// number cannot belong to anyone else.
    pub fn end(&self, group: Pid) {
        let mut groups = self.groups.lock().expect("no holder panics");
        kill(group);
        groups.alive.remove(&group.as_raw_nonzero().get());
    }

    /// Ends every group, those that are still to come included: no game goes on.
    pub fn end_all(&self) {
        let mut groups = self.groups.lock().expect("no holder panics");
        groups.closed = true;
        for group in groups.alive.iter().filter_map(|&number| Pid::from_raw(number)) {
            kill(group);
        }
    }
}

/// Ends a group and its leader, which may have moved to another group of its session.
fn kill(group: Pid) {
    let _ = kill_process(group, Signal::KILL);
    let _ = kill_process_group(group, Signal::KILL);
}
