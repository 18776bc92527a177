use super::super::reach::{meets, share};
use super::*;
use crate::tron::best::bitboards::{LargeGrid, SmallGrid};
use crate::tron::best::reference::{drawn, steps, RandomGrid};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::tron::{Direction, Tron};

fn reach_agrees<P: SimdBitboard>(seed: u64) {
    let grid = RandomGrid::new(&mut Rng::new(seed), (2, 3), P::LARGEST);
    let RandomGrid { ref free, width, heads, .. } = grid;
    let position = grid.players::<P>(0b1111);
    let (room, others, from) = (position.free, position.rivals(0), position.heads[0]);
    let (mine, theirs) = (steps(free, width, &heads[..1]), steps(free, width, &heads[1..]));
    let expected = (0..free.len()).filter(|&cell| free[cell] && mine[cell] < theirs[cell]).count();
    assert_eq!(share::<P>(&room, &others, from) as usize, expected, "seed {seed}");
    assert_eq!(P::share(&room, &others, from) as usize, expected, "seed {seed}");
    let reached = P::reach_from(&room, from);
    for (cell, &steps) in mine.iter().enumerate() {
        let expected = cell == heads[0] || steps < usize::MAX;
        assert_eq!(reached.has(grid.cell(cell)), expected, "seed {seed}");
    }
    let met = !reached.dilate().and(others).is_empty();
    assert_eq!(meets::<P>(&room, &others, from), met, "seed {seed}");
    assert_eq!(P::meets(&room, &others, from), met, "seed {seed}");
}

#[test]
fn reach_agrees_with_a_queue_of_cells() {
    (0..500).for_each(reach_agrees::<SmallGrid>);
    (0..100).for_each(reach_agrees::<LargeGrid>);
}

/// Regions choose moves until 250 of the default 600 cells are occupied, and at least sixty.
#[test]
fn emptier_grids_have_more_moves_by_regions() {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(1)).next().unwrap();
    let mut position: MultiplayerPosition<SmallGrid> =
        MultiplayerPosition::new(&game.start(&setup).unwrap(), Seat::FIRST);
    assert_eq!(looks(&position), 246);
    let mut cells = Vec::new();
    position.free.each(|cell| cells.push(cell));
    for (taken, expected) in [(100, 150), (189, 61), (190, 60), (300, 60)] {
        while position.taken() < taken {
            position.go(taken as usize % 4, cells.pop().unwrap());
        }
        assert_eq!(looks(&position), expected, "{taken}");
    }
}

/// Every move of a rollout is legal, it lasts as long as the game, and both have the same order of
/// eliminations.
#[test]
fn rollouts_follow_the_rules() {
    for (seats, rules) in [(3, "size=9x8"), (4, "size=12x9"), (4, "size=33x7"), (4, "size=30x20")] {
        let game = Tron::from_rules(&format!("{rules} tolerance=30%")).unwrap();
        for setup in game.setups(seats, 0, Rng::new(4)).take(6) {
            let position = game.start(&setup).unwrap();
            match position.width() <= SmallGrid::LARGEST.0 {
                true => follows::<SmallGrid>(position),
                false => follows::<LargeGrid>(position),
            }
        }
    }
}

fn follows<P: SimdBitboard>(mut position: arbitre_games::games::tron::Position) {
    let mut rollout = Rollout::new(&MultiplayerPosition::<P>::new(&position, Seat::FIRST));
    let mut policy = RolloutPolicy::new(9);
    let (mut end, mut went) = (rollout, Vec::new());
    policy.finish(&mut end);
    // The same policy again, one move at a time.
    let mut policy = RolloutPolicy::new(9);
    while !rollout.is_over() {
        let ways = rollout.ways();
        if ways == 0 {
            rollout.leave();
            continue;
        }
        let seat = Seat::new(rollout.seat);
        assert_eq!(position.mover(), seat);
        let legal = Direction::of_mask(position.legal_mask());
        let legal: Vec<usize> = legal.map(Direction::index).collect();
        assert_eq!(directions(ways).collect::<Vec<_>>(), legal);
        let to = policy.closest(&rollout.position, rollout.seat, rollout.neighbour_mask());
        let beside = rollout.position.heads[rollout.seat].neighbours();
        let direction =
            directions(ways).find(|&direction| beside[direction] == to).expect("it is a way");
        went.push(direction);
        position.play_unchecked(seat, Direction::ALL[direction]);
        rollout.go(to);
    }
    let scores = position.outcome().expect("the game is over too").scores;
    let seats = (0..position.seats()).collect::<Vec<_>>();
    let out = |seat: usize| if rollout.out[seat] == 0 { u32::MAX } else { rollout.out[seat] };
    for &one in &seats {
        for &two in &seats {
            assert_eq!(
                out(one) < out(two),
                scores[one] < scores[two],
                "{:?} {scores:?}",
                rollout.out
            );
        }
    }
    assert!(end.is_over() && end.out.iter().filter(|&&out| out > 0).count() == seats.len() - 1);
}

/// The room left of the head has ten cells, the one to the right three: the policy goes left.
#[test]
fn policy_enters_the_larger_part() {
    let position = drawn(&[".....0...#1", ".....######"]);
    for seed in 0..50 {
        let mut policy = RolloutPolicy::new(seed);
        let ring = Rollout::new(&position).neighbour_mask();
        assert_eq!(directions(ring & SIDES).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(policy.closest(&position, 0, ring), Cell::new(4, 0));
    }
}

/// In a corner the policy follows the wall with fewer free cells, except for random moves.
#[test]
fn policy_stays_close_to_walls() {
    let position = drawn(&["#####", "#0..#", "#...#", "##..#"]);
    let ring = Rollout::new(&position).neighbour_mask();
    assert_eq!(directions(ring & SIDES).collect::<Vec<_>>(), [1, 2]);
    let down =
        |&seed: &u64| RolloutPolicy::new(seed).closest(&position, 0, ring) == Cell::new(1, 2);
    let count = (0..1000).filter(down).count();
    // One in 13 times the move to the right gets the bonus, unless the move down gets it too.
    assert!((900..950).contains(&count), "{count}");
}
