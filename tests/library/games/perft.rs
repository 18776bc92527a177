//! Perft counts of all games, stored as data.
//!
//! Each line of `tests/data/*.perft` that is not empty and does not begin with `#` reads
//! `RULES | POSITION | COUNTS`. These are the options, then `start` or a position with seat 0 to
//! move, then the counts of depth 1, 2, … . To count deeper than the usual 9 plies, run
//! `PERFT_DEPTH=11 cargo test --release --test library perft`.

mod awele;
mod hextris;
mod seven_colors;
mod taquin;
mod tron;

use arbitre::dialect::Notation;
use arbitre::game::{Seat, State};
use arbitre::perft::perft_checked;

/// Deepest count in plies, unless `PERFT_DEPTH` sets another.
const DEPTH: usize = 9;
/// Largest count for which the reference implementations run; `perft_checked` runs up to ten times
/// this count.
const SLOW_LIMIT: u64 = 10_000;

/// Reference implementation of the rules of a game.
trait Twin: Clone {
    /// Returns the legal moves of the seat to move, as numbers.
    fn legal(&self) -> Vec<usize>;
    /// Plays one of these moves.
    fn play(&mut self, mv: usize);
}

macro_rules! twin {
    ($game:ident, $twin:ident) => {
        impl Twin for arbitre::games::$game::reference::$twin {
            fn legal(&self) -> Vec<usize> {
                self.legal()
            }

            fn play(&mut self, mv: usize) {
                self.play(mv);
            }
        }
    };
}

twin!(awele, AweleReference);
twin!(hextris, HextrisReference);
twin!(seven_colors, SevenColorsReference);
twin!(taquin, TaquinReference);
twin!(tron, TronReference);

fn slow_perft<T: Twin>(game: &T, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |mv: usize| {
        let mut next = game.clone();
        next.play(mv);
        next
    };
    game.legal().into_iter().map(|mv| slow_perft(&after(mv), depth - 1)).sum()
}

/// A line of the data.
struct Fingerprint<G: Notation> {
    name: String,
    game: G,
    position: G::State,
    counts: Vec<u64>,
}

/// Parses the lines of a file. The word `start` in a line stands for the position `start`.
fn fingerprints<G: Notation>(text: &str, start: &str) -> Vec<Fingerprint<G>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| fingerprint(line, start)).collect()
}

fn fingerprint<G: Notation>(line: &str, start: &str) -> Fingerprint<G> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [rules, position, counts] = fields[..] else {
        panic!("expected three fields in '{line}'");
    };
    let game = G::from_rules(rules).unwrap();
    let position = if position == "start" { start } else { position };
    Fingerprint {
        name: line.into(),
        position: game.parse_state(position, Seat::FIRST).unwrap(),
        game,
        counts: counts.split_whitespace().map(|count| count.parse().unwrap()).collect(),
    }
}

impl<G: Notation> Fingerprint<G> {
    /// Returns the depths and counts up to `limit`.
    fn up_to(&self, limit: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        (1..).zip(self.counts.iter().copied()).take_while(move |&(_, count)| count <= limit)
    }
}

/// Checks that perft, checked perft and the reference implementation agree with the data.
fn check_all<G: Notation, T: Twin>(lines: &[Fingerprint<G>], reference: fn(&Fingerprint<G>) -> T) {
    check_fast(lines);
    check_checked(lines);
    check_slow(lines, reference);
}

/// Checks that perft agrees with the data, both the general one and that of the game.
fn check_fast<G: Notation>(lines: &[Fingerprint<G>]) {
    let asked = std::env::var("PERFT_DEPTH").ok();
    let depth = asked.map_or(DEPTH, |depth| depth.parse().expect("PERFT_DEPTH is a number"));
    for line in lines {
        for (depth, count) in line.up_to(u64::MAX).take(depth) {
            assert_eq!(line.position.leaves(depth), count, "depth {depth} of {}", line.name);
            let counted = line.game.perft(&line.position, depth);
            assert_eq!(counted, count, "depth {depth} of {}", line.name);
        }
    }
}

/// Checks that checked perft agrees with the data.
fn check_checked<G: Notation>(lines: &[Fingerprint<G>]) {
    for line in lines {
        for (depth, count) in line.up_to(10 * SLOW_LIMIT) {
            let counted = perft_checked(&line.position, depth);
            assert_eq!(counted, count, "depth {depth} of {}", line.name);
        }
    }
}

/// Checks that the reference implementation agrees with the data.
fn check_slow<G: Notation, T: Twin>(lines: &[Fingerprint<G>], twin: impl Fn(&Fingerprint<G>) -> T) {
    let mut most = 0;
    for line in lines {
        for (depth, count) in line.up_to(SLOW_LIMIT) {
            assert_eq!(slow_perft(&twin(line), depth), count, "depth {depth} of {}", line.name);
            most = most.max(count);
        }
    }
    assert!(most > 1000);
}
