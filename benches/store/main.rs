//! What it costs to keep games: commits beside the floor of SQLite alone, and whole matches beside
//! the same matches that nobody keeps. Everything is measured in one run, in turns, because only
//! ratios mean something on a machine that others use too.
//!
//! `cargo bench --bench store [-- --rounds N]`

mod commits;
mod game;
mod matches;
mod scratch;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--instant-bot") {
        return game::serve();
    }
    let rounds = words.iter().skip_while(|word| *word != "--rounds").nth(1);
    let rounds = rounds.map_or(5, |word| word.parse().expect("--rounds takes a number"));
    let scratch = scratch::Scratch::new();
    println!("median of {rounds} rounds\n");
    commits::compare(&scratch, rounds);
    matches::compare(&scratch, rounds);
}
