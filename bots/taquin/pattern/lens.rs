//! A view as the fast search needs it: all that is known of a slide before the search is looked up at once.

use super::index::{past, Index, Placement};
use super::map;
use super::sets::{Cells, Zones};
use super::table::Table;
use super::view::View;
use super::{board_with_blank, CAP};
use arbitre_games::games::taquin::Direction;

const WAYS: usize = Direction::ALL.len();

/// A view of a group through which a search looks into its table.
pub struct Lens<'p> {
    index: &'p Index,
    stride: usize,
    zones: &'p Zones,
    entries: &'p [u8],
    /// By the blank's cell and the direction in which it goes.
    slides: [[Slid; WAYS]; CAP],
}

/// What a slide changes on the table's board.
#[derive(Clone, Copy, Default)]
struct Slid {
    /// The two cells.
    flips: Cells,
    /// The cells before both of them, and between them.
    before: Cells,
    between: Cells,
    /// Does the tile go to the later cell?
    is_forward: bool,
    /// Where the blank is afterwards.
    blank: u8,
}

impl<'p> Lens<'p> {
    /// The lens of a view, which is one of this table, in which the zone of the blank counts.
    ///
    /// # Panics
    /// If the zone does not count, or the table has more entries than 32 bits number.
    pub fn new(view: &View, table: &'p Table) -> Lens<'p> {
        let size = table.pattern().size;
        let mut slides = [[Slid::default(); WAYS]; CAP];
        for (cell, slides) in slides.iter_mut().enumerate().take(size.0 * size.1) {
            let board = board_with_blank(size, cell);
            for way in Direction::ALL {
                if let Some(target) = board.target(way) {
                    let (from, to) = (view.cell(target), view.cell(cell));
                    slides[way.index()] = Slid::new(from, to);
                }
            }
        }
        let (index, entries, stride) = (table.index(), table.entries(), table.stride());
        let zones = table.zones().expect("the zone of the blank counts");
        assert!(u32::try_from(table.count()).is_ok());
        Lens { index, stride, zones, entries, slides }
    }

    /// The placement after the blank at this cell went in this direction, and the number of its entry, which is
    /// asked for.
    #[inline(always)]
    pub fn look(&self, placement: Placement, blank: usize, way: usize) -> (Placement, u32) {
        let slid = &self.slides[blank % CAP][way % WAYS];
        let Placement { set, order } = placement;
        // Along a row no tile is passed, and nothing moves; to ask for that would cost more. From the later of two cells
        // the tile goes to the earlier one.
        let (near, others) = ((set & slid.before).count_ones(), (set & slid.between).count_ones());
        let order = past(order, near, others, slid.is_forward);
        let set = set ^ slid.flips;
        let block = self.zones.number(self.index.sets().number(set), slid.blank.into());
        let number = block * self.stride + self.index.orders().number(order);
        map::ask_for(self.entries, number / 8);
        (Placement { set, order }, number as u32)
    }

    /// The entry with this number.
    #[inline(always)]
    pub fn bit(&self, number: u32) -> u32 {
        (self.entries[number as usize / 8] >> (number % 8) & 1).into()
    }
}

impl Slid {
    fn new(from: usize, to: usize) -> Slid {
        let below = |cell: usize| (1 << cell) - 1;
        let (near, far) = (from.min(to), from.max(to));
        Slid {
            flips: 1 << from | 1 << to,
            before: below(near),
            between: below(far) & !below(near + 1),
            is_forward: to > from,
            blank: from as u8,
        }
    }
}
