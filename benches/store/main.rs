//! Cost of storing games: commits compared with SQLite alone, and whole matches compared with the
//! same matches without a file. All measurements are interleaved in one run, because only ratios
//! are meaningful on a shared machine.
//!
//! `cargo bench --bench store [-- --rounds N]`; with `--large` the bench measures a file of 100,000
//! games instead, with `--shards` merges of a hundred files of up to a million games.

mod commits;
mod game;
mod large;
mod matches;
mod scratch;
mod shards;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--instant-bot") {
        return game::serve();
    }
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(5, |word| word.parse().expect("--rounds takes a number"));
    let scratch = scratch::Scratch::new();
    if words.iter().any(|word| word == "--shards") {
        return shards::measure(&scratch);
    }
    println!("median of {rounds} rounds\n");
    if words.iter().any(|word| word == "--large") {
        large::measure(&scratch, rounds);
        return large::measure_tournament(&scratch, rounds);
    }
    commits::compare(&scratch, rounds);
    matches::compare(&scratch, rounds);
}
