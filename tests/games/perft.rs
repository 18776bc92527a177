//! The fingerprint of the rules: how many ways there are to play on, kept as data.
//!
//! Each line of `tests/data/*.perft` that is not empty and begins with no `#` reads
//! `RULES | POSITION | COUNTS`: the options, `start` or a position with seat 0 to move, and the
//! counts of depth 1, 2, … . `PERFT_DEPTH=11 cargo test --release --test perft` counts deeper than
//! the usual 9 plies.

mod awele;
mod hextris;
mod seven_colors;
mod taquin;
mod tron;

use arbitre::dialect::Notation;
use arbitre::game::Seat;
use arbitre::perft::{perft, perft_checked};

/// Deeper counts than this are left to whoever asks for them.
const DEPTH: usize = 9;
/// The slow counters stop where a count exceeds this.
const SLOW_LIMIT: u64 = 10_000;

/// The rules of a game written a second time, slowly.
trait Twin: Clone {
    /// The moves of whoever is to move, as numbers.
    fn legal(&self) -> Vec<usize>;
    /// Plays one of them.
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

/// A line of data.
struct Fingerprint<G: Notation> {
    name: String,
    game: G,
    position: G::State,
    counts: Vec<u64>,
}

/// The lines of a file; `start` is the position that this word stands for.
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
    /// The depths and counts up to a count.
    fn up_to(&self, limit: u64) -> impl Iterator<Item = (u32, u64)> + '_ {
        (1..).zip(self.counts.iter().copied()).take_while(move |&(_, count)| count <= limit)
    }
}

/// The fast counter, the checked one and the reference implementation agree with the data.
fn check_all<G: Notation, T: Twin>(lines: &[Fingerprint<G>], reference: fn(&Fingerprint<G>) -> T) {
    check_fast(lines);
    check_checked(lines);
    check_slow(lines, reference);
}

/// The fast counter agrees with the data.
fn check_fast<G: Notation>(lines: &[Fingerprint<G>]) {
    let asked = std::env::var("PERFT_DEPTH").ok();
    let depth = asked.map_or(DEPTH, |depth| depth.parse().expect("PERFT_DEPTH is a number"));
    for line in lines {
        for (depth, count) in line.up_to(u64::MAX).take(depth) {
            assert_eq!(perft(&line.position, depth), count, "depth {depth} of {}", line.name);
        }
    }
}

/// So does the checked one.
fn check_checked<G: Notation>(lines: &[Fingerprint<G>]) {
    for line in lines {
        for (depth, count) in line.up_to(10 * SLOW_LIMIT) {
            let counted = perft_checked(&line.position, depth);
            assert_eq!(counted, count, "depth {depth} of {}", line.name);
        }
    }
}

/// And so do the rules that were written a second time.
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
