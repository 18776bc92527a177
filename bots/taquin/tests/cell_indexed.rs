//! The search whose tables have no ranks against those that have.

use super::{checked_length, unlimited, FIVES};
use crate::taquin::best::batched::{batched_ida_star, BatchedSearch};
use crate::taquin::best::fsm_pruning::PruningFsm;
use crate::taquin::best::parallel_deepening::{BoundedIteration, DepthReached};
use crate::taquin::best::pattern::partition::SEVEN_EIGHT;
use crate::taquin::best::pattern::{Partition, PatternDatabases, TableOptions};
use crate::taquin::best::specialised::{
    specialised_ida_star, CellIndexedPatterns, CellIndexedTables, PackedManhattan,
    SpecialisedSearch, MOST_TILES,
};
use crate::taquin::sheet::ida_star::ida_star;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{uniform, walk, Board};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use std::sync::Mutex;

/// Groups of different sizes. The first two share a table, one seen in a mirror; and the third is
/// no rectangle.
const MIXED: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[10, 13, 14, 12], &[9]],
    zoned: true,
};

/// Searches by cells in so many threads.
fn solved(
    (patterns, fsm): (&PatternDatabases, &PruningFsm),
    board: &Board,
    limiter: &mut Limiter,
    threads: usize,
) -> Solution {
    let tables: CellIndexedTables<u8, 4> =
        CellIndexedTables::new(patterns, fsm, threads).expect("the groups are small");
    let cell_indexed = CellIndexedPatterns { patterns, fsm, tables: &tables };
    let solution = specialised_ida_star(&cell_indexed, board, limiter, threads);
    assert_eq!(limiter.nodes(), solution.stats.expanded);
    solution
}

fn length(board: &Board, solution: &Solution) -> u32 {
    checked_length(board, solution).expect("it can be solved") as u32
}

/// Nodes of a search that is one move pair too short to find a path.
fn counts_below(needed: u32, search: impl Fn(&mut Limiter) -> Solution) -> (u64, u64, u64) {
    let solution = search(&mut Limiter::new(Budget::depth(needed - 2)));
    assert!(solution.path.is_none());
    (solution.stats.generated, solution.stats.expanded, solution.stats.iterations)
}

/// As long as nothing is found all searches see the same boards, in any number of threads: the
/// plain search leaves out moves straight back, and so does the state machine that knows no more
/// than those.
#[test]
fn fast_searches_count_what_the_plain_one_counts() {
    let (back, mut rng) = (PruningFsm::new((4, 4), 2), Rng::new(21));
    for (partition, threads) in [(FIVES, 1), (MIXED, 2)] {
        let patterns = PatternDatabases::new(&partition, &TableOptions::ALONE);
        let mut expanded = 0;
        for moves in 0..16 {
            let board = walk(Board::goal(4, 4), 60 + 4 * moves, &mut rng);
            let needed = length(&board, &ida_star(&patterns, &board, &mut unlimited()));
            let fast = solved((&patterns, &back), &board, &mut unlimited(), threads);
            assert_eq!(needed, length(&board, &fast));
            let plain = counts_below(needed, |limiter| ida_star(&patterns, &board, limiter));
            let fast = counts_below(needed, |limiter| {
                solved((&patterns, &back), &board, limiter, threads)
            });
            assert_eq!(fast, plain, "{board:?}");
            for threads in 1..4 {
                let batched = counts_below(needed, |limiter| {
                    batched_ida_star(&patterns, &back, &board, limiter, threads)
                });
                assert_eq!(batched, plain, "{board:?} {threads}");
            }
            expanded += plain.1;
        }
        assert!(expanded > 20_000, "{expanded}");
    }
}

/// Where longer duplicates are left out, as long as nothing is found.
#[test]
fn a_search_by_cells_leaves_out_what_the_batched_one_does() {
    let fsm = PruningFsm::new((4, 4), 8);
    let patterns = PatternDatabases::new(&FIVES, &TableOptions::ALONE);
    let (mut rng, mut expanded) = (Rng::new(22), 0);
    for _ in 0..8 {
        let board = walk(Board::goal(4, 4), 100, &mut rng);
        let search = |limiter: &mut Limiter| solved((&patterns, &fsm), &board, limiter, 1);
        let needed = length(&board, &search(&mut unlimited()));
        let fast = counts_below(needed, search);
        let slow = |limiter: &mut Limiter| batched_ida_star(&patterns, &fsm, &board, limiter, 1);
        assert_eq!(fast, counts_below(needed, slow), "{board:?}");
        expanded += fast.1;
    }
    assert!(expanded > 20_000, "{expanded}");
}

/// In each subtree of an iteration that finds nothing.
#[test]
fn a_search_by_cells_comes_as_deep_as_the_interleaved_one() {
    let (patterns, fsm) =
        (PatternDatabases::new(&FIVES, &TableOptions::ALONE), PruningFsm::new((4, 4), 8));
    let tables: CellIndexedTables<u8, 4> =
        CellIndexedTables::new(&patterns, &fsm, 1).expect("the groups are small");
    let cell_indexed = CellIndexedPatterns { patterns: &patterns, fsm: &fsm, tables: &tables };
    let mut limiter = Limiter::new(Budget::default());
    let (limiter, known, mut rng) =
        (Mutex::new(&mut limiter), DepthReached::default(), Rng::new(23));
    let mut compared = 0;
    for _ in 0..12 {
        let board = walk(Board::goal(4, 4), 200, &mut rng);
        let by_rank = BatchedSearch::<u64>::new(&patterns, &fsm, &board);
        let bound = by_rank.params().bound + 6;
        // For some hundred subtrees.
        let (expected, threads) = (1 << 19, 1);
        let iteration =
            BoundedIteration { bound, expected, threads, previous: &known, limiter: &limiter };
        let slow = by_rank.search(&iteration);
        let fast = SpecialisedSearch::new(&cell_indexed, &board).search(&iteration);
        assert_eq!(slow.path.is_none(), fast.path.is_none());
        if fast.path.is_none() {
            assert_eq!(fast.reached, slow.reached, "{board:?}");
            compared += usize::from((1..bound).contains(&fast.reached.below(&[])));
        }
    }
    assert!(compared > 3);
}

/// Also in the middle of a subtree: with Manhattan distance there is only one.
#[test]
fn a_search_that_is_stopped_tells_no_path() {
    let board = uniform(4, 4, &mut Rng::new(1));
    let few =
        specialised_ida_star(&PackedManhattan, &board, &mut Limiter::new(Budget::nodes(20_000)), 1);
    assert!(few.path.is_none() && (20_000..60_000).contains(&few.stats.expanded));
    assert!((1..4).contains(&(few.stats.generated / few.stats.expanded)));
}

#[test]
fn what_cannot_be_numbered_by_cells_is_not() {
    let fsm = PruningFsm::new((4, 4), 2);
    let is_made = |partition: &Partition| {
        let patterns = PatternDatabases::new(partition, &TableOptions::ALONE);
        CellIndexedTables::<u8, 4>::new(&patterns, &fsm, 1).is_some()
    };
    assert!(is_made(&FIVES));
    assert!(!is_made(&Partition { zoned: false, ..FIVES }));
    assert!(!is_made(&Partition {
        size: (3, 3),
        groups: &[&[0, 1, 2, 3], &[4, 5, 6, 7]],
        zoned: true
    }));
    assert!(SEVEN_EIGHT.groups.iter().all(|tiles| tiles.len() > MOST_TILES));
}

#[test]
fn fast_searches_keep_to_their_limits() {
    let patterns = PatternDatabases::new(&FIVES, &TableOptions::ALONE);
    let (fsm, board) = (PruningFsm::new((4, 4), 6), uniform(4, 4, &mut Rng::new(1)));
    let few_nodes = |search: &dyn Fn(&Board, &mut Limiter) -> Solution, nodes, most| {
        let mut limiter = Limiter::new(Budget::nodes(nodes));
        let few = search(&board, &mut limiter);
        assert!(few.path.is_none() && (nodes..most).contains(&few.stats.expanded));
        assert!(few.stats.generated < 4 * few.stats.expanded);
        assert_eq!(limiter.nodes(), few.stats.expanded);
        assert_eq!(search(&Board::goal(4, 4), &mut unlimited()).path, Some(vec![]));
    };
    for threads in [1, 2] {
        let batched = |board: &Board, limiter: &mut Limiter| {
            batched_ida_star(&patterns, &fsm, board, limiter, threads)
        };
        few_nodes(&batched, 3_000, 5_000);
    }
    let by_cells =
        |board: &Board, limiter: &mut Limiter| solved((&patterns, &fsm), board, limiter, 2);
    few_nodes(&by_cells, 20_000, 60_000);
}
