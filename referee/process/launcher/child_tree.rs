//! The descendants of this process, from lists of children that stay open.

use crate::sys::{self, ChildLists};
use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;

/// Number of processes whose lists of children stay open from one walk to the next. Not tuned.
const OPEN: usize = 16;

/// Lists of the children of this process and of some descendants.
#[derive(Default)]
pub struct ChildTree {
    /// List of this process's own children, opened at first use.
    own: Option<OwnedFd>,
    lists: HashMap<u32, ChildLists>,
}

impl ChildTree {
    /// Returns the children of this process.
    pub fn own_children(&mut self) -> Vec<u32> {
        if self.own.is_none() {
            self.own = sys::own_children_list().ok();
        }
        self.own.as_ref().map_or_else(Vec::new, sys::listed_children)
    }

    /// Returns the children of a descendant.
    pub fn children(&mut self, pid: u32) -> Vec<u32> {
        if let Some(children) = self.lists.get_mut(&pid).and_then(ChildLists::read) {
            return children;
        }
        // Its number may have been that of an earlier process.
        self.lists.remove(&pid);
        let Ok(mut lists) = ChildLists::open(pid) else { return Vec::new() };
        let children = lists.read().unwrap_or_default();
        if self.lists.len() < OPEN {
            self.lists.insert(pid, lists);
        }
        children
    }

    /// Closes the lists of processes that are not in `alive`.
    pub fn retain(&mut self, alive: &HashSet<u32>) {
        self.lists.retain(|pid, _| alive.contains(pid));
    }
}
