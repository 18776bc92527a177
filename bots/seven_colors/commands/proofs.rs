//! `seven-colors proofs`: games of `best` against itself, with the moment at which it first proves
//! a result.

use crate::options::Options;
use crate::program::{say, Failure, UNMET};
use crate::seven_colors::best::{Best, BestMove};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::seven_colors::{Position, SevenColors};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Timer};
use std::cmp::Ordering;
use std::time::Duration;

/// A game and its first proved position.
struct ProofRun {
    plies: usize,
    /// Ply and number of free cells at the first proof.
    proved: Option<(usize, usize)>,
    /// Number of claimed wins that did not come true. Claimed losses do not count, since the
    /// opponent may fail to win.
    contradictions: usize,
}

/// Plays games of `best` against itself and prints a line for each. At the end it prints the mean
/// number of free cells at the first proof.
///
/// # Errors
/// Returns an error if the value of an option is invalid, or a proved win did not come true.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let games: usize = options.take_count("--games")?.unwrap_or(10);
    let seed = options.take("--seed")?.unwrap_or(1);
    let rules: String = options.take_text("--rules")?.unwrap_or_default();
    let nodes = options.take_count("--nodes")?;
    let time = options.take_duration("--move-time")?;
    options.finish()?;
    let limits = move || match (nodes, time) {
        (Some(_), _) => Budget { nodes, ..Budget::default() },
        _ => processor_time(time.unwrap_or(Duration::from_secs(1))),
    };
    let game = SevenColors::from_rules(&rules)?;
    let mut all = Vec::new();
    for (number, board) in (1..).zip(game.setups(2, 0, Rng::new(seed)).take(games)) {
        let played = play(game.start(&board)?, limits);
        let proved = match played.proved {
            Some((ply, free)) => format!("who wins is proved at ply {ply}, {free} cells free"),
            None => "nothing is proved".to_owned(),
        };
        say(&format!("{number:3}: {} plies, {proved}\n", played.plies));
        all.push(played);
    }
    report(&all)
}

fn processor_time(limit: Duration) -> Budget {
    Budget { time: Some(Timer::cpu(limit)), ..Budget::default() }
}

/// Plays a game. Each seat has an engine of its own, without access to proofs of the other.
fn play(mut position: Position, limits: impl Fn() -> Budget) -> ProofRun {
    let mut engines = [Best::default(), Best::default()];
    let (mut plies, mut proved, mut claims) = (0, None, Vec::new());
    while position.outcome().is_none() {
        let mover = position.mover();
        let free = position.rules().cells() - position.board().count(mover);
        let free = free - position.board().count(mover.other());
        let thought: BestMove = engines[mover.index()].best_move(&position, limits());
        if let Some(result) = thought.proved {
            proved = proved.or(Some((plies, free)));
            claims.extend((result == Ordering::Greater).then_some(mover));
        }
        position.play_unchecked(mover, thought.colour);
        plies += 1;
    }
    let [one, other] = position.scores();
    let is_wrong = |claim: &&Seat| {
        let (own, rival) = if claim.index() == 0 { (one, other) } else { (other, one) };
        own <= rival
    };
    ProofRun { plies, proved, contradictions: claims.iter().filter(is_wrong).count() }
}

fn report(all: &[ProofRun]) -> Result<(), Failure> {
    let free: Vec<usize> = all.iter().filter_map(|played| Some(played.proved?.1)).collect();
    let ahead = all.iter().filter_map(|played| Some(played.plies - played.proved?.0));
    let (count, sum, ahead) = (free.len(), free.iter().sum::<usize>(), ahead.sum::<usize>());
    let contradictions: usize = all.iter().map(|played| played.contradictions).sum();
    let mean = |sum: usize| sum as f64 / count.max(1) as f64;
    say(&format!(
        "{} games, proved in {count} of them, on average with {:.1} cells free and {:.1} plies before the \
         end; {contradictions} contradictions\n",
        all.len(),
        mean(sum),
        mean(ahead)
    ));
    match contradictions {
        0 => Ok(()),
        _ => Err(Failure::new(UNMET, "what was proved did not come true")),
    }
}
