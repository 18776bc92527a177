//! What the best Tron bot's sight costs, and how far it sees: floods against a rival and a twin, the
//! evaluation, the search. Everything is in processor time and measured in one run, in turns, because
//! only ratios mean something on a machine that others use too.
//!
//! `cargo bench --bench tron [-- --rounds N]`

mod positions;
mod queue;
mod search;
mod sight;

/// Positions that are judged.
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
