//! The search whose tables have no ranks against those that have.

use super::FIVES;
use crate::taquin::automaton::Automaton;
use crate::taquin::deepen::{Iteration, Reached};
use crate::taquin::ida_star::ida_star;
use crate::taquin::interleaved::{interleaved, Interleaved};
use crate::taquin::pattern::partition::SEVEN_EIGHT;
use crate::taquin::pattern::{Making, Partition, Patterns};
use crate::taquin::solution::{Effort, Solution};
use crate::taquin::unrolled::{unrolled, ByCells, Distance, Guided, Unrolled, MOST_TILES};
use arbitre_games::games::taquin::{uniform, walk, Board};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use std::sync::Mutex;

/// Groups of different sizes. The first two share a table, one seen in a mirror; and the third is no rectangle.
const MIXED: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[10, 13, 14, 12], &[9]],
    zoned: true,
};

/// Searches by cells in so many threads.
fn solved(
    (patterns, automaton): (&Patterns, &Automaton),
    board: &Board,
    budget: Budget,
    threads: usize,
) -> Solution {
    let by_cells: ByCells<u8, 4> =
        ByCells::new(patterns, automaton, threads).expect("the groups are small");
    let guided = Guided { patterns, automaton, by_cells: &by_cells };
    let mut meter = Limiter::new(budget);
    let solution = unrolled(&guided, board, &mut meter, threads);
    assert_eq!(meter.nodes(), solution.effort.expanded);
    solution
}

/// How long the shortest paths are, by this search, which comes to the goal.
fn length(board: &Board, solution: &Solution) -> u32 {
    let path = solution.path.as_ref().expect("it can be solved");
    let mut after = board.clone();
    path.iter().for_each(|&way| assert!(after.slide(way)));
    assert!(after.is_goal(), "{board:?} {path:?}");
    path.len() as u32
}

/// As long as nothing is found both see the same boards, in any number of threads: the plain search leaves out moves straight
/// back, and so does the automaton that knows no more than those.
#[test]
fn a_search_by_cells_counts_what_the_plain_one_counts() {
    let back = Automaton::new((4, 4), 2);
    let mut rng = Rng::new(21);
    for (partition, threads) in [(FIVES, 1), (MIXED, 2)] {
        let patterns = Patterns::new(&partition, &Making::QUIETLY);
        let mut expanded = 0;
        for moves in 0..16 {
            let board = walk(Board::goal(4, 4), 60 + 4 * moves, &mut rng);
            let plain = ida_star(&patterns, &board, &mut Limiter::new(Budget::default()));
            let fast = solved((&patterns, &back), &board, Budget::default(), threads);
            let needed = length(&board, &fast);
            assert_eq!(needed, length(&board, &plain));
            let below = || Budget::depth(needed - 2);
            let plain = ida_star(&patterns, &board, &mut Limiter::new(below()));
            let fast = solved((&patterns, &back), &board, below(), threads);
            assert!(fast.path.is_none());
            let counts = |of: &Effort| (of.generated, of.expanded, of.iterations);
            assert_eq!(counts(&fast.effort), counts(&plain.effort), "{board:?}");
            expanded += fast.effort.expanded;
        }
        assert!(expanded > 20_000, "{expanded}");
    }
}

/// Where longer duplicates are left out, as long as nothing is found.
#[test]
fn a_search_by_cells_leaves_out_what_the_interleaved_one_does() {
    let automaton = Automaton::new((4, 4), 8);
    let patterns = Patterns::new(&FIVES, &Making::QUIETLY);
    let mut rng = Rng::new(22);
    let mut expanded = 0;
    for _ in 0..8 {
        let board = walk(Board::goal(4, 4), 100, &mut rng);
        let needed = length(&board, &solved((&patterns, &automaton), &board, Budget::default(), 1));
        let below = || Budget::depth(needed - 2);
        let fast = solved((&patterns, &automaton), &board, below(), 1);
        let slow = interleaved(&patterns, &automaton, &board, &mut Limiter::new(below()), 1);
        assert!(fast.path.is_none() && slow.path.is_none());
        let efforts = [&fast.effort, &slow.effort];
        let [fast, slow] = efforts.map(|of| (of.generated, of.expanded, of.iterations));
        assert_eq!(fast, slow, "{board:?}");
        expanded += fast.1;
    }
    assert!(expanded > 20_000, "{expanded}");
}

/// In each subtree of an iteration that finds nothing.
#[test]
fn a_search_by_cells_comes_as_deep_as_the_interleaved_one() {
    let (patterns, automaton) =
        (Patterns::new(&FIVES, &Making::QUIETLY), Automaton::new((4, 4), 8));
    let by_cells: ByCells<u8, 4> =
        ByCells::new(&patterns, &automaton, 1).expect("the groups are small");
    let guided = Guided { patterns: &patterns, automaton: &automaton, by_cells: &by_cells };
    let mut meter = Limiter::new(Budget::default());
    let (meter, known, mut rng) = (Mutex::new(&mut meter), Reached::default(), Rng::new(23));
    let mut compared = 0;
    for _ in 0..12 {
        let board = walk(Board::goal(4, 4), 200, &mut rng);
        let by_rank = Interleaved::<u64>::new(&patterns, &automaton, &board);
        let bound = by_rank.start().bound + 6;
        // For some hundred subtrees.
        let (expected, threads) = (1 << 19, 1);
        let iteration = Iteration { bound, expected, threads, known: &known, meter: &meter };
        let slow = by_rank.search(&iteration);
        let fast = Unrolled::new(&guided, &board).search(&iteration);
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
    let few = unrolled(&Distance, &board, &mut Limiter::new(Budget::nodes(20_000)), 1);
    assert!(few.path.is_none() && (20_000..60_000).contains(&few.effort.expanded));
    assert!((1..4).contains(&(few.effort.generated / few.effort.expanded)));
}

#[test]
fn what_cannot_be_numbered_by_cells_is_not() {
    let automaton = Automaton::new((4, 4), 2);
    let is_made = |partition: &Partition| {
        let patterns = Patterns::new(partition, &Making::QUIETLY);
        ByCells::<u8, 4>::new(&patterns, &automaton, 1).is_some()
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
fn a_search_by_cells_keeps_to_its_limits() {
    let (automaton, mut rng) = (Automaton::new((4, 4), 6), Rng::new(1));
    let patterns = Patterns::new(&FIVES, &Making::QUIETLY);
    let search = |board: &Board, budget| solved((&patterns, &automaton), board, budget, 2);
    let few = search(&uniform(4, 4, &mut rng), Budget::nodes(20_000));
    assert!(few.path.is_none() && (20_000..60_000).contains(&few.effort.expanded));
    assert!(few.effort.generated < 4 * few.effort.expanded);
    assert_eq!(search(&Board::goal(4, 4), Budget::default()).path, Some(vec![]));
    let mut swapped = Board::goal(4, 4).cells().to_vec();
    swapped.swap(0, 1);
    assert_eq!(search(&Board::new(4, 4, swapped), Budget::default()).path, None);
}
