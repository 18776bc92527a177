//! Simulated players of known strength: each format finds the best one.
//!
//! Twelve players are [`STEP`] Elo apart, and seeded at random. Games have no draws.

use crate::formats::field::{games, Field};
use arbitre::internals::formats::balanced::Balanced;
use arbitre::internals::formats::knockout::{Elimination, Knockout};
use arbitre::internals::formats::ladder::Ladder;
use arbitre::internals::formats::round_robin::RoundRobin;
use arbitre::internals::formats::swiss::Swiss;
use arbitre::internals::formats::Format;
use arbitre::rng::Rng;

const PLAYERS: usize = 12;
/// Distance of two neighbours in Elo.
const STEP: f64 = 100.0;
/// Share of the tournaments in which the best player must come first.
const WANTED: f64 = 0.95;

/// Returns in which share of tournaments the best player is first alone, and the mean number of
/// games.
fn successes(format: &dyn Format, seeds: u64) -> (f64, f64) {
    let (mut first, mut played) = (0u64, 0);
    for seed in 0..seeds {
        let mut order: Vec<usize> = (0..PLAYERS).collect();
        Rng::new(seed).shuffle(&mut order);
        let strengths: Vec<f64> = order.iter().map(|&rank| -STEP * rank as f64).collect();
        let best = order.iter().position(|&rank| rank == 0).unwrap();
        let history = Field { strengths, ties: 0.0, seed }.run(format);
        let ranking = format.ranking(&history);
        first += u64::from(ranking[0].player == best && ranking[1].rank > 1);
        played += games(&history);
    }
    (first as f64 / seeds as f64, played as f64 / seeds as f64)
}

/// Format with a parameter from which the number of games follows.
type Sized = (&'static str, Box<dyn Fn(u64) -> Box<dyn Format>>);

fn sized() -> Vec<Sized> {
    let knockout = |elimination| {
        move |n: u64| -> Box<dyn Format> {
            Box::new(Knockout::new(PLAYERS, 2, n, elimination).unwrap())
        }
    };
    let stages = Swiss::default_stages(PLAYERS);
    vec![
        ("round robin", Box::new(|n| Box::new(RoundRobin::new(PLAYERS, 2, n).unwrap()))),
        ("balanced", Box::new(|n| Box::new(Balanced::new(PLAYERS, 2, 4 * n).unwrap()))),
        ("Swiss", Box::new(move |n| Box::new(Swiss::new(PLAYERS, 2, stages, n).unwrap()))),
        ("single elimination", Box::new(knockout(Elimination::Single { third_place: false }))),
        ("double elimination", Box::new(knockout(Elimination::Double))),
        ("ladder", Box::new(|n| Box::new(Ladder::new(PLAYERS, 2, 64 * n, None).unwrap()))),
    ]
}

/// Prints the games that each format needs. The steps of the parameter are about a tenth.
/// Run with `--ignored --nocapture`.
#[test]
#[ignore = "prints a table; most of a minute"]
fn games_that_each_format_needs() {
    println!("| format | parameter | games | best player first |\n|---|---|---|---|");
    for (name, format) in sized() {
        let mut n = 1;
        loop {
            let (share, games) = successes(&*format(n), 1000);
            if share >= WANTED {
                println!("| {name} | {n} | {games:.0} | {:.1} % |", 100.0 * share);
                break;
            }
            n += 1 + n / 10;
        }
    }
}

/// Number of games of each format, by its parameter, with some to spare above the least that
/// suffices in 1,000 tournaments.
const ENOUGH: [(&str, u64); 6] = [
    ("round robin", 12),
    ("balanced", 60),
    ("Swiss", 12),
    ("single elimination", 20),
    ("double elimination", 9),
    ("ladder", 9),
];

#[test]
fn every_format_finds_the_best_player() {
    for ((name, format), (of, n)) in sized().iter().zip(ENOUGH) {
        assert_eq!(*name, of);
        let (share, games) = successes(&*format(n), 100);
        eprintln!("{name}: {games} games, best player first in {:.0} of 100", 100.0 * share);
        assert!(share >= WANTED, "{name}: {share}");
    }
}
