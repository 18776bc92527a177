//! Survival of the bot in enclosed rooms, against exact longest paths.

mod oracle;

use arbitre::bots::tron::endgame::{upper_bound, EndgamePlayer};
use arbitre::rng::Rng;
use arbitre::search::budget::{Budget, Limiter};
use oracle::Room;

/// Nodes per move, searched in a fraction of the usual 100 ms.
const NODES: u64 = 400_000;

/// Returns the number of moves that the bot survives.
fn survive(room: &Room, nodes: u64) -> usize {
    let (mut room, mut survivor, mut moves) = (room.clone(), EndgamePlayer::default(), 0);
    while let Some(way) = survivor.choose(&room.region(), &mut Limiter::new(Budget::nodes(nodes))) {
        room.play(way);
        moves += 1;
    }
    assert!(room.is_stuck(), "the bot stopped after {moves} moves: {room:?}");
    moves
}

#[test]
fn oracle_agrees_with_brute_force() {
    let mut rng = Rng::new(1);
    for round in 0..600 {
        let (width, height) = (1 + rng.below(5), 1 + rng.below(5));
        let mut room = Room::draw(width, height, round % 60, &mut rng);
        assert_eq!(room.longest(), room.brute_force(), "{room:?}");
    }
}

#[test]
fn bot_is_optimal_in_small_rooms() {
    let mut rng = Rng::new(2);
    for round in 0..1000 {
        let (width, height) = (1 + rng.below(6), 1 + rng.below(6));
        let room = Room::draw(width, height, round % 60, &mut rng);
        assert_eq!(survive(&room, NODES), room.longest(), "{room:?}");
    }
}

/// Checks by the oracle that the bot survives as long as possible in random boxes.
fn check_boxes(boxes: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..boxes {
        let (width, height) = (8 + rng.below(5), 8 + rng.below(5));
        let share = 8 + rng.below(13);
        let room = Room::draw(width, height, share, &mut rng);
        assert_eq!(survive(&room, NODES), room.longest(), "{room:?}");
    }
}

#[test]
fn bot_is_optimal_in_boxes() {
    check_boxes(3, 3);
}

/// Checks the claims of `tron endgame --boxes 200` from outside. It takes 75 s of CPU time
/// (bots/tron/diary.md): `cargo test --release --test library tron_endgame -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn bot_is_optimal_in_two_hundred_boxes() {
    check_boxes(200, 4);
}

#[test]
fn no_path_is_longer_than_the_bound() {
    let mut rng = Rng::new(4);
    for round in 0..300 {
        let room = Room::draw(1 + rng.below(7), 1 + rng.below(6), round % 50, &mut rng);
        let (longest, bound) = (room.longest(), upper_bound(&room.region()) as usize);
        assert!(longest <= bound, "{longest} but at most {bound}: {room:?}");
    }
}

/// With few nodes per move the plan never becomes shorter, and claims to be the longest only where
/// it is.
#[test]
fn plan_never_shortens_and_proofs_hold() {
    let mut rng = Rng::new(5);
    let (mut proved, mut improved) = (0, 0);
    for round in 0..60 {
        let mut room = Room::draw(5 + rng.below(4), 6 + rng.below(3), 5 + round % 20, &mut rng);
        let nodes = [1, 30, 100, 300, 1000][round % 5];
        let (mut survivor, mut promised, mut claimed) = (EndgamePlayer::default(), None, false);
        loop {
            let region = room.region();
            let way = survivor.choose(&region, &mut Limiter::new(Budget::nodes(nodes)));
            let Some(way) = way else { break };
            let plan = survivor.plan();
            let left = plan.path.len() + 1;
            assert!(promised.is_none_or(|promised| left >= promised), "{room:?}");
            improved += usize::from(promised.is_some_and(|promised| left > promised));
            promised = Some(left - 1);
            room.play(way);
            // A longest plan stays the longest along its moves, as it cannot become shorter.
            if plan.exact && !claimed {
                claimed = true;
                proved += 1;
                assert_eq!(plan.path.len(), room.longest(), "{room:?}");
            }
        }
        assert_eq!(promised.unwrap_or(0), 0);
    }
    assert!(proved > 30 && improved > 3, "{proved} proved, {improved} improved");
}
