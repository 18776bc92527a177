//! Tests of the plain position against the reference implementation, and of the generated boards.

mod graph;

use super::reference::SevenColorsReference;
use super::*;
use crate::dialect::Notation;
use crate::game::{Seats, State};
use std::collections::HashSet;

/// Returns random rules of every kind, on boards small enough for games to end.
pub fn random_rules(rng: &mut Rng, longest: usize) -> Rules {
    let mut side = || 2 + rng.below(longest - 1) as u8;
    let (width, height) = (side(), side());
    let mut coin = || rng.below(2) == 1;
    let symmetric = coin();
    let rules = Rules {
        size: (width, if symmetric { width } else { height }),
        capture_enclosed: coin(),
        count_enclosed: coin(),
        symmetric,
        random_corner: coin(),
        distinct_neighbours: coin(),
        ..ARCSYS
    };
    let ban = [ColourRule::None, ColourRule::Opponent, ColourRule::OwnAndOpponent][rng.below(3)];
    Rules { ban, colours: 3 + rng.below(6) as u8, stall: 5 + rng.below(20) as u16, ..rules }
}

/// Returns a random board for `rules`.
pub fn random_board(rules: Rules, rng: &mut Rng) -> Board {
    let drawn = SevenColors::new(rules).setups(2, 0, rng.fork(0)).next();
    let _ = rng.next_u64();
    drawn.expect("some board exists")
}

/// Returns the reference implementation of a game in which no move was played.
fn twin(rules: Rules, board: &Board) -> SevenColorsReference {
    let rows = text::rows(board, Seat::FIRST);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    SevenColorsReference::new(rules, &rows, 0, [None; 2])
}

/// Counts of rare events, so that a test can require them.
#[derive(Default, Debug)]
struct GameCounts {
    plies: usize,
    enclosures: usize,
    stalls: usize,
    draws: usize,
    majorities: usize,
}

fn agree(position: &Position, reference: &SevenColorsReference) {
    let rows = text::rows(position.board(), Seat::FIRST).join("/");
    assert_eq!(rows, reference.rows().join("/").replace('0', ".").replace('1', "*"));
    let legal: Vec<usize> =
        position.moves(position.mover()).into_iter().map(Colour::index).collect();
    assert_eq!(legal, reference.legal(), "{position:?}");
    assert_eq!(position.scores(), reference.scores(), "{position:?}");
    assert_eq!(position.outcome().is_some(), reference.is_over(), "{position:?}");
    assert_eq!(position.mover().index(), reference.turn());
}

fn compare_a_game(rng: &mut Rng, seen: &mut GameCounts) {
    let rules = random_rules(rng, 7);
    let board = random_board(rules, rng);
    let mut position = SevenColors::new(rules).start(&board).unwrap();
    let mut reference = twin(rules, &board);
    agree(&position, &reference);
    while !reference.is_over() {
        let legal = reference.legal();
        let number = legal[rng.below(legal.len())];
        let (mover, colour) = (position.mover(), Colour::new(number));
        let alone = position.board().clone().capture(mover, colour);
        let before = position.board().count(mover);
        reference.play(number);
        position.play(mover, colour).unwrap();
        seen.plies += 1;
        seen.enclosures += usize::from(position.board().count(mover) > before + alone);
        agree(&position, &reference);
    }
    let [one, other] = position.scores();
    seen.stalls += usize::from(position.quiet() == u32::from(rules.stall));
    seen.draws += usize::from(one == other);
    seen.majorities += usize::from(2 * one.max(other) > rules.cells());
}

#[test]
fn games_agree_with_the_reference() {
    let (mut seen, mut rng) = (GameCounts::default(), Rng::new(7));
    for _ in 0..1_500 {
        compare_a_game(&mut rng, &mut seen);
    }
    let GameCounts { plies, enclosures, stalls, draws, majorities } = seen;
    assert!(plies > 20_000 && enclosures > 200 && stalls > 100, "{seen:?}");
    assert!(draws > 50 && majorities > 500, "{seen:?}");
}

/// Both players fill half of the board: a draw.
#[test]
fn half_each_is_a_draw() {
    let game = SevenColors::new(Rules { size: (2, 2), ..ARCSYS });
    let mut position = game.start(&game.parse_setup(&["A.", "*A"], Seat::FIRST).unwrap()).unwrap();
    position.play(Seat::FIRST, Colour::new(1)).unwrap();
    assert_eq!(position.outcome(), None, "no cell was gained");
    let drawn = game.parse_setup(&["A.", "*B"], Seat::FIRST).unwrap();
    let mut position = game.start(&drawn).unwrap();
    position.play(Seat::FIRST, Colour::new(0)).unwrap();
    position.play(Seat::new(1), Colour::new(1)).unwrap();
    let outcome = position.outcome().expect("all cells are taken");
    assert_eq!((outcome.scores.clone(), outcome.places()), (vec![2, 2], vec![0, 0]));
}

/// Plies without a gain count from the last gain of either player, then the scores decide.
#[test]
fn stalled_game_is_decided_by_scores() {
    let game = SevenColors::from_rules("size=3x3 stall=3").unwrap();
    let setup = game.parse_setup(&["AB.", "BCC", "*AC"], Seat::FIRST).unwrap();
    let mut position = game.start(&setup).unwrap();
    for letter in "DDCDDD".chars() {
        assert_eq!(position.outcome(), None);
        position.play(position.mover(), Colour::of_letter(letter).unwrap()).unwrap();
    }
    assert_eq!(position.outcome().unwrap().scores, [4, 1], "three plies after the gain");
}

#[test]
fn rejections_give_the_reason() {
    let game = SevenColors::from_rules("size=3x3 colours=4 ban=own-and-opponent").unwrap();
    let position = game.parse_state("AB./BCC/*AC B C", Seat::FIRST).unwrap();
    let refusal =
        |seat, colour| position.clone().play(Seat::new(seat), Colour::new(colour)).unwrap_err().0;
    assert_eq!(refusal(1, 0), "it is the other seat's turn");
    assert_eq!(refusal(0, 1), "one's own last colour may not be played again");
    assert_eq!(refusal(0, 2), "the opponent played this colour last");
    assert_eq!(refusal(0, 4), "there is no such colour");
    let mut over = position.clone();
    over.forfeit(Seats::one(Seat::new(1)));
    assert_eq!(over.play(Seat::FIRST, Colour::new(0)).unwrap_err().0, "the game is over");
}

#[test]
fn random_boards_follow_the_options() {
    let mut rng = Rng::new(3);
    let mut equal_neighbours = 0;
    let mut homes = HashSet::new();
    for _ in 0..500 {
        let rules = random_rules(&mut rng, 10);
        let board = random_board(rules, &mut rng);
        let cells = board.cells();
        let transposed = |i: usize| cells[board.transposed(i)];
        if rules.symmetric {
            let is_free = |i: &usize| matches!(cells[*i], CellState::Free(_));
            assert!((0..cells.len()).filter(is_free).all(|i| cells[i] == transposed(i)));
        }
        let pairs = (0..cells.len()).flat_map(|i| board.neighbours(i).map(move |j| (i, j)));
        let equal = pairs.filter(|&(i, j)| cells[i] == cells[j]).count();
        assert!(!rules.distinct_neighbours || equal == 0, "{board:?}");
        equal_neighbours += equal;
        let home = cells[corners(&rules)[0]];
        assert!(rules.random_corner || home == CellState::Taken(Seat::FIRST));
        homes.insert(home);
    }
    assert!(equal_neighbours > 1_000 && homes.len() == 2);
}

#[test]
fn setups_end_when_all_boards_are_drawn() {
    let game = SevenColors::from_rules("size=2x2 colours=3 symmetric=no").unwrap();
    assert_eq!(game.setups(2, 0, Rng::new(1)).count(), 2 * 3 * 3);
    let distinct = SevenColors::from_rules("size=2x2 colours=3 corner=fixed").unwrap();
    assert_eq!(
        distinct.setups(2, 0, Rng::new(1)).count(),
        9,
        "both free cells are on the diagonal"
    );
}

/// A seed must give the same boards for ever.
#[test]
fn seed_gives_the_same_boards() {
    let game = SevenColors::from_rules("size=5x5").unwrap();
    let drawn: Vec<String> =
        game.setups(2, 0, Rng::new(2026)).take(2).map(|board| game.setup_text(&board)).collect();
    assert_eq!(drawn, ["BFGF*; FFFFG; GFBGC; FFGGF; .GCFD", "BBFC*; BABEB; FBGAG; CEACF; .BGFB"]);
}

/// Adds the winner, or `None` of a draw, of the games that continue from a position: of all, unless
/// two results are found.
fn winners(position: &Position, found: &mut HashSet<Option<usize>>) {
    if found.len() > 1 {
        return;
    }
    if let Some(outcome) = position.outcome() {
        let [first, second] = outcome.places()[..] else { panic!("two seats") };
        found.insert((first != second).then_some(usize::from(first > second)));
        return;
    }
    for colour in position.moves(position.mover()) {
        winners(&position.after(position.mover(), colour), found);
    }
}

/// Brute force on small boards: a decided position has one winner in all continuations. The bound
/// also finds positions that the rules do not end.
#[test]
fn decided_positions_have_one_winner() {
    let (mut decided, mut open, mut missed) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let count_enclosed = rng.below(2) == 1;
        let rules = Rules {
            size: (3, 3 + rng.below(2) as u8),
            colours: 3,
            stall: 3,
            symmetric: false,
            count_enclosed,
            ..ARCSYS
        };
        let board = random_board(rules, &mut rng);
        let mut position = SevenColors::new(rules).start(&board).unwrap();
        while position.outcome().is_none() {
            let mut found = HashSet::new();
            winners(&position, &mut found);
            match (position.is_decided(), found.len()) {
                (true, _) => {
                    let places = position.outcome_so_far().unwrap().places();
                    let leader = places.iter().position(|place| *place == 0);
                    assert_eq!(found, HashSet::from([leader]), "{position:?}");
                    decided += 1;
                }
                (false, 1) => missed += 1,
                (false, _) => open += 1,
            }
            let moves = position.moves(position.mover());
            position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
        }
    }
    println!("{decided} decided, {missed} decided unnoticed, {open} open");
    assert!(decided > 20 && open > 100, "{decided} decided, {open} open");
}
