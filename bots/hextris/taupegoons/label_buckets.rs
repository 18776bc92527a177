//! Labels of the label search with the pivot in one row, in buckets by place.

use crate::hextris::row_direction::{DIRECTIONS, EITHER};
use arbitre_games::games::hextris::PhraseNode;

/// Key by which a label is compared with others.
#[derive(Clone, Copy, Debug)]
pub struct RankedLabel {
    /// Index of the label.
    pub id: u32,
    /// Points plus the value of the partial phrases.
    pub rank: u32,
    /// Node of the label.
    pub node: PhraseNode,
}

/// Effect of the insertion of a label.
pub enum InsertResult {
    /// The label was inserted into free room.
    Free,
    /// The label took the place of the one of this index, which ranked lower.
    For(u32),
    /// The label was not inserted.
    None,
}

/// Labels with the pivot in one row, by place.
#[derive(Default)]
pub struct LabelBuckets {
    /// First column of the pivot.
    first: i32,
    width: usize,
    rotations: usize,
    /// Labels by direction, column and rotation.
    slots: Vec<Vec<RankedLabel>>,
    /// Labels to expand by direction and column, in order of arrival.
    waiting: Vec<Vec<u32>>,
}

impl LabelBuckets {
    /// Empties the buckets and prepares them for `width` columns from `first` on.
    pub fn open(&mut self, first: i32, width: usize, rotations: usize) {
        (self.first, self.width, self.rotations) = (first, width, rotations);
        let slots = DIRECTIONS * width * rotations;
        self.slots.resize_with(slots.max(self.slots.len()), Vec::new);
        self.waiting.resize_with((DIRECTIONS * width).max(self.waiting.len()), Vec::new);
        self.slots[..slots].iter_mut().for_each(Vec::clear);
        self.waiting[..DIRECTIONS * width].iter_mut().for_each(Vec::clear);
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the label that arrived at a direction and column as number `number`, from 0.
    #[inline]
    pub fn waiting(&self, direction: usize, column: usize, number: usize) -> Option<u32> {
        self.waiting[direction * self.width + column].get(number).copied()
    }

    /// Returns all labels that came from the row above.
    pub fn arrivals(&self) -> impl Iterator<Item = u32> + '_ {
        self.waiting[EITHER * self.width..][..self.width].iter().flatten().copied()
    }

    /// Inserts a label. Of the labels with one node the best stays, and a place keeps at most
    /// `room` labels.
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
