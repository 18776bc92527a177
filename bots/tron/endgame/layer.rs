//! The states of a sweep at one cell.

use super::frontier::Frontier;

/// The best way found to one frontier.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierState {
    pub frontier: Frontier,
    /// Which state of the layer before it comes from, and the edges chosen at the cell between.
    pub origin: StateOrigin,
    /// Cells visited behind the frontier, and once the end of the path is there, what that is worth.
    pub visited: u16,
    /// No path through this state is worth more.
    pub bound: u16,
    /// White cells less black ones among those visited.
    pub balance: i16,
    pub end: PathEnd,
}

/// Is the end of the path behind the frontier, and on which colour?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathEnd {
    CellsAhead,
    White,
    Black,
}

/// Where a state comes from, packed: the number of a state, and two bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateOrigin(u32);

impl StateOrigin {
    pub const RIGHT: u8 = 1;
    pub const DOWN: u8 = 2;

    /// From this state of the layer before, by the edges of this mask.
    pub fn new(state: usize, edges: u8) -> StateOrigin {
        StateOrigin((state as u32) << 2 | u32::from(edges))
    }

    pub fn state(self) -> usize {
        (self.0 >> 2) as usize
    }

    pub fn edges(self) -> u8 {
        (self.0 & 3) as u8
    }
}

/// States with distinct frontiers, found by them: a table of open addressing over a list.
#[derive(Default)]
pub(super) struct StateLayer {
    pub states: Vec<FrontierState>,
    /// Numbers of states from 1, or 0; a power of two of them.
    table: Vec<u32>,
}

impl StateLayer {
    const SMALLEST: usize = 1 << 8;

    /// Forgets all states. The table keeps a size that suited the last layer.
    pub fn clear(&mut self) {
        let size = (4 * self.states.len()).next_power_of_two().max(Self::SMALLEST);
        self.states.clear();
        self.table.clear();
        self.table.resize(size, 0);
    }

    /// Adds a state, or puts it in the place of one with the same frontier that has visited less.
    pub fn add(&mut self, state: FrontierState) {
        if 2 * self.states.len() >= self.table.len() {
            self.grow();
        }
        let slot = self.find(state.frontier);
        match self.table[slot] {
            0 => {
                self.states.push(state);
                self.table[slot] = self.states.len() as u32;
            }
            number => {
                let known = &mut self.states[number as usize - 1];
                if known.visited < state.visited {
                    *known = state;
                }
            }
        }
    }

    /// The slot of a frontier, or the free one where it belongs.
    fn find(&self, frontier: Frontier) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = frontier.hash() as usize & mask;
        loop {
            match self.table[slot] {
                0 => return slot,
                number if self.states[number as usize - 1].frontier == frontier => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(Self::SMALLEST);
        self.table.clear();
        self.table.resize(size, 0);
        for number in 0..self.states.len() {
            let slot = self.find(self.states[number].frontier);
            self.table[slot] = number as u32 + 1;
        }
    }

    /// Keeps so many states of the highest bounds. Returns whether any was lost.
    pub fn narrow(&mut self, width: usize) -> bool {
        if self.states.len() <= width {
            return false;
        }
        let mut bounds: Vec<u16> = self.states.iter().map(|state| state.bound).collect();
        let (_, &mut least, _) = bounds.select_nth_unstable_by(width - 1, |a, b| b.cmp(a));
        let above = self.states.iter().filter(|state| state.bound > least).count();
        let mut room = width - above;
        self.states.retain(|state| {
            let fits = state.bound == least && room > 0;
            room -= usize::from(fits);
            fits || state.bound > least
        });
        true
    }
}
