//! Tests that every heuristic is admissible and consistent, and that updates agree with computed
//! estimates.

use super::{patterns, reflected, Distances, FIVES};
use crate::taquin::best::pattern::{Partition, PatternDatabases};
use crate::taquin::heuristics::linear_conflict::LinearConflict;
use crate::taquin::heuristics::walking_distance::WalkingDistance;
use crate::taquin::heuristics::{Heuristic, Manhattan, Slide};
use arbitre_games::games::taquin::{uniform, walk, Board, Size};
use arbitre_games::rng::Rng;

fn groups(size: Size, groups: &[&[u8]]) -> PatternDatabases {
    patterns(&Partition { size, groups })
}

/// Checks the slides from a board, and returns its estimate. Each slide must change the estimate by
/// one. Updated estimates must equal computed ones.
fn check_slides<H: Heuristic>(heuristic: &H, board: &Board) -> u32 {
    let estimate = heuristic.estimate(board.cells(), board.blank());
    let here = heuristic.value(&estimate);
    assert_eq!(here == 0, board.is_goal(), "{board:?}");
    for direction in board.ways() {
        let next = board.after(direction).expect("the direction is possible");
        let there = heuristic.value(&heuristic.estimate(next.cells(), next.blank()));
        assert_eq!(here.abs_diff(there), 1, "{board:?} {direction}");
        // During a search, the cell that a tile left still holds it.
        let mut cells = board.cells().to_vec();
        let (from, to) = (next.blank(), board.blank());
        cells[to] = cells[from];
        let tile = cells[from].into();
        let slide = Slide { tile, from, to, cells: &cells };
        let after = |most| heuristic.after(&estimate, &slide, most);
        assert_eq!(
            after(there).map(|estimate| heuristic.value(&estimate)),
            Some(there),
            "{board:?} {direction}"
        );
        assert!(after(there - there.min(1)).is_none() || there == 0, "{board:?} {direction}");
    }
    here
}

/// Checks all boards of a size. Returns the sum of the estimates.
fn check_all<H: Heuristic>(heuristic: &H, rows: usize, columns: usize) -> u64 {
    let mut sum = 0;
    for (board, distance) in Distances::new(rows, columns).each(1) {
        let value = check_slides(heuristic, &board);
        assert!(value <= distance, "{value} is more than {distance}: {board:?}");
        sum += u64::from(value);
    }
    sum
}

/// A stronger heuristic must have the larger sum.
#[test]
fn heuristics_are_admissible_on_all_boards_of_3x3() {
    let manhattan = check_all(&Manhattan::new(3, 3), 3, 3);
    let conflict = check_all(&LinearConflict::new(3, 3), 3, 3);
    let walking = check_all(&WalkingDistance::new(3, 3).unwrap(), 3, 3);
    let patterns = check_all(&groups((3, 3), &[&[0, 1, 2, 3], &[4, 5, 6, 7]]), 3, 3);
    assert!(manhattan < conflict && conflict < patterns && manhattan < walking);
}

/// A sample, because all boards would take too long.
#[test]
fn heuristics_are_admissible_on_boards_of_2x5() {
    let heuristics = (
        Manhattan::new(2, 5),
        LinearConflict::new(2, 5),
        WalkingDistance::new(2, 5).unwrap(),
        groups((2, 5), &[&[0, 1, 5, 6], &[2, 3, 4, 7, 8]]),
    );
    for (board, distance) in Distances::new(2, 5).each(29) {
        let values = [
            check_slides(&heuristics.0, &board),
            check_slides(&heuristics.1, &board),
            check_slides(&heuristics.2, &board),
            check_slides(&heuristics.3, &board),
        ];
        assert!(values.iter().all(|&value| value <= distance), "{values:?} {distance}");
    }
}

/// The walk itself is a path, so its length is an upper bound of the distance.
#[test]
fn heuristics_are_admissible_after_walks_on_4x4() {
    let patterns = patterns(&FIVES);
    let (conflict, walking) = (LinearConflict::new(4, 4), WalkingDistance::new(4, 4).unwrap());
    let mut rng = Rng::new(4);
    for moves in 0..2_000 {
        let board = walk(Board::goal(4, 4), moves % 90, &mut rng);
        let values = [
            check_slides(&Manhattan::new(4, 4), &board),
            check_slides(&conflict, &board),
            check_slides(&walking, &board),
            check_slides(&patterns, &board),
        ];
        assert!(values.iter().all(|&value| value <= moves % 90), "{values:?} {moves}");
        check_slides(&patterns, &uniform(4, 4, &mut rng));
    }
}

/// A board and its reflection at the diagonal have the same distance, and the larger of the two
/// sums counts for both.
#[test]
fn patterns_give_reflected_boards_the_same_estimate() {
    let (patterns, mut rng) = (patterns(&FIVES), Rng::new(12));
    for _ in 0..500 {
        let board = uniform(4, 4, &mut rng);
        assert_eq!(check_slides(&patterns, &board), check_slides(&patterns, &reflected(&board)));
    }
}

/// K. Takahashi published 24,964 abstract boards of 4x4.
#[test]
fn walking_distance_has_the_published_number_of_boards() {
    assert_eq!(WalkingDistance::new(4, 4).unwrap().abstract_boards(), [24_964; 2]);
    assert!(WalkingDistance::new(5, 5).is_err() && WalkingDistance::new(10, 10).is_err());
}

/// Manhattan distance and linear conflict must support boards of all sizes.
#[test]
fn manhattan_and_linear_conflict_support_all_sizes() {
    let mut rng = Rng::new(9);
    for _ in 0..50 {
        let board = uniform(2 + rng.below(9), 2 + rng.below(9), &mut rng);
        let (rows, columns) = (board.rows(), board.columns());
        let manhattan = check_slides(&Manhattan::new(rows, columns), &board);
        assert!(manhattan <= check_slides(&LinearConflict::new(rows, columns), &board));
    }
}
