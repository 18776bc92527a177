//! A bot for {title} that plays random legal moves. Put your own code into `choose`.
//!
//! Each line from the referee is one message, and its first word names the kind of message.
//! Ignore messages that you do not recognise.

use std::io::{self, BufRead, Write};

/// Returns your move: one of `legal`. `seat` is your own seat, counted from 0: seat 0 moves first.
/// `state` is the position, as words:
/// {state}
/// `milliseconds` is the time that you have, if there is a limit. To measure it:
/// `std::time::Instant`, which never counts less than the referee does. To use all of your time on
/// a busy machine, read the CPU time: `clock_gettime` of the crate `libc`.
fn choose(
    _seat: usize,
    _state: &[String],
    legal: &[String],
    _milliseconds: Option<u64>,
    random: u64,
) -> String {
    legal[(random % legal.len() as u64) as usize].clone()
}

fn say(line: &str) -> io::Result<()> {
    println!("{line}");
    io::stdout().flush() // output left in a buffer never reaches the referee
}

fn main() -> io::Result<()> {
    let (mut seat, mut random) = (0, 1_u64);
    let (mut state, mut legal) = (Vec::new(), Vec::new());
    for line in io::stdin().lock().lines() {
        // until the end of input, then the bot exits
        let line = line?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let word = words.next().unwrap_or_default();
        let rest: Vec<String> = words.collect();
        match word.as_str() {
            // a new game: forget the last one
            "game" => (state, legal) = (Vec::new(), Vec::new()),
            // for example `seats 2 you 0`
            "seats" => seat = rest[2].parse().unwrap_or(0),
            // the same seed, the same game
            "seed" => random = rest[0].parse().unwrap_or(1),
            // prepare here, then say the bot's name, one word; with `again` behind it the bot can
            // play another game afterwards
            "begin" => say("ready {name} again")?,
            "state" => state = rest,
            "legal" => legal = rest,
            "go" => {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let milliseconds = rest.first().and_then(|time| time.parse().ok());
                say(&choose(seat, &state, &legal, milliseconds, random >> 33))?;
            }
            // notes go to standard error: on standard output they would be answers
            "result" => eprintln!("result {}", rest.join(" ")),
            _ => {}
        }
    }
    Ok(())
}
