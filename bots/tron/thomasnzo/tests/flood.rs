//! One flood: turn order, deaths, groups.

use super::super::board::Board;
use super::super::flood::{RegionFlood, FOREVER};
use super::slow::{self, Picture};
use super::*;

/// What is compared, and how often the rarer things came up.
#[derive(Default, Debug)]
struct Seen {
    deaths_that_mattered: usize,
    pieces: usize,
    ribbons_gone: usize,
}

fn agree(board: &Board, picture: &Picture, rng: &mut Rng, seen: &mut Seen) {
    let alive = board.standing().alive;
    let zones = alive & (1 << board.me() | rng.below(16) as u8);
    let mortal: Vec<(usize, u16)> =
        in_turn(board, alive & !zones).into_iter().map(|s| (s, rng.below(9) as u16)).collect();
    let turns = in_turn(board, zones);
    let (expected, last_step) = slow::flood(picture, &turns, &mortal);
    let mut flood = RegionFlood::new();
    flood.run(board, zones, &lives(&mortal));
    let text = || format!("{picture:?} zones {turns:?} mortal {mortal:?}");
    for place in slow::places(picture) {
        let reached = flood.reached(index(picture, place));
        assert_eq!(reached, expected[place.1][place.0], "{place:?} in {}", text());
    }
    assert_eq!(flood.last_step(), last_step, "{}", text());
    for &seat in &turns {
        let owns = expected.iter().flatten().flatten().filter(|reached| reached.0 == seat).count();
        let largest = slow::largest_piece(picture, &expected, seat);
        assert_eq!(usize::from(flood.controlled(seat)), owns, "{}", text());
        assert_eq!(usize::from(flood.best_group(seat)), largest, "seat {seat} {}", text());
        seen.pieces += usize::from(largest < owns);
    }
    let (undying, _) = slow::flood(picture, &turns, &[]);
    seen.deaths_that_mattered += usize::from(undying != expected);
}

/// On random boards with two to four players, some of whom die in it, and in the middle of searches.
#[test]
fn it_agrees_with_its_slow_twin() {
    let mut rng = Rng::new(1);
    let mut seen = Seen::default();
    for _ in 0..1500 {
        let (text, me) = random_picture(&mut rng);
        let mut board = board(&text, me);
        let start = slow::read(&text);
        let (width, height) = (start[0].len(), start.len());
        agree(&board, &start, &mut rng, &mut seen);
        let before = board.standing().alive;
        let plies = 1 + rng.below(5);
        if play_on(&mut board, plies, &mut rng) {
            seen.ribbons_gone += usize::from(board.standing().alive != before);
            agree(&board, &picture(&board, width, height), &mut rng, &mut seen);
        }
    }
    assert!(seen.deaths_that_mattered > 100 && seen.pieces > 100, "{seen:?}");
    assert!(seen.ribbons_gone > 50, "{seen:?}");
}

/// Two are equally far from the middle cells; whoever comes earlier in turn has them.
#[test]
fn an_equal_distance_goes_to_the_earlier() {
    for (me, counts) in [(0, [2, 1]), (1, [1, 2])] {
        let mut flood = RegionFlood::new();
        flood.run(&board("A...B/#####/#####", me), 0b11, &lives(&[]));
        assert_eq!([flood.controlled(0), flood.controlled(1)], counts);
    }
}

/// Turn order begins with whose turn it is, and not with seat 0 or with me.
#[test]
fn the_order_begins_with_the_one_to_move() {
    let mut board = board("A.../####/B...", 0);
    board.play(Direction::Right);
    assert_eq!(board.turns(), [1, 2, 3, 0]);
}

/// My zone ends at the wall of an enclosed player at step 1, and on the other side at step 4. At the
/// step after the other's life its wall goes, and the cell that was closed by it is open again.
#[test]
fn a_death_reopens_closed_cells() {
    let text = "....A.1./######B#/########";
    let (board, cells) = (board(text, 0), slow::read(text));
    let zone = |life: u16| {
        let mut flood = RegionFlood::new();
        flood.run(&board, 0b01, &lives(&[(1, life)]));
        (flood.controlled(0), flood.reached(index(&cells, (6, 0))))
    };
    assert_eq!(zone(FOREVER), (5, None));
    assert_eq!(zone(0), (8, Some((0, 2))));
    assert_eq!(zone(2), (8, Some((0, 3))));
    assert_eq!(zone(4), (8, Some((0, 5))));
    assert_eq!(zone(5), (5, None), "nobody moves at step 5, so that the flood is over");
}

/// The debrief's figures: a first move up leads to 2 cells, one to the right and one down to 26 that are
/// connected; the plain rule says 28.
#[test]
fn choices_at_the_first_move() {
    let text = "##.#####B/##.######/##A....../##......./##......./##......#/#########";
    let mut flood = RegionFlood::new();
    flood.run(&board(text, 0), 0b01, &lives(&[]));
    assert_eq!(flood.controlled(0), 28);
    assert_eq!(flood.group_worths(0), [2, 26, 26, 0]);
    assert_eq!(flood.best_group(0), 26);
}

/// The same is done for every player.
#[test]
fn the_others_choose_as_well() {
    let text = "A#.#####B/##.######/##C....../##......./##......./##......#/#########";
    let mut flood = RegionFlood::new();
    flood.run(&board(text, 2), 0b100, &lives(&[]));
    assert_eq!((flood.controlled(2), flood.best_group(2)), (28, 26));
}

/// Three groups, of which the one to the left lies between the others and touches both: all are
/// connected.
#[test]
fn groups_connect_through_a_third() {
    let text = "....#/....#/...AB/....#/....#";
    let mut flood = RegionFlood::new();
    flood.run(&board(text, 0), 0b01, &lives(&[]));
    assert_eq!(flood.group_worths(0), [19, 0, 19, 19]);
}
