//! The fingerprint of Tron.

use super::{check_all, fingerprints, Fingerprint};
use arbitre::dialect::Notation;
use arbitre::game::Seat;
use arbitre::games::tron::reference::TronReference;
use arbitre::games::tron::Tron;

fn lines() -> Vec<Fingerprint<Tron>> {
    fingerprints(include_str!("../../../data/tron.perft"), "there is no usual start")
}

fn slow_game(line: &Fingerprint<Tron>) -> TronReference {
    let mut picture = String::new();
    line.game.write_state(&line.position, Seat::FIRST, &mut picture);
    TronReference::of_picture(&picture, 0)
}

#[test]
fn counts_match_the_data() {
    check_all(&lines(), slow_game);
}

/// Cycles that are too far apart to meet walk as if alone. A cycle's walk never crosses itself, and
/// how many such walks there are on the square lattice is known (OEIS A001411).
#[test]
fn cycles_that_never_meet_walk_without_crossing_themselves() {
    let walks: [u64; 6] = [1, 4, 12, 36, 100, 284];
    for line in lines().iter().filter(|line| line.name.starts_with("size=32x11 |")) {
        let seats = line.position.seats() as u32;
        for (depth, count) in (1..).zip(&line.counts) {
            let longer = depth % seats;
            let steps = (depth / seats) as usize;
            let all = |steps: usize, seats: u32| walks[steps].pow(seats);
            assert_eq!(
                *count,
                all(steps + 1, longer) * all(steps, seats - longer),
                "{}",
                line.name
            );
        }
    }
}
