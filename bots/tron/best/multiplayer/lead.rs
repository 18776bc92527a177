//! The lead of a seat: the cells of its region, less those of its target's.

use super::evaluation::{EnclosedPlayers, RegionView};
use crate::tron::best::bitboards::{Bitboard, Cell, Loaded};
use arbitre_games::bitboard::out_of_line;

/// Returns the number of cells in the region of a seat, less those in its target's region. A region
/// in several parts counts by its largest. The trails of enclosed players vanish in time.
#[inline(always)]
pub fn lead<P: Loaded>(
    view: &RegionView<P::Stored>,
    enclosed: Option<&EnclosedPlayers<P::Stored>>,
    seat: usize,
    target: Option<usize>,
) -> i32 {
    let view = view.load::<P>();
    let regions = match enclosed {
        None => view.regions(),
        Some(&EnclosedPlayers { seats, trails: [one, two, three, four], lives }) => {
            // Not by `map`, which would not be compiled for vector registers.
            let trails = &[P::load(one), P::load(two), P::load(three), P::load(four)];
            view.regions_in_time(&EnclosedPlayers { seats, trails, lives })
        }
    };
    let own = largest_part(regions[seat], view.heads[seat]);
    match target {
        None => own as i32,
        Some(target) => own as i32 - largest_part(regions[target], view.heads[target]) as i32,
    }
}

/// Returns the number of cells of the largest part of a region that begins beside the head.
#[inline(always)]
pub fn largest_part<P: Bitboard>(region: P, head: Cell) -> u32 {
    match P::IN_REGISTERS {
        true => largest_part_of(region, head),
        false => out_of_line(|(region, head)| largest_part_of(region, head), (region, head)),
    }
}

/// Implements [`largest_part`].
#[inline(always)]
fn largest_part_of<P: Bitboard>(region: P, head: Cell) -> u32 {
    let sides = P::one(head).dilate().and(region);
    // Usually the sides are connected around the head, which a small flood shows.
    if sides.and_not(ring::<P>(head).and(region).flood_fill(some(sides))).is_empty() {
        return region.count();
    }
    let (mut left, mut largest) = (region, 0);
    while left.count() > largest {
        let from = some(left.and(sides));
        if from.is_empty() {
            break;
        }
        let part = left.flood_fill(from);
        (left, largest) = (left.and_not(part), largest.max(part.count()));
    }
    largest
}

/// Returns a cell with the eight cells around it.
#[inline(always)]
fn ring<P: Bitboard>(cell: Cell) -> P {
    let column = P::one(cell).or(P::one(cell).shift_down()).or(P::one(cell).shift_up());
    column.or(column.shift_right()).or(column.shift_left())
}

/// Returns one of the cells, or none if the set is empty.
#[inline(always)]
fn some<P: Bitboard>(cells: P) -> P {
    cells.any().map_or(P::NONE, P::one)
}
