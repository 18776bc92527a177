//! Tests on R. Korf's hundred boards: optimal lengths and published node counts.

use super::{checked_length, reflected, unlimited};
use crate::taquin::best::packed_manhattan::packed_manhattan;
use crate::taquin::heuristic_choice::HeuristicKind;
use crate::taquin::heuristics::Manhattan;
use crate::taquin::sheet::ida_star::ida_star;
use crate::taquin::solution::Solution;
use crate::taquin::solver::{Method, TaquinSolver};
use arbitre_games::games::taquin::{Board, Convention};
use std::collections::HashSet;

/// One line of the table.
struct KorfBoard {
    board: Board,
    length: usize,
    generated: u64,
    expanded: u64,
}

fn lines() -> Vec<KorfBoard> {
    let text = include_str!("../../../tests/data/taquin/korf100.txt");
    let lines: Vec<KorfBoard> =
        text.lines().filter(|line| !line.starts_with('#')).map(line).collect();
    assert_eq!(lines.len(), 100);
    lines
}

fn line(line: &str) -> KorfBoard {
    let fields: Vec<&str> = line.split(" | ").collect();
    let number = |field: usize| fields[field].parse().expect("a number");
    KorfBoard {
        board: Convention::KORF.read(fields[1], None).expect("a board").0,
        length: number(2) as usize,
        generated: number(3),
        expanded: number(4),
    }
}

/// Checks that the path leads to the goal and has the published length.
fn check_path(solution: &Solution, line: &KorfBoard) {
    assert_eq!(checked_length(&line.board, solution), Some(line.length));
}

/// Limited to boards that take little time; `scripts/korf 100` checks all.
#[test]
fn node_counts_are_the_published_ones() {
    let below = |most: u64| lines().into_iter().filter(move |line| line.generated < most);
    let check = |line: &KorfBoard, solution: &Solution| {
        check_path(solution, line);
        let stats = solution.stats;
        assert_eq!((stats.generated, stats.expanded), (line.generated, line.expanded));
    };
    let (mut generic, mut fast) = (0, 0);
    for line in below(1_500_000) {
        check(&line, &ida_star(&Manhattan::new(4, 4), &line.board, &mut unlimited()));
        generic += 1;
    }
    for line in below(100_000_000) {
        check(&line, &packed_manhattan(&line.board, &mut unlimited()));
        fast += 1;
    }
    assert_eq!((generic, fast), (8, 60));
}

/// Limited to boards that take little time; `cargo bench --bench taquin` solves all.
#[test]
fn cell_indexed_search_finds_the_published_lengths() {
    let mut solver = TaquinSolver::new(Method::IdaStar, Some(HeuristicKind::Pattern663), 0);
    solver.prepare((4, 4)).expect("the heuristic supports 4x4");
    for line in lines().into_iter().filter(|line| line.generated < 20_000_000) {
        let solution = solver.solve(&line.board, &mut unlimited());
        check_path(&solution.expect("the heuristic supports 4x4"), &line);
    }
}

/// The boards are solvable, and the reflection of each at the diagonal is one of them.
#[test]
fn the_seventeen_farthest_boards_are_symmetric() {
    let text = include_str!("../../../tests/data/taquin/hardest.txt");
    let lines = text.lines().filter_map(|line| line.strip_prefix("80 | "));
    let convention = Convention::named("web").unwrap();
    let boards: Vec<Board> =
        lines.map(|line| convention.read(line, None).expect("a board").0).collect();
    let distinct: HashSet<&Board> = boards.iter().collect();
    assert_eq!((boards.len(), distinct.len()), (17, 17));
    for board in &boards {
        assert!(board.is_solvable() && distinct.contains(&reflected(board)), "{board:?}");
    }
}

/// The sum of the lengths is published too.
#[test]
fn table_has_the_published_sum_of_lengths() {
    assert_eq!(lines().iter().map(|line| line.length).sum::<usize>(), 5305);
    for line in lines() {
        let value = Manhattan::new(4, 4).distance(line.board.cells(), line.board.blank()) as usize;
        assert!(line.board.is_solvable() && value <= line.length);
    }
}
