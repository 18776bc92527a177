//! Tests of the batched search, in tables of both kinds, against plain IDA* and against each other.

use super::{checked_length, patterns, unlimited, with_iteration, Distances, FIVES};
use crate::taquin::best::batched::BatchedSearch;
use crate::taquin::best::fsm_pruning::PruningFsm;
use crate::taquin::best::packed_manhattan::packed_manhattan;
use crate::taquin::best::parallel_deepening::{parallel_deepening, DepthReached};
use crate::taquin::best::pattern::partition::SEVEN_EIGHT;
use crate::taquin::best::pattern::{CellIndexedTables, Partition, PatternDatabases, MOST_TILES};
use crate::taquin::heuristics::Heuristic;
use crate::taquin::sheet::ida_star::ida_star;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{uniform, walk, Board};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Groups of different sizes. The first two share a table, one of them reflected; the third is not
/// a rectangle.
const MIXED: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[10, 13, 14, 12], &[9]],
};
const THREES: Partition = Partition { size: (3, 3), groups: &[&[0, 1, 3, 4], &[2, 5, 6, 7]] };

/// Pattern databases with the FSM and tables of the fast searches.
struct SearchFixture {
    patterns: PatternDatabases,
    fsm: PruningFsm,
    tables: Option<CellIndexedTables<u8>>,
}

impl SearchFixture {
    fn new(partition: &Partition, longest: usize) -> SearchFixture {
        let (patterns, fsm) = (patterns(partition), PruningFsm::new(partition.size, longest));
        let tables = CellIndexedTables::new(&patterns, 2);
        SearchFixture { patterns, fsm, tables }
    }

    fn by_cells(&self, board: &Board, limiter: &mut Limiter, threads: usize) -> Solution {
        let tables = self.tables.as_ref().expect("the groups have at most six tiles");
        let search = BatchedSearch::<u64, _>::by_cells(&self.patterns, &self.fsm, tables, board);
        parallel_deepening(search.bound, 0, limiter, threads, |iteration| search.search(iteration))
    }

    fn by_rank(&self, board: &Board, limiter: &mut Limiter, threads: usize) -> Solution {
        let search = BatchedSearch::<u64, _>::by_rank(&self.patterns, &self.fsm, board);
        let bytes = self.patterns.bytes();
        parallel_deepening(search.bound, bytes, limiter, threads, |iteration| {
            search.search(iteration)
        })
    }
}

/// Boards of 3x3, with and without pruning of duplicates, in several threads.
#[test]
fn batched_search_finds_a_shortest_path() {
    let distances = Distances::new(3, 3);
    for (longest, threads) in [(2, 1), (13, 3), (2, 2), (12, 1)] {
        let fixture = SearchFixture::new(&THREES, longest);
        for (board, distance) in distances.each(701) {
            let solution = fixture.by_rank(&board, &mut unlimited(), threads);
            assert_eq!(checked_length(&board, &solution), Some(distance as usize));
        }
    }
}

/// All searches that find nothing visit the same boards, in any number of threads. Plain IDA*
/// prunes moves straight back, as an FSM for duplicates of two moves does.
#[test]
fn fast_searches_have_the_node_counts_of_plain_ida_star() {
    let mut rng = Rng::new(21);
    for (partition, longest, threads) in [(FIVES, 2, 1), (MIXED, 2, 2), (FIVES, 8, 1)] {
        let fixture = SearchFixture::new(&partition, longest);
        let mut expanded = 0;
        for moves in 0..16 {
            let board = walk(Board::goal(4, 4), 60 + 4 * moves, &mut rng);
            let shortest = ida_star(&fixture.patterns, &board, &mut unlimited());
            let needed = checked_length(&board, &shortest);
            let fast = fixture.by_cells(&board, &mut unlimited(), threads);
            assert_eq!(needed, checked_length(&board, &fast));
            // Two moves less than the shortest path, so that none is found.
            let counts = |search: &dyn Fn(&mut Limiter) -> Solution| {
                let mut limiter = Limiter::new(Budget::depth(needed.unwrap() as u32 - 2));
                let Solution { path, stats, .. } = search(&mut limiter);
                assert_eq!(path, None);
                (stats.generated, stats.expanded, stats.iterations)
            };
            let by_cells = counts(&|limiter| fixture.by_cells(&board, limiter, threads));
            if longest == 2 {
                let plain = counts(&|limiter| ida_star(&fixture.patterns, &board, limiter));
                assert_eq!(by_cells, plain, "{board:?}");
            }
            for threads in 1..4 {
                let by_rank = counts(&|limiter| fixture.by_rank(&board, limiter, threads));
                assert_eq!(by_rank, by_cells, "{board:?} {threads}");
            }
            expanded += by_cells.1;
        }
        assert!(expanded > 20_000, "{expanded}");
    }
}

/// Compares every subtree of an iteration that finds nothing.
#[test]
fn searches_by_rank_and_by_cells_reach_the_same_depths() {
    let (fixture, mut rng) = (SearchFixture::new(&FIVES, 8), Rng::new(23));
    let mut compared = 0;
    for _ in 0..12 {
        let board = walk(Board::goal(4, 4), 200, &mut rng);
        let (patterns, fsm) = (&fixture.patterns, &fixture.fsm);
        let by_rank = BatchedSearch::<u64, _>::by_rank(patterns, fsm, &board);
        let tables = fixture.tables.as_ref().expect("the groups have at most six tiles");
        let by_cells = BatchedSearch::<u64, _>::by_cells(patterns, fsm, tables, &board);
        let bound = by_rank.bound + 6;
        // These expected nodes give some hundred subtrees.
        let (slow, fast) =
            with_iteration((bound, 1 << 19, 1), &DepthReached::default(), |iteration| {
                (by_rank.search(iteration), by_cells.search(iteration))
            });
        assert_eq!(slow.path.is_none(), fast.path.is_none());
        if fast.path.is_none() {
            assert_eq!(fast.reached, slow.reached, "{board:?}");
            compared += usize::from((1..bound).contains(&fast.reached.below(&[])));
        }
    }
    assert!(compared > 3);
}

#[test]
fn only_small_groups_are_cell_indexed() {
    let is_made = |partition: &Partition| SearchFixture::new(partition, 2).tables.is_some();
    assert!(is_made(&FIVES));
    assert!(SEVEN_EIGHT.groups.iter().all(|tiles| tiles.len() > MOST_TILES));
}

/// Searches also stop within a subtree; Manhattan distance uses only one.
#[test]
fn stopped_search_keeps_its_limit_and_has_no_path() {
    let (fixture, board) = (SearchFixture::new(&FIVES, 6), uniform(4, 4, &mut Rng::new(1)));
    type SearchFn<'f> = &'f dyn Fn(&Board, &mut Limiter) -> Solution;
    let cases: [(SearchFn, _, _); 4] = [
        (&|board, limiter| fixture.by_rank(board, limiter, 1), 3_000, 5_000),
        (&|board, limiter| fixture.by_rank(board, limiter, 2), 3_000, 5_000),
        (&|board, limiter| fixture.by_cells(board, limiter, 2), 3_000, 5_000),
        (&|board, limiter| packed_manhattan(board, limiter), 20_000, 60_000),
    ];
    for (search, nodes, most) in cases {
        let mut limiter = Limiter::new(Budget::nodes(nodes));
        let Solution { path, stats, .. } = search(&board, &mut limiter);
        assert!(path.is_none() && (nodes..most).contains(&stats.expanded));
        assert!((1..4).contains(&(stats.generated / stats.expanded)));
        assert_eq!(limiter.nodes(), stats.expanded);
        assert_eq!(search(&Board::goal(4, 4), &mut unlimited()).path, Some(vec![]));
    }
}
