//! Tests of one flood: turn order, deaths and connected parts.

use super::slow;
use super::*;
use crate::tron::best::multiplayer::evaluation::{EnclosedPlayers, RegionView};
use crate::tron::best::multiplayer::lead::largest_part;

/// Floods from the heads of `regions`; each other player dies after its life.
fn flood(board: &Board, regions: u8, lives: [u32; MOST_SEATS]) -> [SmallGrid; MOST_SEATS] {
    let view = RegionView { alive: board.alive & regions, ..board.view(0) };
    let (seats, trails) = (board.alive & !regions, &board.trails);
    view.regions_in_time(&EnclosedPlayers { seats, trails, lives: &lives })
}

/// Compares floods on random boards with two to four players, some of which die.
#[test]
fn flood_agrees_with_the_reference() {
    let mut rng = Rng::new(1);
    let (mut deaths_that_mattered, mut pieces) = (0, 0);
    for _ in 0..1500 {
        let (text, me) = random_picture(&mut rng);
        let board = board(&text, me);
        let picture = picture(&board, &text);
        let regions = board.alive & (1 | rng.below(16) as u8);
        let lives: [u32; MOST_SEATS] = std::array::from_fn(|_| rng.below(9) as u32);
        let enclosed = in_turn(board.alive & !regions).into_iter();
        let enclosed: Vec<_> = enclosed.map(|seat| (seat, lives[seat] as u16)).collect();
        let (turns, found) = (in_turn(regions), flood(&board, regions, lives));
        let (expected, _) = slow::flood(&picture, &turns, &enclosed);
        for &seat in &turns {
            for (x, y) in slow::places(&picture) {
                let is_own = expected[y][x].is_some_and(|(owner, _)| owner == seat);
                let has = found[seat].has(Cell::new(x, y));
                assert_eq!(has, is_own, "{x} {y} in {text} for {me}, {regions} {enclosed:?}");
            }
            let largest = slow::largest_piece(&picture, &expected, seat);
            let part = largest_part(found[seat], board.heads[seat]) as usize;
            assert_eq!(part, largest, "{text} for {me}, {regions} {enclosed:?}");
            pieces += usize::from(largest < found[seat].count() as usize);
        }
        let (undying, _) = slow::flood(&picture, &turns, &[]);
        deaths_that_mattered += usize::from(undying != expected);
    }
    assert!(deaths_that_mattered > 100 && pieces > 100, "{deaths_that_mattered} {pieces}");
}

/// The middle cell is at equal distance; the earlier player in turn owns it.
#[test]
fn equal_distance_goes_to_the_earlier_in_turn() {
    for me in [0, 1] {
        let [own, other, ..] = flood(&board("A...B/#####/#####", me), 0b11, [0; 4]);
        assert_eq!([own.count(), other.count()], [2, 1]);
    }
}

/// The region ends at the wall of an enclosed player at step 1, and on the other side at step 4.
/// One step after that player's life its wall vanishes, and the closed cell is open again.
#[test]
fn death_reopens_closed_cells() {
    let board = board("....A.1./######B#/########", 0);
    let region = |life: u32| flood(&board, 0b01, [0, life, 0, 0])[0].count();
    // No cell is reached at step 5, so the flood is over.
    assert_eq!([u32::MAX, 0, 2, 4, 5].map(region), [5, 8, 8, 8, 5]);
}

/// Figures of the debrief: a first move up leads to 2 cells. One to the right and one down lead to
/// 26 connected cells; the plain rule says 28. The same holds for every player. In the last picture
/// the left cells touch two other parts, so all three are connected.
#[test]
fn connected_groups_count_together() {
    let debrief = |one: char, other: char| {
        format!("{one}#.#####B/##.######/##{other}....../##......./##......./##......#/#########")
    };
    let cases = [
        (debrief('#', 'A'), 0, 26, 28),
        (debrief('A', 'C'), 2, 26, 28),
        ("....#/....#/...AB/....#/....#".into(), 0, 19, 19),
    ];
    for (text, me, best, controlled) in cases {
        let board = board(&text, me);
        let [own, ..] = flood(&board, 1, [u32::MAX; 4]);
        assert_eq!((largest_part(own, board.heads[0]), own.count()), (best, controlled), "{text}");
    }
}
