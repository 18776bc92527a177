//! The states of the dynamic programme at one cell.

use super::frontier::Frontier;

/// Best partial path found for one frontier.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierState {
    pub frontier: Frontier,
    /// State of the previous layer and edges chosen at the cell between.
    pub origin: StateOrigin,
    /// Number of cells visited, plus the value behind the path's end once that is chosen.
    pub visited: u16,
    /// Upper bound on the value of paths through this state.
    pub bound: u16,
    /// Number of white cells less black ones among those visited.
    pub balance: i16,
    pub end: PathEnd,
}

/// Position of the path's end: still ahead, or behind the frontier on a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathEnd {
    CellsAhead,
    White,
    Black,
}

/// Origin of a state, packed: the number of the previous state, and two bits for the edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateOrigin(u32);

impl StateOrigin {
    pub const RIGHT: u8 = 1;
    pub const DOWN: u8 = 2;

    /// Creates an origin from a state of the previous layer and a mask of edges.
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

/// States with distinct frontiers, indexed by an open-addressing hash table.
#[derive(Default)]
pub(super) struct StateLayer {
    pub states: Vec<FrontierState>,
    /// Numbers of states from 1, or 0 for an empty slot; its length is a power of two.
    table: Vec<u32>,
}

impl StateLayer {
    const SMALLEST: usize = 1 << 8;

    /// Removes all states. The table keeps a size that suited the last layer.
    pub fn clear(&mut self) {
        let size = (4 * self.states.len()).next_power_of_two().max(Self::SMALLEST);
        self.states.clear();
        self.table.clear();
        self.table.resize(size, 0);
    }

    /// Adds a state, or replaces one with the same frontier and fewer visited cells.
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

    /// Returns the slot of a frontier, or the empty slot where it belongs.
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

    /// Keeps the `width` states with the highest bounds. Returns `true` if any was dropped.
    pub fn narrow(&mut self, width: usize) -> bool {
        if self.states.len() <= width {
            return false;
        }
        let mut bounds: Vec<u16> = self.states.iter().map(|state| state.bound).collect();
        let (_, &mut least, _) = bounds.select_nth_unstable_by(width - 1, |a, b| b.cmp(a));
        // Several states may share the lowest kept bound; only the first of them fit.
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
