//! Tests of ranks against an enumeration, and of tables against searches of all boards.

use super::descent::Descent;
use super::partition::Pattern;
use super::placement::{moved, slot_at, Placement, PlacementIndex};
use super::table::PatternTable;
use super::*;
use crate::taquin::grid::MOST_CELLS;
use crate::taquin::heuristics::Manhattan;
use arbitre_games::games::taquin::{Board, Size};
use std::collections::{HashMap, HashSet, VecDeque};

/// Placements have distinct ranks without gaps.
#[test]
fn placements_have_distinct_ranks() {
    for (cells, tiles) in [(9, 1), (9, 3), (9, 4), (9, 5), (10, 6), (12, 6), (10, 7), (10, 8)] {
        let index = PlacementIndex::new(cells, tiles);
        let count = index.sets.count() * index.orders.count();
        let mut ranks = HashSet::new();
        let mut all = 0;
        placements(cells, tiles, &mut Vec::new(), &mut |placed| {
            let Placement { set, order } = Placement::new(placed);
            let rank = index.sets.rank(set) * index.orders.count() + index.orders.rank(order);
            assert!(rank < count);
            ranks.insert(rank);
            all += 1;
        });
        assert_eq!(ranks.len(), all, "{tiles} on {cells}");
        assert_eq!(count, all, "{tiles} on {cells}");
    }
}

/// Updating a placement must agree with computing it.
#[test]
fn updated_placements_equal_computed_ones() {
    placements(8, 4, &mut Vec::new(), &mut |placed| {
        let placement = Placement::new(placed);
        for (slot, &from) in placed.iter().enumerate() {
            for to in (0..8).filter(|to| !placed.contains(to)) {
                let (mut after, apart) = (placed.to_vec(), from.abs_diff(to));
                after[slot] = to;
                // The order changes only if the tile passes another one.
                assert_eq!(
                    placement.after(from, to),
                    Placement::new(&after),
                    "{apart} cells apart"
                );
            }
        }
    });
    let order = Placement::new(&[3, 1, 2, 7, 5]).order;
    assert_eq!([0, 1, 2, 3, 4].map(|place| slot_at(order, place)), [1, 2, 0, 4, 3]);
    let order = moved(moved(order, 1, 3), 4, 0);
    assert_eq!([0, 1, 2, 3, 4].map(|place| slot_at(order, place)), [3, 1, 0, 4, 2]);
}

fn placements(
    cells: usize,
    left: usize,
    placed: &mut Vec<usize>,
    found: &mut impl FnMut(&[usize]),
) {
    if left == 0 {
        return found(placed);
    }
    for cell in 0..cells {
        if !placed.contains(&cell) {
            placed.push(cell);
            placements(cells, left - 1, placed, found);
            placed.pop();
        }
    }
}

/// Returns the least slides of these tiles by their cells and that of the blank. It searches all
/// whole boards, in which slides of the other tiles cost nothing.
fn slides_of(size: Size, tiles: &[u8]) -> HashMap<(Vec<usize>, usize), u32> {
    let goal = Board::goal(size.0, size.1);
    let mut costs = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((board, cost)) = queue.pop_front() {
        if costs[&board] < cost {
            continue;
        }
        for direction in board.ways() {
            let next = board.after(direction).expect("the direction is possible");
            let counts = tiles.contains(&board.cells()[next.blank()]);
            let cost = cost + u32::from(counts);
            if costs.get(&next).is_none_or(|&known| cost < known) {
                costs.insert(next.clone(), cost);
                match counts {
                    true => queue.push_back((next, cost)),
                    false => queue.push_front((next, cost)),
                }
            }
        }
    }
    let mut least = HashMap::new();
    for (board, cost) in costs {
        let cell = |tile: &u8| board.cells().iter().position(|at| at == tile).expect("a tile");
        let known = least.entry((tiles.iter().map(cell).collect(), board.blank())).or_insert(cost);
        *known = cost.min(*known);
    }
    least
}

#[test]
fn tables_give_the_slides_of_their_tiles() {
    let cases: [(Size, &[u8]); 6] = [
        ((2, 3), &[0, 1, 3]),
        ((2, 3), &[4]),
        ((3, 3), &[0, 1, 2, 3]),
        ((3, 3), &[7, 5, 4, 2, 6]),
        ((2, 4), &[6, 5]),
        ((4, 2), &[6, 5, 0, 3, 1]),
    ];
    for (size, tiles) in cases {
        let manhattan = Manhattan::new(size.0, size.1);
        let pattern = Pattern { size, tiles: tiles.to_vec() };
        let table = PatternTable::build(pattern, 1 + tiles.len() % 2, &|_| ());
        let descent = Descent::new(&table);
        let mut exceeded = 0;
        for ((cells, blank), slides) in slides_of(size, tiles) {
            let place = |tile: u8| cells[tiles.iter().position(|&of| of == tile).expect("one")];
            let direct = tiles.iter().map(|&t| manhattan.tile_distance(t.into(), place(t)));
            let value = descent.slides(&table, table.placement(place), blank);
            assert_eq!(value, slides, "{tiles:?} on {cells:?}, blank on {blank}");
            exceeded += u32::from(value > direct.sum::<u32>());
        }
        assert_eq!(exceeded > 0, tiles.len() > 1);
    }
}

/// Groups of one shape share a table, which must agree with a table of their own.
#[test]
fn shared_table_agrees_with_an_own_one() {
    let size = (3, 4);
    let groups: [&[u8]; 3] = [&[0, 1, 4, 5], &[2, 3, 6, 7], &[8, 9, 10]];
    let patterns =
        PatternDatabases::new(&Partition { size, groups: &groups }, &TableOptions::ALONE);
    assert_eq!(patterns.tables.len(), 2);
    let (view, _) = patterns.view_by_cells(1);
    let shared = &patterns.tables[view.table];
    let own = PatternTable::build(Pattern { size, tiles: groups[1].to_vec() }, 1, &|_| ());
    placements(12, 4, &mut Vec::new(), &mut |placed| {
        let mut cell_of = [0; MOST_CELLS];
        for (&tile, &cell) in groups[1].iter().zip(placed) {
            cell_of[usize::from(tile)] = cell as u8;
        }
        let (placement, seen) = (Placement::new(placed), view.placement(&cell_of));
        for blank in (0..12).filter(|blank| !placed.contains(blank)) {
            let seen = shared.entry_index(seen, view.cell(blank));
            assert_eq!(shared.bit(seen), own.bit(own.entry_index(placement, blank)));
        }
    });
    let counts = partition::SIXES.patterns().iter().map(Pattern::placements).collect::<Vec<_>>();
    assert_eq!(counts, [127_512_000; 2]);
}
