//! Tests of one flood: turn order, deaths and groups.

use super::super::board::Board;
use super::super::flood::{RegionFlood, FOREVER};
use super::slow::{self, Picture};
use super::*;

fn agree(board: &Board, picture: &Picture, rng: &mut Rng, seen: &mut [usize; 2]) {
    let alive = board.standing.alive;
    let regions = alive & (1 << board.me | rng.below(16) as u8);
    let enclosed: Vec<(usize, u16)> =
        in_turn(board, alive & !regions).into_iter().map(|s| (s, rng.below(9) as u16)).collect();
    let turns = in_turn(board, regions);
    let (expected, last_step) = slow::flood(picture, &turns, &enclosed);
    let mut flood = RegionFlood::new();
    flood.run(board, regions, &lives(&enclosed));
    let text = || format!("{picture:?} regions {turns:?} enclosed {enclosed:?}");
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
        seen[1] += usize::from(largest < owns);
    }
    let (undying, _) = slow::flood(picture, &turns, &[]);
    seen[0] += usize::from(undying != expected);
}

/// Compares floods on random boards with two to four players, some of which die, and inside
/// searches.
#[test]
fn flood_agrees_with_the_reference() {
    let mut rng = Rng::new(1);
    let (mut seen, mut trails_gone) = ([0; 2], 0);
    for _ in 0..1500 {
        let (text, me) = random_picture(&mut rng);
        let mut board = board(&text, me);
        let start = slow::read(&text);
        let (width, height) = (start[0].len(), start.len());
        agree(&board, &start, &mut rng, &mut seen);
        let before = board.standing.alive;
        let plies = 1 + rng.below(5);
        if play_on(&mut board, plies, &mut rng) {
            trails_gone += usize::from(board.standing.alive != before);
            agree(&board, &picture(&board, width, height), &mut rng, &mut seen);
        }
    }
    let [deaths_that_mattered, pieces] = seen;
    assert!(deaths_that_mattered > 100 && pieces > 100, "{seen:?}");
    assert!(trails_gone > 50, "{trails_gone}");
}

/// The middle cell is at equal distance; the earlier player in turn owns it.
#[test]
fn equal_distance_goes_to_the_earlier_in_turn() {
    for (me, counts) in [(0, [2, 1]), (1, [1, 2])] {
        let mut flood = RegionFlood::new();
        flood.run(&board("A...B/#####/#####", me), 0b11, &lives(&[]));
        assert_eq!([flood.controlled(0), flood.controlled(1)], counts);
    }
}

/// Turn order begins with the seat to move, not with seat 0 or the root player.
#[test]
fn turn_order_begins_with_the_mover() {
    let mut board = board("A.../####/B...", 0);
    board.play(Direction::Right);
    assert_eq!(board.turns().collect::<Vec<_>>(), [1, 2, 3, 0]);
}

/// The region ends at the wall of an enclosed player at step 1, and on the other side at step 4.
/// One step after that player's life its wall vanishes, and the closed cell is open again.
#[test]
fn death_reopens_closed_cells() {
    let text = "....A.1./######B#/########";
    let (board, cells) = (board(text, 0), slow::read(text));
    let region = |life: u16| {
        let mut flood = RegionFlood::new();
        flood.run(&board, 0b01, &lives(&[(1, life)]));
        (flood.controlled(0), flood.reached(index(&cells, (6, 0))))
    };
    assert_eq!(region(FOREVER), (5, None));
    assert_eq!(region(0), (8, Some((0, 2))));
    assert_eq!(region(2), (8, Some((0, 3))));
    assert_eq!(region(4), (8, Some((0, 5))));
    assert_eq!(region(5), (5, None), "no cell is reached at step 5, so the flood is over");
}

/// Figures of the debrief: a first move up leads to 2 cells. One to the right and one down lead to
/// 26 connected cells; the plain rule says 28. The same holds for every player. In the last picture
/// the left group touches two others, so all three are connected.
#[test]
fn connected_groups_count_together() {
    let debrief = |one: char, other: char| {
        format!("{one}#.#####B/##.######/##{other}....../##......./##......./##......#/#########")
    };
    let cases = [
        (debrief('#', 'A'), 0, [2, 26, 26, 0], 28),
        (debrief('A', 'C'), 2, [2, 26, 26, 0], 28),
        ("....#/....#/...AB/....#/....#".into(), 0, [19, 0, 19, 19], 19),
    ];
    for (text, seat, groups, controlled) in cases {
        let mut flood = RegionFlood::new();
        flood.run(&board(&text, seat), 1 << seat, &lives(&[]));
        assert_eq!(flood.group_values(seat), groups, "{text}");
        assert_eq!(Some(&flood.best_group(seat)), groups.iter().max(), "{text}");
        assert_eq!(flood.controlled(seat), controlled, "{text}");
    }
}
