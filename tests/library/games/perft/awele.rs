//! The fingerprint of Awélé.

use super::{check_all, fingerprints, slow_perft, Fingerprint};
use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::awele::reference::{AweleReference, ReferenceBoard};
use arbitre::games::awele::{Awele, Position};
use arbitre::perft::perft_checked;
use arbitre::rng::Rng;

fn lines() -> Vec<Fingerprint<Awele>> {
    fingerprints(include_str!("../../../data/awele.perft"), "4 4 4 4 4 4 4 4 4 4 4 4 0 0")
}

fn slow_game(line: &Fingerprint<Awele>) -> AweleReference {
    let board = line.position.board();
    let [mine, theirs] = board.captures();
    let (pits, captures) = (board.pits(), [mine, theirs]);
    AweleReference::new(*line.game.options(), ReferenceBoard { pits, captures, mover: 0 })
}

#[test]
fn counts_match_the_data() {
    check_all(&lines(), slow_game);
}

#[test]
fn counts_are_as_published() {
    let published = [6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872, 18137964, 91558687];
    let all = lines();
    for rules in ["codingame", "abapa"] {
        let line = all.iter().find(|line| line.name.starts_with(&format!("{rules} | start |")));
        assert_eq!(line.expect("a line for each preset").counts, published);
    }
}

/// The positions of the data tell the options for grand slams apart, each from each other one.
#[test]
fn the_data_tell_the_options_apart() {
    let all = lines();
    let counts = |slam: &str| -> Vec<&[u64]> {
        let mine = all.iter().filter(|line| line.name.starts_with(&format!("grand-slam={slam} ")));
        mine.map(|line| &line.counts[..]).collect()
    };
    let slams = arbitre::games::awele::OPTIONS[0].values;
    for (at, slam) in slams.iter().enumerate() {
        assert!(counts(slam).len() >= 2, "{slam}");
        for other in &slams[..at] {
            assert_ne!(counts(slam), counts(other), "{slam} and {other}");
        }
    }
}

/// Positions late in random games, where feeding, few seeds and repetition matter.
#[test]
fn all_counters_agree_late_in_games() {
    let mut counted = 0;
    for rules in ["codingame", "abapa", "awari", "abapa grand-slam=take repetition=third:draw"] {
        let game = Awele::from_rules(rules).unwrap();
        for seed in 0..20 {
            let position = late_position(&game, seed);
            let (name, counts) = (format!("{rules} {}", position.board()), Vec::new());
            let line = Fingerprint { name, position, game, counts };
            for depth in 1..=4 {
                let count = slow_perft(&slow_game(&line), depth);
                assert_eq!(line.position.leaves(depth), count, "{}", line.name);
                assert_eq!(perft_checked(&line.position, depth), count, "{}", line.name);
                counted += count;
            }
        }
    }
    assert!(counted > 5_000, "{counted}");
}

/// The last position in which seat 0 was to move, as a position in its own right.
fn late_position(game: &Awele, seed: u64) -> Position {
    let mut rng = Rng::new(seed);
    let setup = game.setups(2, 0, rng.clone()).next().unwrap();
    let mut position = game.start(&setup).unwrap();
    let mut late = position.clone();
    while position.end().is_none() {
        let moves = position.moves(position.mover());
        position.play(position.mover(), moves[rng.below(moves.len())]).unwrap();
        if position.mover() == Seat::FIRST && position.end().is_none() {
            late = position.clone();
        }
    }
    game.parse_state(&late.board().to_string(), Seat::FIRST).unwrap()
}
