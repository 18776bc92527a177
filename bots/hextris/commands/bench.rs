//! `bench`: games of the strategy `best` at a fixed node budget, as a signature of the search.

use crate::bench::BenchReport;
use crate::hextris::best::{self, BeamParams};
use crate::hextris::start::GameStart;
use crate::options::Options;
use crate::program::{say, Failure};
use arbitre_games::dialect::Notation;
use arbitre_games::game::Game;
use arbitre_games::games::hextris::{score, Hextris, Phrases, Play, Terrain};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Number of problems. Not tuned.
const PROBLEMS: usize = 5;
/// Rules of the problems. Not tuned.
const RULES: &str = "size=12x16 length=30";
/// Node limit of a game, in rows of the phrase DP. Not tuned.
const NODES: u64 = 6_000;

/// Runs the command: prints a line per game with its score, then the sums.
///
/// # Errors
/// Returns an error if any argument remains.
pub fn run(options: Options) -> Result<(), Failure> {
    options.finish()?;
    let mut report = BenchReport::default();
    let mut sum = 0;
    for terrain in problems() {
        let problem = terrain.problem();
        let (score, nodes) = report.measure(|| play(&terrain, NODES));
        sum += score;
        let name = format!("problem {} seed {}", problem.id, problem.source_seeds[0]);
        report.add_game(name, score, nodes);
    }
    say(&format!("score {sum}\n"));
    report.finish();
    Ok(())
}

/// Returns the problems, drawn with seed 1.
fn problems() -> impl Iterator<Item = Terrain> {
    let game = Hextris::from_rules(RULES).expect("the rules are valid");
    let setups = game.setups(1, 0, Rng::new(1)).take(PROBLEMS);
    setups.map(|setup| Terrain::new(setup.problem.as_ref().clone()))
}

/// Plays the first game of a problem. Returns its score and the nodes searched.
fn play(terrain: &Terrain, nodes: u64) -> (u64, u64) {
    let (phrases, seed) = (Phrases::official(), terrain.problem().source_seeds[0]);
    let play = Play::new(terrain, seed);
    let start = GameStart::new(terrain, &phrases, &play);
    let mut limiter = Limiter::new(Budget::nodes(nodes));
    let letters = best::solve(start, &BeamParams::default(), &mut limiter);
    let text: String = letters.into_iter().map(char::from).collect();
    (score(terrain, seed, &text, &phrases).total(), limiter.nodes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_is_the_same() {
        let (scores, nodes): (Vec<u64>, Vec<u64>) =
            problems().map(|terrain| play(&terrain, 500)).unzip();
        assert_eq!(scores, [7093, 6832, 7069, 7327, 7309]);
        assert_eq!(nodes, [501; PROBLEMS]);
    }
}
