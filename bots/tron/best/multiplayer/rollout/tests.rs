use super::super::reach::{meets, share};
use super::*;
use crate::tron::best::bitboards::{LargeGrid, SmallGrid};
use crate::tron::best::reference::{bitboards, multiplayer as drawn, steps};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::tron::{Direction, Tron};

/// A grid of free and other cells, and some free cells of it.
fn random(rng: &mut Rng, width: usize, height: usize) -> (Vec<bool>, Vec<usize>) {
    let density = 4 + rng.below(6);
    let mut free: Vec<bool> = (0..width * height).map(|_| rng.below(10) < density).collect();
    let mut starts: Vec<usize> = (0..free.len()).collect();
    rng.shuffle(&mut starts);
    starts.truncate(4);
    starts.iter().for_each(|&start| free[start] = false);
    (free, starts)
}

fn shares_agree<P: SimdBitboard>(seed: u64) {
    let mut rng = Rng::new(seed);
    let (width, height) = (2 + rng.below(P::LARGEST.0 - 1), 3 + rng.below(P::LARGEST.1 - 2));
    let (free, starts) = random(&mut rng, width, height);
    let to_cell = |cell: usize| Cell::new(cell % width, cell / width);
    let room: P = bitboards(&free, width);
    let mut others = P::NONE;
    starts[1..].iter().for_each(|&start| others.insert(to_cell(start)));
    let (mine, theirs) = (steps(&free, width, &starts[..1]), steps(&free, width, &starts[1..]));
    let expected = (0..free.len()).filter(|&cell| free[cell] && mine[cell] < theirs[cell]).count();
    let from = to_cell(starts[0]);
    assert_eq!(share(room, others, from) as usize, expected, "seed {seed}");
    assert_eq!(P::share(&room, &others, from) as usize, expected, "seed {seed}");
    let reached = P::reach_from(&room, from);
    let all = (0..free.len()).filter(|&cell| reached.has(to_cell(cell))).collect::<Vec<_>>();
    let near = |&cell: &usize| cell == starts[0] || mine[cell] < usize::MAX;
    assert_eq!(all, (0..free.len()).filter(near).collect::<Vec<_>>(), "seed {seed}");
    // Whom one comes beside.
    let met = starts[1..].iter().any(|&start| reached.spread().has(to_cell(start)));
    assert_eq!(meets(room, others, from), met, "seed {seed}");
    assert_eq!(P::meets(&room, &others, from), met, "seed {seed}");
}

#[test]
fn shares_are_told_by_distances() {
    (0..500).for_each(shares_agree::<SmallGrid>);
    (0..100).for_each(shares_agree::<LargeGrid>);
}

/// Zones choose until 250 of the usual 600 cells are taken, and sixty times at least.
#[test]
fn the_emptier_the_grid_the_longer_zones_choose() {
    let game = Tron::from_rules("").unwrap();
    let setup = game.setups(4, 0, Rng::new(1)).next().unwrap();
    let mut multiplayer: MultiplayerPosition<SmallGrid> =
        MultiplayerPosition::new(&game.start(&setup).unwrap(), Seat::FIRST);
    assert_eq!(looks(&multiplayer), 246);
    let mut cells = Vec::new();
    multiplayer.free.each(|cell| cells.push(cell));
    for (taken, expected) in [(100, 150), (189, 61), (190, 60), (300, 60)] {
        while multiplayer.taken() < taken {
            multiplayer.go(taken as usize % 4, cells.pop().unwrap());
        }
        assert_eq!(looks(&multiplayer), expected, "{taken}");
    }
}

/// Every move of a playout is one that the rules know, it goes on as long as the game, and who is left
/// is who wins.
#[test]
fn playouts_keep_to_the_rules() {
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
    // The same again, a move at a time.
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
        let to = policy.closest(&rollout.multiplayer, rollout.seat, rollout.ring());
        let beside = rollout.multiplayer.heads[rollout.seat].beside();
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

/// A room of ten cells to the left of the head, one of three to the right: the hand goes left.
#[test]
fn the_hand_takes_the_larger_part() {
    let multiplayer = drawn(&[".....0...#1", ".....######"]);
    for seed in 0..50 {
        let mut policy = RolloutPolicy::new(seed);
        let ring = Rollout::new(&multiplayer).ring();
        assert_eq!(directions(ring & SIDES).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(policy.closest(&multiplayer, 0, ring), Cell::new(4, 0));
    }
}

/// In a corner of a room the hand goes along the wall that leaves less free around it, but for a whim.
#[test]
fn the_hand_keeps_close() {
    let multiplayer = drawn(&["#####", "#0..#", "#...#", "##..#"]);
    let ring = Rollout::new(&multiplayer).ring();
    assert_eq!(directions(ring & SIDES).collect::<Vec<_>>(), [1, 2]);
    let down =
        |&seed: &u64| RolloutPolicy::new(seed).closest(&multiplayer, 0, ring) == Cell::new(1, 2);
    let count = (0..1000).filter(down).count();
    // One in 13 times is a whim to the right, unless there is one to go down too.
    assert!((900..950).contains(&count), "{count}");
}
