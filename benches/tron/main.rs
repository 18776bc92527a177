//! Benchmarks of the Tron bot `best`: Voronoi floods against a queue and a portable version, the
//! evaluation, and the search. All figures are CPU times, interleaved in one run, as only ratios
//! count on a shared machine.
//!
//! `cargo bench --bench tron [-- --rounds N]`

mod positions;
mod queue;
mod search;
mod sight;

/// Number of positions to evaluate. Not tuned.
const POSITIONS: usize = 1000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(15, |word| word.parse().expect("--rounds takes a number"));
    let (positions, games) = positions::positions(POSITIONS);
    println!("{POSITIONS} positions of {games} games that the bot played against itself\n");
    sight::compare(&positions, rounds);
    search::measure(&positions);
}
