//! Tests of phase 1 against the reference implementation, and of the modes.

use super::slow;
use super::*;

/// Checks the objective of seat `me` against brute force. Returns whether `me` is not enclosed,
/// whether it attacks, and whether it has a nearest player among more than two.
fn check(text: &str, me: usize) -> [bool; 3] {
    let (board, objective) = studied(text, me);
    let cells = picture(&board, text);
    let seats = in_turn(board.alive);
    let shares = |seat: usize| {
        let own = slow::reachable(&cells, seat);
        let mut others = seats.iter().filter(|&&other| other != seat);
        others.any(|&other| slow::reachable(&cells, other).iter().any(|at| own.contains(at)))
    };
    let (regions, _) = slow::flood(&cells, &seats, &[]);
    for &seat in &seats {
        let owns = regions.iter().flatten().flatten().filter(|cell| cell.0 == seat).count();
        assert_eq!(objective.lives[seat] as usize, owns, "seat {seat} in {text} for {me}");
        if !shares(seat) {
            assert_eq!(slow::reachable(&cells, seat).len(), owns, "the life of {seat} in {text}");
        }
    }
    let expected = nearest(&cells, &seats, shares).filter(|_| shares(0));
    assert_eq!(objective.nearest, expected, "{text} for {me}");
    let open = seats.iter().filter(|&&seat| shares(seat)).fold(0, |mask, seat| mask | 1 << seat);
    assert_eq!(objective.players, if shares(0) { open } else { 1 }, "{text} for {me}");
    assert_eq!(objective.regions, open | 1, "{text} for {me}");
    [shares(0), objective.target.is_some(), seats.len() > 2 && expected.is_some()]
}

/// Returns the nearest open player by the path from head to head; of several, the next in turn.
fn nearest(
    cells: &slow::Picture,
    seats: &[usize],
    is_open: impl Fn(usize) -> bool,
) -> Option<(usize, u32)> {
    let mine = slow::head(cells, 0).unwrap();
    let others = seats[1..].iter().filter(|&&seat| is_open(seat));
    let far = others.filter_map(|&seat| {
        let head = slow::head(cells, seat).unwrap();
        let passes = |(x, y): slow::Place| cells[y][x] == '.' || (x, y) == head;
        Some((seat, slow::distances(cells, mine, passes)[head.1][head.0]?.into()))
    });
    far.min_by_key(|&(_, steps)| steps)
}

#[test]
fn context_agrees_with_brute_force() {
    let mut rng = Rng::new(2);
    let mut seen = [0; 3];
    for _ in 0..800 {
        let (text, me) = random_picture(&mut rng);
        let what = check(&text, me);
        seen.iter_mut().zip(what).for_each(|(count, was)| *count += usize::from(was));
    }
    assert!(seen.iter().all(|&count| count > 50 && count < 750), "{seen:?}");
}

/// The straight-line distance is 2 to B and 5 to C.
#[test]
fn distance_goes_around_walls() {
    assert_eq!(studied("A#B..../.#...../...C...", 0).1.nearest, Some((2, 5)));
}

/// Seats are counted from the player to move.
#[test]
fn target_at_equal_distance_is_next_in_turn() {
    let nearest = |text, me| studied(text, me).1.nearest.unwrap().0;
    let of = |me| nearest("A..B..C/#######/#######", me);
    assert_eq!([of(0), of(1), of(2)], [1, 1, 2]);
    assert_eq!(nearest("C..B..A/#######/#######", 1), 1);
}

#[test]
fn mode_follows_from_cells_of_the_target() {
    let mode = |text| {
        let (_, objective) = studied(text, 0);
        let nearest = objective.nearest.map(|(seat, _)| objective.lives[seat]);
        (objective.lives[0], nearest, objective.target.is_some())
    };
    assert_eq!(mode("...A...B/########/########"), (5, Some(1), true));
    assert_eq!(mode("A.B...../########/########"), (1, Some(5), false));
    assert_eq!(mode("A......B/########/########"), (3, Some(3), true));
    assert_eq!(mode("A..#...B/########/########"), (2, None, false));
}

/// The root player was next to B, which had more room. After everyone has moved, only C can be
/// reached.
#[test]
fn target_and_mode_change_between_turns() {
    let of = |text| {
        let (_, objective) = studied(text, 0);
        (objective.nearest.map(|(seat, _)| seat), objective.target)
    };
    assert_eq!(of("C...A.B..../###########/###########"), (Some(1), None));
    assert_eq!(of("2C.A0.1B.../###########/###########"), (Some(2), Some(2)));
}
