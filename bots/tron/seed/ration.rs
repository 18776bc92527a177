//! What a search may spend: time, or a share of it, and nodes.

use crate::search::budget::{Budget, Timer};

/// Counts nodes and says when to stop. A node here is a whole flood, some ten thousand times dearer
/// than a step of a plain move generator, so it looks at the clock more often than
/// [`Meter`](crate::search::budget::Meter) does.
pub struct Ration {
    timer: Option<Timer>,
    limit: Option<u64>,
    nodes: u64,
    stopped: bool,
}

impl Ration {
    /// The clock is read once in so many nodes, that is every tenth of a millisecond or so.
    const NODES_PER_LOOK: u64 = 16;

    /// So many hundredths of a budget's time, and all of its nodes.
    pub fn new(budget: &Budget, percent: u32) -> Ration {
        let timer = budget.time.map(|timer| timer.share(percent));
        Ration { timer, limit: budget.nodes, nodes: 0, stopped: false }
    }

    /// Counts a node. Returns whether the search must stop, and keeps to it.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        let looks = self.nodes.is_multiple_of(Self::NODES_PER_LOOK);
        self.stopped |= self.limit.is_some_and(|limit| self.nodes > limit)
            || (looks && self.timer.as_mut().is_some_and(Timer::expired));
        self.stopped
    }

    /// How many nodes were counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How much is spent in hundredths, of the time or of the nodes, whichever is more.
    pub fn percent_spent(&self) -> u32 {
        let time = self.timer.map_or(0, |timer| timer.percent_spent());
        let nodes = self.limit.map_or(0, |limit| self.nodes * 100 / limit.max(1));
        time.max(nodes.try_into().unwrap_or(u32::MAX))
    }
}
