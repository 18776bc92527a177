//! Compares the compact position with the reference implementation on random games with forfeits,
//! and checks generated starts.

use super::reference::TronReference;
use super::*;
use crate::dialect::Notation;
use crate::game::{LossReason, Misreading, Seat, Seats, State};
use std::collections::HashSet;

/// Returns a random grid of 3x3 to 9x8 cells with a few obstacles and starts that need not be fair.
fn random_game(rng: &mut Rng) -> (Tron, Starts, TronReference) {
    let (width, height) = (3 + rng.below(7), 3 + rng.below(6));
    let seats = 2 + rng.below(3);
    let shape = grid::Shape { width, height };
    let mut points: Vec<Point> = shape.points().collect();
    rng.shuffle(&mut points);
    let walls = points.split_off(points.len() - rng.below(width * height / 4));
    let cells: Vec<String> = walls.iter().map(|p| format!("{}:{}", p.x, p.y)).collect();
    let cells = if cells.is_empty() { "none".into() } else { cells.join("/") };
    let game = Tron::from_rules(&format!("size={width}x{height} walls={cells}")).unwrap();
    let signed = |points: &[Point]| -> Vec<(i32, i32)> {
        points.iter().map(|p| (p.x.into(), p.y.into())).collect()
    };
    let slow = TronReference::new((width, height), signed(&walls), &signed(&points[..seats]));
    (game, Starts(points[..seats].to_vec()), slow)
}

/// Number of times that each rarer case occurred, so that a test can assert that it was covered.
#[derive(Default, Debug)]
struct CaseCounts {
    over_at_once: usize,
    moves: usize,
    forfeits: usize,
    joint: usize,
    /// Trail cells of eliminated cycles that were entered again.
    reused: usize,
    by_seats_left: [usize; 5],
}

fn agree(position: &Position, slow: &TronReference) {
    assert_eq!(text::picture(position), slow.picture());
    let legal: Vec<usize> =
        Direction::of_mask(position.legal_mask()).map(Direction::index).collect();
    assert_eq!(legal, slow.legal(), "{position:?}");
    let scores = position.outcome().map(|outcome| outcome.scores);
    assert_eq!(scores, slow.scores(), "{position:?}");
    if !slow.is_over() {
        assert_eq!(position.mover().index(), slow.mover(), "{position:?}");
    }
}

/// Returns seats that forfeit: mostly none, sometimes one or several, even eliminated ones.
fn random_forfeits(seats: usize, rng: &mut Rng) -> Vec<usize> {
    match rng.below(12) {
        0 => (0..seats).filter(|_| rng.below(3) == 0).collect(),
        1 => vec![rng.below(seats)],
        _ => Vec::new(),
    }
}

fn compare_a_game(rng: &mut Rng, seen: &mut CaseCounts) {
    let (game, starts, mut slow) = random_game(rng);
    let Ok(mut position) = game.start(&starts) else {
        assert!(slow.is_over());
        seen.over_at_once += 1;
        return;
    };
    let mut used = HashSet::new();
    agree(&position, &slow);
    while !slow.is_over() {
        let gone = random_forfeits(starts.seats(), rng);
        slow.forfeit(&gone);
        position.forfeit(gone.iter().map(|&seat| Seat::new(seat)).collect());
        seen.forfeits += usize::from(!gone.is_empty());
        seen.joint += usize::from(gone.len() > 1);
        agree(&position, &slow);
        let legal = slow.legal();
        if legal.is_empty() {
            break;
        }
        let way = legal[rng.below(legal.len())];
        let mover = position.mover();
        slow.play(way);
        position.play(mover, Direction::ALL[way]).unwrap();
        seen.moves += 1;
        seen.reused += usize::from(!used.insert(position.head(mover)));
        agree(&position, &slow);
    }
    seen.by_seats_left[position.alive().len()] += 1;
}

#[test]
fn games_agree_with_the_reference() {
    let (mut seen, mut rng) = (CaseCounts::default(), Rng::new(7));
    for _ in 0..4_000 {
        compare_a_game(&mut rng, &mut seen);
    }
    let CaseCounts { over_at_once, moves, forfeits, joint, reused, by_seats_left } = seen;
    assert!(over_at_once > 3 && moves > 20_000 && forfeits > 1_000, "{seen:?}");
    assert!(joint > 100 && reused > 100, "{seen:?}");
    // Where all remaining players forfeit together, there is no winner.
    assert!(by_seats_left[0] > 10 && by_seats_left[1] > 1_000, "{seen:?}");
}

#[test]
fn owned_cells_agree_with_the_reference() {
    let (mut rng, mut shared) = (Rng::new(11), 0);
    for _ in 0..3_000 {
        let (game, starts, slow) = random_game(&mut rng);
        if game.start(&starts).is_ok_and(|position| position.alive().len() == starts.seats()) {
            let owned = owned_cells(&game, &starts);
            assert_eq!(owned, slow.owned(), "{starts:?} on {}", game.rules());
            let free = game.options().width() * game.options().height();
            shared += free - owned.iter().sum::<usize>();
        }
    }
    assert!(shared > 1_000);
}

/// Returns the largest difference of a share from an equal one, computed in floating point.
fn worst_share(game: &Tron, starts: &Starts) -> f64 {
    let owned = owned_cells(game, starts);
    let total: usize = owned.iter().sum();
    let equal = 1.0 / owned.len() as f64;
    owned.iter().map(|&n| (n as f64 / total as f64 - equal).abs()).fold(0.0, f64::max)
}

#[test]
fn starts_are_fair() {
    let cases = [
        ("", 2, 20, 0.01),
        ("tolerance=0.2%", 2, 20, 0.002),
        ("small tolerance=5%", 3, 20, 0.05),
        ("size=9x9 walls=4:4 tolerance=5%", 4, 20, 0.05),
        ("", 4, 2, 0.01),
    ];
    for (rules, seats, count, tolerance) in cases {
        let game = Tron::from_rules(rules).unwrap();
        let starts = game.setups(seats, 0, Rng::new(3)).take(count);
        let shares: Vec<f64> = starts.map(|starts| worst_share(&game, &starts)).collect();
        assert_eq!(shares.len(), count, "{rules} {seats}");
        assert!(shares.iter().all(|&share| share <= tolerance + 1e-9), "{rules} {shares:?}");
        // The tolerance is used: some starts are not much fairer than required.
        assert!(shares.iter().any(|&share| share > tolerance / 4.0), "{rules} {shares:?}");
    }
}

#[test]
fn starts_end_once_all_are_drawn() {
    let game = Tron::from_rules("size=3x3 tolerance=100%").unwrap();
    let all: Vec<Starts> = game.setups(2, 0, Rng::new(1)).take(100).collect();
    assert_eq!(all.len(), 9 * 8, "every pair of cells");
    let distinct: HashSet<&Starts> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    let full = Tron::from_rules("size=3x3 walls=0:0/1:0/2:0/0:1/1:1/2:1/0:2/1:2").unwrap();
    assert_eq!(full.setups(2, 0, Rng::new(1)).count(), 0, "there is one free cell");
}

/// The starts of a seed must never change.
#[test]
fn seed_gives_the_same_starts() {
    let game = Tron::from_rules("").unwrap();
    let drawn: Vec<String> =
        game.setups(2, 0, Rng::new(2026)).take(2).map(|starts| game.setup_text(&starts)).collect();
    assert_eq!(
        drawn,
        ["size 30 20; start 0 19 1; start 1 7 6", "size 30 20; start 0 2 2; start 1 2 17"]
    );
}

#[test]
fn illegal_moves_name_the_reason() {
    let game = Tron::from_rules("size=4x3").unwrap();
    let position = game.parse_state(".#../0A1B/....", Seat::FIRST).unwrap();
    let refusal = |seat, way| position.clone().play(Seat::new(seat), way).unwrap_err().0;
    assert_eq!(refusal(1, Direction::Up), "it is another seat's turn");
    assert_eq!(refusal(0, Direction::Up), "there is a wall");
    assert_eq!(refusal(0, Direction::Right), "another trail is there");
    assert_eq!(refusal(0, Direction::Left), "its own trail is there");
    let mut over = position.clone();
    over.forfeit(Seats::one(Seat::new(1)));
    assert_eq!(over.clone().play(Seat::FIRST, Direction::Down).unwrap_err().0, "the game is over");
}

/// Each way into an occupied cell has its advice. The first cell of a trail counts as such once the
/// head has left it.
#[test]
fn illegal_moves_show_the_mistake() {
    let game = Tron::from_rules("size=5x3").unwrap();
    let setup = game.parse_setup(&["size 5 3", "start 0 1 1", "start 1 4 1"], Seat::FIRST).unwrap();
    let mut position = game.start(&setup).unwrap();
    let advice = |position: &Position, seat, way| match position.misreading(Seat::new(seat), way) {
        Some(Misreading::Board(text)) => text.split(':').next().unwrap(),
        _ => "none",
    };
    let start = "it enters the cell in which a trail begins";
    assert_eq!(advice(&position, 1, Direction::Right), "it leaves the grid");
    let moves = [Direction::Right, Direction::Left, Direction::Up, Direction::Up];
    for (seat, way) in [0, 1, 0, 1].map(Seat::new).into_iter().zip(moves) {
        position.play(seat, way).unwrap();
    }
    // Seat 0 went from 1:1 by 2:1 to 2:0, seat 1 from 4:1 by 3:1 to 3:0.
    assert_eq!(advice(&position, 0, Direction::Up), "it leaves the grid");
    assert_eq!(advice(&position, 0, Direction::Right), "it enters the trail of another player");
    assert_eq!(advice(&position, 0, Direction::Down), "it enters its own trail");
    assert_eq!(advice(&position, 0, Direction::Left), "none", "the cell is free");
    position.play(Seat::FIRST, Direction::Left).unwrap();
    position.play(Seat::new(1), Direction::Right).unwrap();
    assert_eq!(advice(&position, 0, Direction::Down), start);
    let game = Tron::from_rules("size=4x3").unwrap();
    let position = game.parse_state(".#../0A1B/....", Seat::FIRST).unwrap();
    assert_eq!(advice(&position, 0, Direction::Up), "some cells are walls from the start");
}

/// With three players, an enclosed cycle is eliminated only on its turn, and its cells can be
/// entered again.
#[test]
fn trail_vanishes_with_its_cycle() {
    let game = Tron::from_rules("size=5x3").unwrap();
    let mut position = game.parse_state("B1..C/A#.../0....", Seat::new(2)).unwrap();
    position.play(Seat::new(2), Direction::Down).unwrap();
    // Seat 0 had no legal move; its cell was then free for seat 1.
    assert_eq!(text::picture(&position), "B1..2/.#..C/.....");
    assert_eq!(position.to_move(), Seats::one(Seat::new(1)));
    assert_eq!(position.moves(Seat::new(1)), [Direction::Down]);
    assert_eq!(position.outcome(), None);
    position.forfeit(Seats::one(Seat::new(1)));
    let outcome = position.outcome().unwrap();
    assert_eq!((outcome.scores.clone(), outcome.places()), (vec![0, 1, 2], vec![2, 1, 0]));
}

#[test]
fn collisions_name_what_was_hit() {
    let game = Tron::from_rules("size=4x3").unwrap();
    let position = game.parse_state(".#B./0A11/....", Seat::FIRST).unwrap();
    let hit = |way| position.collision(Seat::FIRST, way);
    let other = |text| LossReason { text, other: Some(Seat::new(1)) };
    assert_eq!(hit(Direction::Up), Some(LossReason::plain("hit a wall")));
    assert_eq!(hit(Direction::Left), Some(LossReason::plain("hit its own trail")));
    assert_eq!(hit(Direction::Right), Some(other("hit the trail of")));
    assert_eq!(hit(Direction::Down), None, "the cell is free");
    let position = game.parse_state(".#../0AB1/....", Seat::FIRST).unwrap();
    assert_eq!(position.collision(Seat::FIRST, Direction::Right), Some(other("ran head-on into")));
    let position = game.parse_state("..../A.../0..B", Seat::FIRST).unwrap();
    assert_eq!(
        position.collision(Seat::FIRST, Direction::Left),
        Some(LossReason::plain("hit a wall")),
        "outside the grid"
    );
    assert_eq!(position.elimination(Seat::FIRST), None);
}

/// Seats 0 and 1 are out together after the move of seat 2. The end shows their trails, but not
/// that of seat 3, which was out before.
#[test]
fn end_keeps_the_trails_removed_by_the_last_move() {
    let game = Tron::from_rules("size=7x3").unwrap();
    let mut position = game.parse_state("C.#B1#D/...#.../..#A0..", Seat::new(2)).unwrap();
    let remains = |position: &Position, x, y| {
        position.remains(Point { x, y }).map(|(seat, is_head)| (seat.index(), is_head))
    };
    position.forfeit(Seats::one(Seat::new(3)));
    assert_eq!(remains(&position, 6, 0), None, "the game is not over");
    position.play(Seat::new(2), Direction::Right).unwrap();
    assert_eq!(position.end_reason(), Some("one player is left"));
    for (x, y, expected) in [
        (3, 2, Some((0, true))),
        (4, 2, Some((0, false))),
        (3, 0, Some((1, true))),
        (4, 0, Some((1, false))),
        (6, 0, None),
        (2, 0, None),
        (4, 1, None),
    ] {
        assert_eq!(remains(&position, x, y), expected, "{x} {y}");
    }
    let walled_in = Some(LossReason::plain("walled in"));
    assert_eq!(position.elimination(Seat::FIRST), walled_in);
    assert_eq!(position.elimination(Seat::new(2)), None);
}
