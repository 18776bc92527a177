//! Tests of phase 1 against the reference implementation, and of the modes.

use super::super::context::Mode;
use super::*;

/// Checks the context of seat `me` against brute force. Returns whether `me` is not enclosed,
/// whether its mode is attack, and whether it has a target among more than two players.
fn check(text: &str, me: usize) -> [bool; 3] {
    let cells = slow::read(text);
    let (board, context) = studied(text, me);
    let alive = board.standing.alive;
    let seats = in_turn(&board, alive);
    let shares = |seat: usize| {
        let own = slow::reachable(&cells, seat);
        let mut others = seats.iter().filter(|&&other| other != seat);
        others.any(|&other| slow::reachable(&cells, other).iter().any(|at| own.contains(at)))
    };
    let (regions, _) = slow::flood(&cells, &seats, &[]);
    for &seat in &seats {
        assert_eq!(context.enclosed >> seat & 1 != 0, !shares(seat), "seat {seat} in {text}");
        let owns = regions.iter().flatten().flatten().filter(|cell| cell.0 == seat).count();
        assert_eq!(usize::from(context.controlled[seat]), owns, "seat {seat} in {text}");
        if !shares(seat) {
            assert_eq!(slow::reachable(&cells, seat).len(), owns, "the life of {seat} in {text}");
        }
    }
    let nearest = nearest(&cells, &seats, shares);
    let expected = nearest.filter(|_| shares(me));
    let found = context.target.map(|seat| (seat, context.distances[seat].unwrap()));
    assert_eq!(found, expected, "{text} for {me}");
    let open = seats.iter().filter(|&&seat| shares(seat)).fold(0, |mask, seat| mask | 1 << seat);
    assert_eq!(context.players, if shares(me) { open } else { 1 << me }, "{text}");
    assert_eq!(context.regions, open | 1 << me, "{text}");
    for &seat in &seats {
        let dies = !shares(seat) && seat != me;
        assert_eq!(context.lives[seat] != super::super::flood::FOREVER, dies, "{text}");
    }
    [shares(me), context.mode == Mode::Attack, seats.len() > 2 && expected.is_some()]
}

/// Returns the nearest open player by the path from head to head; of several, the next in turn.
fn nearest(
    cells: &slow::Picture,
    seats: &[usize],
    is_open: impl Fn(usize) -> bool,
) -> Option<(usize, u16)> {
    let mine = slow::head(cells, seats[0]).unwrap();
    let others = seats[1..].iter().filter(|&&seat| is_open(seat));
    let far = others.filter_map(|&seat| {
        let head = slow::head(cells, seat).unwrap();
        let passes = |(x, y): slow::Place| cells[y][x] == '.' || (x, y) == head;
        Some((seat, slow::distances(cells, mine, passes)[head.1][head.0]?))
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
    let (_, context) = studied("A#B..../.#...../...C...", 0);
    assert_eq!((context.target, context.distances[2]), (Some(2), Some(5)));
}

#[test]
fn target_at_equal_distance_is_next_in_turn() {
    let target = |me| studied("A..B..C/#######/#######", me).1.target;
    assert_eq!([target(0), target(1), target(2)], [Some(1), Some(2), Some(1)]);
    assert_eq!(studied("C..B..A/#######/#######", 1).1.target, Some(2));
}

#[test]
fn mode_follows_from_cells_of_the_target() {
    let mode = |text, me| {
        let (_, context) = studied(text, me);
        (context.controlled[me], context.target.map(|seat| context.controlled[seat]), context.mode)
    };
    assert_eq!(mode("...A...B/########/########", 0), (5, Some(1), Mode::Attack));
    assert_eq!(mode("A.B...../########/########", 0), (1, Some(5), Mode::Defence));
    assert_eq!(mode("A......B/########/########", 0), (3, Some(3), Mode::Attack));
    assert_eq!(mode("A..#...B/########/########", 0), (2, None, Mode::Defence));
}

/// The root player was next to B, which had more room. After everyone has moved, only C can be
/// reached.
#[test]
fn target_and_mode_change_between_turns() {
    let of = |text| {
        let (_, context) = studied(text, 0);
        (context.target, context.mode)
    };
    assert_eq!(of("C...A.B..../###########/###########"), (Some(1), Mode::Defence));
    assert_eq!(of("2C.A0.1B.../###########/###########"), (Some(2), Mode::Attack));
}
