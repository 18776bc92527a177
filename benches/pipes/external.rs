//! Cost of rules in another process: the same match by the rules of this program, and by
//! `referee arena step`.

use crate::{bench_program, open, referee, Bout, KEPT_GAMES};
use arbitre::internals::external::game::ExternalGame;
use arbitre::internals::player::program;
use arbitre_test_support::measure::Cost;
use arbitre_test_support::median::median;
use std::path::Path;

/// Prints the costs. Referee, rules and bots share a processor, so the time of a move is the CPU
/// time of all of them.
pub fn report(rounds: usize) {
    let referee_path = env!("CARGO_BIN_EXE_referee");
    let words = [referee_path, "arena", "step", "awele"].map(str::to_owned);
    let program = program::find(&words, &[]).expect("the referee is built for the bench");
    let program = program.launched_by(Path::new(referee_path));
    let (own, other) = (open("awele"), ExternalGame::open(program, "").expect("it knows awele"));
    let kept = bench_program("kept");
    let mut pairs: Vec<(Cost, Cost)> = Vec::new();
    for _ in 0..rounds {
        let own = referee(&Bout::of_awele(&*own, &kept, KEPT_GAMES));
        let other = referee(&Bout::of_awele(&other, &kept, KEPT_GAMES));
        assert_eq!(own.moves, other.moves, "both play the same games");
        pairs.push((own, other));
    }
    let time = |cost: &Cost| 1e6 / cost.moves_per_second();
    let of = |which: &dyn Fn(&(Cost, Cost)) -> f64| median(pairs.iter().map(which));
    println!("\nrules in another process: instant bots that read `legal`, µs per move");
    println!("  own rules{:>47.2}", of(&|(own, _)| time(own)));
    println!("  the same rules in another process{:>23.2}", of(&|(_, other)| time(other)));
    println!("  ratio{:>51.2}", of(&|(own, other)| time(other) / time(own)));
}
