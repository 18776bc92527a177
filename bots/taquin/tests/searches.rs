//! Tests of all methods against breadth-first search.

use super::{checked_length, patterns, unlimited, Distances, FIVES};
use crate::taquin::best::quick::quick;
use crate::taquin::commands::input::EXAMPLES;
use crate::taquin::distance_census::distance_census;
use crate::taquin::heuristic_choice::HeuristicKind;
use crate::taquin::sheet::a_star::a_star;
use crate::taquin::sheet::iterative_deepening::{depth_limited, SlideGraph};
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use crate::taquin::solver::{Method, TaquinSolver, METHODS};
use arbitre_games::games::taquin::{uniform, walk, Board, Convention};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Half of all boards are solvable, and eighteen boards of 3x4 have the largest distance.
#[test]
fn radii_are_the_published_ones() {
    let radii = [((2, 2), 6), ((2, 3), 21), ((3, 3), 31), ((2, 4), 36), ((2, 5), 55), ((3, 4), 53)];
    for (size, radius) in radii {
        let counts = distance_census(size);
        let boards = (1..=(size.0 * size.1) as u64).product::<u64>() / 2;
        assert_eq!((counts.len(), counts.iter().sum()), (radius + 1, boards), "{size:?}");
        assert_eq!(counts[1], 2);
        assert!(size != (3, 4) || counts[radius] == 18);
    }
}

/// The census must agree with a search of whole boards.
#[test]
fn census_counts_boards_by_distance() {
    for size in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)] {
        let mut expected = Vec::new();
        for (_, distance) in Distances::new(size.0, size.1).each(1) {
            expected.resize(expected.len().max(distance as usize + 1), 0);
            expected[distance as usize] += 1;
        }
        assert_eq!(distance_census(size), expected, "{size:?}");
    }
}

#[test]
fn optimal_methods_find_a_shortest_path() {
    let kinds =
        [HeuristicKind::Manhattan, HeuristicKind::LinearConflict, HeuristicKind::WalkingDistance];
    for (rows, columns, step) in [(2, 2, 1), (2, 3, 7), (3, 2, 11), (3, 3, 1501), (2, 4, 311)] {
        let distances = Distances::new(rows, columns);
        for method in [Method::IdaStar, Method::AStar] {
            for kind in kinds {
                let mut solver = TaquinSolver::new(method, Some(kind), 1 << 30);
                for (board, distance) in distances.each(step) {
                    let solution = solver.solve(&board, &mut unlimited()).unwrap();
                    assert_eq!(
                        checked_length(&board, &solution),
                        Some(distance as usize),
                        "{board:?}"
                    );
                }
            }
        }
    }
}

/// A swap of two tiles makes the board unsolvable, so a search would never end.
#[test]
fn unsolvable_board_is_not_searched() {
    let mut cells = Board::goal(4, 4).cells().to_vec();
    cells.swap(0, 1);
    let board = Board::new(4, 4, cells);
    let is_known = |method, kind| {
        let mut solver = TaquinSolver::new(method, Some(kind), 1 << 20);
        let solution = solver.solve(&board, &mut unlimited()).unwrap();
        (solution.status, solution.path) == (SolveStatus::Unsolvable, None)
    };
    for (_, method) in METHODS {
        for kind in [HeuristicKind::Manhattan, HeuristicKind::LinearConflict] {
            assert!(is_known(method, kind), "{method:?} {kind:?}");
        }
    }
    assert!(is_known(Method::IdaStar, HeuristicKind::Pattern663));
}

/// The sheet's question 13: the search succeeds exactly if the distance is at most the bound.
#[test]
fn depth_limited_search_succeeds_from_the_distance_on() {
    let distances = Distances::new(2, 3);
    for (board, distance) in distances.each(5).filter(|(_, distance)| *distance <= 14) {
        for most in 0..16 {
            let (root, mut stats) = ((board.clone(), None), SearchStats::default());
            let found = depth_limited(&SlideGraph, &root, 0, most, &mut stats, &mut unlimited());
            assert_eq!(found.is_some(), distance as usize <= most, "{board:?} {most}");
        }
    }
}

#[test]
fn iterative_deepening_finds_a_shortest_path() {
    let (distances, mut rng) = (Distances::new(3, 3), Rng::new(6));
    let mut solver = TaquinSolver::new(Method::Ids, None, 0);
    for moves in 0..17 {
        let board = walk(Board::goal(3, 3), moves, &mut rng);
        let solution = solver.solve(&board, &mut unlimited()).unwrap();
        assert_eq!(checked_length(&board, &solution), Some(distances.of(&board) as usize));
        assert!(solution.stats.stored <= 1 + moves as usize);
    }
}

/// Includes A* with pattern databases, whose tables have zones.
#[test]
fn methods_agree_on_4x4() {
    let mut rng = Rng::new(8);
    let boards: Vec<Board> = (0..40).map(|_| walk(Board::goal(4, 4), 36, &mut rng)).collect();
    let lengths = |method, kind| -> Vec<Option<usize>> {
        let mut solver = TaquinSolver::new(method, Some(kind), 1 << 30);
        let solved = |board: &Board| solver.solve(board, &mut unlimited()).unwrap();
        boards
            .iter()
            .map(solved)
            .zip(&boards)
            .map(|(found, board)| checked_length(board, &found))
            .collect()
    };
    let expected = lengths(Method::IdaStar, HeuristicKind::Manhattan);
    assert!(expected.iter().all(|length| length.is_some_and(|length| length <= 36)));
    assert_eq!(lengths(Method::IdaStar, HeuristicKind::WalkingDistance), expected);
    assert_eq!(lengths(Method::IdaStar, HeuristicKind::Pattern663), expected);
    assert_eq!(lengths(Method::AStar, HeuristicKind::LinearConflict), expected);
    let fives = patterns(&FIVES);
    for (board, expected) in boards.iter().zip(expected) {
        let found = a_star::<u64, _>(&fives, board, &mut unlimited(), 1 << 30);
        assert_eq!(checked_length(board, &found), expected);
    }
}

#[test]
fn search_reports_what_stopped_it() {
    let board = uniform(4, 4, &mut Rng::new(1));
    let status = |method, memory, budget| {
        let mut solver = TaquinSolver::new(method, Some(HeuristicKind::Manhattan), memory);
        let solution = solver.solve(&board, &mut Limiter::new(budget)).unwrap();
        assert!(solution.path.is_none() && solution.stats.bytes <= memory);
        solution.status
    };
    assert_eq!(status(Method::AStar, 1 << 20, Budget::default()), SolveStatus::MemoryLimit);
    assert_eq!(status(Method::AStar, 1 << 30, Budget::nodes(5_000)), SolveStatus::OutOfBudget);
    assert_eq!(status(Method::IdaStar, 1 << 30, Budget::nodes(5_000)), SolveStatus::OutOfBudget);
    assert_eq!(status(Method::Ids, 1 << 30, Budget::nodes(5_000)), SolveStatus::OutOfBudget);
    for method in [Method::IdaStar, Method::AStar, Method::Ids] {
        assert_eq!(status(method, 1 << 30, Budget::depth(5)), SolveStatus::OutOfBudget);
        let near = walk(Board::goal(4, 4), 5, &mut Rng::new(1));
        let solved = TaquinSolver::new(method, Some(HeuristicKind::LinearConflict), 1 << 30)
            .solve(&near, &mut Limiter::new(Budget::depth(5)))
            .unwrap();
        assert_eq!(checked_length(&near, &solved), Some(5));
    }
    let large = uniform(6, 6, &mut Rng::new(1));
    assert!(TaquinSolver::new(Method::AStar, None, 1 << 30)
        .solve(&large, &mut unlimited())
        .is_err());
    let patterns = TaquinSolver::new(Method::IdaStar, Some(HeuristicKind::Pattern663), 0)
        .solve(&large, &mut unlimited());
    assert!(patterns.is_err());
}

/// A search that stops reports what its finished iterations prove, and never more than the
/// distance.
#[test]
fn stopped_search_reports_its_proved_bound() {
    let board = Convention::SEED.read(EXAMPLES[3].1, None).unwrap().0;
    let distance = EXAMPLES[3].2;
    let bound = |method, kind, memory, budget| {
        let mut solver = TaquinSolver::new(method, Some(kind), memory);
        let solution = solver.solve(&board, &mut Limiter::new(budget)).unwrap();
        assert_eq!(solution.path, None);
        assert!(solution.lower_bound <= distance, "{method:?} {}", solution.lower_bound);
        solution.lower_bound
    };
    // The Manhattan distance is 34, the estimate of the patterns 42.
    for nodes in [1, 20, 1_000, 20_000] {
        let budget = Budget::nodes(nodes);
        for (kind, least) in [(HeuristicKind::Manhattan, 34), (HeuristicKind::LinearConflict, 34)] {
            assert!(bound(Method::IdaStar, kind, 1 << 30, budget) >= least);
            assert!(bound(Method::AStar, kind, 1 << 30, budget) >= least);
        }
    }
    let manhattan = HeuristicKind::Manhattan;
    for method in [Method::IdaStar, Method::AStar] {
        assert!(bound(method, manhattan, 1 << 30, Budget::nodes(100_000)) > 36, "{method:?}");
        assert_eq!(bound(method, manhattan, 1 << 30, Budget::depth(39)), 40, "{method:?}");
    }
    assert!(bound(Method::AStar, manhattan, 1 << 20, Budget::default()) >= 34);
    assert_eq!(bound(Method::Ids, manhattan, 0, Budget::depth(9)), 10);
    assert_eq!(bound(Method::Ids, manhattan, 0, Budget::nodes(1)), 1);
    assert!((5..12).contains(&bound(Method::Ids, manhattan, 0, Budget::nodes(2_000))));
    let mut search = TaquinSolver::new(Method::IdaStar, Some(HeuristicKind::Pattern663), 1 << 30);
    let stopped = search.solve(&board, &mut Limiter::new(Budget::nodes(1_000))).unwrap();
    assert!((42..=50).contains(&stopped.lower_bound), "{}", stopped.lower_bound);
}

/// Boards of all sizes; the path is within the move limit of the rules.
#[test]
fn quick_solves_boards_of_all_sizes() {
    let mut rng = Rng::new(3);
    for rows in 2..=10 {
        for columns in 2..=10 {
            let board = uniform(rows, columns, &mut rng);
            let solution = Solution::with_path(quick(&board), Default::default());
            let length = checked_length(&board, &solution).unwrap();
            assert!(length <= 5 * rows.max(columns).pow(3), "{length} for {rows}x{columns}");
        }
    }
    assert_eq!(quick(&Board::goal(3, 3)), []);
}

/// Never longer, and optimal where the distance is known.
#[test]
fn improved_solution_is_shorter() {
    let (distances, mut rng) = (Distances::new(3, 3), Rng::new(4));
    let mut solver = TaquinSolver::new(Method::Improve, None, 0);
    for _ in 0..40 {
        let board = uniform(3, 3, &mut rng);
        let solution = solver.solve(&board, &mut unlimited()).unwrap();
        let distance = distances.of(&board) as usize;
        assert_eq!(checked_length(&board, &solution), Some(distance));
        assert!(solution.lower_bound <= distance);
    }
    let mut solver = TaquinSolver::new(Method::Best, None, 0);
    for (rows, columns) in [(6, 6), (3, 8), (10, 10)] {
        let board = uniform(rows, columns, &mut rng);
        let mut limiter = Limiter::new(Budget::nodes(300_000));
        let solution = solver.solve(&board, &mut limiter).unwrap();
        let (improved, at_once) = (checked_length(&board, &solution).unwrap(), quick(&board).len());
        assert!(solution.lower_bound < improved && improved < at_once, "{improved} {at_once}");
    }
}
