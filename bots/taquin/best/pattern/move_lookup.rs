//! Move lookup of the batched search: everything known about a slide before the search, in one
//! access.

use super::cell_sets::{BlankZones, CellSet};
use super::group_view::GroupView;
use super::placement::{past, Placement, PlacementIndex};
use super::table::PatternTable;

use crate::taquin::grid::{blank_targets, CAP, DIRECTIONS};
use arbitre_games::search::prefetch::prefetch;

/// View of a group through which a search reads its table.
pub struct MoveLookup<'p> {
    index: &'p PlacementIndex,
    zones: &'p BlankZones,
    entries: &'p [u8],
    /// Masks of the slides, by the blank's cell and direction.
    slides: [[SlideMasks; DIRECTIONS]; CAP],
}

/// Changes by a slide on the table's board.
#[derive(Clone, Copy, Default)]
struct SlideMasks {
    /// The two cells of the slide.
    flips: CellSet,
    /// Cells before both of them.
    before: CellSet,
    /// Cells between them.
    between: CellSet,
    /// Whether the tile goes to the later cell.
    is_forward: bool,
    /// Cell of the blank after the slide.
    blank: u8,
}

impl<'p> MoveLookup<'p> {
    /// Creates the lookup for a view of this table.
    ///
    /// # Panics
    /// Panics if the table has more entries than 32 bits can index.
    pub fn new(view: &GroupView, table: &'p PatternTable) -> MoveLookup<'p> {
        let size = table.pattern.size;
        let mut slides = [[SlideMasks::default(); DIRECTIONS]; CAP];
        for ((cell, slides), targets) in (0..).zip(&mut slides).zip(blank_targets(size)) {
            for (masks, target) in slides.iter_mut().zip(targets) {
                *masks = target
                    .map_or(*masks, |target| SlideMasks::new(view.cell(target), view.cell(cell)));
            }
        }
        let (index, entries, zones) = (&table.index, table.entries(), &table.zones);
        assert!(u32::try_from(table.count()).is_ok());
        MoveLookup { index, zones, entries, slides }
    }

    /// Returns the placement after the blank moved from cell `blank` in `direction`, and the index
    /// of its entry, which is prefetched.
    #[inline(always)]
    pub fn look(&self, placement: Placement, blank: usize, direction: usize) -> (Placement, usize) {
        // Masked to avoid bounds checks.
        let masks = &self.slides[blank % CAP][direction % DIRECTIONS];
        let Placement { set, order } = placement;
        // A slide along a row passes no tile and leaves the order as it is. A branch for that case
        // would cost more.
        let (near, others) =
            ((set & masks.before).count_ones(), (set & masks.between).count_ones());
        let order = past(order, near, others, masks.is_forward);
        let set = set ^ masks.flips;
        let block = self.zones.zone_index(self.index.sets.rank(set), masks.blank.into());
        let entry_index = block * self.index.stride + self.index.orders.rank(order);
        prefetch(self.entries.as_ptr().wrapping_add(entry_index / 8));
        (Placement { set, order }, entry_index)
    }

    /// Returns a byte of the entries.
    #[inline(always)]
    pub fn byte(&self, index: usize) -> u32 {
        self.entries[index].into()
    }
}

impl SlideMasks {
    fn new(from: usize, to: usize) -> SlideMasks {
        let below = |cell: usize| (1 << cell) - 1;
        let (near, far) = (from.min(to), from.max(to));
        SlideMasks {
            flips: 1 << from | 1 << to,
            before: below(near),
            between: below(far) & !below(near + 1),
            is_forward: to > from,
            blank: from as u8,
        }
    }
}
