//! The search whose tables have no ranks against those that have.

use super::FIVES;
use crate::bots::taquin::automaton::Automaton;
use crate::bots::taquin::ida_star::ida_star;
use crate::bots::taquin::interleaved::interleaved;
use crate::bots::taquin::pattern::partition::SEVEN_EIGHT;
use crate::bots::taquin::pattern::{Making, Partition, Patterns};
use crate::bots::taquin::solution::Effort;
use crate::bots::taquin::unrolled::{unrolled, ByCells, Guided, MOST_TILES};
use crate::games::taquin::{uniform, walk, Board};
use crate::rng::Rng;
use crate::search::budget::{Budget, Meter};

/// Groups of different sizes. The first two share a table, one seen in a mirror; and the third is no rectangle.
const MIXED: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[10, 13, 14, 12], &[9]],
    zoned: true,
};

/// The plain search leaves out moves straight back, and so does the automaton that knows no more than those: all counts
/// are the same, also of the iteration that finds the goal.
#[test]
fn a_search_by_cells_counts_what_the_plain_one_counts() {
    let back = Automaton::new((4, 4), 2);
    let mut rng = Rng::new(21);
    for (partition, threads) in [(FIVES, 1), (MIXED, 2)] {
        let patterns = Patterns::new(&partition, &Making::QUIETLY);
        let by_cells = ByCells::new(&patterns, &back, threads).expect("the groups are small");
        let guided = Guided { patterns: &patterns, by_cells: &by_cells };
        let mut expanded = 0;
        for moves in 0..16 {
            let board = walk(Board::goal(4, 4), 60 + 4 * moves, &mut rng);
            let plain = ida_star(&patterns, &board, &mut Meter::new(Budget::default()));
            let mut meter = Meter::new(Budget::default());
            let fast = unrolled(&guided, &board, &mut meter);
            assert_eq!(fast.path, plain.path, "{board:?}");
            let counts = |of: &Effort| (of.generated, of.expanded, of.iterations);
            assert_eq!(counts(&fast.effort), counts(&plain.effort), "{board:?}");
            assert_eq!(meter.nodes(), fast.effort.expanded);
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
    let by_cells = ByCells::new(&patterns, &automaton, 1).expect("the groups are small");
    let guided = Guided { patterns: &patterns, by_cells: &by_cells };
    let mut rng = Rng::new(22);
    let mut expanded = 0;
    for _ in 0..8 {
        let board = walk(Board::goal(4, 4), 100, &mut rng);
        let found = unrolled(&guided, &board, &mut Meter::new(Budget::default()));
        let path = found.path.expect("it can be solved");
        let mut after = board.clone();
        path.iter().for_each(|&way| assert!(after.slide(way)));
        assert!(after.is_goal());
        let below = || Meter::new(Budget::depth(path.len() as u32 - 2));
        let fast = unrolled(&guided, &board, &mut below());
        let slow = interleaved(&patterns, &automaton, &board, &mut below(), 1);
        assert!(fast.path.is_none() && slow.path.is_none());
        let efforts = [&fast.effort, &slow.effort];
        let [fast, slow] = efforts.map(|of| (of.generated, of.expanded, of.iterations));
        assert_eq!(fast, slow, "{board:?}");
        expanded += fast.1;
    }
    assert!(expanded > 20_000, "{expanded}");
}

#[test]
fn what_cannot_be_numbered_by_cells_is_not() {
    let automaton = Automaton::new((4, 4), 2);
    let is_made = |partition: &Partition| {
        let patterns = Patterns::new(partition, &Making::QUIETLY);
        ByCells::new(&patterns, &automaton, 1).is_some()
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
    let by_cells = ByCells::new(&patterns, &automaton, 1).expect("the groups are small");
    let solved = |board: &Board, budget| {
        let guided = Guided { patterns: &patterns, by_cells: &by_cells };
        unrolled(&guided, board, &mut Meter::new(budget))
    };
    let few = solved(&uniform(4, 4, &mut rng), Budget::nodes(20_000));
    assert!(few.path.is_none() && (20_000..40_000).contains(&few.effort.expanded));
    assert_eq!(solved(&Board::goal(4, 4), Budget::default()).path, Some(vec![]));
    let mut swapped = Board::goal(4, 4).cells().to_vec();
    swapped.swap(0, 1);
    assert_eq!(solved(&Board::new(4, 4, swapped), Budget::default()).path, None);
}
