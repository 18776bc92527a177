//! What the best solver gets done.

use super::games::Games;
use arbitre::bots::hextris::best::{self, BeamParams};
use arbitre::bots::hextris::GameStart;
use arbitre::games::hextris::{score, Phrases, Play};
use arbitre::search::budget::{Budget, Limiter};
use arbitre::search::cpu_time::Stopwatch;

/// One problem in so many is played.
const SPACING: usize = 8;
/// The nodes of a game, which are rows of the programme.
const NODES: u64 = 3000;

/// Plays some of these games with so many nodes each.
pub fn measure_all(games: &Games) {
    let phrases = &Phrases::official();
    println!("the best solver, {NODES} nodes a game");
    println!(
        "  {:<20} {:>8} {:>10} {:>10} {:>12} {:>8}",
        "problem", "seconds", "nodes/s", "boards/s", "commands", "score"
    );
    for terrain in games.terrains.iter().step_by(SPACING) {
        let problem = terrain.problem();
        let seed = problem.source_seeds[0];
        let play = Play::new(terrain, seed);
        let start = GameStart::new(terrain, phrases, &play);
        let (mut watch, mut limiter) = (Stopwatch::default(), Limiter::new(Budget::nodes(NODES)));
        let answer = watch.measure(|| best::answer(start, &BeamParams::default(), &mut limiter));
        let text = String::from_utf8(answer.letters).expect("commands are letters");
        let scored = score(terrain, seed, &text, phrases);
        let name = format!("{} ({}x{})", problem.id, problem.width, problem.height);
        let [nodes, boards] = [limiter.nodes(), answer.boards].map(|n| n as f64 / watch.seconds());
        println!(
            "  {name:<20} {:>8.2} {nodes:>10.0} {boards:>10.0} {:>12} {:>8}",
            watch.seconds(),
            scored.commands,
            scored.total()
        );
    }
}
