//! A bot for CodinGame's Oware Abapa that plays legal moves. Put your own code into `choose`.
//! The same file plays in the arena and here.

use std::io::{self, BufRead, Write};

/// Returns the pits that may be sown: an opponent without seeds must get some.
fn legal_moves(pits: &[u32]) -> Vec<usize> {
    let starving = pits[6..].iter().all(|&seeds| seeds == 0);
    let least = |pit: usize| if starving { 6 - pit as u32 } else { 1 };
    (0..6).filter(|&pit| pits[pit] >= least(pit)).collect()
}

/// Returns your move: a pit from 0 to 5, within 50 ms (1 s for the first one). `pits` holds the
/// seeds of your six pits, then of the opponent's six, in sowing order.
fn choose(pits: &[u32]) -> usize {
    let legal = legal_moves(pits);
    // As good as random: the seeds on the way change with each turn.
    let mixed = pits.iter().fold(7_usize, |sum, &seeds| sum.wrapping_mul(31) + seeds as usize);
    legal[mixed % legal.len()]
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let seeds = line.split_whitespace().map(|word| word.parse().unwrap_or(0));
        let pits: Vec<u32> = seeds.collect();
        // Notes go to standard error: eprintln!.
        println!("{}", choose(&pits));
        io::stdout().flush()?;
    }
    Ok(())
}
