//! Costs of Hextris, in CPU time: commands scored per second, and the speed of the best solver.
//! Scoring is measured with and without parsing of the contest's documents, and by the reference
//! rules. The problems are drawn; solutions of the contest are scored too where `ARBITRE_DATA`
//! names the data.
//!
//! `cargo bench --bench hextris [-- --rounds N]`

mod games;
mod scores;
mod search;

use arbitre::search::cpu_time::Stopwatch;

/// Number of rounds of each measurement. Not tuned.
const ROUNDS: usize = 7;

/// Measures `work` in `rounds` rounds, and prints the median and the highest rate in millions per
/// second. `work` returns the number of things done.
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
    search::measure_all(&drawn);
}
