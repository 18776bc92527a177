//! Speed of the best solver.

use super::games::ScoredGames;
use arbitre::bots::hextris::best::{self, BeamParams};
use arbitre::bots::hextris::GameStart;
use arbitre::games::hextris::{score, Phrases, Play};
use arbitre::search::budget::{Budget, Limiter};
use arbitre::search::cpu_time::Stopwatch;

/// Distance between the problems that are played, by index. Not tuned.
const SPACING: usize = 8;
/// Node limit of a game, in rows of the phrase DP. Not tuned.
const NODES: u64 = 3000;

/// Plays some of these games with [`NODES`] nodes each.
pub fn measure_all(games: &ScoredGames) {
    let phrases = &Phrases::official();
    println!("the best solver, {NODES} nodes a game");
    println!(
        "  {:<20} {:>8} {:>10} {:>12} {:>8}",
        "problem", "seconds", "nodes/s", "commands", "score"
    );
    for terrain in games.terrains.iter().step_by(SPACING) {
        let problem = terrain.problem();
        let seed = problem.source_seeds[0];
        let play = Play::new(terrain, seed);
        let start = GameStart::new(terrain, phrases, &play);
        let (mut watch, mut limiter) = (Stopwatch::default(), Limiter::new(Budget::nodes(NODES)));
        let letters = watch.measure(|| best::solve(start, &BeamParams::default(), &mut limiter));
        let text = String::from_utf8(letters).expect("commands are letters");
        let scored = score(terrain, seed, &text, phrases);
        let name = format!("{} ({}x{})", problem.id, problem.width, problem.height);
        println!(
            "  {name:<20} {:>8.2} {:>10.0} {:>12} {:>8}",
            watch.seconds(),
            limiter.nodes() as f64 / watch.seconds(),
            scored.commands,
            scored.total()
        );
    }
}
