//! The labels of a row of the pivot, sorted by where in it they are.

use crate::hextris::row_direction::{DIRECTIONS, EITHER};
use arbitre_games::games::hextris::PhraseNode;

/// A label as it is compared with others.
#[derive(Clone, Copy, Debug)]
pub struct RankedLabel {
    /// Its number.
    pub id: u32,
    /// What it is worth.
    pub rank: u32,
    /// Its node.
    pub node: PhraseNode,
}

/// Effect of the insertion of a label.
pub enum InsertResult {
    /// Nothing: there is room for it.
    Free,
    /// The label of this number, which is worth less.
    For(u32),
    /// There is none.
    None,
}

/// The labels of a row of the pivot.
#[derive(Default)]
pub struct LabelBuckets {
    /// The first column of the pivot.
    first: i32,
    width: usize,
    rotations: usize,
    /// By direction, column and rotation.
    slots: Vec<Vec<RankedLabel>>,
    /// By direction and column: what is still to be looked at, in the order in which it came.
    waiting: Vec<Vec<u32>>,
}

impl LabelBuckets {
    /// An empty row of so many columns.
    pub fn open(&mut self, first: i32, width: usize, rotations: usize) {
        (self.first, self.width, self.rotations) = (first, width, rotations);
        let slots = DIRECTIONS * width * rotations;
        self.slots.resize_with(slots.max(self.slots.len()), Vec::new);
        self.waiting.resize_with((DIRECTIONS * width).max(self.waiting.len()), Vec::new);
        self.slots[..slots].iter_mut().for_each(Vec::clear);
        self.waiting[..DIRECTIONS * width].iter_mut().for_each(Vec::clear);
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The label that came to a direction and column after so many others.
    #[inline]
    pub fn waiting(&self, direction: usize, column: usize, number: usize) -> Option<u32> {
        self.waiting[direction * self.width + column].get(number).copied()
    }

    /// All labels that have just arrived.
    pub fn arrivals(&self) -> impl Iterator<Item = u32> + '_ {
        self.waiting[EITHER * self.width..][..self.width].iter().flatten().copied()
    }

    /// Puts a label where it belongs: of those with one node the best stays, and of all at a place
    /// as many as there is room for.
    #[inline]
    pub fn keep(
        &mut self,
        direction: usize,
        column: i32,
        rotation: u8,
        new: RankedLabel,
        room: usize,
    ) -> InsertResult {
        let column = column - self.first;
        if column < 0 || column >= self.width as i32 {
            return InsertResult::None;
        }
        let cell = direction * self.width + column as usize;
        let slot = &mut self.slots[cell * self.rotations + usize::from(rotation)];
        let same = slot.iter().position(|kept| kept.node == new.node);
        let worst = || {
            let numbered = slot.iter().enumerate().filter(|_| slot.len() >= room);
            numbered.min_by_key(|(_, kept)| kept.rank).map(|(at, _)| at)
        };
        let room = match same.or_else(worst) {
            Some(at) if slot[at].rank >= new.rank => return InsertResult::None,
            Some(at) => InsertResult::For(std::mem::replace(&mut slot[at], new).id),
            None => {
                slot.push(new);
                InsertResult::Free
            }
        };
        self.waiting[cell].push(new.id);
        room
    }
}
