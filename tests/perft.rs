//! The fingerprint of the rules: how many ways there are to play on, kept as data.
//!
//! Each line of `tests/data/*.perft` that is not empty and begins with no `#` reads
//! `RULES | POSITION | COUNTS`: the options, `start` or a position with seat 0 to move, and the
//! counts of depth 1, 2, … . `PERFT_DEPTH=11 cargo test --release --test perft` counts deeper than
//! the usual 9 plies.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::awele::slow::{SlowBoard, SlowGame};
use arbitre::games::awele::{Awele, Position};
use arbitre::perft::{perft, perft_checked};
use arbitre::rng::Rng;

/// Deeper counts than this are left to whoever asks for them.
const DEPTH: usize = 9;
/// The slow counters stop where a count exceeds this.
const SLOW_LIMIT: u64 = 10_000;

/// A line of data.
struct Fingerprint {
    name: String,
    position: Position,
    rules: Awele,
    counts: Vec<u64>,
}

fn fingerprints() -> Vec<Fingerprint> {
    let lines = include_str!("data/awele.perft").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(fingerprint).collect()
}

fn fingerprint(line: &str) -> Fingerprint {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [rules, position, counts] = fields[..] else {
        panic!("expected three fields in '{line}'");
    };
    let rules = Awele::from_rules(rules).unwrap();
    let position = match position {
        "start" => "4 4 4 4 4 4 4 4 4 4 4 4 0 0",
        text => text,
    };
    Fingerprint {
        name: line.into(),
        position: rules.parse_state(position, Seat::FIRST).unwrap(),
        rules,
        counts: counts.split_whitespace().map(|count| count.parse().unwrap()).collect(),
    }
}

impl Fingerprint {
    /// The depths and counts up to a count.
    fn up_to(&self, limit: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        (1..).zip(self.counts.iter().copied()).take_while(move |&(_, count)| count <= limit)
    }

    fn slow_game(&self) -> SlowGame {
        let board = self.position.board();
        let [mine, theirs] = board.captures();
        let (pits, captures) = (board.pits(), [mine, theirs]);
        SlowGame::new(*self.rules.options(), SlowBoard { pits, captures, mover: 0 })
    }
}

fn slow_perft(game: &SlowGame, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |pit: usize| {
        let mut next = game.clone();
        next.play(pit);
        next
    };
    game.legal().into_iter().map(|pit| slow_perft(&after(pit), depth - 1)).sum()
}

#[test]
fn counts_are_as_published() {
    let published = [6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872, 18137964, 91558687];
    let all = fingerprints();
    for rules in ["codingame", "abapa"] {
        let line = all.iter().find(|line| line.name.starts_with(&format!("{rules} | start |")));
        assert_eq!(line.expect("a line for each preset").counts, published);
    }
}

#[test]
fn fast_counts_match_the_data() {
    let asked = std::env::var("PERFT_DEPTH").ok();
    let depth = asked.map_or(DEPTH, |depth| depth.parse().expect("PERFT_DEPTH is a number"));
    for line in fingerprints() {
        for (depth, count) in line.up_to(u64::MAX).take(depth) {
            assert_eq!(perft(&line.position, depth), count, "depth {depth} of {}", line.name);
        }
    }
}

#[test]
fn checked_counts_match_the_data() {
    for line in fingerprints() {
        for (depth, count) in line.up_to(10 * SLOW_LIMIT) {
            assert_eq!(
                perft_checked(&line.position, depth),
                count,
                "depth {depth} of {}",
                line.name
            );
        }
    }
}

#[test]
fn the_slow_twin_counts_the_same() {
    let mut most = 0;
    for line in fingerprints() {
        for (depth, count) in line.up_to(SLOW_LIMIT) {
            assert_eq!(
                slow_perft(&line.slow_game(), depth),
                count,
                "depth {depth} of {}",
                line.name
            );
            most = most.max(count);
        }
    }
    assert!(most > 1000);
}

/// The positions of the data tell the options for grand slams apart, each from each other one.
#[test]
fn the_data_tell_the_options_apart() {
    let all = fingerprints();
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
            let (name, rules) = (format!("{rules} {}", position.board()), game);
            let line = Fingerprint { name, position, rules, counts: Vec::new() };
            for depth in 1..=4 {
                let count = slow_perft(&line.slow_game(), depth);
                assert_eq!(perft(&line.position, depth), count, "{}", line.name);
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
