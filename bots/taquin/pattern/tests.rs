//! Numbers of placements against an enumeration, and tables against searches of all boards.

use super::index::{Index, Key};
use super::*;
use crate::games::taquin::Board;
use std::collections::{HashMap, HashSet, VecDeque};

/// All placements have numbers of their own, and not many numbers are left over.
#[test]
fn placements_are_numbered() {
    for (cells, tiles) in [(9, 1), (9, 3), (9, 4), (9, 5), (10, 6), (12, 6)] {
        let index = Index::new(cells, tiles);
        let mut numbers = HashSet::new();
        let mut all = 0;
        placements(cells, tiles, &mut Vec::new(), &mut |placed| {
            let key = placed.iter().rev().fold(0, |key: Key, &cell| key << 4 | cell as Key);
            assert!(index.number(key) < index.count());
            numbers.insert(index.number(key));
            all += 1;
        });
        assert_eq!(numbers.len(), all, "{tiles} on {cells}");
        assert!(5 * all > index.count(), "{tiles} on {cells}");
    }
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

/// The slides of these tiles alone that each placement needs, by a search of all whole boards in which the
/// others slide for nothing.
fn slides_of(rows: usize, columns: usize, tiles: &[u8]) -> HashMap<Vec<usize>, u32> {
    let goal = Board::goal(rows, columns);
    let mut costs = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((board, cost)) = queue.pop_front() {
        if costs[&board] < cost {
            continue;
        }
        for way in board.ways() {
            let next = board.after(way).expect("a way leads somewhere");
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
        let known = least.entry(tiles.iter().map(cell).collect()).or_insert(cost);
        *known = cost.min(*known);
    }
    least
}

#[test]
fn a_table_says_how_many_slides_its_tiles_need() {
    let cases: [(usize, usize, &[u8]); 5] = [
        (2, 3, &[0, 1, 3]),
        (2, 3, &[4]),
        (3, 3, &[0, 1, 2, 3]),
        (3, 3, &[7, 5, 4, 2, 6]),
        (2, 4, &[6, 5]),
    ];
    for (rows, columns, tiles) in cases {
        let (table, manhattan) =
            (Table::build(rows, columns, tiles), Manhattan::new(rows, columns));
        let slides = slides_of(rows, columns, tiles);
        assert!(slides.len() <= table.count());
        let mut exceeded = 0;
        for (cells, slides) in slides {
            let place =
                |tile: u8| cells[tiles.iter().position(|&of| of == tile).expect("one of them")];
            let direct: u32 = tiles.iter().map(|&t| manhattan.of_tile(t.into(), place(t))).sum();
            let excess = table.excess(table.key(place));
            assert_eq!(direct + 2 * excess, slides, "{tiles:?} on {cells:?}");
            exceeded += u32::from(excess > 0);
        }
        assert_eq!(exceeded > 0, tiles.len() > 1);
    }
}
