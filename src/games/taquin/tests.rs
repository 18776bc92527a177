//! Tests of the board against the reference implementation and breadth-first search, and of all
//! conventions.

use super::reference::TaquinReference;
use super::*;
use crate::dialect::Notation;
use crate::game::{Seat, Seats, State};
use std::collections::{HashMap, VecDeque};

/// Returns the distance of every board reachable from the goal of this size, by breadth-first
/// search.
fn distances(rows: usize, columns: usize) -> HashMap<Board, u32> {
    let goal = Board::goal(rows, columns);
    let mut found = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(board) = queue.pop_front() {
        let distance = found[&board] + 1;
        for next in board.successors() {
            found.entry(next.clone()).or_insert_with(|| {
                queue.push_back(next);
                distance
            });
        }
    }
    found
}

/// Calls `found` for all permutations of the first `of_first` tiles, by Heap's algorithm.
fn permutations(tiles: &mut Vec<u8>, of_first: usize, found: &mut impl FnMut(&[u8])) {
    if of_first <= 1 {
        return found(tiles);
    }
    for i in 0..of_first {
        permutations(tiles, of_first - 1, found);
        let other = if of_first.is_multiple_of(2) { i } else { 0 };
        tiles.swap(other, of_first - 1);
    }
}

/// Checks the published radii of small boards, and that exactly the boards reachable from the goal
/// are solvable.
#[test]
fn solvable_boards_are_those_reachable_from_the_goal() {
    for (rows, columns, radius) in
        [(2, 2, 6), (2, 3, 21), (3, 2, 21), (2, 4, 36), (4, 2, 36), (3, 3, 31)]
    {
        let found = distances(rows, columns);
        assert_eq!(found.values().max(), Some(&radius), "{rows}x{columns}");
        let cells = rows * columns;
        let (mut solvable, mut all) = (0, 0);
        permutations(&mut (0..cells as u8).collect(), cells, &mut |tiles| {
            let board = Board::new(rows, columns, tiles.to_vec());
            assert_eq!(board.is_solvable(), found.contains_key(&board), "{board:?}");
            solvable += usize::from(board.is_solvable());
            all += 1;
        });
        assert_eq!((solvable, all), (found.len(), (1..=cells).product()));
    }
}

#[test]
fn board_agrees_with_the_reference_implementation() {
    let mut rng = Rng::new(7);
    let mut ends = [0, 0];
    for number in 0..400 {
        let (rows, columns) = (2 + rng.below(3), 2 + rng.below(3));
        let moves = 1 + rng.below(if number % 2 == 0 { 3 } else { 40 }) as u32;
        let rules = format!("size={rows}x{columns} scramble={moves} max-moves=60");
        let game = Taquin::from_rules(&rules).unwrap();
        let Some(setup) = game.setups(1, 0, Rng::new(number)).next() else { continue };
        let mut position = game.start(&setup).unwrap();
        let mut slow = TaquinReference::new(&game.setup_text(&setup), 60);
        while let Some(&way) = slow.legal().get(rng.below(slow.legal().len().max(1))) {
            let legal: Vec<usize> =
                position.moves(Seat::FIRST).into_iter().map(Direction::index).collect();
            assert_eq!(legal, slow.legal(), "{}", slow.picture());
            position.play(Seat::FIRST, Direction::ALL[way]).unwrap();
            slow.play(way);
            assert_eq!(game.setup_text(position.board()), slow.picture());
        }
        let outcome = position.outcome().expect("the game is over when the reference is");
        assert_eq!(outcome.out.is_empty(), slow.is_solved());
        ends[usize::from(slow.is_solved())] += 1;
    }
    assert!(ends.iter().all(|&count| count > 50), "{ends:?}");
}

#[test]
fn forfeit_counts_as_unsolved() {
    let game = Taquin::from_rules("eight").unwrap();
    let setup = game.parse_setup(&["0 1 2/3 4 5/6 _ 7"], Seat::FIRST).unwrap();
    let mut solved = game.start(&setup).unwrap();
    let mut gave_up = solved.clone();
    solved.play(Seat::FIRST, Direction::Right).unwrap();
    gave_up.forfeit(Seats::one(Seat::FIRST));
    let outcomes = [solved, gave_up].map(|position| position.outcome().unwrap());
    assert_eq!(outcomes[0].scores, [1]);
    assert!(outcomes[0].out.is_empty() && outcomes[0].lower_is_better);
    assert_eq!(outcomes[1].out, [Seats::one(Seat::FIRST)]);
}

/// The sheet's example, and the same board in the other conventions.
#[test]
fn every_convention_round_trips() {
    let sheet = "2 3 1 6 / 14 5 8 4 / _ 12 7 9 / 10 13 11 0";
    let (board, seen) = Convention::SEED.read(sheet, None).unwrap();
    assert_eq!(seen, Convention::SEED);
    assert_eq!(board.blank(), 8);
    for goal in ["first", "last"] {
        for tiles in ["0", "1"] {
            for blank in ["_", ".", "0"] {
                let text = format!("goal={goal} tiles={tiles} blank={blank}");
                let Ok(convention) = Convention::named(&text) else {
                    assert_eq!((tiles, blank), ("0", "0"));
                    continue;
                };
                for layout in [Layout::Line, Layout::Slashes, Layout::Grid] {
                    let written = convention.write(&board, layout);
                    assert_eq!(convention.read(&written, None), Ok((board.clone(), convention)));
                }
            }
        }
    }
    let sides = Convention::KORF.write(&board, Layout::Sides);
    assert_eq!(Convention::KORF.read(&sides, None), Ok((board.clone(), Convention::KORF)));
    assert_eq!(Convention::detect(&sides, None), Ok((board, Convention::KORF)));
}

#[test]
fn conventions_are_named_as_they_are_parsed() {
    for text in ["seed", "korf", "web", "goal=first,tiles=0,blank=.", "goal=last,tiles=1,blank=_"] {
        let convention = Convention::named(text).unwrap();
        assert_eq!(convention.to_string(), text);
        assert_eq!(convention.goal(), if convention.blank_first { "first" } else { "last" });
    }
}

/// Boards that begin with their side: only one number per line means a goal with the blank first,
/// and never if another goal is given. The lengths are counted by hand.
#[test]
fn goal_of_a_board_with_its_side() {
    let three_rows = "3\n1 2 3\n4 5 6\n0 7 8\n";
    let solved = "4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0";
    let column = "3\n1\n2\n0\n3\n4\n5\n6\n7\n8\n";
    let [first, last] =
        ["web,goal=first", "web,goal=last"].map(|of| Convention::named(of).unwrap());
    let goal = |side| Board::goal(side, side);
    // The blank is two cells from the corner in both.
    let two_moves = |board: &Board| {
        let near = |at: &Board| at.ways().any(|way| at.after(way) == Some(goal(3)));
        board.ways().any(|way| board.after(way).is_some_and(|next| near(&next)))
    };
    for (text, detected) in [(three_rows, "web"), (column, "korf")] {
        let (board, convention) = Convention::detect(text, None).unwrap();
        assert_eq!(convention.to_string(), detected, "{text}");
        assert!(two_moves(&board), "{text}");
        let given = Convention::named(detected).unwrap();
        assert_eq!(given.read(text, None), Ok((board, given)), "{text}");
    }
    assert_eq!(Convention::detect(solved, None).unwrap().0, goal(4));
    assert_eq!(last.read(solved, None).unwrap().0, goal(4));
    for (convention, text) in [(first, three_rows), (last, column)] {
        let (board, seen) = convention.read(text, None).unwrap();
        assert_eq!(seen.goal(), convention.goal(), "a given goal wins: {text}");
        assert!(!two_moves(&board), "{text}");
    }
}

/// A board from the table of R. Korf's 1985 paper, and one with an obvious solution.
#[test]
fn half_turn_converts_boards_with_the_blank_first() {
    let first = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let (board, _) = Convention::KORF.read(first, None).unwrap();
    let ours = "12 5 7 11 14 13 _ 9 10 6 3 4 8 0 2 1";
    assert_eq!(Convention::SEED.write(&board, Layout::Line), ours);
    let (mut near, _) = Convention::KORF.read("1 2 0 3 4 5 6 7 8", None).unwrap();
    let path = parse_path("LL").unwrap();
    path.iter().for_each(|&way| assert!(near.slide(Convention::KORF.direction(way))));
    assert!(near.is_goal());
}

#[test]
fn size_can_be_given() {
    let text = "0 1 2 3 4 _";
    let message = Convention::SEED.read(text, None).unwrap_err().to_string();
    assert!(message.contains("a square, or rows separated by /"), "{message}");
    for size in [(2, 3), (3, 2)] {
        assert_eq!(Convention::SEED.read(text, Some(size)).unwrap().0, Board::goal(size.0, size.1));
    }
    let column = "0\n1\n2\n_\n";
    assert_eq!(Convention::SEED.read(column, None).unwrap().0, Board::goal(2, 2));
}

#[test]
fn bad_boards_are_explained() {
    let many = vec!["0"; 121].join(" ");
    let cases = [
        ("0 1 / 2", "expected a rectangle: row 1 has 2 cells, row 2 has 1"),
        ("0 1 2 / _ 3", "row 1 has 3 cells, row 2 has 2"),
        ("0 1 2 3 _", "a square, or rows separated by /, or the size told, got 5 cells"),
        ("", "expected 2 to 10 rows and columns, got 0x0"),
        ("0 _", "got 2 cells"),
        (&many, "expected 2 to 10 rows and columns, got 11x11"),
        ("0 1 / 1 _", "expected every tile once, but 1 comes twice"),
        ("_ 1 / 0 _", "expected every tile once, but _ comes twice"),
        ("0 1 / _ .", "expected tiles from 0 to 2 and a blank, got '.'"),
        ("1 2 / 3 4", "expected a blank: _ or . or 0"),
        ("0 1 / 3 _", "expected tiles from 0 to 2 and a blank, got '3'"),
        ("1 2 / 4 0", "expected tiles from 1 to 3 and a blank, got '4'"),
        ("0 1 / x _", "expected tiles from 0 to 2 and a blank, got 'x'"),
        ("0 1 / -1 _", "expected tiles from 0 to 2 and a blank, got '-1'"),
    ];
    for (text, part) in cases {
        let message = Convention::SEED.read(text, None).unwrap_err().to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
    let told = Convention::SEED.read("0 1 / 2 _", Some((3, 3))).unwrap_err().to_string();
    assert_eq!(told, "expected a board of 3x3, got 2x2");
}

#[test]
fn bad_setups_and_positions_are_explained() {
    let game = Taquin::from_rules("size=2x2 max-moves=9").unwrap();
    let start = |text: &str| {
        let started = game.parse_setup(&[text], Seat::FIRST).and_then(|setup| game.start(&setup));
        started.unwrap_err().to_string()
    };
    assert!(start("1 0 / 2 _").contains("this one is unsolvable"));
    assert!(start("0 1 / 2 _").contains("not solved yet"));
    let state = |text: &str| game.parse_state(text, Seat::FIRST).unwrap_err().to_string();
    assert!(state("0 1 / _ 2 after x").contains("the number of moves made, got 'x'"));
    assert!(state("0 1 / _ 2 after 9").contains("and moves to play"));
    assert!(game.parse_state("0 1 / _ 2 after 8", Seat::FIRST).is_ok());
    assert!(game.parse_state("0 1 / _ 2", Seat::new(1)).is_err());
}

#[test]
fn bad_rules_paths_and_conventions_are_explained() {
    let refusals = [
        ("size=4", "expected a size like 4x4"),
        ("size=11x4", "from 2 to 10, got '11x4'"),
        ("size=1x4", "got '1x4'"),
        ("scramble=much", "expected scramble to be a number from 1 to 1000000, got 'much'"),
        ("max-moves=0", "expected max-moves to be a number from 1 to 1000000, got '0'"),
        ("fiften", "did you mean fifteen?"),
    ];
    for (text, part) in refusals {
        let message = Rules::parse(text).unwrap_err().to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
    assert!(parse_path("Up Dwn").unwrap_err().to_string().contains("got 'Dwn'"));
    let game = Taquin { rules: Rules::default() };
    for text in ["", "UD", "x"] {
        assert!(game.parse_move(text).is_err(), "{text}");
    }
    assert!(game.parse_path(" ").is_err());
    let conventions = [("goal=middle", "expected first or last"), ("korff", "did you mean korf?")];
    for (text, part) in conventions {
        let message = Convention::named(text).unwrap_err().to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
}

/// Uniform draws are equally likely on all twelve boards of 2x2; setups leave out the goal.
#[test]
fn uniform_draws_reach_every_solvable_board() {
    let game = Taquin::from_rules("size=2x2").unwrap();
    let drawn: Vec<Board> = game.setups(1, 0, Rng::new(1)).collect();
    assert_eq!(drawn.len(), 11);
    let counts = |seed| {
        let mut rng = Rng::new(seed);
        let mut counts = HashMap::new();
        (0..12_000).for_each(|_| *counts.entry(uniform(2, 2, &mut rng)).or_insert(0u32) += 1);
        counts
    };
    // Five standard deviations of a binomial distribution with 12,000 draws and p = 1/12 are 151.
    assert!(counts(3).len() == 12 && counts(3).values().all(|&count| count.abs_diff(1000) < 151));
    let walked = Taquin::from_rules("size=3x3 scramble=2").unwrap();
    assert_eq!(walked.setups(1, 0, Rng::new(1)).count(), 4, "two moves lead to four boards");
}
