//! Costs of Hextris, in CPU time of one run: commands scored per second, with and without reading
//! the contest's documents and by the reference rules; positions found per second, also by a search
//! breadth first; and the speed of the best solver. Measured on problems of our own, and on the
//! contest's where `ARBITRE_DATA` names the data.
//!
//! `cargo bench --bench hextris [-- --rounds N]`

mod games;
mod places;
mod scores;
mod search;

use arbitre::search::cpu_time::Stopwatch;

/// How often each way does its work.
const ROUNDS: usize = 7;

/// Does the work so often, and prints how many million things a second it gets done: the middle and
/// the most. The work returns how many these are.
fn measure(name: &str, rounds: usize, work: impl Fn() -> u64) {
    let rate = |_| {
        let mut watch = Stopwatch::default();
        let done = watch.measure(&work);
        done as f64 / watch.seconds() / 1e6
    };
    let rates: Vec<f64> = (0..rounds).map(rate).collect();
    let most = rates.iter().copied().fold(0.0, f64::max);
    println!(
        "  {name:<44} {:>10.3} {most:>10.3}",
        arbitre_test_support::median::median(rates.into_iter())
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(ROUNDS, |word| word.parse().expect("--rounds takes a number"));
    let drawn = games::drawn();
    for games in [Some(&drawn), games::of_the_contest().as_ref()].into_iter().flatten() {
        scores::measure_all(games, rounds);
    }
    places::measure_all(&drawn, rounds);
    search::measure_all(&drawn);
}
