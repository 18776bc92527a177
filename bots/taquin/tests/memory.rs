//! Tests of memory limits, and of heuristics that cannot be used.

use super::{checked_length, patterns, unlimited, FIVES};
use crate::options::Options;
use crate::taquin::best::pattern::partition::SIX_SIX_THREE;
use crate::taquin::best::pattern::TableOptions;
use crate::taquin::best::pattern_search::PatternSearch;
use crate::taquin::heuristic_choice::HeuristicKind;
use crate::taquin::heuristics::Heuristic;
use crate::taquin::solver::{Method, TaquinSolver};
use arbitre_games::games::taquin::{walk, Board};
use arbitre_games::rng::Rng;

/// The stated memory is that of the tables; without room for copies the search uses the tables
/// alone.
#[test]
fn memory_bounds_tables_and_their_copies() {
    for partition in [FIVES, SIX_SIX_THREE] {
        let memory = partition.memory();
        assert_eq!(memory.tables, patterns(&partition).bytes());
        assert!(memory.build > memory.tables);
    }
    let board = walk(Board::goal(4, 4), 60, &mut Rng::new(5));
    let solve = |memory| {
        let search = PatternSearch::new(patterns(&SIX_SIX_THREE), 1, memory);
        (search.search(&board, &mut unlimited(), 1), search.has_copies())
    };
    let (with, without) = (solve(usize::MAX), solve(16 << 20));
    assert!(with.1 && !without.1);
    assert_eq!(checked_length(&board, &with.0), checked_length(&board, &without.0));
}

#[test]
fn heuristic_beyond_memory_is_refused_or_replaced() {
    let board = walk(Board::goal(4, 4), 30, &mut Rng::new(5));
    let solve = |kind, megabytes: usize| {
        let folder = Some(std::env::temp_dir().join("no such folder of tables"));
        let options = TableOptions { folder, ..TableOptions::ALONE };
        let mut solver = TaquinSolver::new(Method::IdaStar, kind, megabytes << 20).with(options);
        solver.solve(&board, &mut unlimited()).map(|found| found.stats.bytes)
    };
    let why = solve(Some(HeuristicKind::Pattern78), 100).unwrap_err().to_string();
    let expected =
        "--memory: expected at least 702 to build the tables of pattern-78, or 187 once \
                    they are stored, got 100";
    assert_eq!(why, expected);
    let small = solve(None, 5).unwrap();
    assert!(small < 5 << 20, "{small}");
}

/// A chosen heuristic that the method would ignore is an error.
#[test]
fn heuristic_without_use_is_refused() {
    let take = |method, line| {
        TaquinSolver::take(method, 1 << 30, &mut Options::of(line))
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    let why = take(Method::Quick, "--heuristic manhattan").unwrap_err();
    assert!(why.starts_with("--heuristic: expected a method that uses one"), "{why}");
    assert!(take(Method::AStar, "--heuristic manhattan --memory 8").is_ok());
    let why = take(Method::AStar, "--memory 0").unwrap_err();
    assert_eq!(why, "--memory: expected a number from 1, got '0'");
    let mut best = TaquinSolver::new(Method::Best, Some(HeuristicKind::LinearConflict), 1 << 30);
    let why = best.prepare((5, 5)).unwrap_err().to_string();
    assert!(why.starts_with("linear-conflict expects boards of at most 16 cells"), "{why}");
    assert!(best.prepare((4, 4)).is_ok());
}
